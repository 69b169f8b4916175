// Trajectories and values against the dimension: small multiples with the one-epoch line and log Z.
import { block, foldable } from "../dom.js";
import { count, fixed, interval, isNumber } from "../format.js";
import { chart, legend, styles, thirds } from "../chart.js";
import { fitted, fittedToEnds } from "../axis.js";
import { objectiveName } from "./table1.js";

const list = (value) => (Array.isArray(value) ? value : []);
const groups = (rows, key) => [...new Set(rows.map(key))].map((name) => [name, rows.filter((row) => key(row) === name)]);

function trajectory(one, style) {
  const values = list(one.series).flatMap((series) => list(series.points).filter((point) => isNumber(point[1]))
    .map(([epoch, value]) => ({ algorithm: series.algorithm, epoch, value })));
  if (!values.length) return null;
  const [low, high] = list(one.log_z);
  const known = isNumber(low) && isNumber(high);
  const name = objectiveName(one.objective);
  const last = Math.max(...values.map((value) => value.epoch));
  const many = values.length > 12 * 12;
  // A start can lie hundreds below what one epoch reaches; drawn to scale it would leave a flat line.
  const reached = values.filter((value) => value.epoch >= (one.one_epoch ?? 0)).map((value) => value.value);
  const { scale } = fittedToEnds([...values.map((value) => value.value), high], [...reached, high]);
  const y = (field) => ({ field, type: "quantitative", scale, axis: { title: name, tickCount: 5 } });
  return chart({
    height: 190,
    layer: [
      ...(known ? [
        { data: { values: [{ low, high }] }, mark: { type: "rect", color: "var(--upper)", opacity: 0.25 }, encoding: { y: y("low"), y2: { field: "high" } } },
        { data: { values: [{ high, label: "log Z" }] }, mark: { type: "rule", color: "var(--upper)", strokeDash: [5, 3] }, encoding: { y: y("high") } },
        { data: { values: [{ high, label: "log Z" }] }, mark: { type: "text", align: "right", x: "width", baseline: "bottom", dy: -3, color: "var(--upper)" }, encoding: { y: y("high"), text: { field: "label" } } }] : []),
      ...(isNumber(one.one_epoch) && one.one_epoch < last ? [
        { data: { values: [{ at: one.one_epoch }] }, mark: { type: "rule", color: "var(--ink-soft)", strokeDash: [2, 3] }, encoding: { x: { field: "at", type: "quantitative" } } },
        { data: { values: [{ at: one.one_epoch, label: "one epoch" }] }, mark: { type: "text", align: "left", baseline: "top", dx: 4, y: 0, dy: 2, fontSize: 11 }, encoding: { x: { field: "at", type: "quantitative" }, text: { field: "label" } } }] : []),
      { data: { values }, mark: { type: "line", strokeWidth: 2, clip: true },
        encoding: { x: { field: "epoch", type: "quantitative", axis: { title: "epoch", tickCount: 6, tickMinStep: 1 } }, y: y("value"),
                    color: { field: "algorithm", ...style.color }, strokeDash: { field: "algorithm", ...style.strokeDash } } },
      { data: { values: many ? values.filter((value) => value.epoch % 10 === 0) : values }, mark: { type: "point", size: 40, opacity: 1, clip: true },
        encoding: { x: { field: "epoch", type: "quantitative" }, y: y("value"), color: { field: "algorithm", ...style.color }, shape: { field: "algorithm", ...style.shape },
                    tooltip: [{ field: "algorithm" }, { field: "epoch" }, { field: "value", format: ".6f" }] } },
    ],
  }, { caption: one.title ?? one.id, name: [one.figure, one.title ?? one.id].filter(Boolean).join(", "),
       numbers: { caption: `${one.title ?? one.id}: values by epoch`, step: 12, rows: values, columns: [{ key: "algorithm", label: "Algorithm" }, { key: "epoch", label: "Epoch", number: true, show: String }, { key: "value", label: "Value", number: true }] },
       about: `${one.title ?? one.id}: ${name} by epoch. At the end: ${list(one.series).map((series) => `${series.algorithm} ${fixed(list(series.points).at(-1)?.[1], 3)}`).join(", ")}.${known ? ` log Z ${interval(low, high, 3)}.` : ""}` });
}

