// How well a model foretells sets it has not seen: likelihood, hidden items, calibration.
import { foldable, h } from "../dom.js";
import { count, down, fixed, interval, isNumber, itemName, seconds, up } from "../format.js";
import { chart, gallery, legend, styles } from "../chart.js";
import { table } from "../table.js";
import { genericParts, genericRun, plain } from "./generic.js";

const list = (value) => (Array.isArray(value) ? value : []);
const likelihoods = (result) => [["all sets", result.log_likelihood_all_sets], ["non-empty sets", result.log_likelihood_non_empty_sets]].filter(([, found]) => isNumber(found?.lower));
const scorers = (result) => [["the model's gain", result.prediction_by_gain], ["popularity", result.prediction_by_popularity], ["co-occurrence", result.prediction_by_co_occurrence]].filter(([, found]) => found);

export function evaluateCertainty(result) {
  const [which, found] = likelihoods(result).at(-1) ?? [];
  const known = found ? `Log-likelihood of a set held out, over ${which}: ${interval(found.lower, found.upper, 4)}, certified${isNumber(found.standard_error) ? `; standard error ${fixed(found.standard_error, 4)}` : ""}.` : "";
  const stopped = result.complete === false ? " The evaluation was stopped early: not every hidden item was asked for." : "";
  return { level: stopped ? "open" : known ? "bounded" : "plain", short: known ? `log-likelihood ${interval(found.lower, found.upper, 3)}` : "evaluated", text: (known || `Evaluated on ${count(result.sets ?? 0, "set")}.`) + stopped };
}

export const evaluateNumbers = (result) => likelihoods(result).flatMap(([over, one]) => [[`From below, ${over}`, down(one.lower, 4), "log-likelihood a set, at least"], [`From above, ${over}`, up(one.upper, 4), "log-likelihood a set, at most"]]);

/// One item of a set is hidden and ranked among all that could take its place.
export function evaluateLead(result) {
  const known = scorers(result);
  const values = known.flatMap(([scorer, found]) => list(found.hit_rates).filter((hit) => isNumber(hit.rate?.mean)).map((hit) =>
    ({ scorer, at: `top ${hit.at}`, rate: hit.rate.mean, error: hit.rate.standard_error ?? 0, low: hit.rate.mean - (hit.rate.standard_error ?? 0), high: hit.rate.mean + (hit.rate.standard_error ?? 0) })));
  if (!values.length) return null;
  const style = styles(known.map(([name]) => name)), order = [...new Set(values.map((value) => value.at))];
  const y = { field: "at", type: "nominal", sort: order, axis: { title: null } }, yOffset = { field: "scorer", sort: style.names }, color = { field: "scorer", ...style.color };
  const rows = [...values.map((value) => ({ what: `hit rate, ${value.at}`, scorer: value.scorer, value: value.rate, error: value.error })),
    ...known.flatMap(([scorer, found]) => [["mean reciprocal rank", found.mean_reciprocal_rank], ["mean rank", found.mean_rank]].filter(([, mean]) => isNumber(mean?.mean))
      .map(([what, mean]) => ({ what, scorer, value: mean.mean, error: mean.standard_error })))];
  return h("div", legend(style), chart({
    height: { step: 20 },
    data: { values },
    encoding: { y, yOffset },
    layer: [{ mark: { type: "bar" }, encoding: { x: { field: "rate", type: "quantitative", scale: { domain: [0, 1] }, axis: { title: "hit rate", tickCount: 5 } }, color, tooltip: [{ field: "scorer" }, { field: "at" }, { field: "rate", format: ".4f" }] } },
            { mark: { type: "rule", color: "var(--ink)" }, encoding: { x: { field: "low", type: "quantitative" }, x2: { field: "high" } } }],
  }, { caption: "How often a hidden item is among the first suggestions", name: "hidden items", about: `Hit rates of a hidden item: ${values.map((value) => `${value.scorer}, ${value.at}: ${fixed(value.rate, 3)}`).join("; ")}.`,
       numbers: { caption: "Prediction of a hidden item", rows, columns: [{ key: "what", label: "Measure" }, { key: "scorer", label: "Ranked by" }, { key: "value", label: "Value", number: true, digits: 4 }, { key: "error", label: "Standard error", number: true, digits: 4 }] } }));
}

