// Suggestions for a half-filled basket: the most probable additions first.
import { block, h, note } from "../dom.js";
import { fixed, isNumber, itemName } from "../format.js";
import { chart } from "../chart.js";
import { table } from "../table.js";
import { genericParts } from "./generic.js";
import { marginals } from "./infer.js";

const list = (value) => (Array.isArray(value) ? value : []);
const nameIn = (result) => (entry) => {
  if (entry !== null && typeof entry === "object") return entry.name ?? nameIn(result)(entry.item);
  return typeof entry === "number" ? itemName(result.model?.items?.length ? result.model.items : null, entry) : String(entry ?? "");
};
const effects = (result, entries) => list(entries).map((entry) =>
  `${nameIn(result)(entry)}${isNumber(entry?.before) && isNumber(entry?.after) ? ` (${fixed(entry.before, 2)} \u2192 ${fixed(entry.after, 2)})` : ""}`).join(", ");

export function recommendCertainty(result) {
  const name = nameIn(result), best = list(result.suggestions)[0];
  if (!best) return { level: "open", short: "nothing to suggest", text: "There is nothing to suggest." };
  const have = list(result.have).length ? ` to ${result.have.map(name).join(", ")}` : "";
  const how = result.exact === true ? ", exactly" : result.exact === false ? ", by mean field" : "";
  return { level: result.exact === true ? "sure" : "bounded", short: `first: ${name(best)}`,
           text: `The most probable addition${have} is ${name(best)}${isNumber(best.marginal) ? `, with probability ${fixed(best.marginal, 3)}${how}` : ""}.` };
}

export function recommendParts(result) {
  const name = nameIn(result);
  const rows = list(result.suggestions).map((row, k) => ({ rank: k + 1, name: name(row), marginal: row?.marginal, gain: row?.gain,
    replaces: effects(result, row?.replaces), complements: effects(result, row?.complements) }));
  const drawn = rows.filter((row) => isNumber(row.marginal)).slice(0, 25).map((row) => ({ ...row, label: `${row.rank}. ${row.name}` }));
  const optional = [["gain", "Gain", true], ["replaces", "Replaces", false], ["complements", "Complements", false]]
    .filter(([key]) => rows.some((row) => (key === "gain" ? isNumber(row[key]) : row[key]))).map(([key, label, number]) => ({ key, label, number }));
  const steps = list(result.completion);
  return [
    rows.length > 0 && block("Suggestions",
      drawn.length > 0 && chart({
        height: { step: 24 },
        data: { values: drawn },
        encoding: { y: { field: "label", type: "nominal", sort: null, axis: { title: null } },
                    x: { field: "marginal", type: "quantitative", scale: { domain: [0, 1] }, axis: { title: "probability beside what is there", tickCount: 5 } } },
        layer: [{ mark: { type: "bar", height: 15 }, encoding: { tooltip: [{ field: "name", title: "item" }, { field: "marginal", format: ".6f" }] } },
                { mark: { type: "text", align: "left", dx: 5 }, encoding: { text: { field: "marginal", format: ".3f" } } }],
      }, { about: `Suggestions: ${drawn.slice(0, 10).map((row) => `${row.name} ${fixed(row.marginal, 3)}`).join(", ")}.` }),
      table({ caption: "Suggestions, most probable first", rows, columns: [{ key: "name", label: "Item" }, { key: "rank", label: "Rank", number: true, show: String },
        { key: "marginal", label: "Probability", number: true }, ...optional] })),
    steps.length > 0 && block("The whole basket, completed greedily", note("Each step adds the item that raises F most, until none does."),
      h("ol", steps.map((step) => h("li", name(step), isNumber(step?.gain) ? ` (+${fixed(step.gain, 3)})` : "")))),
    Array.isArray(result.marginals) && marginals(result.marginals, result.model?.items, "Marginals given the basket"),
    ...genericParts({ ...result, have: list(result.have).map(name), out: list(result.out).map(name) }, ["suggestions", "completion", "marginals", "model"]),
  ];
}
