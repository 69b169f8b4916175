// Model selection: every candidate with its certified intervals, or every family by hidden items, and the winner.
import { down, fixed, interval, isNumber, seconds, up } from "../format.js";
import { chart, gallery } from "../chart.js";
import { fitted } from "../axis.js";

const list = (value) => (Array.isArray(value) ? value : []);
const ofFamilies = (result) => result.by === "hidden items" || typeof result.winner === "string";
const isWinner = (result, row) => Boolean(result.winner) && (ofFamilies(result) ? row.model === result.winner : row.dims === result.winner.dims && row.beta === result.winner.beta);
/// The families that were compared after the dimensions, if they were.
const thenFamilies = (result) => (!ofFamilies(result) && result.families && typeof result.families === "object" ? result.families : null);
const sentence = (text) => (/[.!?]$/.test(text) ? text : `${text}.`).replace(/^cannot/, "Cannot");

export function selectCertainty(result) {
  const decided = ofFamilies(result) ? Boolean(result.winner) : result.decided === true;
  const short = !decided ? "not decided" : ofFamilies(result) ? result.winner : `D = ${result.winner?.dims}${list(result.rows).some((row) => row.beta !== result.winner?.beta) ? `, beta = ${result.winner?.beta}` : ""}, decided`;
  const further = thenFamilies(result)?.verdict ? ` ${sentence(thenFamilies(result).verdict)}` : "";
  return { level: decided ? "sure" : "open", short, text: result.verdict ? sentence(result.verdict) + further : result.winner ? `The best is D = ${result.winner.dims}, beta = ${result.winner.beta}.` : "No winner." };
}

export function selectNumbers(result) {
  if (!result.winner) return [];
  const row = list(result.rows).find((candidate) => isWinner(result, candidate)) ?? {};
  if (ofFamilies(result)) return [["Winner", String(result.winner), "among the families tried"], ["Mean reciprocal rank", fixed(row.mean_reciprocal_rank, 4), "of a hidden item"], ["Over popularity", fixed(row.over_popularity, 4), `\u00b1 ${fixed(row.over_popularity_standard_error, 4)}`]];
  return [["Dimensions", String(result.winner.dims ?? "\u2013"), "of the winner"], ...(list(result.rows).every((one) => one.beta === 1) ? [] : [["Beta", String(result.winner.beta ?? "\u2013"), "inverse temperature"]]),
          ["Log-likelihood", interval(row.log_likelihood_lower, row.log_likelihood_upper, 4), "of a set held out"], ["Agreement", interval(row.pa_lower, row.pa_upper, 4), "mean over pairs of folds"]];
}

function numbersOf(result) {
  const rows = list(result.rows);
  const group = (stem, name) => [
    { key: `${stem}_lower`, label: "From below", group: name, number: true, end: "lower" },
    { key: `${stem}_upper`, label: "From above", group: name, number: true, end: "upper" },
    { key: `${stem}_standard_error`, label: "Standard error", group: name, number: true }];
  const columns = [
    { key: "dims", label: "D", number: true, show: String }, { key: "beta", label: "Beta", number: true, show: String },
    ...group("pa", "Posterior agreement"), ...group("log_likelihood", "Held-out log-likelihood a set"),
    { key: "seconds", label: "Time", number: true, show: seconds }];
  return { caption: result.winner ? "Candidates; the winner is marked" : "Candidates", rows, columns, wide: true, mark: (row) => isWinner(result, row) };
}

function compared(result, stem, title) {
  const values = list(result.rows).filter((row) => isNumber(row[`${stem}_lower`]) && isNumber(row[`${stem}_upper`])).map((row) => {
    const lower = row[`${stem}_lower`], upper = row[`${stem}_upper`], error = row[`${stem}_standard_error`] ?? 0;
    return { dims: String(row.dims), beta: `beta ${row.beta}`, lower, upper, middle: (lower + upper) / 2, low: lower - error, high: upper + error, from: down(lower), to: up(upper), winner: Boolean(isWinner(result, row)) };
  });
  if (!values.length) return null;
  const dims = [...new Set(values.map((row) => row.dims))].sort((a, b) => a - b), betas = [...new Set(values.map((row) => row.beta))];
  const xOffset = betas.length > 1 ? { xOffset: { field: "beta", sort: betas } } : {};
  const scale = fitted(values.flatMap((row) => [row.low, row.high]));
  const y = (field) => ({ field, type: "quantitative", scale, axis: { title, tickCount: 5 } });
  const color = { field: "beta", type: "nominal", legend: betas.length > 1 ? {} : null, scale: { domain: betas, range: betas.map((_, k) => `var(--series-${(k % 8) + 1})`) } };
  return chart({
    height: 230,
    data: { values },
    encoding: { x: { field: "dims", type: "ordinal", sort: dims, axis: { title: "dimensions D", labelAngle: 0 } }, ...xOffset, color },
    layer: [
      { mark: { type: "rule", strokeWidth: 1.5 }, encoding: { y: y("low"), y2: { field: "high" } } },
      { mark: { type: "bar", width: 9 }, encoding: { y: y("lower"), y2: { field: "upper" } } },
      { mark: { type: "point", size: 80, opacity: 1 }, encoding: { y: y("middle"), tooltip: [{ field: "dims" }, { field: "beta" }, { field: "from", title: "at least" }, { field: "to", title: "at most" }] } },
      { transform: [{ filter: "datum.winner" }], mark: { type: "text", text: "chosen", dx: 10, align: "left", fontWeight: "bold", color: "var(--ink)" }, encoding: { y: y("middle") } },
    ],
  }, { caption: `${title}: certified, and one standard error`, name: title, numbers: numbersOf(result),
       about: `${title} by dimension: ${values.map((row) => `D ${row.dims}, ${row.beta}, ${down(row.lower, 4)} to ${up(row.upper, 4)}`).join("; ")}.` });
}

