// Names and texts of a server that try to be more than text do nothing.
import { has, main, same } from "./checks.mjs";
import { server } from "./gateway.mjs";

export default async function (world) {
  const gateway = await world.gateway({ http: { auth: "none", page: "actions" }, servers: { hostile: server("hostile"), "<b onclick=canary(1)>'\"": server("hostile") } });
  const listed = await gateway.until("/servers", (list) => list.every((s) => s.tools > 0));
  const { body } = await gateway.api("/tools?size=200");
  const page = await world.visit(gateway, { name: "hostile pages" });

  const paths = ["/", "/servers", "/catalog", "/catalog?q=script+img", "/trust", "/config", "/catalog?q=%3Cscript%3Ecanary(1)%3C%2Fscript%3E", "/catalog?tag=javascript:canary(1)&server=%22%3E%3Cimg%20src%3Dx%20onerror%3Dcanary(1)%3E", "/activity?text=%3Cscript%3Ecanary(1)%3C/script%3E", "/login?next=javascript:canary(1)"];
  for (const s of listed) paths.push(`/servers/${encodeURIComponent(s.name)}`);
  for (const t of body.tools) paths.push(`/tools/${encodeURIComponent(t.id)}`);
  await world.check(`${paths.length} pages of hostile texts are only text`, async () => {
    for (const path of paths) {
      await page.open(path);
      const odd = await page.evaluate(() => [...document.querySelectorAll("script:not([src^='/static/']), style, iframe, object, embed, img, main svg:not(.chart):not([aria-hidden]), [onclick], [onerror], [onload], [onmouseover], [style], a[href^='javascript' i]")].map((e) => e.outerHTML.slice(0, 200)));
      same(odd, [], `what is odd in ${path}`);
      const unseen = await page.evaluate(() => /[\u001b\u202e\u2066\u200b]|\u{e0041}/u.test(document.body.innerText));
      same(unseen, false, `that ${path} has what cannot be seen`);
      for (const link of await page.locator("main a").all()) await link.dispatchEvent("mouseover");
    }
  });
  await world.check("calls of such tools, and what is noted of them, are only text", async () => {
    for (const t of body.tools.filter((t) => t.server === "hostile").slice(0, 4)) {
      await page.open(`/tools/${encodeURIComponent(t.id)}`);
      await page.click("text=Call it");
      await page.waitForFunction(() => document.querySelector(".answer").childElementCount > 0);
    }
    await page.open("/activity");
    has(await main(page), "hostile.");
  });
  await world.check("a search of such words is answered as you type", async () => {
    await page.open("/catalog");
    await page.locator("#q").pressSequentially("<img src=x onerror=canary(3)>");
    await page.waitForFunction(() => new URLSearchParams(location.search).get("q")?.endsWith("canary(3)>"));
  });
  await world.check("nothing was run", () => same(page.wrong, []));
}
