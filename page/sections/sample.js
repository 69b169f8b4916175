// Sets drawn from the model, by name.
import { count, fixed, isNumber, itemName } from "../format.js";
import { table } from "../table.js";
import { genericRun } from "./generic.js";

const setsOf = (result) => (Array.isArray(result.sets) ? result.sets.filter(Array.isArray) : []);

export function sampleCertainty(result) {
  const kept = isNumber(result.acceptance) && result.exact === true ? `; ${fixed(100 * result.acceptance, 1)} % of the draws were kept` : "";
  return { level: result.exact === true ? "sure" : "open", short: result.exact === true ? "exact samples" : "approximate samples",
           text: `${count(setsOf(result).length, "set")} drawn, ${result.exact === true ? "exactly" : "approximately"}${result.method ? `: ${result.method}` : ""}${kept}.` };
}

export function sampleParts(result) {
  const items = result.model?.items?.length ? result.model.items : null;
  const rows = setsOf(result).map((set, k) => ({ draw: k + 1, size: set.length, set: set.map((i) => itemName(items, i)).join(", ") || "(empty)" }));
  return [rows.length > 0 && table({ caption: "Sets in the order they were drawn", rows, step: 8, columns: [
    { key: "draw", label: "Draw", number: true, show: String }, { key: "size", label: "Size", number: true, show: String }, { key: "set", label: "Set", long: true }] })];
}

export const sampleRun = (result) => [["Model", result.model?.kind], ["Items", result.model?.n], ...genericRun(result, ["sets", "model"])];
