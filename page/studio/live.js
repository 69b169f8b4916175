// Inference as it happens: what is attained rising, what is proved falling, until they meet or somebody says stop.
import { h, note } from "../dom.js";
import { fixed } from "../format.js";
import { table } from "../table.js";
import { view } from "../view.js";
import * as api from "./api.js";
import { answerLine, bounds, gapWords, lines, record } from "./chart_live.js";
import { commandPlace } from "./command.js";
import { namesOf } from "./model.js";

const questions = {
  infer: "Marginals and their certificate (infer)",
  logz: "log Z from both sides (logz)",
  "best-set": "The best set (best-set)",
};

let controls = 0;
/// A control under its label.
export function control(label, element) {
  element.id = `control-${++controls}`;
  return h("div.control", h("label", { for: element.id }, label), element);
}
export const numberInput = (value, attributes = {}) =>
  h("input", { type: "number", value, step: "any", ...attributes });
export const choice = (options, value) => {
  const element = h(
    "select",
    Object.entries(options).map(([key, text]) => h("option", { value: key, selected: key === value }, text)),
  );
  return element;
};

/// Mean field marginals beside exact ones or certified intervals and, where sets are open, what was observed.
export function besides(result, logz, sets, names) {
  const intervals = Array.isArray(logz?.marginals_lower) && Array.isArray(logz?.marginals_upper),
    exact = intervals && logz.marginals_exact;
  const observed = sets && frequencies(sets, names);
  if (!intervals && !observed) return null;
  const rows = result.marginals.map((marginal, i) => ({
    item: names[i],
    marginal,
    low: intervals ? logz.marginals_lower[i] : null,
    high: intervals ? logz.marginals_upper[i] : null,
    observed: observed?.[i] ?? null,
  }));
  const worst = exact ? Math.max(...rows.map((row) => Math.abs(row.marginal - row.low))) : null;
  return h(
    "article.result",
    h("h2", "Mean field beside the truth"),
    note(
      [
        exact
          ? `The exact marginals are known: mean field is off by at most ${fixed(worst, 4)}.`
          : intervals
            ? "The true marginals lie in these certified intervals."
            : "",
        observed ? `Observed: how often each item is in the sets of ${sets.name}.` : "",
      ].join(" "),
    ),
    table({
      caption: "Marginals of every item",
      rows,
      step: 12,
      sort: { key: "marginal", descending: true },
      columns: [
        { key: "item", label: "Item" },
        { key: "marginal", label: "Mean field", number: true, digits: 4 },
        ...(exact
          ? [{ key: "low", label: "Exact", number: true, digits: 4 }]
          : intervals
            ? [
                { key: "low", label: "At least", number: true, digits: 4, end: "lower" },
                { key: "high", label: "At most", number: true, digits: 4, end: "upper" },
              ]
            : []),
        ...(observed ? [{ key: "observed", label: "Observed", number: true, digits: 4 }] : []),
      ],
    }),
  );
}

function frequencies(sets, names) {
  const place = new Map(sets.items.map((name, i) => [name, i]));
  const found = names.map((name) => (place.has(name) ? sets.counts[place.get(name)] / sets.sets : null));
  return found.some((value) => value !== null) ? found : null;
}