/// How well each family, and each baseline, finds hidden items.
function families(result) {
  const rows = [...list(result.rows), ...list(result.baselines).map((row) => ({ ...row, baseline: true }))].filter((row) => isNumber(row.mean_reciprocal_rank));
  if (!rows.length) return null;
  const values = rows.map((row) => ({ name: row.baseline ? `${row.model} (baseline)` : row.model, value: row.mean_reciprocal_rank, kind: row.baseline ? "baseline" : isWinner(result, row) ? "winner" : "family",
    low: row.mean_reciprocal_rank - (row.standard_error ?? 0), high: row.mean_reciprocal_rank + (row.standard_error ?? 0) })).sort((a, b) => b.value - a.value);
  const scale = fitted(values.flatMap((row) => [row.low, row.high])), number = (key, label) => ({ key, label, number: true, digits: 4 });
  return chart({
    height: { step: 30 },
    data: { values },
    encoding: { y: { field: "name", type: "nominal", sort: null, axis: { title: null, grid: true } } },
    layer: [
      { mark: { type: "rule", strokeWidth: 2, color: "var(--ink-soft)" }, encoding: { x: { field: "low", type: "quantitative", scale, axis: { title: "mean reciprocal rank of a hidden item", tickCount: 5, grid: false } }, x2: { field: "high" } } },
      { mark: { type: "point", size: 130, opacity: 1 }, encoding: { x: { field: "value", type: "quantitative", scale },
          color: { field: "kind", type: "nominal", legend: null, scale: { domain: ["winner", "family", "baseline"], range: ["var(--exact)", "var(--series-1)", "var(--series-6)"] } },
          shape: { field: "kind", type: "nominal", legend: null, scale: { domain: ["winner", "family", "baseline"], range: ["diamond", "circle", "square"] } },
          tooltip: [{ field: "name" }, { field: "value", format: ".4f" }] } }],
  }, { caption: "How high a hidden item is ranked; lines are one standard error", name: "families by hidden items", about: `Mean reciprocal rank of a hidden item: ${values.map((row) => `${row.name} ${fixed(row.value, 4)}`).join("; ")}.`,
       numbers: { caption: `Families and baselines${result.winner ? "; the winner is marked" : ""}`, rows, mark: (row) => !row.baseline && isWinner(result, row), wide: true, columns: [{ key: "model", label: "Model", show: (model, row) => (row.baseline ? `${model} (baseline)` : model) },
         number("mean_reciprocal_rank", "Mean reciprocal rank"), number("standard_error", "Standard error"), number("hit_rate_at_5", "Hit rate at 5"), number("hit_rate_at_10", "Hit rate at 10"), number("ndcg", "ndcg"), number("coverage", "Items shown"),
         number("over_popularity", "Over popularity"), number("behind", "Behind the leader"), { key: "seconds", label: "Time", number: true, show: seconds }] } });
}

export const selectLead = (result) => (ofFamilies(result) ? families(result) : null);
export const selectParts = (result) => (ofFamilies(result) ? [] : [gallery(compared(result, "log_likelihood", "Held-out log-likelihood a set"), compared(result, "pa", "Posterior agreement")), ...(thenFamilies(result) ? [families(thenFamilies(result))] : [])]);
export const selectRun = (result) => [["Sets", result.data?.sets], ["Items", result.data?.items], ["Folds", result.data?.folds], ["Decided by", result.by],
  ["Notes", [...list(result.notes), ...list(thenFamilies(result)?.notes)].join("; ") || null],
  ["Complete", result.complete === false ? "no: stopped early" : null], ["Time", isNumber(result.seconds) ? seconds(result.seconds) : null]];
