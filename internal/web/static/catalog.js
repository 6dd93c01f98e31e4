// Search as you type: the catalog is rendered anew for what is in the form. Only the
// answer to the last question is shown.
"use strict";

const search = document.querySelector("form[data-search]");
const words = search.elements.q;
const results = document.getElementById("results");
let asking = null;

const address = () => {
  const given = new URLSearchParams([...new FormData(search)].filter(([, value]) => value.trim() !== ""));
  return "/catalog" + (given.size ? "?" + given : "");
};

const show = async () => {
  asking?.abort();
  const mine = (asking = new AbortController());
  const url = address();
  results.setAttribute("aria-busy", "true");
  try {
    await page.part(url, "#results, #clear", mine.signal);
  } catch {
    if (!mine.signal.aborted) page.say("The gateway cannot be reached");
    return;
  } finally {
    if (asking === mine) results.removeAttribute("aria-busy");
  }
  if (asking !== mine) return;
  history.replaceState(null, "", url);
  const verdict = results.querySelector(".verdict p, .pager span, .empty strong");
  page.say(verdict ? verdict.textContent.replace(/\s+/g, " ") : "");
};

words.addEventListener("input", show);
search.addEventListener("change", (e) => { if (e.target !== words) show(); });
search.addEventListener("submit", (e) => { e.preventDefault(); show(); });

// Arrows go through what was found, and Escape back to the words.
document.addEventListener("keydown", (e) => {
  if (e.altKey || e.ctrlKey || e.metaKey) return;
  const hits = [...results.querySelectorAll("[data-hit]")];
  const at = hits.indexOf(document.activeElement);
  if (at < 0 && document.activeElement !== words) return;
  if (e.key === "ArrowDown" && hits[at + 1]) hits[at + 1].focus();
  else if (e.key === "ArrowUp" && at >= 0) (hits[at - 1] ?? words).focus();
  else if (e.key === "Escape" && at >= 0) words.focus();
  else return;
  e.preventDefault();
});
