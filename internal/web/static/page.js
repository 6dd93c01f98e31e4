// What every page has: parts that are kept up to date, keys, copying. Pages are whole
// without it.
"use strict";

const page = {
  // part puts the parts of another rendering of a page in place of those that are shown.
  // What a person has focused or opened stays so.
  async part(url, wanted, signal) {
    const here = location.href;
    const answer = await fetch(url, { headers: { Accept: "text/html" }, signal });
    if (answer.redirected && new URL(answer.url).pathname === "/login") {
      location.assign("/login?next=" + encodeURIComponent(location.pathname + location.search));
      return;
    }
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (url === here && location.href !== here) return; // a filter was set meanwhile
    page.dress(fresh);
    for (const old of document.querySelectorAll(wanted)) {
      const now = fresh.getElementById(old.id);
      if (!now || now.innerHTML === old.innerHTML) continue;
      const focused = page.spot(old);
      const open = [...old.querySelectorAll("details")].map((d) => d.open);
      const scrolled = [...old.querySelectorAll(".tall")].map((e) => e.scrollTop);
      old.replaceChildren(...now.childNodes);
      old.querySelectorAll("details").forEach((d, i) => { d.open = open[i] ?? d.open; });
      old.querySelectorAll(".tall").forEach((e, i) => { e.scrollTop = scrolled[i] ?? 0; });
      if (focused) page.refocus(old, focused);
    }
  },

  // spot tells where in an element the focus is, so that it can be put there again.
  spot(within) {
    const at = document.activeElement;
    if (!at || at === within || !within.contains(at)) return null;
    const same = (e) => e.tagName === at.tagName;
    return { href: at.getAttribute("href"), tag: at.tagName, place: [...within.querySelectorAll(at.tagName)].filter(same).indexOf(at) };
  },

  refocus(within, spot) {
    const all = [...within.querySelectorAll(spot.tag)];
    (all.find((e) => spot.href && e.getAttribute("href") === spot.href) ?? all[spot.place])?.focus({ preventScroll: true });
  },

  // say tells a screen reader.
  say(text) {
    document.getElementById("said").textContent = text;
  },

  // dress adds what only works with a script, and takes away what is not needed then.
  dress(root) {
    for (const part of root.querySelectorAll("[data-plain]")) part.hidden = true;
    for (const time of root.querySelectorAll("time[data-clock]")) time.textContent = new Date(time.dateTime).toLocaleTimeString([], { hour12: false });
    if (!navigator.clipboard) return;
    for (const button of root.querySelectorAll("[data-copy]")) button.hidden = false;
  },

  // problem is what an answer of the API says is wrong.
  async problem(answer) {
    if (answer.ok) return "";
    const told = await answer.json().catch(() => ({}));
    return [told.error ?? `The gateway answered ${answer.status}`, told.next].filter(Boolean).join(": ");
  },

  // soon calls f a little later, once, however often it is asked to in between.
  soon(f, wait) {
    let timer = 0;
    let running = false;
    let again = false;
    const run = async () => {
      timer = 0;
      if (running) { again = true; return; }
      running = true;
      try { await f(); } catch { /* the next event tries again */ } finally { running = false; }
      if (again) { again = false; ask(); }
    };
    const ask = () => { timer ||= setTimeout(run, wait); };
    return ask;
  },
};

page.dress(document);

document.addEventListener("click", async (e) => {
  const button = e.target.closest("[data-copy]");
  if (!button) return;
  await navigator.clipboard.writeText(button.parentElement.querySelector("pre").textContent);
  button.textContent = "Copied";
  page.say("Copied");
  setTimeout(() => { button.textContent = "Copy"; }, 1500);
});

// The key / goes to the search, or to the page that has one.
document.addEventListener("keydown", (e) => {
  if (e.key !== "/" || e.ctrlKey || e.metaKey || e.altKey || e.target.closest("input, textarea, select, [contenteditable]")) return;
  e.preventDefault();
  const search = document.querySelector("input[type=search]");
  if (search) { search.focus(); search.select(); } else location.assign("/catalog");
});

// Live pages are rendered anew when something happens, a few times a second at most,
// and not while they are paused, nobody looks at them, or something in them is selected.
if ("live" in document.body.dataset && window.EventSource) {
  let missed = false;
  let asking = null;
  const selecting = () => !getSelection().isCollapsed && document.getElementById("main").contains(getSelection().anchorNode);
  const render = page.soon(async () => {
    if (page.paused || selecting()) { missed = true; return; }
    missed = false;
    asking = new AbortController();
    await page.part(location.href, "[data-part]", asking.signal);
  }, 250);
  setInterval(() => { if (!document.hidden) render(); }, 30_000); // how long ago something was goes on without events
  const resume = () => { if (missed && !page.paused && !selecting()) render(); };
  const hold = () => {
    asking?.abort();
    missed = true;
  };
  page.paused = false;
  page.pause = (on) => {
    page.paused = on;
    if (on) hold();
    else resume();
  };
  document.addEventListener("selectionchange", () => { if (selecting()) hold(); else resume(); });

  // A browser has few connections to one host: a page that nobody looks at holds none.
  let events = null;
  const listen = () => {
    if (document.hidden) {
      events?.close();
      events = null;
      return;
    }
    if (events) return;
    events = new EventSource("/api/v1/events");
    for (const kind of ["activity", "server", "catalog", "config", "missed"]) events.addEventListener(kind, render);
    events.addEventListener("open", () => {
      document.body.dataset.stream = "open";
      render(); // what happened before there was anybody to tell
    });
    events.addEventListener("error", () => { document.body.dataset.stream = "lost"; });
  };
  document.addEventListener("visibilitychange", listen);
  listen();
  page.live = true;
}
