// A result as an article: one sentence and one picture first, then the rest; how it was run is folded at the end.
import { facts, foldable, h } from "./dom.js";
import { isNumber, shell } from "./format.js";
import { rowOf } from "./commands.js";
import { genericParts } from "./sections/generic.js";
import { inferRun } from "./sections/infer.js";
import { runsBeside, runsCertainty, runsLead, runsNumbers, runsParts } from "./sections/runs.js";

export const icons = { sure: "\u2713", bounded: "\u2194", open: "?", failed: "!", plain: "\u2022" };
const meanings = { sure: "Certain", bounded: "Certified bounds", open: "Open", failed: "Failed", plain: "Result" };

/// What to type for the same answer: as it was typed, or put together from what the result says.
export function commandLine(result) {
  if (Array.isArray(result.arguments)) return ["surefield", ...result.arguments].map((part) => shell(String(part))).join(" ");
  const parts = ["surefield", result.command, result.experiment ?? (result.model ? "MODEL" : "")];
  if (result.command === "infer" && result.algorithm) parts.push("--algorithm", result.algorithm);
  if (isNumber(result.inverse_temperature) && result.inverse_temperature !== 1) parts.push("--beta", result.inverse_temperature);
  if (isNumber(result.seed)) parts.push("--seed", result.seed);
  if (Array.isArray(result.trace) && result.trace.length) parts.push("--trace");
  return [...parts, "--format", "json"].filter((part) => part !== "").join(" ");
}

/// A command with a button that copies it, where the browser lets it.
export function commandBox(text) {
  const button = h("button.quiet", { type: "button", "aria-label": "Copy the command", onclick: () =>
    navigator.clipboard?.writeText(text).then(() => { button.textContent = "Copied"; }, () => { button.textContent = "Not allowed"; }) }, "Copy");
  return h("div.shell", h("pre", { tabindex: "0" }, h("code", text)), navigator.clipboard ? button : null);
}

export const answer = (sure) => sure && h(`p.answer.answer-${sure.level}`, h("span.answer-mark", { title: meanings[sure.level], "aria-hidden": "true" }, icons[sure.level]), h("span.answer-text", sure.text));
export const largeNumbers = (large) => large.length > 0 && h("dl.numbers", large.map(([label, value, about]) =>
  h("div", h("dt", label), value === "\u2013" ? h("dd.unknown", "not known") : h("dd", value), about && h("dd.about", about))));

/// A damaged field must not take the page with it: what can be shown is shown, and the rest is said.
function attempt(what, fallback) {
  try {
    return what();
  } catch (error) {
    console.warn(error);
    return fallback(error);
  }
}

const odd = (error, result) => [h("p.notice", `This result is not as expected (${error.message}); its fields are shown as they are.`), genericParts(result)];

/// entries: {file, label, result}; one, or several runs on one model.
export function view(entries, id) {
  const [{ result }] = entries, kind = rowOf(result), several = entries.length > 1;
  const title = attempt(() => (several ? `${kind.title(result)}, ${entries.length} runs` : kind.title(result)), () => entries[0].file);
  const sure = attempt(() => (several ? runsCertainty(entries) : kind.sure?.(result)), () => null);
  const element = (heading = title) => {
    const large = attempt(() => (several ? runsNumbers(entries) : kind.numbers?.(result)) ?? [], () => []);
    const lead = attempt(() => (several ? runsLead(entries) : kind.lead?.(result)), () => null);
    const beside = attempt(() => (several ? runsBeside(entries) : kind.beside?.(result)), () => null);
    const parts = attempt(() => (several ? runsParts(entries) : kind.parts(result)), (error) => odd(error, result));
    const run = attempt(() => (several ? [] : kind.run(result)), () => []);
    const how = several ? entries.map((entry) => h("div.one-run", h("p.nested-title", entry.label, " ", h("small", entry.file)), commandBox(commandLine(entry.result)), foldable("The run", facts(inferRun(entry.result)))))
                        : [commandBox(commandLine(result)), facts(run)];
    return h("article.result", { id, "aria-labelledby": `${id}-title` },
      h("header.result-head", h("p.file", h("span.command", result.command), h("span.file-name", several ? `${entries.length} files` : entries[0].file)), h("h2", { id: `${id}-title` }, heading)),
      h(lead ? "div.first" : "div.alone", answer(sure), lead && h("div.picture", lead), h("div.beside", largeNumbers(large), beside)),
      parts,
      foldable("How it was run", how));
  };
  return { id, title, sure, entries, element };
}
