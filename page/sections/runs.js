// Several runs on one model: overlaid, and called by what differs between them.
import { count, fixed, isNumber, itemName, seconds, short, up } from "../format.js";
import { chart, legend, styles } from "../chart.js";
import { fittedToEnds, probabilities } from "../axis.js";
import { h } from "../dom.js";
import { boundLayers, certainty, courseOf, intervalPicture, numbers, objectiveOf, proved, settled, traceOf } from "./infer.js";

/// Of several answers to one question the best, under the least upper bound of all.
function merged(runs) {
  const known = runs.filter(({ result }) => isNumber(result.elbo) && result.status !== "failed");
  if (!known.length) return { best: runs[0], result: runs[0].result };
  const best = known.reduce((most, run) => (proved(run.result) > proved(most.result) ? run : most));
  const bounds = runs.map(({ result }) => result.upper_bound).filter(isNumber);
  return { best, result: { ...best.result, upper_bound: bounds.length ? Math.min(...bounds) : null, certified_global: runs.some(({ result }) => result.certified_global === true) } };
}

export function runsCertainty(runs) {
  const { best, result } = merged(runs), sure = certainty(result);
  const below = runs.filter((run) => run !== best && isNumber(run.result.elbo) && run.result.status !== "failed").map((run) => best.result.elbo - run.result.elbo);
  const behind = below.filter((gap) => gap > 1e-6 * Math.max(1, Math.abs(best.result.elbo)));
  const range = behind.length ? [Math.min(...behind), Math.max(...behind)].map((gap) => short(gap, 2)) : [];
  const rest = !below.length ? "" : !behind.length ? ` The other ${count(below.length, "run")} end there too.`
    : ` ${behind.length === below.length ? (below.length === 1 ? "The other run ends" : `The other ${below.length} runs end`) : `Of the other ${below.length} runs ${behind.length} end${behind.length === 1 ? "s" : ""}`} ${range[0] === range[1] ? range[0] : `${range[0]} to ${range[1]}`} lower.`;
  const failed = runs.filter((run) => run.result.status === "failed").length;
  const found = isNumber(best.result.elbo) ? ` Found by ${best.label}.` : "", faulty = failed ? ` ${count(failed, "run")} failed: the numbers of a failed run cannot be trusted.` : "";
  return { level: failed ? "failed" : sure.level, short: failed ? `${count(failed, "run")} failed` : sure.short, text: `${sure.text}${found}${rest}${faulty}` };
}

export const runsNumbers = (runs) => numbers(merged(runs).result);

function compared(runs) {
  return { caption: "The runs, best first", sort: { key: "elbo", descending: true }, rows: runs, columns: [
    { key: "label", label: "Run" },
    { key: "elbo", label: objectiveOf(runs[0].result), number: true, end: "lower", of: (run) => proved(run.result) },
    { key: "upper", label: "Upper bound", number: true, end: "upper", of: (run) => run.result.upper_bound },
    { key: "log_z_upper", label: "log Z at most", number: true, end: "upper", of: (run) => run.result.log_z_upper },
    { key: "status", label: "Status", of: (run) => run.result.status },
    { key: "seconds", label: "Time", number: true, show: seconds, of: (run) => run.result.seconds },
    { key: "file", label: "File" }] };
}

