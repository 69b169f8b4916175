// Posterior agreement: of two models the agreement and its distribution, of several all pairs.
import { block, facts, h, note } from "../dom.js";
import { fixed, interval, isNumber, seconds } from "../format.js";
import { chart } from "../chart.js";
import { table } from "../table.js";
import { genericParts } from "./generic.js";
import { certainty, inferParts, intervalPicture, numbers } from "./infer.js";

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
    const widest = known.length ? fixed(Math.max(...known.map((row) => row.pa_upper - row.pa_lower))) : null;
    const mean = tables.length === 1 && isNumber(tables[0].mean_pa_lower) ? ` Their mean: ${interval(tables[0].mean_pa_lower, tables[0].mean_pa_upper)}.` : "";
    return known.length
      ? { level: "bounded", short: `${known.length} pairs, certified`, text: `Posterior agreement of ${known.length} of ${pairs.length} pairs, certified; the widest interval is ${widest} wide.${mean}` }
      : { level: "open", short: "no certified pair", text: "No pair has a certified interval of its posterior agreement." };
  }
  const lower = result.pa_lower, upper = result.pa_upper;
  if (!isNumber(lower) || !isNumber(upper)) return certainty(result);
  const exact = lower === upper || result.pa_exact === true;
  return { level: exact ? "sure" : "bounded", short: exact ? "PA, exact" : `PA to ${fixed(upper - lower, 4)}, certified`,
           text: exact ? `The posterior agreement is ${fixed(lower)}, exact.`
                       : `The posterior agreement lies between ${fixed(lower)} and ${fixed(upper)}, certified.` };
}

export function agreeNumbers(result) {
  if (tablesOf(result).length) return [];
  return [["PA from below", fixed(result.pa_lower), "the agreement is at least this"],
          ["PA from above", fixed(result.pa_upper), "the agreement is at most this"],
          ...(isNumber(result.elbo) ? numbers(result).slice(0, 2) : [])];
}

function matrix(rows) {
  const cells = rows.filter((row) => isNumber(row.pa_lower) && isNumber(row.pa_upper)).flatMap((row) => {
    const middle = (row.pa_lower + row.pa_upper) / 2;
    return [{ first: row.first, second: row.second, middle }, { first: row.second, second: row.first, middle }];
  });
  const models = [...new Set(cells.map((cell) => cell.first))].sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
  if (models.length < 3) return null;
  const all = cells.map((cell) => cell.middle);
  return chart({
    height: { step: 30 },
    data: { values: cells },
    mark: { type: "rect", cornerRadius: 2 },
    encoding: { x: { field: "first", type: "nominal", sort: models, axis: { title: null, labelAngle: models.some((model) => model.length > 4) ? -40 : 0, labelLimit: 110 } },
                y: { field: "second", type: "nominal", sort: models, axis: { title: null, labelLimit: 110 } },
                color: { field: "middle", type: "quantitative", scale: { scheme: "viridis", zero: false }, legend: { title: "PA", orient: "top", gradientLength: 180 } },
                tooltip: [{ field: "first" }, { field: "second" }, { field: "middle", title: "PA", format: ".6f" }] },
  }, { caption: "Posterior agreement of every pair, the middle of its interval",
       about: `Matrix of posterior agreement between ${models.length} models, from ${fixed(Math.min(...all), 3)} to ${fixed(Math.max(...all), 3)}; the numbers are in the table below.` });
}

function pairTable(rows) {
  const columns = [{ key: "first", label: "First" }, { key: "second", label: "Second" }, ...[["pa_lower", "From below"], ["pa_upper", "From above"], ["pa_elbo_lower", "By mean field"], ["pa_elbo", "PA-ELBO"]]
    .filter(([key]) => rows.some((row) => isNumber(row[key]))).map(([key, label]) => ({ key, label, number: true }))];
  if (rows.some((row) => isNumber(row.seconds))) columns.push({ key: "seconds", label: "Time", number: true, show: seconds });
  return table({ caption: "Posterior agreement by pair, certified from below and from above", rows, columns });
}

export function agreeParts(result) {
  const tables = tablesOf(result);
  if (tables.length)
    return [...tables.map((one) => block(isNumber(one.inverse_temperature) ? `Pairs at beta = ${one.inverse_temperature}` : "Pairs",
      facts([["Mean PA", isNumber(one.mean_pa_lower) ? interval(one.mean_pa_lower, one.mean_pa_upper) : null], ["Time", isNumber(one.seconds) ? seconds(one.seconds) : null]]),
      matrix(one.pairs), pairTable(one.pairs))), ...genericParts(result, ["tables", "pairs", "models"])];
  const models = list(result.models).map((model) => ({ model: model.name, ...model.log_z }));
  return [
    h("div", note("PA = log \u03a3 p\u2032(S) p\u2033(S): how much the two models agree on which sets are likely; larger is better. The marginals below are those of the distribution p\u2032(S) p\u2033(S).")),
    intervalPicture("Posterior agreement", "PA, natural logarithm", [{ what: "PA", lower: result.pa_lower, upper: result.pa_upper, exact: result.pa_exact },
      { what: "PA by mean field", lower: result.pa_elbo_lower }]),
    models.length > 0 && block("log Z of each model", table({ caption: "log Z of each model", rows: models, columns: [
      { key: "model", label: "Model" }, { key: "lower", label: "From below", number: true, digits: 9 }, { key: "upper", label: "From above", number: true, digits: 9 },
      { key: "method", label: "Method" }, { key: "seconds", label: "Time", number: true, show: seconds }] })),
    ...inferParts(result),
  ];
}
