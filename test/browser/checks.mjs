// What checks are made of.

// same throws unless two values are the same.
export function same(got, want, what = "it") {
  const [a, b] = [JSON.stringify(got), JSON.stringify(want)];
  if (a !== b) throw new Error(`${what} is ${a}, not ${b}`);
}

// has throws unless a text has another in it.
export function has(text, part) {
  if (!text.includes(part)) throw new Error(`${JSON.stringify(text.slice(0, 2000))} does not have ${JSON.stringify(part)}`);
}

// overflow is by how much a page is wider than its window.
export const overflow = (page) => page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth));

// main is the text of a page.
export const main = (page) => page.locator("main").innerText();

// untilText waits until an element has a text.
export async function untilText(page, selector, text) {
  await page.waitForFunction(([s, t]) => [...document.querySelectorAll(s)].some((e) => e.textContent.includes(t)), [selector, text]);
}