export function runsLead(runs) {
  const { best, result } = merged(runs), what = objectiveOf(result), bound = result.upper_bound;
  const values = runs.flatMap((run) => courseOf(run.result).map(({ epoch, value }) => ({ run: run.label, epoch, value })));
  const drawn = runs.filter((run) => traceOf(run.result).length > 1);
  if (drawn.length < 2)
    return intervalPicture("Every run, and the bound of each", "natural logarithm", runs.map((run) => ({ what: run.label, lower: proved(run.result), upper: run.result.upper_bound })));
  const style = styles([best, ...drawn].filter((run) => drawn.includes(run)).map((run) => run.label));
  // Where the runs end apart, that is what the picture is for; they come in from below.
  const ends = [...drawn.map((run) => courseOf(run.result).at(-1).value), bound].filter(isNumber), least = Math.min(...ends), apart = Math.max(...ends) - least;
  const { scale, cut } = fittedToEnds([...values.map((one) => one.value), bound],
    apart > 1e-6 * Math.max(1, Math.abs(least)) ? [...ends, least - apart] : [...drawn.flatMap((run) => settled(courseOf(run.result))), bound]);
  const y = (field) => ({ field, type: "quantitative", scale, axis: { title: what, tickCount: 5 } });
  const x = { field: "epoch", type: "quantitative", axis: { title: "epoch", tickCount: 6, tickMinStep: 1 } };
  return chart(({ narrow }) => ({
    height: narrow ? 280 : 350,
    layer: [
      ...boundLayers(bound, "proved: nothing is above", y, scale.domain[1]),
      { data: { values }, mark: { type: "line", strokeWidth: 2, clip: true }, encoding: { x, y: y("value"), color: { field: "run", ...style.color }, strokeDash: { field: "run", ...style.strokeDash } } },
      { data: { values: values.length > 200 ? drawn.map((run) => ({ run: run.label, ...courseOf(run.result).at(-1) })) : values }, mark: { type: "point", size: 36, opacity: 1, clip: true },
        encoding: { x, y: y("value"), color: { field: "run", ...style.color }, shape: { field: "run", ...style.shape }, tooltip: [{ field: "run" }, { field: "epoch" }, { field: "value", format: ".8f" }] } },
    ],
  }), { caption: `${what} of every run by epoch${cut ? "; starts are cut off" : ""}`,
       about: `${what} of ${count(drawn.length, "run")} by epoch; at the end ${drawn.map((run) => `${run.label} ${fixed(courseOf(run.result).at(-1).value, 3)}`).join(", ")}${isNumber(bound) ? `; nothing is above ${up(bound, 3)}` : ""}.`,
       numbers: compared(runs), under: legend(style) });
}

/// Where the runs differ most, item by item.
function differences(runs) {
  const known = runs.filter((run) => Array.isArray(run.result.marginals) && run.result.marginals.length > 0 && run.result.marginals.length === runs[0].result.marginals?.length);
  if (known.length < 2) return null;
  const items = known[0].result.model?.items?.length ? known[0].result.model.items : null, style = styles([merged(runs).best, ...known].filter((run) => known.includes(run)).map((run) => run.label));
  const width = (i) => Math.max(...known.map((run) => run.result.marginals[i])) - Math.min(...known.map((run) => run.result.marginals[i]));
  const rows = known[0].result.marginals.map((_, i) => ({ i, item: itemName(items, i), width: width(i) })).sort((a, b) => b.width - a.width);
  const top = rows.slice(0, 12), differ = rows.filter((row) => row.width > 1e-3).length;
  if (!differ) return h("p.note", "The marginals of the runs are the same to a thousandth.");
  const values = top.flatMap((row) => known.map((run) => ({ item: row.item, run: run.label, marginal: run.result.marginals[row.i] })));
  const drawnBefore = runs.filter((run) => traceOf(run.result).length > 1).length > 1;  // with the same looks in the picture above
  return h("div.compared", !drawnBefore && legend(style), chart(({ narrow }) => ({
    height: { step: 22 },
    data: { values },
    mark: { type: "point", size: 60, opacity: 0.9 },
    encoding: { y: { field: "item", type: "nominal", sort: null, axis: { title: null, grid: true, labelLimit: narrow ? 110 : 220 } },
                x: { field: "marginal", type: "quantitative", scale: probabilities(values.map((one) => one.marginal)), axis: { title: "marginal", tickCount: 5, grid: false } },
                color: { field: "run", ...style.color }, shape: { field: "run", ...style.shape }, tooltip: [{ field: "item" }, { field: "run" }, { field: "marginal", format: ".6f" }] },
  }), { caption: `Marginals by run: ${differ} of ${rows.length} differ by more than a thousandth${rows.length > top.length ? `, the ${top.length} that differ most` : ""}`,
        about: `Marginals by run; ${differ} of ${rows.length} items differ by more than a thousandth, most of all ${top[0].item}, by ${fixed(top[0].width, 3)}.`,
        numbers: { caption: "Marginals by run", rows, step: 12, columns: [{ key: "item", label: "Item" }, { key: "width", label: "Difference", number: true },
          ...known.map((run, k) => ({ key: `run-${k}`, label: run.label, number: true, of: (row) => run.result.marginals[row.i] }))], wide: true } }));
}

export function runsBeside(runs) {
  const { result } = merged(runs), end = (key, choose) => {
    const known = runs.map((run) => run.result[key]).filter(isNumber);
    return known.length ? choose(...known) : null;
  };
  return intervalPicture("What is known, from both sides", "natural logarithm", [
    { what: `best ${objectiveOf(result)}`, lower: proved(result), upper: result.upper_bound },
    { what: "log Z", lower: end("log_z_lower", Math.max), upper: end("log_z_upper", Math.min), exact: runs.some((run) => run.result.log_z_exact === true) }]);
}

export const runsParts = (runs) => [differences(runs)];
