// The way in, and out again; and what cannot be done where pages are for reading.
import { has, main, same } from "./checks.mjs";
import { server } from "./gateway.mjs";

export default async function (world) {
  const gateway = await world.gateway({ http: {}, servers: { workshop: server("workshop") } });
  await gateway.until("/overview", (o) => o.tools.total > 0);
  const page = await world.visit(gateway, { name: "the way in" });

  await world.check("whoever is not known is asked for the token", async () => {
    await page.open("/catalog?q=order");
    same(new URL(page.url()).pathname, "/login");
    same((await fetch(`${gateway.url}/api/v1/overview`)).status, 401, "the status of the interface");
  });
  await world.check("a wrong token is told so", async () => {
    await page.fill("#token", "x".repeat(40));
    await page.click("button");
    await page.locator("#wrong").waitFor();
    has(await page.locator("#wrong").innerText(), "not the gateway's token");
  });
  await world.check("the right one leads to the page that was wanted", async () => {
    await page.fill("#token", gateway.token);
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/catalog\?q=order/);
    has(await main(page), "workshop.create_order");
    const [cookie] = await page.context().cookies();
    same([cookie.httpOnly, cookie.sameSite, cookie.value.includes(gateway.token)], [true, "Strict", false], "the cookie");
  });
  await world.check("another page cannot use the session", async () => {
    const status = await page.evaluate(() => fetch("/api/v1/me").then((r) => r.status));
    same(status, 200, "the status for a page of the gateway");
    const other = await fetch(`${gateway.url}/api/v1/me`, { headers: { Cookie: await page.context().cookies().then((c) => c.map((k) => `${k.name}=${k.value}`).join("; ")), Origin: "http://evil.example", "Sec-Fetch-Site": "cross-site" } });
    same(other.status, 403, "the status for another");
  });
  await world.check("pages for reading have no buttons, and nothing is done", async () => {
    for (const path of ["/servers", "/servers/workshop", "/tools/workshop.create_order", "/trust"]) {
      await page.open(path);
      same(await page.locator("main form, main button:not([data-copy])").count(), 0, `the number of forms of ${path}`);
    }
    for (const path of ["/servers/workshop/refresh", "/tools/workshop.list_orders/call", "/trust/pins/workshop.list_orders/approve"]) {
      const { status, body } = await gateway.api(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: "{}" });
      same([status, body.code], [403, "actions_off"], path);
    }
  });
  await world.check("logging out ends it", async () => {
    await page.click("text=Log out");
    await page.waitForURL(/\/login/);
    await page.open("/servers");
    same(new URL(page.url()).pathname, "/login");
  });
  await world.check("an address of toolcrib page logs in, once", async () => {
    const address = await gateway.command("page", "--http", new URL(gateway.url).host);
    await page.goto(address);
    has(await main(page), "Overview");
    await page.click("text=Log out");
    await page.waitForURL(/\/login/);
    await page.goto(address);
    has(await page.locator("#wrong").innerText(), "used before");
  });
}
