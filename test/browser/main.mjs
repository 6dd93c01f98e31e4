// Opens the page of a real gateway in a real browser.
//
//   Chromium ──► page ──► gateway ──► servers of server.mjs
//                            ▲
//   agent (gateway.mjs) ─────┘
//
// Parts are the files part_*.mjs. Every check prints one line; pictures of all views
// are left in the folder of --out. What a page must not do - an error, a request to
// elsewhere, a violation of its policy, a dialog - is noticed throughout.
import { mkdir, readdir } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Browser } from "./browser.mjs";
import { same } from "./checks.mjs";
import { Gateway } from "./gateway.mjs";

const { values: flags } = parseArgs({
  options: { packages: { type: "string" }, chromium: { type: "string" }, toolcrib: { type: "string" }, out: { type: "string" }, only: { type: "string", default: "" } },
});
flags.out = resolve(flags.out); // servers have other working directories
await mkdir(flags.out, { recursive: true });
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(1));

let passed = 0;
let failed = 0;
const open = []; // what the part that runs has to close
const pages = []; // that it has open

const world = {
  out: flags.out,

  // check makes one check: f throws, or returns words to print beside it.
  async check(name, f) {
    try {
      const said = await f();
      passed++;
      console.log(`ok    ${name}${said ? ` (${said})` : ""}`);
    } catch (e) {
      failed++;
      console.log(`FAIL  ${name}: ${e.message}`);
      for (const page of pages) await page.screenshot({ path: join(flags.out, `FAIL_${failed}_${pages.indexOf(page)}.png`) }).catch(() => {}); // one that is broken has none
    }
  },

  async gateway(config, files) {
    const g = await Gateway.start(flags.toolcrib, config, files);
    open.push(() => g.stop());
    return g;
  },

  async visit(gateway, options) {
    const page = await world.browser.visit(options);
    pages.push(page);
    page.home = gateway.url;
    page.open = (path) => page.goto(gateway.url + path, { waitUntil: "load" });
    open.push(async () => {
      await world.check(`nothing went wrong in ${options?.name ?? "the browser"}`, () => same(page.wrong, []));
      await page.context().close();
    });
    return page;
  },
};

const began = Date.now();
world.browser = await Browser.start(flags.packages, flags.chromium, flags.out);
console.log(`Chromium ${world.browser.version}`);
const files = (await readdir(dirname(fileURLToPath(import.meta.url)))).filter((f) => /^part_.*\.mjs$/.test(f)).sort();
for (const file of files) {
  const name = file.slice("part_".length, -".mjs".length);
  if (!name.includes(flags.only)) continue;
  const start = Date.now();
  console.log(`== ${name}`);
  try {
    await (await import(`./${file}`)).default(world);
  } catch (e) {
    await world.check(`${name} could be run`, () => { throw e; });
  }
  for (const close of open.splice(0).reverse()) await close();
  pages.length = 0;
  console.log(`   ${((Date.now() - start) / 1000).toFixed(1)} s`);
}
await world.browser.close();
console.log(`\n${((Date.now() - began) / 1000).toFixed(0)} s in all; pictures are in ${flags.out}\n${passed} passed, ${failed} failed`);
process.exitCode = failed ? 1 : 0;
