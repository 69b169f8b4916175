// A result as the report page shows it, for any command.
import { h } from "../dom.js";
import { allDrawn } from "../chart.js";
import { certainty, inferParts, numbers } from "../sections/infer.js";
import { logZCertainty, logZNumbers, logZParts } from "../sections/logz.js";
import { selectCertainty, selectNumbers, selectParts } from "../sections/select.js";
import { recommendCertainty, recommendParts } from "../sections/recommend.js";
import { fitCertainty, fitParts } from "../sections/fit.js";
import { evaluateCertainty, evaluateParts } from "../sections/evaluate.js";
import { genericParts } from "../sections/generic.js";

const commands = {
  infer: { sure: certainty, numbers, parts: inferParts },
  logz: { sure: logZCertainty, numbers: logZNumbers, parts: logZParts },
  select: { sure: selectCertainty, numbers: selectNumbers, parts: selectParts },
  recommend: { sure: recommendCertainty, parts: recommendParts },
  fit: { sure: fitCertainty, parts: fitParts },
  evaluate: { sure: evaluateCertainty, parts: evaluateParts },
};
const icons = { sure: "\u2713", bounded: "\u2194", open: "?", failed: "!", plain: "\u2022" };

export const sureOf = (result) => commands[result.command]?.sure?.(result) ?? null;

export function sentence(sure) {
  return sure && h(`p.answer.answer-${sure.level}`, h("span.answer-mark", { "aria-hidden": "true" }, icons[sure.level]), h("span.answer-text", sure.text));
}

export function resultParts(result) {
  const kind = commands[result.command];
  const large = kind?.numbers?.(result) ?? [];
  return [sentence(sureOf(result)),
    large.length > 0 && h("dl.numbers", large.map(([label, value, about]) => h("div", h("dt", label), value === "\u2013" ? h("dd.unknown", "not known") : h("dd", value), about && h("dd.about", about)))),
    kind ? kind.parts(result) : genericParts(result)];
}

export { allDrawn };
