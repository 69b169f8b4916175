// The paper's experiments: Table 1, the figures, the synthetic models, and what is certified beyond them.
import { block, foldable, h } from "../dom.js";
import { count, fixed, isNumber } from "../format.js";
import { chart, legend, styles } from "../chart.js";
import { fitted } from "../axis.js";
import { genericParts, genericRun, objectNumbers, objectTable } from "./generic.js";
import { fieldsCertainty, fieldsParts } from "./fields.js";
import { registriesCertainty, registriesParts, safetyCertainty, safetyParts } from "./learned.js";
import { table1Parts } from "./table1.js";
import { figureParts } from "./trajectories.js";

const list = (value) => (Array.isArray(value) ? value : []);
const kGaps = [1e-6, 1e-4, 1e-3, 1e-2];

function hardGrid(result) {
  const rows = list(result.rows);
  const values = rows.flatMap((row) => [...Object.entries(row.starts ?? {}), ["best", row.best]].filter(([, value]) => isNumber(value))
    .map(([start, value]) => ({ seed: `seed ${row.seed}`, start, value, below: isNumber(row.upper_bound) ? row.upper_bound - value : null })));
  if (!values.length) return [];
  const style = styles(values.map((value) => value.start));
  const bounded = values.every((value) => isNumber(value.below));
  const flat = rows.map((row) => ({ seed: row.seed, ...row.starts, best: row.best, upper_bound: row.upper_bound, gap: row.gap, seconds: row.seconds }));
  return [block("Every start, and the certified bound", legend(style), chart({
    height: { step: 34 },
    data: { values },
    mark: { type: "point", size: 80, opacity: 0.95 },
    encoding: { y: { field: "seed", type: "nominal", sort: null, axis: { title: null, grid: true } },
                x: { field: bounded ? "below" : "value", type: "quantitative", scale: { ...(bounded ? { zero: true } : fitted(values.map((value) => value.value))), reverse: bounded },
                     axis: { title: bounded ? "below the certified upper bound" : "ELBO", grid: false } },
                color: { field: "start", ...style.color }, shape: { field: "start", ...style.shape },
                tooltip: [{ field: "seed" }, { field: "start" }, { field: "value", format: ".6f" }] },
  }, { caption: "How far every start ends below the bound", numbers: objectNumbers("Hard grids", flat), about: `ELBO of every start on ${rows.length} grids; the best is ${rows.map((row) => fixed(row.best, 2)).join(", ")}.` }))];
}

function certified(result) {
  const rows = list(result.problems);
  if (!rows.length) return [];
  const groups = [...new Set(rows.map((row) => `${row.objective === "pa-elbo" ? "PA-ELBO" : "ELBO"}, D = ${row.D}`))];
  const nameOf = (row) => `${row.objective === "pa-elbo" ? "PA-ELBO" : "ELBO"}, D = ${row.D}`;
  const tally = groups.map((name) => {
    const own = rows.filter((row) => nameOf(row) === name), known = own.filter((row) => isNumber(row.gap));
    return { problems: name, number: own.length, ...Object.fromEntries(kGaps.map((gap) => [`to ${gap.toExponential(0)}`, known.filter((row) => row.gap <= gap).length])),
             worst_gap: known.length ? Math.max(...known.map((row) => row.gap)) : null, longest_seconds: Math.max(...own.map((row) => row.seconds ?? 0)) };
  });
  const drawn = rows.filter((row) => isNumber(row.gap)).map((row) => ({ ...row, name: nameOf(row), shown: Math.max(row.gap, 1e-12) }));
  return [block("How many are certified", objectTable("Certified optima by gap", tally), drawn.length > 0 && chart({
      height: { step: 30 },
      data: { values: drawn },
      mark: { type: "tick", thickness: 1.5, color: "var(--series-1)", opacity: 0.6 },
      encoding: { y: { field: "name", type: "nominal", sort: groups, axis: { title: null } },
                  x: { field: "shown", type: "quantitative", scale: { type: "log" }, axis: { title: "relative gap that remains", format: ".0e", tickCount: 6 } },
                  tooltip: [{ field: "problem" }, { field: "gap", format: ".2e" }] },
    }, { caption: "The gap that remains, problem by problem", numbers: objectNumbers("Problems", rows), about: `Relative gaps of ${drawn.length} problems, the worst ${fixed(Math.max(...drawn.map((row) => row.gap)), 9)}; counts are in the table above.` }))];
}

