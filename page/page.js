// The report page: reads the result JSON embedded in it and nothing else.
import { block, h } from "./dom.js";
import { allDrawn } from "./chart.js";
import { count, fixed, isNumber, shell } from "./format.js";
import { bindTheme } from "./theme.js";
import { table } from "./table.js";
import { certainty, inferParts, numbers } from "./sections/infer.js";
import { logZCertainty, logZNumbers, logZParts } from "./sections/logz.js";
import { agreeCertainty, agreeNumbers, agreeParts } from "./sections/agree.js";
import { selectCertainty, selectNumbers, selectParts } from "./sections/select.js";
import { recommendCertainty, recommendParts } from "./sections/recommend.js";
import { experimentCertainty, experimentParts, experimentTitle } from "./sections/reproduce.js";
import { fitCertainty, fitParts } from "./sections/fit.js";
import { evaluateCertainty, evaluateParts } from "./sections/evaluate.js";
import { sampleCertainty, sampleParts } from "./sections/sample.js";
import { genericParts } from "./sections/generic.js";

const subject = (result) => result.model?.kind ? `${result.model.kind}, ${count(result.model.n ?? 0, "item")}` : "";
const titled = (name) => (result) => (subject(result) ? `${name}: ${subject(result)}` : name);

/// One row a command: its title, what is certain, its large numbers, its sections.
const commands = {
  infer: { title: titled("Inference"), sure: certainty, numbers, parts: inferParts },
  logz: { title: titled("log Z"), sure: logZCertainty, numbers: logZNumbers, parts: logZParts },
  agree: { title: titled("Posterior agreement"), sure: agreeCertainty, numbers: agreeNumbers, parts: agreeParts },
  select: { title: titled("Model selection"), sure: selectCertainty, numbers: selectNumbers, parts: selectParts },
  recommend: { title: titled("Recommendations"), sure: recommendCertainty, parts: recommendParts },
  sample: { title: titled("Samples"), sure: sampleCertainty, parts: sampleParts },
  fit: { title: titled("Training"), sure: fitCertainty, parts: fitParts },
  evaluate: { title: titled("Evaluation"), sure: evaluateCertainty, parts: evaluateParts },
  reproduce: { title: experimentTitle, sure: experimentCertainty, parts: experimentParts },
};
const unknown = { title: (result) => titled(`surefield ${result.command ?? ""}`.trim())(result), parts: (result) => genericParts(result) };

const icons = { sure: "\u2713", bounded: "\u2194", open: "?", failed: "!", plain: "\u2022" };
const meanings = { sure: "Certain", bounded: "Certified bounds", open: "Open", failed: "Failed", plain: "Result" };

/// What to type for the same answer: as it was typed, or put together from what the result says.
function commandLine(result) {
  if (Array.isArray(result.arguments)) return ["surefield", ...result.arguments].map((part) => shell(String(part))).join(" ");
  const parts = ["surefield", result.command, result.experiment ?? (result.model ? "MODEL" : "")];
  if (result.command === "infer" && result.algorithm) parts.push("--algorithm", result.algorithm);
  if (isNumber(result.inverse_temperature) && result.inverse_temperature !== 1) parts.push("--beta", result.inverse_temperature);
  if (isNumber(result.seed)) parts.push("--seed", result.seed);
  if (Array.isArray(result.trace) && result.trace.length) parts.push("--trace");
  return [...parts, "--format", "json"].filter((part) => part !== "").join(" ");
}

function copyButton(text) {
  const button = h("button.quiet", { type: "button", "aria-label": "Copy the command", onclick: () =>
    navigator.clipboard?.writeText(text).then(() => { button.textContent = "Copied"; }, () => { button.textContent = "Not allowed"; }) }, "Copy");
  return navigator.clipboard ? button : null;
}

/// A damaged field must not take the page with it: what can be shown is shown, and the rest is said.
function attempt(what, fallback) {
  try {
    return what();
  } catch (error) {
    console.warn(error);
    return fallback(error);
  }
}

function view(name, result, index) {
  const kind = commands[result.command] ?? unknown;
  const id = `result-${index + 1}`;
  const title = attempt(() => kind.title(result), () => name);
  const sure = kind.sure ? attempt(() => kind.sure(result), () => null) : null;
  const large = kind.numbers ? attempt(() => kind.numbers(result), () => []) : [];
  const parts = () => attempt(() => kind.parts(result), (error) =>
    [h("p.notice", `This result is not as expected (${error.message}); its fields are shown as they are.`), genericParts(result)]);
  const command = commandLine(result);
  const element = () => h("article.result", { id, "aria-labelledby": `${id}-title` },
    h("header.result-head",
      h("p.file", h("span.command", result.command), h("span.file-name", name)),
      h("h2", { id: `${id}-title` }, title),
      sure && h(`p.answer.answer-${sure.level}`, h("span.answer-mark", { title: meanings[sure.level], "aria-hidden": "true" }, icons[sure.level]), h("span.answer-text", sure.text)),
      large.length > 0 && h("dl.numbers", large.map(([label, value, about]) => h("div", h("dt", label), value === "\u2013" ? h("dd.unknown", "not known") : h("dd", value), about && h("dd.about", about))))),
    parts(),
    block("The same from the command line", h("div.shell", h("pre", { tabindex: "0" }, h("code", command)), copyButton(command))));
  return { id, name, title, sure, result, element };
}

function overview(views) {
  if (views.length < 2) return null;
  const rows = views.map((one) => ({ one, title: one.title, answer: one.sure?.short ?? "", elbo: one.result.elbo,
    upper: one.result.upper_bound, log_z_lower: one.result.log_z_lower, log_z_upper: one.result.log_z_upper }));
  const optional = [["elbo", "ELBO"], ["upper", "Upper bound"], ["log_z_lower", "log Z from below"], ["log_z_upper", "log Z from above"]];
  return h("section.glance", { "aria-labelledby": "glance" }, h("h2", { id: "glance" }, "At a glance"), table({ caption: "All results on this page", rows, columns: [
    { key: "title", label: "Result", show: (text, row) => h("span", h("a", { href: `#${row.one.id}` }, text), h("small", row.one.name)) },
    { key: "answer", label: "What is certain" },
    ...optional.filter(([key]) => rows.some((row) => isNumber(row[key]))).map(([key, label]) => ({ key, label, number: true, show: (value) => fixed(value, 4) }))] }));
}

function start() {
  bindTheme(document.getElementById("theme"));
  const about = JSON.parse(document.getElementById("report").textContent);
  const views = [...document.querySelectorAll("script.result")].map((script, index) => view(about.files[index], JSON.parse(script.textContent), index));
  document.title = about.title;
  document.getElementById("title").textContent = about.title;
  document.getElementById("summary").textContent = views.length === 1
    ? "One result, with everything it says about itself." : `${count(views.length, "result")}, each with what is certain about it.`;
  const content = document.getElementById("content");
  content.append(...[overview(views), ...views.map((one) => one.element())].filter(Boolean));
  if (views.length > 1)
    document.getElementById("contents").append(h("p.contents-title", "On this page"), h("ol", views.map((one) =>
      h("li", h("a", { href: `#${one.id}` }, h("span", one.title), h("small", one.name))))));
  else document.getElementById("contents").remove();
  document.getElementById("footer").append(
    h("p", "Made by ", h("code", "surefield report"), ". The page is one file, opens without a network, and holds every number it shows: the results are embedded as JSON. Logarithms are natural."));
  allDrawn().then(() => { document.documentElement.dataset.drawn = "yes"; });
}

start();