/// algorithms: names, as the server lists them.
export function liveView(model, place, { setsFile, algorithms }) {
  const names = namesOf(model);
  const what = choice(questions, "infer"),
    algorithm = choice(Object.fromEntries(algorithms.map((name) => [name, name])), "best");
  const beta = numberInput(1, { min: 0.001 }),
    seconds = numberInput(10, { min: 0, max: 600 }),
    seed = numberInput(1, { min: 0, step: 1 }),
    most = numberInput("", { min: 0, step: 1, placeholder: "any" });
  const only = {
    algorithm: control("Algorithm", algorithm),
    beta: control("Inverse temperature", beta),
    seconds: control("Seconds to prove", seconds),
    seed: control("Seed", seed),
    most: control("Items at most", most),
  };
  const start = h("button.main", { type: "submit" }, "Run"),
    stop = h("button.quiet", { type: "button", disabled: true }, "Stop"),
    words = h("p.gap", { role: "status", "aria-live": "polite" }),
    hint = note(
      "Press Run. What is attained rises and what is proved falls; where they meet, no answer is better. Stop keeps what is proved so far.",
    ),
    fault = h("p.notice", { role: "alert", hidden: true });
  const over = lines({ name: "Bounds over time", xTitle: "seconds", yTitle: "value", band: true }),
    trace = lines({ name: "Every start", xTitle: "epoch", yTitle: "ELBO", height: 240 });
  const traceWords = note("");
  const traceBlock = h(
    "section.block",
    { hidden: true },
    h("h3.part-title", "Every start"),
    traceWords,
    trace.element,
  );
  const command = commandPlace(),
    answer = h("div.answer-place"),
    beside = h("div");
  const form = h("form.controls", control("Question", what), Object.values(only), h("div.buttons", start, stop));
  let number = null,
    stopped = false;

  const show = () => {
    const kind = what.value;
    only.algorithm.hidden = kind !== "infer";
    only.most.hidden = kind !== "best-set";
    only.beta.hidden = kind === "best-set";
    only.seconds.querySelector("label").textContent = kind === "infer" ? "Seconds to prove" : "Seconds";
  };
  what.addEventListener("change", show);
  show();

  const options = () => {
    const given = { seed: Number(seed.value) };
    if (what.value !== "best-set" && Number(beta.value) !== 1) given.beta = Number(beta.value);
    if (what.value === "infer")
      Object.assign(
        given,
        algorithm.value === "best" ? {} : { algorithm: algorithm.value },
        Number(seconds.value) > 0 ? { certify: Number(seconds.value) } : {},
        algorithm.value === "continuous" ? {} : { trace: true },
      );
    else given.seconds = Number(seconds.value);
    if (what.value === "logz") given.marginals = true;
    if (what.value === "best-set" && most.value !== "") given.most = Number(most.value);
    return given;
  };

  async function run(event) {
    event.preventDefault();
    if (start.disabled) return;
    start.disabled = true;
    stop.disabled = false;
    fault.hidden = true;
    answer.replaceChildren();
    beside.replaceChildren();
    const kind = what.value,
      heard = record(),
      aim = kind === "logz" ? "log Z" : "the best ELBO";
    over.set(bounds(heard));
    trace.set([]);
    hint.hidden = true;
    traceWords.textContent = "The value after every epoch of each start.";
    traceBlock.hidden = true;
    stopped = false;
    words.textContent = "Working\u2026";
    command.set(null);
    const leave = new AbortController(),
      gone = () => leave.abort();
    window.addEventListener("pagehide", gone, { once: true });
    try {
      const result = await api.ask(
        { command: kind, file: model.id, options: options() },
        (name, data) => {
          if (name === "run") number = data.number;
          heard.hear(name, data);
          if (name === "bounds") {
            over.set(bounds(heard, kind === "logz" ? "log Z" : "ELBO"));
            words.textContent = gapWords(heard, aim);
          }
          if (name === "epoch") {
            trace.set(heard.starts);
            traceBlock.hidden = heard.starts.every((one) => one.points.length < 2);
          }
        },
        leave.signal,
      );
      heard.settle(result);
      over.set(bounds(heard, kind === "logz" ? "log Z" : "ELBO"));
      words.textContent = heard.lower.length ? gapWords(heard, aim) : "Done.";
      if (stopped) words.textContent = `Stopped. ${words.textContent}`;
      if (kind === "infer" && heard.starts.some((one) => one.points.length > 1)) {
        const [said, line] = answerLine(heard.starts, result.elbo);
        traceWords.textContent = `The value after every epoch of each start. ${said}`;
        trace.set([...heard.starts, line].filter(Boolean));
      }
      command.set(result);
      answer.replaceChildren(
        view([{ file: model.name, label: "", result: { ...result, trace: [] } }], "answer").element(),
      );
      if (kind === "infer") await compareWithTruth(result);
    } catch (error) {
      if (error.name !== "AbortError") {
        fault.textContent = error.message;
        fault.hidden = false;
        words.textContent = "";
      }
    } finally {
      window.removeEventListener("pagehide", gone);
      start.disabled = false;
      stop.disabled = true;
      number = null;
    }
  }

  async function compareWithTruth(result) {
    const asked = {
      marginals: true,
      seconds: 1,
      ...(result.inverse_temperature !== 1 ? { beta: result.inverse_temperature } : {}),
    };
    const [logz, sets] = await Promise.all([
      api.askQuick({ command: "logz", file: model.id, options: asked }).catch(() => null),
      setsFile(),
    ]);
    const part = besides(result, logz, sets, names);
    if (part) beside.replaceChildren(part);
  }

  stop.addEventListener("click", () => {
    if (number !== null) {
      stopped = true;
      api.stop(number);
    }
  });
  form.addEventListener("submit", run);
  place.replaceChildren(
    h(
      "article.result",
      h("p.file", h("span.command", "inference"), h("span.file-name", model.name)),
      h("h2.view-title", "Watch it being proved"),
      form,
      fault,
      h("section.block", { "aria-label": "Bounds over time" }, hint, words, over.element),
      traceBlock,
      command.element,
    ),
    answer,
    beside,
  );
  over.set([]);
  return { run: () => form.requestSubmit() };
}
