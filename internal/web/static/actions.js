// Buttons that do something: forms that name a path of the API and what to send to it.
"use strict";

document.addEventListener("submit", async (e) => {
  const form = e.target.closest("form[data-post]");
  if (!form) return;
  e.preventDefault();
  const button = form.querySelector("button");
  if (button.getAttribute("aria-busy") === "true") return;
  button.setAttribute("aria-busy", "true");
  if (form.dataset.busy) page.say(form.dataset.busy);
  form.parentElement.querySelector(".problem")?.remove();
  let wrong;
  try {
    const body = form.dataset.json;
    const answer = await fetch(form.dataset.post, { method: "POST", headers: body ? { "Content-Type": "application/json" } : {}, body });
    wrong = await page.problem(answer);
  } catch {
    wrong = "The gateway cannot be reached";
  }
  button.removeAttribute("aria-busy");
  if (wrong) {
    const told = document.createElement("p");
    told.className = "problem bad-text";
    told.setAttribute("role", "alert");
    told.textContent = wrong;
    form.parentElement.append(told);
    return;
  }
  page.say(form.dataset.done ?? "Done");
  if (form.closest("[data-part]")) await page.part(location.href, "[data-part]");
  else location.reload();
});
