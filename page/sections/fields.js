// Fields full of odd cycles, certified: couplings of both signs (mixed-signs) and cuts. The gap that remains, row by row, and the table.
import { block } from "../dom.js";
import { chart } from "../chart.js";
import { count, isNumber } from "../format.js";
import { objectNumbers, objectTable } from "./generic.js";

const list = (value) => (Array.isArray(value) ? value.filter((row) => row !== null && typeof row === "object") : []);
const kWanted = 1e-3;
const nameOf = (row) => `${row.field ?? row.graph ?? "unnamed"}${isNumber(row.beta) && row.beta !== 1 ? `, beta = ${row.beta}` : ""}`;

export function fieldsParts(result) {
  const rows = list(result.rows);
  if (!rows.length) return [];
  const drawn = rows.filter((row) => isNumber(row.gap)).map((row) => ({ ...row, name: nameOf(row), shown: Math.max(row.gap, 1e-9) }));
  return [block("What is certified", drawn.length > 0 && chart({
    height: { step: 26 },
    data: { values: drawn },
    mark: { type: "point", filled: true, size: 80, color: "var(--series-1)" },
    encoding: { y: { field: "name", type: "nominal", sort: null, axis: { title: null, grid: true } },
                x: { field: "shown", type: "quantitative", scale: { type: "log" }, axis: { title: "relative gap that remains", format: ".0e", tickCount: 6 } },
                tooltip: [{ field: "name" }, { field: "gap", format: ".2e" }, { field: "elbo", format: ".6f" }, { field: "upper_bound", format: ".6f" }] },
  }, { caption: "The gap that remains, row by row", numbers: objectNumbers("Rows", rows), about: `Relative gaps of ${drawn.length} rows, from ${Math.min(...drawn.map((row) => row.gap)).toExponential(1)} to ${Math.max(...drawn.map((row) => row.gap)).toExponential(1)}.` }),
    drawn.length === 0 && objectTable("Rows", rows))];
}

export function fieldsCertainty(result) {
  const rows = list(result.rows);
  if (!rows.length) return null;
  const done = rows.filter((row) => isNumber(row.gap) && row.gap <= kWanted * (1 + 1e-6)).length;
  return { level: done === rows.length ? "sure" : "bounded", short: `${done} of ${rows.length} to 0.1 %`, text: `${done} of ${count(rows.length, "row")} certified to a relative gap of 0.1 %.` };
}
