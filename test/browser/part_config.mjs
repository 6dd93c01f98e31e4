// A file that cannot be used is told on the page, with where, until it is mended.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { has, main, untilText } from "./checks.mjs";
import { server } from "./gateway.mjs";

export default async function (world) {
  const gateway = await world.gateway({ http: { auth: "none" }, servers: { workshop: { ...server("workshop"), env: { API_KEY: "sk-live-0123456789abcdefghij" } } } });
  await gateway.until("/overview", (o) => o.tools.total > 0);
  const page = await world.visit(gateway, { name: "the configuration" });
  const good = await readFile(gateway.file, "utf8");

  await world.check("files in use are listed, and no secret is shown", async () => {
    await page.open("/config");
    const text = await main(page);
    has(text, gateway.file);
    has(text, "API_KEY");
    if (text.includes("sk-live")) throw new Error("the key is on the page");
    await page.open("/servers/workshop");
    if ((await main(page)).includes("sk-live")) throw new Error("the key is on the server's page");
  });
  await world.check("a mistake is shown with its line as soon as it is made", async () => {
    await page.open("/config");
    await writeFile(gateway.file, good.replace('"servers": {', '"serverz": {'));
    await untilText(page, "main .pill", "not in use");
    has(await page.locator("#problems").locator("xpath=../..").innerText(), "toolcrib.json:");
    await untilText(page, "#foot", "degraded");
    await page.screenshot({ path: join(world.out, "config_problem_light.png"), fullPage: true });
  });
  await world.check("and is gone when it is mended", async () => {
    await writeFile(gateway.file, good);
    await page.waitForFunction(() => !document.querySelector("main").textContent.includes("not in use"));
    await untilText(page, "#foot", "ready");
  });
}
