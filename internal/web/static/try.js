// The form that calls a tool. Fields become arguments by their kinds; what is empty is
// not given. What comes back is shown as text and as nothing else.
"use strict";

const form = document.querySelector("form[data-try]");

// Trouble is a field that cannot be read, and why.
class Trouble extends Error {
  constructor(field, message) { super(message); this.field = field; }
}

// Whole numbers that a browser would round are kept as they were written.
const parse = (text) => JSON.parse(text, (key, v, at) => (JSON.rawJSON && typeof v === "number" && !Number.isSafeInteger(v) && /^-?\d+$/.test(at?.source) ? JSON.rawJSON(at.source) : v));

const given = (field, text) => {
  const kind = field.dataset.kind;
  const name = field.dataset.name || "an item";
  const input = field.querySelector("[data-value]");
  const read = () => { try { return JSON.parse(text); } catch { throw new Trouble(input, `${name} is not JSON`); } };
  switch (kind) {
    case "string":
    case "text":
      return text;
    case "boolean":
      return text === "true";
    case "number":
    case "integer": {
      const plain = text.trim();
      if (!/^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(plain)) throw new Trouble(input, `${name} is not a number`);
      if (kind === "integer" && !/^[-+]?\d+$/.test(plain)) throw new Trouble(input, `${name} is not a whole number`);
      if (input.dataset.min && Number(plain) < Number(input.dataset.min)) throw new Trouble(input, `${name} is less than ${input.dataset.min}`);
      if (input.dataset.max && Number(plain) > Number(input.dataset.max)) throw new Trouble(input, `${name} is more than ${input.dataset.max}`);
      // A number that a browser would round is sent as it was typed.
      return JSON.rawJSON && Number.isInteger(Number(plain)) && !Number.isSafeInteger(Number(plain)) ? JSON.rawJSON(plain.replace(/^\+/, "")) : Number(plain);
    }
    default: // enum and json: the value is JSON
      return read();
  }
};

// value is what is in a field, undefined if nothing is.
const value = (field) => {
  switch (field.dataset.kind) {
    case "object":
      return members(field.querySelector("[data-object]"), "required" in field.dataset);
    case "array": {
      const items = [...field.querySelector("[data-items]").children].map((row) => value(row.querySelector(".field"))).filter((v) => v !== undefined);
      return items.length || "required" in field.dataset ? items : undefined;
    }
  }
  const input = field.querySelector("[data-value]");
  input.removeAttribute("aria-invalid");
  if (input.value === "") return undefined;
  return given(field, input.value);
};

// members are those of an object; undefined if it has none and need not be there.
const members = (root, needed) => {
  const out = {};
  const missing = [];
  for (const field of root.children) {
    if (!field.classList.contains("field")) continue;
    const v = value(field);
    if (v !== undefined) Object.defineProperty(out, field.dataset.name, { value: v, enumerable: true, configurable: true, writable: true });
    else if ("required" in field.dataset) missing.push(field);
  }
  if (!needed && Object.keys(out).length === 0) return undefined;
  if (missing.length) throw new Trouble(missing[0].querySelector("[data-value], button"), `${missing.map((f) => f.dataset.name).join(", ")}: required`);
  return out;
};

let made = 0;
const addItem = (button) => {
  const field = button.closest(".field");
  const row = document.createElement("div");
  row.className = "item";
  row.append(field.querySelector("template").content.cloneNode(true));
  made++;
  for (const e of row.querySelectorAll("[id]")) e.id += `-${made}`;
  for (const e of row.querySelectorAll("label[for]")) e.htmlFor += `-${made}`;
  for (const e of row.querySelectorAll("[aria-describedby]")) e.setAttribute("aria-describedby", e.getAttribute("aria-describedby") + `-${made}`);
  const remove = document.createElement("button");
  remove.type = "button";
  remove.className = "quiet";
  remove.textContent = "Remove";
  remove.addEventListener("click", () => { row.remove(); button.focus(); });
  row.append(remove);
  field.querySelector("[data-items]").append(row);
  row.querySelector("[data-value], button")?.focus();
};

const element = (name, text, className) => {
  const e = document.createElement(name);
  if (text !== undefined) e.textContent = text;
  if (className) e.className = className;
  return e;
};

