// A browser, and pages that notice whatever a page must not do.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { join } from "node:path";

export class Browser {
  static async start(packages, executablePath, out) {
    const b = new Browser();
    const require = createRequire(join(packages, "/"));
    b.axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
    b.out = out;
    // Root, as in a container, has no sandbox.
    const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
    b.chromium = await require("playwright-core").chromium.launch({ executablePath, args });
    b.version = b.chromium.version();
    return b;
  }

  // visit opens a page for somebody new. Whatever goes wrong in it is kept in wrong.
  async visit({ width = 1280, height = 900, colorScheme = "light", ...rest } = {}) {
    const context = await this.chromium.newContext({ viewport: { width, height }, colorScheme, reducedMotion: "reduce", ...rest });
    context.setDefaultTimeout(30_000);
    const page = await context.newPage();
    page.wrong = [];
    page.on("console", (m) => { if (["error", "warning"].includes(m.type())) page.wrong.push(`console: ${m.text()} (${m.location().url})`); });
    page.on("pageerror", (e) => page.wrong.push(`error: ${e.message}`));
    page.on("dialog", (d) => { page.wrong.push(`dialog: ${d.message()}`); d.dismiss(); });
    page.on("popup", (p) => page.wrong.push(`popup: ${p.url()}`));
    page.on("request", (r) => { if (page.home && !r.url().startsWith(page.home) && !r.url().startsWith("data:")) page.wrong.push(`request: ${r.url()}`); });
    await page.exposeFunction("canary", (why) => { page.wrong.push(`canary: ${why}`); });
    await page.addInitScript(() => {
      document.addEventListener("securitypolicyviolation", (e) => window.canary(`policy: ${e.violatedDirective} ${e.blockedURI} ${e.sample}`));
    });
    return page;
  }

  async close() { await this.chromium.close(); }
}
