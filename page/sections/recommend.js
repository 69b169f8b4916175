// Suggestions for a half-filled basket: the most probable additions first.
import { block, foldable, h, note } from "../dom.js";
import { fixed, isNumber, itemName } from "../format.js";
import { gallery } from "../chart.js";
import { bars } from "../bars.js";
import { table } from "../table.js";
import { genericRun } from "./generic.js";
import { marginals } from "./infer.js";

const list = (value) => (Array.isArray(value) ? value : []);
const nameIn = (result) => (entry) => {
  if (entry !== null && typeof entry === "object") return entry.name ?? nameIn(result)(entry.item);
  return typeof entry === "number" ? itemName(result.model?.items?.length ? result.model.items : null, entry) : String(entry ?? "");
};
const moved = (entry) => !isNumber(entry?.before) || !isNumber(entry?.after) || Math.abs(entry.after - entry.before) >= 0.01;
const effects = (result, entries) => list(entries).map((entry) =>
  `${nameIn(result)(entry)}${isNumber(entry?.before) && isNumber(entry?.after) ? ` (${entry.before.toFixed(2)} \u2192 ${entry.after.toFixed(2)})` : ""}`).join(", ");

/// By gain every chance is given that nothing else is put in.
const methodOf = (result) => (result.method === "gain" ? "if nothing else is put in" : "by mean field");

export function recommendCertainty(result) {
  const name = nameIn(result), best = list(result.suggestions)[0];
  if (!best) return { level: "open", short: "nothing to suggest", text: "There is nothing to suggest." };
  const have = list(result.have).length ? ` to ${result.have.map(name).join(", ")}` : "";
  const how = result.exact === true ? ", exactly" : result.exact === false ? `, ${methodOf(result)}` : "";
  return { level: result.exact === true ? "sure" : "bounded", short: `first: ${name(best)}`,
           text: `The most probable addition${have} is ${name(best)}${isNumber(best.marginal) ? `, with probability ${fixed(best.marginal, 3)}${how}` : ""}.` };
}

/// The items in the basket that a suggestion owes its gain to.
const reasons = (result, entries) => list(entries).map((entry) => `${nameIn(result)(entry)} (${entry.effect >= 0 ? "+" : "\u2212"}${Math.abs(entry.effect).toFixed(2)})`).join(", ");

const rowsOf = (result) => list(result.suggestions).map((row, k) => ({ rank: k + 1, name: nameIn(result)(row), marginal: row?.marginal, gain: row?.gain,
  replaces: effects(result, row?.replaces), complements: effects(result, row?.complements), because: reasons(result, row?.because) }));

export function recommendLead(result) {
  const rows = rowsOf(result), drawn = rows.filter((row) => isNumber(row.marginal)).slice(0, 12);
  const optional = [["gain", "Gain", true], ["replaces", "Replaces", false], ["complements", "Complements", false], ["because", "Because of", false]]
    .filter(([key]) => rows.some((row) => (key === "gain" ? isNumber(row[key]) : row[key]))).map(([key, label, number]) => ({ key, label, number, long: !number }));
  const numbers = { caption: "Suggestions, most probable first", rows, columns: [{ key: "name", label: "Item" }, { key: "rank", label: "Rank", number: true, show: String },
    { key: "marginal", label: "Probability", number: true }, ...optional] };
  if (!drawn.length) return rows.length ? table(numbers) : null;
  return bars(drawn.map((row) => ({ name: `${row.rank}. ${row.name}`, value: row.marginal })), { title: "probability beside what is there", caption: "Suggestions, most probable first",
    about: `Suggestions: ${drawn.slice(0, 10).map((row) => `${row.name} ${fixed(row.marginal, 3)}`).join(", ")}.`, numbers });
}

export function recommendParts(result) {
  const name = nameIn(result), steps = list(result.completion);
  const given = result.exact === true ? "Marginals given the basket, exact" : `Marginals given the basket, ${methodOf(result)}`;
  // Of the first suggestions what changes by a hundredth or more; all of it is in the table.
  const changes = list(result.suggestions).slice(0, 3).map((row) => ({ name: name(row), replaces: effects(result, list(row?.replaces).filter(moved)), complements: effects(result, list(row?.complements).filter(moved)), because: reasons(result, row?.because) }))
    .filter((row) => row.replaces || row.complements || row.because);
  return [
    changes.length > 0 && block("Why", h("ul.reasons", changes.map((row) => h("li", h("strong", row.name), row.replaces && ` replaces ${row.replaces}`, row.replaces && row.complements && ";", row.complements && ` goes with ${row.complements}`, row.because && `${row.replaces || row.complements ? ";" : ""} because of ${row.because}`)))),
    steps.length > 0 && foldable("The whole basket, completed greedily", note("Each step adds the item that raises F most, until none does."),
      h("ol", steps.map((step) => h("li", name(step), isNumber(step?.gain) ? ` (+${fixed(step.gain, 3)})` : "")))),
    Array.isArray(result.marginals) && foldable(given, gallery(marginals(result.marginals, result.model?.items, given))),
  ];
}

export const recommendRun = (result) => genericRun({ ...result, have: list(result.have).map(nameIn(result)), out: list(result.out).map(nameIn(result)) }, ["suggestions", "completion", "marginals", "model"]);
