// Posterior agreement: of two models the agreement and its distribution, of several all pairs.
import { block, foldable } from "../dom.js";
import { atMost, down, fixed, interval, isNumber, seconds, up } from "../format.js";
import { chart, gallery } from "../chart.js";
import { table } from "../table.js";
import { genericRun } from "./generic.js";
import { certainty, inferRun, intervalPicture, marginals, numbers, proved, spread } from "./infer.js";

const list = (value) => (Array.isArray(value) ? value : []);

/// One table an inverse temperature, each with its pairs under the names of the models.
function tablesOf(result) {
  const tables = list(result.tables).length ? result.tables : list(result.pairs).length ? [result] : [];
  return tables.map((one) => {
    const name = (model) => String(typeof model === "number" ? list(one.models)[model]?.name ?? model : model ?? "");
    return { ...one, pairs: list(one.pairs).map(({ first, second, a, b, ...rest }) => ({ first: name(first ?? a), second: name(second ?? b), ...rest })) };
  });
}

export function agreeCertainty(result) {
  const tables = tablesOf(result);
  if (tables.length) {
    const pairs = tables.flatMap((one) => one.pairs), known = pairs.filter((row) => isNumber(row.pa_lower) && isNumber(row.pa_upper));
    const widest = known.length ? atMost(Math.max(...known.map((row) => row.pa_upper - row.pa_lower))) : null;
    const mean = tables.length === 1 && isNumber(tables[0].mean_pa_lower) ? ` Their mean: ${interval(tables[0].mean_pa_lower, tables[0].mean_pa_upper)}.` : "";
    return known.length
      ? { level: "bounded", short: `${known.length} pairs, certified`, text: `Posterior agreement of ${known.length} of ${pairs.length} pairs, certified; the widest interval is ${widest} wide.${mean}` }
      : { level: "open", short: "no certified pair", text: "No pair has a certified interval of its posterior agreement." };
  }
  const lower = result.pa_lower, upper = result.pa_upper;
  if (!isNumber(lower) || !isNumber(upper)) return certainty(result);
  const exact = lower === upper || result.pa_exact === true;
  return { level: exact ? "sure" : "bounded", short: exact ? "PA, exact" : `PA to ${atMost(upper - lower)}, certified`,
           text: exact ? `The posterior agreement is ${fixed((lower + upper) / 2)}, exact.`
                       : `The posterior agreement lies between ${down(lower)} and ${up(upper)}, certified.` };
}

export function agreeNumbers(result) {
  if (tablesOf(result).length) return [];
  return [["PA from below", down(result.pa_lower), "the agreement is at least this"],
          ["PA from above", up(result.pa_upper), "the agreement is at most this"],
          ...(isNumber(result.elbo) ? numbers(result).slice(0, 2) : [])];
}

function pairNumbers(rows) {
  const columns = [{ key: "first", label: "First" }, { key: "second", label: "Second" },
    ...[["pa_lower", "From below", "lower"], ["pa_upper", "From above", "upper"], ["pa_elbo_lower", "By mean field", "lower"], ["pa_elbo", "PA-ELBO", "lower"]]
      .filter(([key]) => rows.some((row) => isNumber(row[key]))).map(([key, label, end]) => ({ key, label, number: true, end }))];
  if (rows.some((row) => isNumber(row.seconds))) columns.push({ key: "seconds", label: "Time", number: true, show: seconds });
  return { caption: "Posterior agreement by pair, certified from below and from above", rows, columns };
}

function matrix(rows) {
  const cells = rows.filter((row) => isNumber(row.pa_lower) && isNumber(row.pa_upper)).flatMap((row) => {
    const middle = (row.pa_lower + row.pa_upper) / 2, shown = interval(row.pa_lower, row.pa_upper);
    return [{ first: row.first, second: row.second, middle, shown }, { first: row.second, second: row.first, middle, shown }];
  });
  const models = [...new Set(cells.map((cell) => cell.first))].sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
  if (models.length < 3) return table(pairNumbers(rows));
  const all = cells.map((cell) => cell.middle);
  return chart({
    height: { step: 30 },
    data: { values: cells },
    mark: { type: "rect", cornerRadius: 2 },
    encoding: { x: { field: "first", type: "nominal", sort: models, axis: { title: null, labelAngle: models.some((model) => model.length > 4) ? -40 : 0, labelLimit: 110 } },
                y: { field: "second", type: "nominal", sort: models, axis: { title: null, labelLimit: 110 } },
                color: { field: "middle", type: "quantitative", scale: { scheme: "viridis", zero: false }, legend: { title: "PA", orient: "top", gradientLength: 180 } },
                tooltip: [{ field: "first" }, { field: "second" }, { field: "shown", title: "PA" }] },
  }, { caption: "Posterior agreement of every pair, the middle of its interval", numbers: pairNumbers(rows),
       about: `Matrix of posterior agreement between ${models.length} models, from ${fixed(Math.min(...all), 3)} to ${fixed(Math.max(...all), 3)}.` });
}

export function agreeLead(result) {
  const tables = tablesOf(result);
  if (tables.length) return matrix(tables[0].pairs);
  return intervalPicture("Posterior agreement log \u03a3 p\u2032(S) p\u2033(S): larger is better", "PA, natural logarithm",
    [{ what: "PA", lower: result.pa_lower, upper: result.pa_upper, exact: result.pa_exact }, { what: "PA by mean field", lower: result.pa_elbo_lower }]);
}

export function agreeBeside(result) {
  if (tablesOf(result).length) return null;
  return intervalPicture("What both agree on, from both sides", "natural logarithm", [
    { what: "best PA-ELBO", lower: proved(result), upper: result.upper_bound }, { what: "log Z of the sum", lower: result.log_z_lower, upper: result.log_z_upper, exact: result.log_z_exact }]);
}

export function agreeParts(result) {
  const tables = tablesOf(result);
  if (tables.length) return tables.slice(1).map((one) => block(isNumber(one.inverse_temperature) ? `Pairs at beta = ${one.inverse_temperature}` : "Pairs", matrix(one.pairs)));
  const models = list(result.models).map((model) => ({ model: model.name, ...model.log_z })), given = list(result.marginals);
  return [
    gallery(marginals(given, result.model?.items, "Marginals of the distribution both agree on, p\u2032(S) p\u2033(S), by mean field"), spread(given)),
    models.length > 0 && foldable("log Z of each model", table({ caption: "log Z of each model", rows: models, columns: [
      { key: "model", label: "Model" }, { key: "lower", label: "From below", number: true, digits: 9, end: "lower" }, { key: "upper", label: "From above", number: true, digits: 9, end: "upper" },
      { key: "method", label: "Method" }, { key: "seconds", label: "Time", number: true, show: seconds }] })),
  ];
}

export function agreeRun(result) {
  const tables = tablesOf(result);
  if (!tables.length) return inferRun(result);
  return [...tables.flatMap((one) => [[`Mean PA${isNumber(one.inverse_temperature) ? ` at beta = ${one.inverse_temperature}` : ""}`, isNumber(one.mean_pa_lower) ? interval(one.mean_pa_lower, one.mean_pa_upper) : null],
    ["Time", isNumber(one.seconds) ? seconds(one.seconds) : null]]), ...genericRun(result, ["tables", "pairs", "models"])];
}