const kinds = {
  table1: { title: "Table 1 of the paper", parts: table1Parts, own: ["rows", "equal_cells", "printed_cells"] },
  figures: { title: "Figures of the paper", parts: figureParts, own: ["charts", "values"] },
  synthetic: { title: "Synthetic models of the paper", parts: figureParts, own: ["charts", "values", "log_z"] },
  certified: { title: "Certified optima", parts: certified, own: ["problems"] },
  registries: { title: "Registries: models against each other", parts: registriesParts, sure: registriesCertainty, own: ["rows"] },
  safety: { title: "Safety: the paper's chain from data to Table 1", parts: safetyParts, sure: safetyCertainty, own: ["rows"] },
  all: { title: "All experiments", parts: () => [], own: [] },
  cuts: { title: "Cuts, certified", parts: fieldsParts, sure: fieldsCertainty, own: ["rows"] },
  "mixed-signs": { title: "Couplings of both signs, certified", parts: fieldsParts, sure: fieldsCertainty, own: ["rows"] },
  "hard-grid": { title: "Hard grids", parts: hardGrid, own: ["rows"] },
};

export const experimentTitle = (result) => kinds[result.experiment]?.title ?? `Experiment: ${result.experiment ?? "unnamed"}`;

export function experimentCertainty(result) {
  const faults = list(result.faults).length, stopped = result.complete === false;
  const rest = `${faults ? ` ${count(faults, "file")} could not be read.` : ""}${stopped ? " The run was stopped early: what is here is valid, the rest is missing." : ""}`;
  const level = faults || stopped ? "open" : "sure";
  const own = kinds[result.experiment]?.sure?.(result);
  if (own) return { ...own, level: faults || stopped ? "open" : own.level, text: own.text + rest };
  if (result.experiment === "table1" && isNumber(result.printed_cells)) {
    const all = result.equal_cells === result.printed_cells;
    return { level: all ? level : "bounded", short: `${result.equal_cells} of ${result.printed_cells} printed cells equal`,
             text: `${result.equal_cells} of ${result.printed_cells} printed cells are reproduced to the last digit.${rest}` };
  }
  if (result.experiment === "certified" && list(result.problems).length) {
    const done = result.problems.filter((row) => isNumber(row.gap) && row.gap <= 1e-6).length;
    return { level: done === result.problems.length ? level : "bounded", short: `${done} of ${result.problems.length} certified`,
             text: `${done} of ${count(result.problems.length, "problem")} certified global to a relative gap of 1e\u22126.${rest}` };
  }
  if (list(result.charts).length) {
    const under = result.charts.every((one) => isNumber(one.log_z?.[1]) && list(one.series).every((series) => list(series.points).every((point) => point[1] <= one.log_z[1] + 1e-9)));
    return { level: faults || stopped ? "open" : under ? "sure" : "plain", short: `${count(result.charts.length, "chart")}${under ? ", all under log Z" : ""}`,
             text: `${count(result.charts.length, "chart")} of trajectories${under ? ", every value under its certified log Z" : ""}.${rest}` };
  }
  if (result.experiment === "hard-grid" && list(result.rows).every((row) => isNumber(row?.gap)) && list(result.rows).length) {
    const worst = Math.max(...result.rows.map((row) => row.gap));
    return { level: faults || stopped ? "open" : "bounded", short: `certified to ${(100 * worst).toPrecision(2)} %`,
             text: `On ${count(result.rows.length, "grid")} the best answer is certified to within ${(100 * worst).toPrecision(2)} % of the optimum.${rest}` };
  }
  return { level: faults || stopped ? "open" : "plain", short: stopped ? "stopped early" : "complete", text: rest.trim() || "The experiment is complete." };
}

const shared = ["experiment", "complete", "faults", "left_out", "experiments"];

export function experimentParts(result) {
  const kind = kinds[result.experiment];
  const sentences = (title, entries) => list(entries).length > 0 && foldable(title, h("ul", list(entries).map((entry) => h("li", entry))));
  return [
    ...(kind ? kind.parts(result) : []),
    ...list(result.experiments).map((inner) => h("section.inner", h("h3.inner-title", experimentTitle(inner)), h("p.answer-text", experimentCertainty(inner).text), experimentParts(inner))),
    sentences(`Not reproduced: ${count(list(result.faults).length, "file")}`, result.faults), sentences(`Left out: ${list(result.left_out).length}`, result.left_out),
    ...genericParts(result, [...shared, ...(kind?.own ?? [])]),
  ];
}

export const experimentRun = (result) => genericRun(result, [...shared, ...(kinds[result.experiment]?.own ?? [])]);
