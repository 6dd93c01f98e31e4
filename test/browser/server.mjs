// An MCP server on standard input and output, for the browser's tests:
//
//   node server.mjs KIND [ARGUMENT]
//
// Kinds are the exports of kinds.mjs. It speaks the protocol's version 2025-06-18.
import { createInterface } from "node:readline";
import * as kinds from "./kinds.mjs";

const [kind, argument] = process.argv.slice(2);
const server = kinds[kind]?.(argument);
if (!server) {
  console.error(`no kind ${kind}: there are ${Object.keys(kinds).join(", ")}`);
  process.exit(2);
}

const methods = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion: protocolVersion ?? "2025-06-18",
    capabilities: { tools: { listChanged: true } },
    serverInfo: { name: kind, title: server.title, version: "1.2.0" },
    instructions: server.instructions,
  }),
  ping: () => ({}),
  "tools/list": () => ({ tools: server.tools().map(({ run, ...definition }) => definition) }),
  "tools/call": async ({ name, arguments: given }) => {
    const tool = server.tools().find((t) => t.name === name);
    if (!tool) throw { code: -32602, message: `no tool ${name}` };
    return tool.run(given ?? {});
  },
};

const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\n");

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue;
  const respond = async () => {
    if (!methods[method]) throw { code: -32601, message: `no method ${method}` };
    return methods[method](params ?? {});
  };
  respond().then(
    (result) => send({ id, result }),
    (e) => send({ id, error: { code: e.code ?? -32603, message: e.message ?? String(e) } }),
  );
}