/// {title, content} a figure of the paper.
function trajectories(charts) {
  return groups(charts, (one) => one.figure ?? (one.n ? `Trajectories, n = ${one.n}` : "Trajectories")).map(([title, own]) => {
    const style = styles(own.flatMap((one) => list(one.series).map((series) => series.algorithm)));
    return { title, charts: own.length, content: () => [legend(style), thirds(own.map((one) => trajectory(one, style)))] };
  });
}

function againstDimension(own, truths, title, style) {
  const values = own.map((row) => ({ D: row.D, algorithm: row.algorithm, value: row.mean ?? row.value, std: row.std ?? 0 }))
    .filter((row) => isNumber(row.value)).map((row) => ({ ...row, low: row.value - row.std, high: row.value + row.std }));
  if (!values.length) return null;
  const lines = truths.filter((row) => isNumber(row.mean)).map((row) => ({ D: row.D, value: row.mean }));
  const x = { field: "D", type: "quantitative", axis: { title: "dimensions D", tickMinStep: 1, tickCount: 8 }, scale: { zero: false, padding: 8 } };
  const scale = fitted([...values.flatMap((row) => [row.low, row.high]), ...lines.map((row) => row.value)]);
  const y = (field) => ({ field, type: "quantitative", scale, axis: { title: objectiveName(own[0].objective), tickCount: 5 } });
  const color = { field: "algorithm", ...style.color };
  return chart({
    height: 190,
    layer: [
      { data: { values: lines }, mark: { type: "line", color: "var(--upper)", strokeDash: [5, 3], strokeWidth: 1.5 }, encoding: { x, y: y("value") } },
      { data: { values: lines.slice(-1) }, mark: { type: "text", align: "right", baseline: "bottom", dy: -6, color: "var(--upper)", text: "log Z" }, encoding: { x, y: y("value") } },
      { data: { values: values.filter((row) => row.std > 0) }, mark: { type: "rule", opacity: 0.35 }, encoding: { x, y: y("low"), y2: { field: "high" }, color } },
      { data: { values }, mark: { type: "line", strokeWidth: 1.5 }, encoding: { x, y: y("value"), color, strokeDash: { field: "algorithm", ...style.strokeDash } } },
      { data: { values }, mark: { type: "point", size: 44, opacity: 1 }, encoding: { x, y: y("value"), color, shape: { field: "algorithm", ...style.shape },
          tooltip: [{ field: "algorithm" }, { field: "D" }, { field: "value", format: ".6f" }] } },
    ],
  }, { caption: title, about: `${title}: value by dimension of ${style.names.length} algorithms${lines.length ? ", under log Z" : ""}.`, numbers: valueNumbers(title, own) });
}

function valueNumbers(title, rows) {
  const keys = ["category", "n", "objective", "D", "algorithm", "value", "mean", "std"].filter((key) => rows.some((row) => row[key] !== undefined));
  return { caption: title, rows, step: 12, columns: keys.map((key) => ({ key, label: { std: "Deviation", n: "n", D: "D" }[key] ?? key.charAt(0).toUpperCase() + key.slice(1),
    number: ["n", "D", "value", "mean", "std"].includes(key), digits: ["n", "D"].includes(key) ? 0 : 6 })) };
}

function values(result) {
  const truths = list(result.log_z).filter((row) => row && typeof row === "object" && "D" in row);
  return groups(list(result.values), (row) => row.figure ?? "Values against the dimension").map(([title, own]) => {
    const style = styles(own.map((row) => row.algorithm));
    const some = groups(own, (row) => JSON.stringify([row.category, row.objective, row.folds, row.n]));
    return { title, charts: some.length, content: () => [legend(style), thirds(some.map(([, rows]) => {
      const one = rows[0], folds = list(one.folds).length ? `, fold${list(one.folds).length > 1 ? "s" : ""} ${one.folds.join(" and ")}` : "";
      const named = one.category ? `${one.category}, ${objectiveName(one.objective)}${folds}` : `n = ${one.n}`;
      return againstDimension(rows, truths.filter((row) => row.n === one.n), named, style);
    }))] };
  });
}

/// The first figure is shown, the others are a click away.
export const figureParts = (result) => groups([...trajectories(list(result.charts)), ...values(result)], (one) => one.title).map(([title, own], k) => {
  const fold = (name, some) => foldable(`${name}: ${count(some.reduce((sum, one) => sum + one.charts, 0), "chart")}`, some.map((one) => one.content()));
  if (k > 0) return fold(title, own);
  return [block(`${title.charAt(0).toUpperCase()}${title.slice(1)}`, own[0].content()), own.length > 1 && fold(`${title}, against the dimension`, own.slice(1))];
});
