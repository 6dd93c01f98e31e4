// Every view, with nothing behind the gateway and with 5,000 tools: it loads, in light
// and dark and on a phone, axe finds nothing serious, and a picture is kept.
import { join } from "node:path";
import { judge } from "./axe.mjs";
import { has, main, overflow, same } from "./checks.mjs";
import { server } from "./gateway.mjs";

const views = {
  overview: "/", servers: "/servers", catalog: "/catalog", activity: "/activity", trust: "/trust", config: "/config", missing: "/tools/no.such",
};

export default async function (world) {
  const open = { http: { auth: "none", page: "actions" } };
  const none = await world.gateway({ ...open, servers: {} });
  await look(world, none, "empty", views);

  const servers = { workshop: server("workshop"), broken: server("broken"), hostile: server("hostile"), changing: server("changing", "/nowhere") };
  for (let i = 1; i <= 5; i++) servers[`office-${i}`] = server("many", "1000");
  const full = await world.gateway({ ...open, servers });
  const tools = await full.until("/overview", (o) => o.tools.total >= 5000 && o.servers.failed > 0);
  await full.ask("tools/list", {});
  await full.ask("tools/call", { name: "search_tools", arguments: { query: "create an invoice" } });
  await full.call("workshop.create_order", { customer: "ada", pieces: 2 });
  await full.call("workshop.break_tool");
  await full.ask("tools/call", { name: "execute", arguments: { script: "local a = workshop.list_orders({}) local b = workshop.take_picture({}) a:await() b:await() return 1" } });
  const { body } = await full.api("/activity?kind=script");
  await world.check("there are 5,000 tools", () => `${tools.tools.total} of ${tools.servers.total} servers`);
  await look(world, full, "full", {
    ...views, server: "/servers/workshop", server_failed: "/servers/broken", catalog_search: "/catalog?q=create+an+invoice", catalog_page: "/catalog?page=7&category=" + encodeURIComponent((await full.api("/categories")).body[0].name),
    tool: "/tools/workshop.create_order", call: `/activity/${body.activities[0].id}`,
  });
  await plain(world, full);

  const closed = await world.gateway({ http: {}, servers: {} });
  await look(world, closed, "closed", { login: "/login" });
}

// look visits every view.
async function look(world, gateway, name, list) {
  const page = await world.visit(gateway, { name: `the views of ${name}` });
  for (const [view, path] of Object.entries(list)) {
    await world.check(`${name}: ${view} loads`, async () => {
      const answer = await page.open(path);
      same(answer.status(), view === "missing" ? 404 : 200, "the status");
      if (view === "missing") page.wrong = page.wrong.filter((w) => !w.includes("404")); // as it should be
      same(await page.locator("h1").count(), 1, "the number of headings");
      same(await overflow(page), 0, "the overflow");
    });
    await world.check(`${name}: ${view} is accessible`, async () => {
      const said = await judge(page, world.browser.axe);
      await page.screenshot({ path: join(world.out, `${name}_${view}_light.png`), fullPage: true });
      await page.emulateMedia({ colorScheme: "dark" });
      await judge(page, world.browser.axe, { runOnly: ["color-contrast"] });
      await page.screenshot({ path: join(world.out, `${name}_${view}_dark.png`), fullPage: true });
      await page.emulateMedia({ colorScheme: "light" });
      return said;
    });
    await world.check(`${name}: ${view} fits a phone`, async () => {
      await page.setViewportSize({ width: 360, height: 740 });
      same(await overflow(page), 0, "the overflow");
      await page.screenshot({ path: join(world.out, `${name}_${view}_phone.png`), fullPage: true });
      await page.setViewportSize({ width: 1280, height: 900 });
    });
  }
}

// plain reads the pages without a script.
async function plain(world, gateway) {
  const page = await world.visit(gateway, { name: "a browser without scripts", javaScriptEnabled: false });
  await world.check("without scripts a search is a form, and tools can be read", async () => {
    await page.open("/catalog");
    await page.fill("#q", "take a picture of the bench");
    await page.click("text=Show");
    has(await page.locator(".hits li").first().innerText(), "workshop.take_picture");
    await page.click("text=workshop.take_picture");
    has(await main(page), "Takes a picture of the bench.");
  });
}