const most = 200_000;
const block = (label, text) => {
  const box = element("div");
  const pre = element("pre", text.length > most ? `${text.slice(0, most)}\n... ${text.length - most} more characters` : text, "tall");
  pre.tabIndex = 0;
  box.append(element("h3", label, "muted"), pre);
  return box;
};

// Pictures are shown only if they are of a kind that holds nothing but pixels.
const pictures = /^image\/(png|jpeg|gif|webp)$/;
const shown = (content) => {
  if (content.type === "text") return block("Text", content.text ?? "");
  if (content.type === "image" && pictures.test(content.mimeType) && /^[A-Za-z0-9+/=\s]*$/.test(content.data ?? "")) {
    const img = element("img");
    img.alt = "Picture in the answer";
    img.src = `data:${content.mimeType};base64,${content.data.replace(/\s/g, "")}`;
    const box = element("div");
    box.append(element("h3", content.mimeType, "muted"), img);
    return box;
  }
  const short = { ...content };
  for (const key of ["data", "blob"]) if (typeof short[key] === "string" && short[key].length > 200) short[key] = `${short[key].slice(0, 60)}... (${short[key].length} characters)`;
  return block(String(content.type ?? "Something else"), JSON.stringify(short, null, 2));
};

const present = (answer, told) => {
  const state = element("p", undefined, "chips");
  state.append(element("span", told.is_error ? "the tool failed" : "ok", `pill ${told.is_error ? "bad" : "good"}`), element("span", `${told.took_ms.toFixed(told.took_ms < 10 ? 1 : 0)} ms`));
  if (told.activity) {
    const link = element("a", "in the activity");
    link.href = `/activity/${told.activity}`;
    state.append(link);
  }
  answer.replaceChildren(state);
  const result = told.result ?? {};
  if (result.structuredContent !== undefined) answer.append(block("Structured", JSON.stringify(result.structuredContent, null, 2)));
  for (const content of Array.isArray(result.content) ? result.content : []) answer.append(shown(content));
  const whole = element("details");
  whole.append(element("summary", "The whole result"), block("JSON", JSON.stringify(result, null, 2)));
  answer.append(whole);
};

if (form) {
  form.hidden = false;
  const fields = form.querySelector(".fields");
  const raw = form.querySelector(".raw");
  const text = raw.querySelector("textarea");
  const toggle = form.querySelector("[data-raw]");
  const problem = form.querySelector(".problem");
  const answer = document.querySelector(".answer");

  form.addEventListener("click", (e) => {
    const add = e.target.closest("[data-add]");
    if (add) addItem(add);
  });

  toggle.addEventListener("click", () => {
    const asJSON = raw.hidden;
    if (asJSON) {
      try {
        const typed = members(fields, true);
        if (Object.keys(typed).length) text.value = JSON.stringify(typed, null, 2);
      } catch { /* what is not complete yet stays in the form */ }
    }
    raw.hidden = !asJSON;
    fields.hidden = asJSON;
    toggle.setAttribute("aria-pressed", String(asJSON));
    (asJSON ? text : fields.querySelector("[data-value]"))?.focus();
  });

  form.addEventListener("submit", async (e) => {
    e.preventDefault();
    const button = form.querySelector("button.first");
    if (button.getAttribute("aria-busy") === "true") return;
    problem.textContent = "";
    let body;
    try {
      if (raw.hidden) body = JSON.stringify({ arguments: members(fields, true) });
      else {
        JSON.parse(text.value); // its text is sent as it is, with all digits of its numbers
        body = `{"arguments":${text.value}}`;
      }
    } catch (wrong) {
      problem.textContent = wrong instanceof Trouble ? wrong.message : `The arguments are not JSON: ${wrong.message}`;
      const at = wrong instanceof Trouble ? wrong.field : text;
      at?.setAttribute("aria-invalid", "true");
      at?.focus();
      return;
    }
    button.setAttribute("aria-busy", "true");
    page.say("Calling");
    try {
      const response = await fetch(form.dataset.try, { method: "POST", headers: { "Content-Type": "application/json" }, body });
      const wrong = await page.problem(response.clone());
      if (wrong) {
        answer.replaceChildren(element("p", wrong, "note bad words"));
      } else {
        present(answer, parse(await response.text()));
      }
    } catch {
      answer.replaceChildren(element("p", "The gateway cannot be reached", "note bad"));
    }
    button.removeAttribute("aria-busy");
  });
}
