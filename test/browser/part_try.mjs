// The form that calls a tool, made of its schema.
import { has, main, same } from "./checks.mjs";
import { server } from "./gateway.mjs";

const field = (page, name) => page.locator(`form[data-try] .field[data-name="${name}"]`).first();
const value = (page, name) => field(page, name).locator("[data-value]").first();
const answer = async (page) => {
  await page.click("text=Call it");
  await page.waitForFunction(() => !document.querySelector("button[aria-busy]") && document.querySelector(".answer").childElementCount > 0);
  return page.locator(".answer").innerText();
};

export default async function (world) {
  const gateway = await world.gateway({
    http: { auth: "none", page: "actions" }, servers: { workshop: server("workshop") }, policy: { rules: [{ tools: ["forbidden"], verdict: "deny" }] },
  });
  await gateway.until("/overview", (o) => o.tools.total > 0);
  const page = await world.visit(gateway, { name: "the form" });

  await world.check("a form has a field for everything in the schema", async () => {
    await page.open("/tools/workshop.create_order");
    const kinds = await page.locator("form[data-try] > .fields > .field").evaluateAll((list) => list.map((f) => `${f.dataset.name}:${f.dataset.kind}`));
    same(kinds, ["customer:string", "pieces:integer", "weight:number", "express:boolean", "finish:enum", "tags:array", "address:object", "extra:json"]);
  });

  await world.check("what is missing or wrong is told before anything is sent", async () => {
    await page.click("text=Call it");
    has(await page.locator(".problem").innerText(), "customer");
    await value(page, "customer").fill("ada");
    await value(page, "pieces").fill("1.5");
    await page.click("text=Call it");
    has(await page.locator(".problem").innerText(), "not a whole number");
    await value(page, "pieces").fill("5000");
    await page.click("text=Call it");
    has(await page.locator(".problem").innerText(), "more than 1000");
    await value(page, "pieces").fill("12");
    await value(page, "extra").fill("{");
    await page.click("text=Call it");
    has(await page.locator(".problem").innerText(), "extra is not JSON");
    same((await gateway.api("/activity?kind=call")).body.activities.length, 0, "the number of calls");
  });

  await world.check("fields of every kind arrive as what they are", async () => {
    await value(page, "weight").fill("2.5");
    await value(page, "express").selectOption("true");
    await value(page, "finish").selectOption({ label: "polished" });
    await value(page, "extra").fill('{"n": [1, null]}');
    await value(page, "city").fill("Turin");
    for (const tag of ["red", "small"]) {
      await field(page, "tags").locator("[data-add]").click();
      await field(page, "tags").locator("input").last().fill(tag);
    }
    const text = await answer(page);
    has(text, "4711");
    const { given } = JSON.parse(await page.locator(".answer pre").first().innerText());
    same(given, { customer: "ada", pieces: 12, weight: 2.5, express: true, finish: "polished", tags: ["red", "small"], address: { city: "Turin" }, extra: { n: [1, null] } });
  });

  await world.check("arguments can be typed as JSON, and no digit is lost", async () => {
    await page.click("[data-raw]");
    has(await page.inputValue("#raw"), '"customer": "ada"');
    await page.fill("#raw", '{"customer": "ada", "pieces": 1, "extra": {"big": 9007199254740993}}');
    const sent = page.waitForRequest(/\/call$/);
    await answer(page);
    has((await sent).postData(), "9007199254740993");
    has(await page.locator(".answer pre").nth(0).innerText(), '"pieces": 1');
    await page.fill("#raw", '{"customer": 1}');
    has(await answer(page), "customer");
    await page.fill("#raw", "nothing");
    await page.click("text=Call it");
    has(await page.locator(".problem").innerText(), "not JSON");
    page.wrong = page.wrong.filter((w) => !/status of 4\d\d/.test(w)); // what was refused is told on the page
  });

  await world.check("no digit of an answer is lost", async () => {
    await page.open("/tools/workshop.count_screws");
    has(await answer(page), '"screws": 9007199254740993');
  });
  await world.check("pictures are shown", async () => {
    await page.open("/tools/workshop.take_picture");
    await answer(page);
    await page.waitForFunction(() => document.querySelector(".answer img")?.naturalWidth === 5);
  });
  await world.check("a tool that fails says why", async () => {
    await page.open("/tools/workshop.break_tool");
    const text = await answer(page);
    has(text, "the tool failed");
    has(text, "the blade is blunt");
  });
  await world.check("an answer is text, whatever is in it", async () => {
    await page.open("/tools/workshop.evil_answer");
    has(await answer(page), "<script>canary('script')</script>");
    same(await page.locator(".answer iframe, .answer script, .answer svg").count(), 0, "the number of elements");
  });
  await world.check("a call links to what was noted of it", async () => {
    await page.click("text=in the activity");
    await page.waitForURL(/\/activity\/\d+/);
    has(await main(page), "workshop.evil_answer");
  });
  await world.check("what the policy does not allow cannot be tried", async () => {
    const { status } = await gateway.api("/tools/workshop.forbidden/call", { method: "POST", headers: { "Content-Type": "application/json" }, body: '{"arguments":{}}' });
    if (status < 400) throw new Error(`the call is answered with ${status}`);
    await page.open("/tools/workshop.forbidden");
    same(await page.locator("form[data-try]").count(), 0, "the number of forms");
    page.wrong = page.wrong.filter((w) => !/status of 404/.test(w)); // one that nobody may see is not there
  });
}
