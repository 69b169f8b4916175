// log Z method by method: every value with its side, by shape and colour.
import { block, facts, h } from "../dom.js";
import { fixed, interval, isNumber, itemName, seconds } from "../format.js";
import { chart, sides, sideScales } from "../chart.js";
import { table } from "../table.js";

export function logZCertainty(result) {
  const lower = result.log_z_lower, upper = result.log_z_upper;
  if (result.log_z_exact)
    return { level: "sure", short: "log Z, exact", text: `log Z = ${fixed(lower, 9)}, exact.` };
  if (isNumber(lower) && isNumber(upper))
    return { level: "bounded", short: `log Z to ${fixed(upper - lower, 4)}, certified`,
             text: `log Z lies between ${fixed(lower, 9)} and ${fixed(upper, 9)}, certified.` };
  if (isNumber(lower)) return { level: "open", short: "log Z from below only", text: `log Z is at least ${fixed(lower, 9)}; from above nothing is known.` };
  if (isNumber(upper)) return { level: "open", short: "log Z from above only", text: `log Z is at most ${fixed(upper, 9)}; from below nothing is known.` };
  return { level: "open", short: "log Z not known", text: "Nothing is known about log Z." };
}

export function logZNumbers(result) {
  if (result.log_z_exact) return [["log Z", fixed(result.log_z_lower, 9), "exact, natural logarithm"]];
  const width = isNumber(result.log_z_lower) && isNumber(result.log_z_upper) ? result.log_z_upper - result.log_z_lower : null;
  return [
    ["log Z from below", fixed(result.log_z_lower, 9), "log Z is at least this"],
    ["log Z from above", fixed(result.log_z_upper, 9), "log Z is at most this"],
    ["Width", fixed(width), "of the certified interval"],
  ];
}

export function sideBadge(side) {
  return sides[side] ? h(`span.side.side-${side}`, sides[side].label) : String(side ?? "");
}

function methods(result) {
  const rows = (Array.isArray(result.methods) ? result.methods : []).filter((row) => isNumber(row.value) && sides[row.side]);
  if (!rows.length) return null;
  const values = rows.map((row) => ({ ...row, sideLabel: sides[row.side].label,
                                      low: row.value - 2 * (row.standard_error ?? 0), high: row.value + 2 * (row.standard_error ?? 0) }));
  const order = [...new Set(values.slice().sort((a, b) => a.value - b.value).map((row) => row.method))];
  const band = isNumber(result.log_z_lower) && isNumber(result.log_z_upper) ? [{ from: result.log_z_lower, to: result.log_z_upper }] : [];
  const y = { field: "method", type: "nominal", sort: order, axis: { title: null, grid: true } };
  const x = { field: "value", type: "quantitative", scale: { zero: false, padding: 12 }, axis: { title: "log Z", tickCount: 6, grid: false } };
  const columns = [
    { key: "method", label: "Method" },
    { key: "side", label: "Side", show: sideBadge },
    { key: "value", label: "Value", number: true, digits: 9 },
    ...(rows.some((row) => isNumber(row.standard_error)) ? [{ key: "standard_error", label: "Standard error", number: true }] : []),
    { key: "seconds", label: "Time", number: true, show: seconds },
  ];
  return block("log Z, method by method",
    chart({
      height: { step: 26 },
      layer: [
        { data: { values: band }, mark: { type: "rect", color: "var(--span)", opacity: 0.55 }, encoding: { x: { field: "from", type: "quantitative" }, x2: { field: "to" } } },
        { data: { values: band }, mark: { type: "rule", color: "var(--exact)", strokeDash: [4, 3] }, encoding: { x: { field: "from", type: "quantitative" } } },
        { data: { values: band }, mark: { type: "rule", color: "var(--exact)", strokeDash: [4, 3] }, encoding: { x: { field: "to", type: "quantitative" } } },
        { data: { values: values.filter((row) => row.high > row.low) }, mark: { type: "rule", strokeWidth: 2, color: "var(--estimate)" },
          encoding: { y, x: { field: "low", type: "quantitative" }, x2: { field: "high" } } },
        { data: { values }, mark: { type: "point", size: 120, opacity: 1 },
          encoding: { y, x, ...sideScales(new Set(rows.map((row) => row.side))),
                      tooltip: [{ field: "method" }, { field: "sideLabel", title: "side" }, { field: "value", title: "log Z", format: ".9f" }] } },
      ],
    }, { caption: "The dashed lines are the certified interval; a triangle points to where log Z lies; the bar of an estimate is two standard errors each way.",
         about: `log Z by method: ${rows.map((row) => `${row.method}, ${sides[row.side].label}, ${fixed(row.value)}`).join("; ")}. Certified: ${interval(result.log_z_lower, result.log_z_upper, 9)}.` }),
    table({ caption: "log Z by method", columns, rows }));
}

/// Marginals under p(S) itself, not its mean field: exact, or from both sides.
function marginalIntervals(result) {
  const lower = result.marginals_lower, upper = result.marginals_upper;
  if (!Array.isArray(lower) || !Array.isArray(upper)) return null;
  const items = result.model?.items?.length ? result.model.items : null;
  const rows = lower.map((low, i) => ({ i, item: itemName(items, i), lower: low, upper: upper[i] }));
  return block("Marginals of p(S)",
    table({ caption: `Marginals of all ${rows.length} items, ${result.marginals_exact ? "exact" : "certified from both sides"}${result.marginals_method ? `, by ${result.marginals_method}` : ""}`,
            rows, step: 12, sort: { key: "lower", descending: true }, columns: [{ key: "item", label: "Item" },
              { key: "lower", label: result.marginals_exact ? "Marginal" : "From below", number: true, digits: 7, bar: result.marginals_exact ? 1 : undefined },
              ...(result.marginals_exact ? [] : [{ key: "upper", label: "From above", number: true, digits: 7 }])] }));
}

export function logZParts(result) {
  const refused = Array.isArray(result.refused) ? result.refused : [];
  return [
    methods(result),
    marginalIntervals(result),
    refused.length > 0 && block("Methods that do not apply",
      table({ caption: "Methods that do not apply", rows: refused, columns: [{ key: "method", label: "Method" }, { key: "reason", label: "Reason" }] })),
    block("The run", facts([["Model", result.model?.kind], ["Items", result.model?.n], ["Time", isNumber(result.seconds) ? seconds(result.seconds) : null]])),
  ];
}
