// A gateway as its users start it, with a home of its own, and agents that call it.
import { execFile, spawn } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const here = dirname(fileURLToPath(import.meta.url));

// server is the entry of one of the servers of server.mjs.
export const server = (kind, ...args) => ({ command: process.execPath, args: [join(here, "server.mjs"), kind, ...args] });

// Nothing outlives the tests, however they end.
const running = new Set();
process.on("exit", () => { for (const one of running) one.kill("SIGKILL"); });

export class Gateway {
  // start waits until the gateway listens. Files are put beside its configuration.
  static async start(toolcrib, config, files = {}) {
    const g = new Gateway();
    g.home = await mkdtemp(join(tmpdir(), "toolcrib-browser-"));
    g.file = join(g.home, "toolcrib.json");
    g.toolcrib = toolcrib;
    for (const dir of ["state", "config", "cache"]) await mkdir(join(g.home, dir));
    await writeFile(g.file, JSON.stringify(config, null, 2));
    for (const [name, content] of Object.entries(files)) await writeFile(join(g.home, name), JSON.stringify(content, null, 2));
    g.env = { PATH: process.env.PATH, HOME: g.home, XDG_STATE_HOME: join(g.home, "state"), XDG_CONFIG_HOME: join(g.home, "config"), XDG_CACHE_HOME: join(g.home, "cache") };
    g.process = spawn(toolcrib, ["serve", "--config", g.file, "--http", "127.0.0.1:0"], { env: g.env, cwd: g.home, stdio: ["ignore", "ignore", "pipe"] });
    running.add(g.process);
    g.log = "";
    g.ended = new Promise((resolve) => g.process.on("exit", resolve));
    const listening = new Promise((resolve) => {
      g.process.stderr.setEncoding("utf8").on("data", (text) => {
        g.log += text;
        const found = /url=(http:\S+)\/mcp(?:.*?token_file=(\S+))?(?:.*?key_file=(\S+))?/.exec(g.log);
        if (found) resolve(found);
      });
    });
    const up = await Promise.race([listening, g.ended]);
    if (!Array.isArray(up)) throw new Error(`the gateway ended: ${g.log}`);
    g.url = up[1];
    const secret = async (file) => (file ? (await readFile(file, "utf8")).trim() : "");
    [g.token, g.key] = [await secret(up[2]), await secret(up[3])];
    return g;
  }

  // ask sends one request of an agent and returns its result.
  async ask(method, params) {
    const headers = { "Content-Type": "application/json", Accept: "application/json, text/event-stream", "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": method };
    if (params.name) headers["Mcp-Name"] = params.name;
    if (this.token) headers.Authorization = `Bearer ${this.token}`;
    const _meta = { "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}, "io.modelcontextprotocol/clientInfo": { name: "browser-test", version: "1" } };
    const answer = await fetch(`${this.url}/mcp`, { method: "POST", headers, body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta } }) });
    const text = await answer.text();
    const data = text.startsWith("{") ? text : text.split("\n").filter((l) => l.startsWith("data: ")).map((l) => l.slice(6)).at(-1);
    const { result, error } = JSON.parse(data);
    if (error) throw new Error(JSON.stringify(error));
    return result;
  }

  // call calls a tool of a server by the gateway's own.
  call(tool, args = {}) { return this.ask("tools/call", { name: "call_tool", arguments: { tool, arguments: args } }); }

  // api reads from the interface for programs.
  async api(path, options = {}) {
    const headers = { ...(this.token ? { Authorization: `Bearer ${this.token}` } : {}), ...options.headers };
    const answer = await fetch(this.url + "/api/v1" + path, { ...options, headers });
    return { status: answer.status, body: await answer.json() };
  }

  // until asks the interface again and again until what it says is right.
  async until(path, right) {
    const deadline = Date.now() + 60_000;
    for (;;) {
      const { body } = await this.api(path);
      if (right(body)) return body;
      if (Date.now() > deadline) throw new Error(`${path} still says ${JSON.stringify(body).slice(0, 1000)}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  // command runs a command of the program, as the gateway's user would, and returns what it prints.
  async command(...args) {
    const { stdout } = await promisify(execFile)(this.toolcrib, [...args, "--config", this.file], { env: this.env, cwd: this.home });
    return stdout.trim();
  }

  async stop() {
    this.process.kill("SIGTERM");
    const late = setTimeout(() => this.process.kill("SIGKILL"), 20_000);
    await this.ended;
    clearTimeout(late);
    running.delete(this.process);
    await rm(this.home, { recursive: true, force: true });
  }
}
