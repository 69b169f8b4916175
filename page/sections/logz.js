// log Z method by method: every value with its side, by shape and colour.
import { foldable, h } from "../dom.js";
import { atMost, down, fixed, interval, isNumber, itemName, seconds, up } from "../format.js";
import { chart, gallery, sides, sideScales } from "../chart.js";
import { fitted, probabilities } from "../axis.js";
import { table } from "../table.js";
import { marginals, spread } from "./infer.js";

const exactValue = (result) => fixed((result.log_z_lower + result.log_z_upper) / 2, 9);

export function logZCertainty(result) {
  const lower = result.log_z_lower, upper = result.log_z_upper;
  const assumed = result.basis && result.basis !== "proved" ? `, ${result.basis}` : "";
  if (result.failure) return { level: "failed", short: "failed", text: `log Z: ${result.failure}` };
  if (result.log_z_exact && isNumber(lower)) return { level: "sure", short: "log Z, exact", text: `log Z = ${exactValue(result)}, exact.` };
  if (isNumber(lower) && isNumber(upper))
    return { level: "bounded", short: `log Z to ${atMost(upper - lower)}, certified`, text: `log Z lies between ${down(lower, 9)} and ${up(upper, 9)}, certified${assumed}.` };
  if (isNumber(lower)) return { level: "open", short: "log Z from below only", text: `log Z is at least ${down(lower, 9)}; from above nothing is known.` };
  if (isNumber(upper)) return { level: "open", short: "log Z from above only", text: `log Z is at most ${up(upper, 9)}; from below nothing is known.` };
  return { level: "open", short: "log Z not known", text: "Nothing is known about log Z." };
}

export function logZNumbers(result) {
  if (result.log_z_exact && isNumber(result.log_z_lower)) return [["By", String(result.log_z_method ?? "\u2013"), "the method that is exact"], ["Time", seconds(result.seconds), "of all methods together"]];
  const width = isNumber(result.log_z_lower) && isNumber(result.log_z_upper) ? result.log_z_upper - result.log_z_lower : null;
  return [
    ["log Z from below", down(result.log_z_lower, 9), "log Z is at least this"],
    ["log Z from above", up(result.log_z_upper, 9), "log Z is at most this"],
    ["Width", atMost(width), "of the certified interval"],
  ];
}

export function sideBadge(side) {
  return sides[side] ? h(`span.side.side-${side}`, sides[side].label) : String(side ?? "");
}

const shown = (row, digits) => (row.side === "lower" ? down : row.side === "upper" ? up : fixed)(row.value, digits);

/// Values far away from the certified interval are drawn at the edge, so that the others can be told apart.
function reach(result, rows) {
  const near = [result.log_z_lower, result.log_z_upper].filter(isNumber);
  const all = fitted([...near, ...rows.map((row) => row.value)], { room: 0.1 });
  const sorted = rows.map((row) => row.value).sort((a, b) => a - b), middle = sorted.slice(Math.floor(sorted.length / 6), Math.ceil((5 * sorted.length) / 6));
  const most = fitted([...near, ...middle], { room: 0.5 });
  const wide = all.domain[1] - all.domain[0] > 6 * (most.domain[1] - most.domain[0]);
  return wide ? { ...most, clamp: true } : all;
}

