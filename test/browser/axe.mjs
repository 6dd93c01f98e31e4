// Accessibility, as axe judges it.

// judge throws if a page has a problem that is serious or critical.
export async function judge(page, axe, options = {}) {
  // Evaluated by the debugger, which the policy of the page is not about.
  await page.evaluate(axe);
  const found = await page.evaluate((o) => window.axe.run(document, { resultTypes: ["violations"], ...o }).then((r) => r.violations), options);
  const bad = found.filter((v) => ["serious", "critical"].includes(v.impact));
  if (bad.length) throw new Error(bad.map((v) => `${v.id}: ${v.nodes.slice(0, 4).map((n) => `${n.html.slice(0, 160)} ${n.failureSummary.replace(/\s+/g, " ")}`).join("; ")}`).join("\n        "));
  return found.length ? `${found.length} of less weight: ${found.map((v) => v.id).join(", ")}` : "";
}
