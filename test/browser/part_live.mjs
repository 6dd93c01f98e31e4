// What agents do is seen as they do it.
import { has, main, same, untilText } from "./checks.mjs";
import { server } from "./gateway.mjs";

export default async function (world) {
  const gateway = await world.gateway({ http: { auth: "none", page: "actions" }, servers: { workshop: server("workshop") } });
  await gateway.until("/overview", (o) => o.tools.total > 0);
  const page = await world.visit(gateway, { name: "live activity" });
  const overview = await world.visit(gateway, { name: "the overview" });

  await page.open("/activity");
  await untilText(page, "#stream", "live");
  await overview.open("/");
  await overview.waitForFunction(() => document.body.dataset.stream === "open");

  await world.check("a call appears while the page is open", async () => {
    await gateway.call("workshop.list_orders");
    await untilText(page, "tbody th a", "workshop.list_orders");
    await gateway.call("workshop.break_tool");
    await untilText(page, "tbody tr", "tool error");
  });
  await world.check("a search appears with its verdict", async () => {
    await gateway.ask("tools/call", { name: "search_tools", arguments: { query: "take a picture" } });
    await untilText(page, "tbody tr", "take a picture");
  });
  await world.check("the overview counts along", async () => {
    await untilText(overview, ".numbers dd.big", "2");
    await untilText(overview, ".doings", "workshop.list_orders");
  });
  await world.check("many calls at once are all there", async () => {
    await Promise.all(Array.from({ length: 40 }, () => gateway.call("workshop.take_picture")));
    await page.waitForFunction(() => [...document.querySelectorAll("tbody th a")].filter((a) => a.textContent === "workshop.take_picture").length >= 40);
  });
  await world.check("a pause is one, until it is over", async () => {
    await page.click("#pause");
    const rows = await page.locator("tbody tr").count();
    await gateway.call("workshop.scrap_part", { part: "1" });
    await untilText(overview, ".doings", "workshop.scrap_part"); // the event was sent
    same(await page.locator("tbody tr").count(), rows, "the number of rows");
    same((await page.locator("tbody th a").allInnerTexts()).includes("workshop.scrap_part"), false, "that it is shown");
    await page.click("#pause");
    await untilText(page, "tbody th a", "workshop.scrap_part");
  });
  await world.check("filters count as they are typed", async () => {
    await page.fill("input[name=text]", "scrap");
    await page.waitForFunction(() => document.querySelectorAll("tbody tr").length === 1);
    await page.fill("input[name=text]", "");
    await page.selectOption("select[name=outcome]", "error");
    await page.waitForFunction(() => [...document.querySelectorAll("tbody tr")].length === 1 && document.querySelector("tbody").textContent.includes("break_tool"));
    await page.selectOption("select[name=outcome]", "");
    await page.selectOption("select[name=kind]", "search");
    await page.waitForFunction(() => document.querySelector("tbody").textContent.includes("take a picture") && ![...document.querySelectorAll("tbody th a")].some((a) => a.textContent.includes("scrap_part")));
  });
  await world.check("what is selected stays so, and the page catches up afterwards", async () => {
    await page.open("/activity");
    await page.waitForFunction(() => document.body.dataset.stream === "open");
    await page.evaluate(() => getSelection().selectAllChildren(document.querySelector("h1")));
    await gateway.call("workshop.count_screws");
    await untilText(overview, ".doings", "workshop.count_screws"); // the event was sent
    same((await page.locator("tbody th a").allInnerTexts()).includes("workshop.count_screws"), false, "that it is shown");
    await page.evaluate(() => getSelection().removeAllRanges());
    await untilText(page, "tbody th a", "workshop.count_screws");
  });
  await world.check("one call has its timeline", async () => {
    await page.open("/activity?tool=workshop.scrap_part");
    await page.click("tbody th a");
    await page.waitForURL(/\/activity\/\d+/);
    has(await main(page), "Timeline");
    has(await main(page), "workshop.scrap_part");
  });
}
