// The set of greatest F: its items, and the interval that its value is proved to be the best in.
import { h } from "../dom.js";
import { atMost, count, down, interval, isNumber, itemName, up } from "../format.js";
import { genericRun } from "./generic.js";
import { intervalPicture } from "./infer.js";

const list = (value) => (Array.isArray(value) ? value : []);
const names = (result) => (list(result.names).length ? result.names.map(String) : list(result.items).map((item) => itemName(null, item)));

export function bestSetCertainty(result) {
  const size = `${count(list(result.items).length, "item")}${isNumber(result.most) ? ` of at most ${result.most}` : ""}`;
  if (!isNumber(result.lower)) return { level: "open", short: "no set", text: "No set was found." };
  if (!isNumber(result.upper)) return { level: "open", short: "a set, no bound", text: `A set of ${size} with F ${down(result.lower)}; nothing is known about how much better another may be.` };
  const gap = result.upper - result.lower, sure = gap <= 1e-6 * Math.max(1, Math.abs(result.upper));
  return { level: sure ? "sure" : "bounded", short: sure ? "the best set, certified" : `within ${atMost(gap)} of the best, certified`,
           text: sure ? `The best set, certified: ${size}, F ${interval(result.lower, result.upper)}.` : `A set of ${size} with F ${down(result.lower)}; no set reaches more than ${up(result.upper)}, certified.` };
}

export const bestSetNumbers = (result) => [["Items", String(list(result.items).length), "in the set"], ["F", down(result.lower), "of this set, at least"], ["Upper bound", up(result.upper), "of the best F"]];
export const bestSetLead = (result) => intervalPicture("The best F, from both sides", "F", [{ what: "best F", lower: result.lower, upper: result.upper }]);
export const bestSetParts = (result) => [names(result).length > 0 && h("ul.set", { "aria-label": "The set" }, names(result).slice(0, 60).map((name) => h("li", name)),
  names(result).length > 60 && h("li", `and ${names(result).length - 60} more`))];
export const bestSetRun = (result) => [["Model", result.model?.kind], ...genericRun(result, ["names", "items", "model"])];