function calibration(result) {
  const found = result.calibration;
  if (!found || Array.isArray(found)) return [];
  const bins = list(found.bins).filter((bin) => isNumber(bin.predicted) && isNumber(bin.observed));
  const items = list(found.items).map((item, i) => ({ i, item: itemName(result.model?.items?.length ? result.model.items : null, i), ...item })).filter((item) => isNumber(item.predicted) && isNumber(item.observed));
  const most = Math.max(1e-9, ...bins.concat(items).flatMap((point) => [point.predicted, point.observed]));
  const number = (key, label, digits = 4) => ({ key, label, number: true, digits });
  const picture = (values, size, caption, numbers) => values.length > 0 && chart({
    height: 240,
    layer: [
      { data: { values: [{ at: 0 }, { at: most }] }, mark: { type: "line", color: "var(--line-strong)", strokeDash: [4, 3] }, encoding: { x: { field: "at", type: "quantitative" }, y: { field: "at", type: "quantitative" } } },
      { data: { values: values.slice(0, 2000) }, mark: { type: "point", size, color: "var(--series-1)", opacity: 0.8 },
        encoding: { x: { field: "predicted", type: "quantitative", axis: { title: "predicted", tickCount: 5 } }, y: { field: "observed", type: "quantitative", axis: { title: "observed", tickCount: 5 } },
                    tooltip: ["item", "items", "predicted", "observed"].filter((key) => values[0][key] !== undefined).map((field) => ({ field })) } }],
  }, { caption, about: `${caption}: observed against predicted frequency of ${values.length}; expected error ${fixed(found.expected_calibration_error, 4)}.`, numbers });
  return [
    picture(bins, 90, "Calibration by bin", { caption: "Calibration by bin", rows: bins, columns: [{ key: "low", label: "From", digits: 3, number: true }, number("high", "To", 3), number("items", "Items", 0), number("predicted", "Predicted"), number("observed", "Observed"), number("standard_error", "Standard error")] }),
    picture(items, 36, "Calibration by item", { caption: "Calibration by item", step: 8, rows: items, sort: { key: "z", descending: true }, columns: [{ key: "item", label: "Item" }, number("predicted", "Predicted"), number("observed", "Observed"), { key: "z", label: "|z|", number: true, digits: 2, of: (row) => (isNumber(row.z) ? Math.abs(row.z) : null) }] }),
  ];
}

const known = ["model", "sets", "empty_sets", "mean_size", "log_z_lower", "log_z_upper", "log_z_exact", "log_likelihood_all_sets", "log_likelihood_non_empty_sets", "prediction_by_gain", "prediction_by_popularity", "prediction_by_co_occurrence",
               "gain_less_popularity", "gain_less_co_occurrence", "calibration", "seconds", "complete"];

export function evaluateParts(result) {
  const found = likelihoods(result);
  return [
    gallery(calibration(result)),
    found.length > 0 && foldable("Log-likelihood of a set held out", table({ caption: "Mean log-likelihood a set, certified from both sides", rows: found.map(([over, one]) => ({ over, ...one })),
      columns: [{ key: "over", label: "Probability over" }, { key: "lower", label: "From below", number: true, end: "lower" }, { key: "upper", label: "From above", number: true, end: "upper" }, { key: "standard_error", label: "Standard error", number: true }, { key: "sets", label: "Sets", number: true, show: plain }] })),
    ...genericParts(result, Array.isArray(result.calibration) ? known.filter((key) => key !== "calibration") : known),
  ];
}

export function evaluateRun(result) {
  const found = result.calibration ?? {};
  return [["Model", result.model?.kind], ["Items", result.model?.n], ["Sets", result.sets], ["Empty sets", result.empty_sets], ["Mean size", isNumber(result.mean_size) ? fixed(result.mean_size, 3) : null],
    ["log Z", isNumber(result.log_z_lower) ? interval(result.log_z_lower, result.log_z_upper) : null],
    ["Expected calibration error", isNumber(found.expected_calibration_error) ? fixed(found.expected_calibration_error, 5) : null], ["Worst bin", isNumber(found.worst_bin_error) ? fixed(found.worst_bin_error, 5) : null],
    ["Mean square z", isNumber(found.mean_square_z) ? fixed(found.mean_square_z, 3) : null], ["Marginals by", found.marginals_by], ["Given", found.support], ["Impossible items", found.impossible_items === undefined ? null : plain(found.impossible_items)],
    ...genericRun(result, known), ["Time", isNumber(result.seconds) ? seconds(result.seconds) : null]];
}
