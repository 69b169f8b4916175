// Model selection: every candidate with its certified intervals, and the winner.
import { block, facts } from "../dom.js";
import { fixed, isNumber, seconds } from "../format.js";
import { chart, gallery } from "../chart.js";
import { table } from "../table.js";

const isWinner = (result, row) => result.winner && row.dims === result.winner.dims && row.beta === result.winner.beta;

export function selectCertainty(result) {
  return { level: result.decided ? "sure" : "open", short: result.decided ? "winner decided" : "not decided",
           text: result.verdict || (result.winner ? `The best is D = ${result.winner.dims}, beta = ${result.winner.beta}.` : "No winner.") };
}

export function selectNumbers(result) {
  if (!result.winner) return [];
  const row = (result.rows ?? []).find((candidate) => isWinner(result, candidate)) ?? {};
  return [["Dimensions", String(result.winner.dims ?? "\u2013"), "of the winner"], ["Beta", String(result.winner.beta ?? "\u2013"), "inverse temperature"],
          ["PA from below", fixed(row.pa_lower), "mean over pairs of folds"], ["PA from above", fixed(row.pa_upper), "mean over pairs of folds"]];
}

function compared(result, stem, title) {
  const values = result.rows.filter((row) => isNumber(row[`${stem}_lower`]) && isNumber(row[`${stem}_upper`])).map((row) => ({
    dims: String(row.dims), beta: `beta ${row.beta}`, lower: row[`${stem}_lower`], upper: row[`${stem}_upper`],
    middle: (row[`${stem}_lower`] + row[`${stem}_upper`]) / 2,
    low: row[`${stem}_lower`] - (row[`${stem}_standard_error`] ?? 0), high: row[`${stem}_upper`] + (row[`${stem}_standard_error`] ?? 0),
    winner: Boolean(isWinner(result, row)) }));
  if (!values.length) return null;
  const dims = [...new Set(values.map((row) => row.dims))].sort((a, b) => a - b);
  const betas = [...new Set(values.map((row) => row.beta))];
  const x = { field: "dims", type: "ordinal", sort: dims, axis: { title: "dimensions D", labelAngle: 0 } };
  const xOffset = betas.length > 1 ? { xOffset: { field: "beta", sort: betas } } : {};
  const scale = { zero: false };
  const range = betas.map((_, k) => `var(--series-${(k % 8) + 1})`);
  const color = { field: "beta", type: "nominal", legend: betas.length > 1 ? {} : null, scale: { domain: betas, range } };
  return chart({
    height: 230,
    data: { values },
    encoding: { x, ...xOffset, color },
    layer: [
      { mark: { type: "rule", strokeWidth: 1.5 }, encoding: { y: { field: "low", type: "quantitative", scale, axis: { title, tickCount: 5 } }, y2: { field: "high" } } },
      { mark: { type: "bar", width: 9 }, encoding: { y: { field: "lower", type: "quantitative", scale }, y2: { field: "upper" } } },
      { mark: { type: "point", size: 80, opacity: 1 }, encoding: { y: { field: "middle", type: "quantitative", scale },
          tooltip: [{ field: "dims" }, { field: "beta" }, { field: "lower", format: ".6f" }, { field: "upper", format: ".6f" }] } },
      { transform: [{ filter: "datum.winner" }], mark: { type: "text", text: "best", dx: 16, align: "left", fontWeight: "bold", color: "var(--ink)" }, encoding: { y: { field: "middle", type: "quantitative", scale } } },
    ],
  }, { caption: `${title}; bars are the certified interval, lines one standard error more`,
       about: `${title} by dimension: ${values.map((row) => `D ${row.dims}, ${row.beta}, ${fixed(row.lower, 4)} to ${fixed(row.upper, 4)}`).join("; ")}.` });
}

export function selectParts(result) {
  const rows = Array.isArray(result.rows) ? result.rows : [];
  const group = (stem, name) => [
    { key: `${stem}_lower`, label: "From below", group: name, number: true },
    { key: `${stem}_upper`, label: "From above", group: name, number: true },
    { key: `${stem}_standard_error`, label: "Standard error", group: name, number: true }];
  const columns = [
    { key: "dims", label: "D", number: true, show: String }, { key: "beta", label: "Beta", number: true, show: String },
    ...group("pa", "Posterior agreement"), ...group("log_likelihood", "Held-out log-likelihood a set"),
    { key: "seconds", label: "Time", number: true, show: seconds }];
  const charts = [compared(result, "pa", "posterior agreement"), compared(result, "log_likelihood", "held-out log-likelihood a set")].filter(Boolean);
  return [
    block("Candidates", charts.length > 0 && gallery(charts),
      rows.length > 0 && table({ caption: "Candidates; the winner is marked", rows, columns, wide: true, mark: (row) => isWinner(result, row) })),
    block("The data", facts([["Sets", result.data?.sets], ["Items", result.data?.items], ["Folds", result.data?.folds]])),
  ];
}
