// The list of activity follows what happens, until it is paused. The filter counts as
// it is typed.
"use strict";

const stream = document.getElementById("stream");
const pause = document.getElementById("pause");
const filter = document.querySelector("form[data-filter]");

const tell = () => {
  stream.textContent = page.paused ? "paused" : document.body.dataset.stream === "open" ? "live" : "connecting";
  stream.classList.toggle("good", !page.paused && document.body.dataset.stream === "open");
};

if (page.live && !new URLSearchParams(location.search).has("before")) {
  stream.hidden = pause.hidden = false;
  tell();
  new MutationObserver(tell).observe(document.body, { attributeFilter: ["data-stream"] });
  pause.addEventListener("click", () => {
    page.pause(!page.paused);
    pause.setAttribute("aria-pressed", String(page.paused));
    pause.textContent = page.paused ? "Go on" : "Pause";
    tell();
  });
} else {
  page.pause?.(true); // older ones stay as they are
}

// A screen reader is told of the newest, not of each.
const newest = page.soon(() => {
  const row = document.querySelector("#live tbody tr");
  if (row) page.say(`Newest: ${row.querySelector("th").textContent.replace(/\s+/g, " ").trim()}, ${row.querySelector(".pill").textContent}`);
}, 3000);
new MutationObserver(newest).observe(document.getElementById("live"), { childList: true });

let asked = null;
const apply = async () => {
  asked?.abort();
  asked = new AbortController();
  const given = new URLSearchParams([...new FormData(filter)].filter(([, value]) => value !== ""));
  history.replaceState(null, "", "/activity" + (given.size ? "?" + given : ""));
  await page.part(location.href, "[data-part]", asked.signal).catch(() => {});
};
filter.addEventListener("input", apply);
filter.addEventListener("submit", (e) => { e.preventDefault(); apply(); });
