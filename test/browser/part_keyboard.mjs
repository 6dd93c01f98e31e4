// From the first page to a call, without a mouse.
import { has, main, same, untilText } from "./checks.mjs";
import { server } from "./gateway.mjs";

const focused = (page) => page.evaluate(() => document.activeElement.outerHTML.slice(0, 200));

export default async function (world) {
  const gateway = await world.gateway({ http: { auth: "none", page: "actions" }, servers: { workshop: server("workshop") } });
  await gateway.until("/overview", (o) => o.tools.total > 0);
  const page = await world.visit(gateway, { name: "a browser without a mouse" });
  const press = (key) => page.keyboard.press(key);

  await world.check("the first stop skips to the content", async () => {
    await page.open("/");
    await press("Tab");
    has(await focused(page), "Skip to the content");
    await press("Enter");
    await page.waitForFunction(() => document.activeElement.id === "main");
  });
  await world.check("what has the focus can be seen", async () => {
    await press("Tab");
    same(await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle), "solid", "the outline");
  });
  await world.check("/ leads to the search, arrows through what it found", async () => {
    await press("/");
    await page.waitForURL(/\/catalog/);
    await press("/");
    await page.waitForFunction(() => document.activeElement.id === "q");
    await page.keyboard.type("take a picture of the bench");
    await page.waitForFunction(() => new URLSearchParams(location.search).get("q")?.endsWith("bench"));
    await press("ArrowDown");
    has(await focused(page), "workshop.take_picture");
    await press("ArrowDown");
    await press("ArrowUp");
    await press("Escape");
    same(await page.evaluate(() => document.activeElement.id), "q", "the focus");
    await press("ArrowDown");
    await press("Enter");
    await page.waitForURL(/\/tools\/workshop\.take_picture/);
  });
  await world.check("the tool is called", async () => {
    await page.locator("button.first").focus();
    await press("Enter");
    await untilText(page, ".answer", "one picture");
  });
  await world.check("the focus stays where it was when a page is rendered anew", async () => {
    await page.open("/activity");
    await page.waitForFunction(() => document.body.dataset.stream === "open");
    await page.locator("tbody th a").first().focus();
    const at = await page.evaluate(() => document.activeElement.getAttribute("href"));
    await gateway.call("workshop.list_orders");
    await untilText(page, "tbody th a", "workshop.list_orders");
    same(await page.evaluate(() => document.activeElement.getAttribute("href")), at, "the focus");
    has(await main(page), "Activity");
  });
}
