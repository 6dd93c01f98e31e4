// A server that changes its mind: the difference is read and approved, or rejected.
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { has, main, same, untilText } from "./checks.mjs";
import { server } from "./gateway.mjs";

export default async function (world) {
  const changed = join(world.out, `changed-${process.pid}`);
  const gateway = await world.gateway({ http: { auth: "none", page: "actions" }, servers: { units: server("changing", changed) } });
  await gateway.until("/servers", ([s]) => s.tools === 2);
  const page = await world.visit(gateway, { name: "trust" });

  await world.check("at first nothing waits", async () => {
    await page.open("/trust");
    has(await main(page), "Nothing waits for you");
  });
  await world.check("a server is listed anew by a button", async () => {
    await writeFile(changed, "");
    await page.open("/servers/units");
    await page.click("text=List its tools anew");
    await untilText(page, "main .note", "wait for approval");
  });
  await world.check("the page of trust shows the difference", async () => {
    await page.open("/trust");
    const card = page.locator('[data-held="units.convert"]');
    has(await card.locator(".diff .add").allInnerTexts().then((t) => t.join("\n")), "Keep a copy of what is converted.");
    has(await card.locator(".diff .add").allInnerTexts().then((t) => t.join("\n")), "copy_to");
    await page.screenshot({ path: join(world.out, "trust_held_light.png"), fullPage: true });
  });
  await world.check("without the key nothing is decided, and the page says how it would be", async () => {
    const card = page.locator('[data-held="units.convert"]');
    same(await card.locator("button").count(), 0, "the number of buttons");
    has(await main(page), "toolcrib page");
    const { fingerprint } = (await gateway.api("/trust")).body.held.find((h) => h.id === "units.convert");
    for (const verb of ["approve", "reject"]) {
      const { status, body } = await gateway.api(`/trust/pins/units.convert/${verb}`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ fingerprint }) });
      same([status, body.code], [403, "key_needed"], verb);
    }
    same((await gateway.api("/trust")).body.held.filter((h) => h.id === "units.convert" && !h.rejected).length, 1, "what waits");
    await page.click("text=show the key");
    await page.waitForURL(/\/login\?decide=1/);
    same(await page.locator("#token").count(), 0, "the number of fields for a token");
    await page.fill("#key", "x".repeat(43));
    await page.keyboard.press("Enter");
    await page.locator("#wrong").waitFor();
    has(await page.locator("#wrong").innerText(), "not the key of the page");
    await page.screenshot({ path: join(world.out, "login_key_light.png"), fullPage: true });
  });
  await world.check("the key of the page lets its browser decide", async () => {
    const other = await world.visit(gateway, { name: "trust by the key" });
    await other.open("/login?decide=1&next=/trust");
    await other.fill("#key", gateway.key);
    await other.keyboard.press("Enter");
    await other.waitForURL((at) => at.pathname === "/trust");
    same(await other.locator('[data-held="units.convert"] button').count(), 2, "the number of buttons");
  });
  await world.check("a definition that was read is approved, by the address of toolcrib page", async () => {
    await page.goto(await gateway.command("page", "--http", new URL(gateway.url).host));
    await page.open("/trust");
    await page.locator('[data-held="units.convert"] button', { hasText: "Approve" }).click();
    await page.waitForFunction(() => !document.querySelector('[data-held="units.convert"]'));
    await gateway.until("/tools/units.convert", (t) => t.pin === "approved" && t.text.includes("Keep a copy"));
    await page.open("/tools/units.convert");
    has(await main(page), "Keep a copy of what is converted.");
    has(await main(page), "approved by a person");
  });
  await world.check("a definition that was rejected stays as it was", async () => {
    await page.open("/tools/units.units");
    has(await main(page), "Lists the units, and more.");
    await page.locator("button", { hasText: "Reject" }).click();
    await untilText(page, "main", "rejected");
    await page.open("/trust");
    await untilText(page, "main .empty", "Nothing waits for you");
    await untilText(page, "main summary", "1 definition was rejected");
    await page.open("/tools/units.units");
    has(await main(page), "Lists the units.");
    same((await page.locator("#about").locator("xpath=../..").innerText()).includes("and more"), false, "that the new one counts");
  });
  await rm(changed);

  const project = await world.gateway({ http: { auth: "none", page: "actions" }, include: ["claude-code"], servers: {} }, { ".mcp.json": { mcpServers: { builder: server("workshop") } } });
  const visitor = await world.visit(project, { name: "trust of a project's servers" });
  await world.check("a server of a project's file waits, with the command that trusts it", async () => {
    await visitor.open("/trust");
    const text = await main(visitor);
    has(text, "builder");
    has(text, "toolcrib trust");
    has(text, ".mcp.json");
    await visitor.screenshot({ path: join(world.out, "trust_untrusted_light.png"), fullPage: true });
    await visitor.open("/servers");
    has(await main(visitor), "needs approval");
    const { status } = await project.api("/servers/builder/refresh", { method: "POST" });
    if (status < 400) throw new Error(`it can be listed: ${status}`);
  });
}