export function logZLead(result) {
  const rows = (Array.isArray(result.methods) ? result.methods : []).filter((row) => isNumber(row.value) && sides[row.side]);
  if (!rows.length) return null;
  const values = rows.map((row) => ({ ...row, sideLabel: sides[row.side].label, shown: shown(row, 9),
                                      low: row.value - 2 * (row.standard_error ?? 0), high: row.value + 2 * (row.standard_error ?? 0) }));
  const order = [...new Set(values.slice().sort((a, b) => a.value - b.value).map((row) => row.method))];
  const band = isNumber(result.log_z_lower) && isNumber(result.log_z_upper) ? [{ from: result.log_z_lower, to: result.log_z_upper }] : [];
  const scale = reach(result, rows);
  const y = { field: "method", type: "nominal", sort: order, axis: { title: null, grid: true } };
  const x = (field) => ({ field, type: "quantitative", scale, axis: { title: "log Z", tickCount: 5, grid: false } });
  const columns = [
    { key: "method", label: "Method" },
    { key: "side", label: "Side", show: sideBadge },
    { key: "value", label: "Value", number: true, show: (_, row) => shown(row, 9) },
    ...(rows.some((row) => isNumber(row.standard_error)) ? [{ key: "standard_error", label: "Standard error", number: true }] : []),
    { key: "seconds", label: "Time", number: true, show: seconds },
  ];
  return chart({
    height: { step: 24 },
    layer: [
      { data: { values: band }, mark: { type: "rect", color: "var(--span)", opacity: 0.55 }, encoding: { x: x("from"), x2: { field: "to" } } },
      { data: { values: band }, mark: { type: "rule", color: "var(--exact)", strokeDash: [4, 3] }, encoding: { x: x("from") } },
      { data: { values: band }, mark: { type: "rule", color: "var(--exact)", strokeDash: [4, 3] }, encoding: { x: x("to") } },
      { data: { values: values.filter((row) => row.high > row.low) }, mark: { type: "rule", strokeWidth: 2, color: "var(--estimate)" }, encoding: { y, x: x("low"), x2: { field: "high" } } },
      { data: { values }, mark: { type: "point", size: 120, opacity: 1 },
        encoding: { y, x: x("value"), ...sideScales(new Set(rows.map((row) => row.side))),
                    tooltip: [{ field: "method" }, { field: "sideLabel", title: "side" }, { field: "shown", title: "log Z" }] } },
    ],
  }, { caption: `A triangle points to where log Z lies; the dashed lines are the certified interval${scale.clamp ? "; values further off stand at the edge" : ""}`, name: "log Z by method",
       about: `log Z by method: ${rows.map((row) => `${row.method}, ${sides[row.side].label}, ${shown(row, 6)}`).join("; ")}. Certified: ${interval(result.log_z_lower, result.log_z_upper, 9)}.`,
       numbers: { caption: "log Z by method", columns, rows } });
}

/// Marginals under p(S) itself, not its mean field: exact, or from both sides.
function marginalIntervals(result) {
  const lower = result.marginals_lower, upper = result.marginals_upper;
  if (!Array.isArray(lower) || !Array.isArray(upper)) return null;
  const items = result.model?.items?.length ? result.model.items : null, by = result.marginals_method ? `, by ${result.marginals_method}` : "";
  if (result.marginals_exact) return [marginals(lower.map((low, i) => (low + upper[i]) / 2), items, `Marginals of p(S), exact${by}`), spread(lower)];
  const rows = lower.map((low, i) => ({ i, item: itemName(items, i), lower: low, upper: upper[i] }));
  const top = rows.slice().sort((a, b) => b.lower + b.upper - a.lower - a.upper).slice(0, 12);
  return chart({
    height: { step: 22 },
    data: { values: top },
    mark: { type: "bar", height: 11, color: "var(--series-1)", cornerRadius: 5 },
    encoding: { y: { field: "item", type: "nominal", sort: null, axis: { title: null } },
                x: { field: "lower", type: "quantitative", scale: probabilities(top.map((row) => row.upper)), axis: { title: "probability", tickCount: 5 } }, x2: { field: "upper" } },
  }, { caption: `Marginals of p(S), certified from both sides${by}`, about: `Certified intervals of the marginals of ${rows.length} items: ${top.slice(0, 4).map((row) => `${row.item} ${interval(row.lower, row.upper, 3)}`).join("; ")}.`,
       numbers: { caption: `Marginals of all ${rows.length} items, certified from both sides${by}`, rows, step: 12, sort: { key: "lower", descending: true }, columns: [
         { key: "item", label: "Item" }, { key: "lower", label: "From below", number: true, digits: 7, end: "lower" }, { key: "upper", label: "From above", number: true, digits: 7, end: "upper" }] } });
}

export function logZParts(result) {
  const refused = Array.isArray(result.refused) ? result.refused : [];
  return [
    gallery(marginalIntervals(result)),
    refused.length > 0 && foldable(`${refused.length} methods that do not apply`, table({ caption: "Methods that do not apply", rows: refused, columns: [{ key: "method", label: "Method" }, { key: "reason", label: "Reason", long: true }] })),
  ];
}

export const logZRun = (result) => [["Model", result.model?.kind], ["Items", result.model?.n], ["By", result.log_z_method], ["Rests on", result.basis], ["Time", isNumber(result.seconds) ? seconds(result.seconds) : null]];
