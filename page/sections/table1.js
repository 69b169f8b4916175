// The paper's Table 1: the printed cells and ours side by side, then the columns the paper does not have.
import { block, foldable, h } from "../dom.js";
import { fixed, interval, isNumber } from "../format.js";
import { chart, legend, styles, thirds } from "../chart.js";
import { fitted } from "../axis.js";
import { table } from "../table.js";

export const objectiveName = (objective) => (objective === "pa-elbo" ? "PA-ELBO" : "ELBO");
const cellOf = (row, solver) => (row.cells ?? []).find((cell) => cell.solver === solver);
const pair = (mean, std) => (isNumber(mean) ? `${fixed(mean, 3)} \u00b1 ${fixed(std, 3)}` : "\u2013");

function ours(cell) {
  if (!cell) return "\u2013";
  if (cell.equal === true) return h("span.equal", { title: "equal to the printed cell" }, pair(cell.mean, cell.std), " ", h("span", { "aria-hidden": "true" }, "="), h("span.hidden", " equal"));
  if (cell.equal === false) return h("span.differs", { title: "differs from the printed cell" }, pair(cell.mean, cell.std), " ", h("span", { "aria-hidden": "true" }, "\u2260"), h("span.hidden", " differs"));
  return pair(cell.mean, cell.std);
}

function numbersOf(rows, objective) {
  const all = [...new Set(rows.flatMap((row) => (row.cells ?? []).map((cell) => cell.solver)))];
  const printed = all.filter((solver) => rows.some((row) => isNumber(cellOf(row, solver)?.printed_mean)));
  const columns = [
    { key: "category", label: "Category" }, { key: "n", label: "n", number: true, show: String }, { key: "D", label: "D", number: true, show: String },
    ...printed.flatMap((solver) => [
      { key: `${solver} printed`, label: "printed", group: solver, number: true, of: (row) => cellOf(row, solver)?.printed_mean ?? null,
        show: (_, row) => pair(cellOf(row, solver)?.printed_mean, cellOf(row, solver)?.printed_std) },
      { key: solver, label: "ours", group: solver, number: true, of: (row) => cellOf(row, solver)?.mean ?? null, show: (_, row) => ours(cellOf(row, solver)) }]),
    ...all.filter((solver) => !printed.includes(solver)).map((solver) =>
      ({ key: solver, label: solver, group: "not in the paper", number: true, of: (row) => cellOf(row, solver)?.mean ?? null, show: (_, row) => ours(cellOf(row, solver)) })),
    ...(rows.some((row) => Array.isArray(row.optimum)) ? [{ key: "optimum", label: "optimum, certified", group: "not in the paper", number: true,
      of: (row) => row.optimum?.[1] ?? null, show: (_, row) => interval(row.optimum?.[0], row.optimum?.[1], 3) }] : []),
    ...(rows.some((row) => Array.isArray(row.log_z)) ? [{ key: "log_z", label: "log Z", group: "not in the paper", number: true,
      of: (row) => row.log_z?.[1] ?? null, show: (_, row) => interval(row.log_z?.[0], row.log_z?.[1], 3) }] : []),
  ];
  return { caption: `Table 1, ${objectiveName(objective)}: mean \u00b1 deviation over the folds; = marks a cell equal to the printed one`, rows, columns, wide: true, step: 60 };
}

function dots(rows, objective) {
  const solvers = [...new Set(rows.flatMap((row) => (row.cells ?? []).map((cell) => cell.solver)))];
  const style = styles(solvers);
  const figures = [...new Set(rows.map((row) => row.D))].sort((a, b) => a - b).map((D) => {
    const values = rows.filter((row) => row.D === D).flatMap((row) => (row.cells ?? []).filter((cell) => isNumber(cell.mean))
      .map((cell) => ({ category: row.category, solver: cell.solver, mean: cell.mean })));
    const order = [...new Set(values.map((value) => value.category))];
    return values.length > 0 && chart({
      height: { step: 22 },
      data: { values },
      mark: { type: "point", size: 64, opacity: 0.9 },
      encoding: { y: { field: "category", type: "nominal", sort: order, axis: { title: null, grid: true } },
                  x: { field: "mean", type: "quantitative", scale: fitted(values.map((value) => value.mean)), axis: { title: `mean ${objectiveName(objective)}`, tickCount: 5, grid: false } },
                  color: { field: "solver", ...style.color }, shape: { field: "solver", ...style.shape },
                  tooltip: [{ field: "category" }, { field: "solver" }, { field: "mean", format: ".6f" }] },
    }, { caption: `D = ${D}`, name: `Table 1, ${objectiveName(objective)}, D = ${D}`, about: `Mean ${objectiveName(objective)} at D = ${D} of ${solvers.length} algorithms in ${order.length} categories; the numbers are in the table below.` });
  });
  return [legend(style), thirds(figures)];
}

/// The ELBO first; the PA-ELBO is a click away.
export function table1Parts(result) {
  const rows = Array.isArray(result.rows) ? result.rows : [];
  return ["elbo", "pa-elbo"].map((objective) => {
    const own = rows.filter((row) => row?.objective === objective);
    if (!own.length) return null;
    const content = [dots(own, objective), foldable("The numbers, beside the printed ones", table(numbersOf(own, objective)))];
    const title = `${objectiveName(objective)} ${objective === "elbo" ? "of one model a fold" : "of every pair of folds"}, after one epoch`;
    return objective === "elbo" ? block(title, content) : foldable(title, content);
  });
}
