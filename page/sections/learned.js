// What was learned from registries, judged by those it has not seen: learners against each other, and the paper's chain done anew.
import { count, down, fixed, interval, isNumber, seconds, up } from "../format.js";
import { chart, gallery, legend, styles } from "../chart.js";
import { fitted } from "../axis.js";

const list = (value) => (Array.isArray(value) ? value.filter((row) => row && typeof row === "object") : []);
const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
const learnerOf = (row) => (row.learner === "flid" ? `flid, D = ${row.D}` : row.learner);
const middle = (pair) => (Array.isArray(pair) && isNumber(pair[0]) && isNumber(pair[1]) ? (pair[0] + pair[1]) / 2 : null);

/// In how many categories which learner foretells sets best, by the lower end against the others' upper ends.
export function registriesCertainty(result) {
  const rows = list(result.rows), categories = [...new Set(rows.map((row) => row.category))];
  const wins = new Map();
  for (const category of categories) {
    const own = rows.filter((row) => row.category === category && middle(row.log_likelihood_non_empty) !== null);
    if (!own.length) continue;
    const best = own.reduce((most, row) => (row.log_likelihood_non_empty[0] > most.log_likelihood_non_empty[0] ? row : most));
    if (own.every((row) => row === best || row.log_likelihood_non_empty[1] <= best.log_likelihood_non_empty[0])) wins.set(learnerOf(best), (wins.get(learnerOf(best)) ?? 0) + 1);
  }
  const named = [...wins].sort((a, b) => b[1] - a[1]);
  if (!named.length) return null;
  const text = named.map(([learner, n]) => `${learner} in ${n}`).join(", ");
  return { level: "bounded", short: `best: ${named[0][0]}`, text: `Sets held out are most probable, with certified intervals apart, under ${text} of ${count(categories.length, "category", "categories")}.` };
}

function registryNumbers(rows) {
  const end = (key, label, k, side) => ({ key: `${key}-${k}`, label, group: key === "log_likelihood" ? "log-likelihood, all sets" : "log-likelihood, non-empty sets", number: true, digits: 4, end: side, of: (row) => row[key]?.[k] ?? null });
  const estimate = (key, label, digits = 4) => [{ key, label, number: true, digits, of: (row) => row[key]?.mean ?? null }, { key: `${key}-error`, label: "\u00b1", number: true, digits, of: (row) => row[key]?.standard_error ?? null }];
  return { caption: "Learners by category", rows, wide: true, step: 12, columns: [
    { key: "category", label: "Category" }, { key: "learner", label: "Learner", of: learnerOf }, { key: "n", label: "n", number: true, show: String }, { key: "sets", label: "Sets", number: true, show: String }, { key: "folds", label: "Folds", number: true, show: String },
    end("log_likelihood", "From below", 0, "lower"), end("log_likelihood", "From above", 1, "upper"), end("log_likelihood_non_empty", "From below", 0, "lower"), end("log_likelihood_non_empty", "From above", 1, "upper"),
    ...estimate("gain_over_modular", "Over modular"), ...estimate("hit_rate_at_5", "Hit rate at 5"), ...estimate("mean_reciprocal_rank", "Mean reciprocal rank")] };
}

/// One dot a learner and category.
function dots(rows, style, { title, caption, of, error = () => null, numbers }) {
  const values = rows.map((row) => ({ category: row.category, learner: learnerOf(row), value: of(row), error: error(row) })).filter((row) => isNumber(row.value))
    .map((row) => ({ ...row, low: row.value - (row.error ?? 0), high: row.value + (row.error ?? 0) }));
  if (!values.length) return null;
  const scale = fitted(values.flatMap((row) => [row.low, row.high])), y = { field: "category", type: "nominal", sort: null, axis: { title: null, grid: true } };
  const x = (field) => ({ field, type: "quantitative", scale, axis: { title, tickCount: 5, grid: false } });
  return chart({
    height: { step: 24 },
    layer: [
      { data: { values: values.filter((row) => row.high > row.low) }, mark: { type: "rule", opacity: 0.5 }, encoding: { y, x: x("low"), x2: { field: "high" }, color: { field: "learner", ...style.color } } },
      { data: { values }, mark: { type: "point", size: 64, opacity: 0.9 }, encoding: { y, x: x("value"), color: { field: "learner", ...style.color }, shape: { field: "learner", ...style.shape },
          tooltip: [{ field: "category" }, { field: "learner" }, { field: "value", format: ".4f" }] } }],
  }, { caption, about: `${caption}: ${style.names.map((name) => [name, values.filter((row) => row.learner === name)]).filter(([, own]) => own.length).map(([name, own]) => `${name} ${fixed(mean(own.map((row) => row.value)), 3)} on average`).join(", ")}.`, numbers });
}

export function registriesParts(result) {
  const rows = list(result.rows);
  if (!rows.length) return [];
  const style = styles(rows.map(learnerOf)), numbers = registryNumbers(rows);
  return [legend(style), gallery(
    dots(rows, style, { title: "nats a set, over modular", caption: "Log-likelihood of a set held out, over items by themselves", of: (row) => row.gain_over_modular?.mean, error: (row) => row.gain_over_modular?.standard_error, numbers }),
    dots(rows, style, { title: "hit rate", caption: "How often a hidden item is among the first five", of: (row) => row.hit_rate_at_5?.mean, error: (row) => row.hit_rate_at_5?.standard_error, numbers }))];
}

export function safetyCertainty(result) {
  const rows = list(result.rows).filter((row) => isNumber(row.test_likelihood_lower) && isNumber(row.modular_test_likelihood));
  if (!rows.length) return null;
  const above = rows.filter((row) => row.test_likelihood_lower > row.modular_test_likelihood).length;
  return { level: above === rows.length ? "sure" : "bounded", short: `${above} of ${rows.length} above items by themselves`,
           text: `${above} of ${count(rows.length, "model")} learned anew foretell the sets of their test fold better than items by themselves, certified.` };
}

/// By dimension: the ELBO that the paper prints, the best one, log Z and what training believed; then the test folds.
export function safetyParts(result) {
  const rows = list(result.rows);
  if (!rows.length) return [];
  const kinds = [["one pass of DR-DoubleGreedy", (row) => row.elbo], ["best", (row) => row.best_elbo], ["log Z, certified", (row) => middle(row.log_z)], ["log Z as training believed", (row) => row.log_z_estimate]];
  const style = styles(kinds.map(([name]) => name));
  const numbers = { caption: "Every fold", rows, wide: true, step: 12, columns: [
    { key: "D", label: "D", number: true, show: String }, { key: "fold", label: "Fold", number: true, show: String }, { key: "elbo", label: "One pass", group: "ELBO", number: true, digits: 4, end: "lower" }, { key: "best_elbo", label: "Best", group: "ELBO", number: true, digits: 4, end: "lower" },
    { key: "low", label: "From below", group: "log Z", number: true, digits: 4, end: "lower", of: (row) => row.log_z?.[0] ?? null }, { key: "high", label: "From above", group: "log Z", number: true, digits: 4, end: "upper", of: (row) => row.log_z?.[1] ?? null }, { key: "log_z_estimate", label: "Believed", group: "log Z", number: true, digits: 4 },
    { key: "test_likelihood_lower", label: "From below", group: "test log-likelihood", number: true, digits: 4, end: "lower" }, { key: "test_likelihood_upper", label: "From above", group: "test log-likelihood", number: true, digits: 4, end: "upper" }, { key: "modular_test_likelihood", label: "Modular", group: "test log-likelihood", number: true, digits: 4 },
    { key: "seconds", label: "Time", number: true, show: seconds }] };
  const points = rows.flatMap((row) => kinds.map(([what, of]) => ({ D: `D = ${row.D}`, fold: row.fold, what, value: of(row) }))).filter((row) => isNumber(row.value));
  const test = rows.flatMap((row) => [{ D: `D = ${row.D}`, fold: row.fold, gain: row.test_likelihood_lower - row.modular_test_likelihood, shown: `${down(row.test_likelihood_lower, 4)} to ${up(row.test_likelihood_upper, 4)}` }]).filter((row) => isNumber(row.gain));
  const y = { field: "D", type: "nominal", sort: null, axis: { title: null, grid: true } };
  return [legend(style), gallery(
    points.length > 0 && chart({
      height: { step: 15 },
      data: { values: points },
      mark: { type: "point", size: 50, opacity: 0.8 },
      encoding: { y, yOffset: { field: "what", sort: style.names }, x: { field: "value", type: "quantitative", scale: fitted(points.map((row) => row.value)), axis: { title: "natural logarithm", tickCount: 5, grid: false } },
                  color: { field: "what", ...style.color }, shape: { field: "what", ...style.shape }, tooltip: [{ field: "what" }, { field: "D" }, { field: "fold" }, { field: "value", format: ".4f" }] },
    }, { caption: "ELBO and log Z of every fold", numbers, about: `ELBO and log Z by dimension, one dot a fold: ${kinds.map(([name, of]) => `${name} ${fixed(mean(rows.map(of).filter(isNumber)), 3)} on average`).join(", ")}.` }),
    test.length > 0 && chart({
      height: { step: 44 },
      data: { values: test },
      layer: [
        { mark: { type: "tick", thickness: 2, color: "var(--series-1)" }, encoding: { y, x: { field: "gain", type: "quantitative", scale: { zero: true }, axis: { title: "nats a set, at least, over items by themselves", tickCount: 5, grid: false } },
            tooltip: [{ field: "D" }, { field: "fold" }, { field: "gain", format: ".4f" }, { field: "shown", title: "test log-likelihood" }] } },
        { mark: { type: "rule", color: "var(--line-strong)" }, encoding: { x: { datum: 0, type: "quantitative" } } }],
    }, { caption: "Test folds: how much more probable than by items alone", numbers, about: `Gain of the certified test log-likelihood over items by themselves, one tick a fold: ${interval(Math.min(...test.map((row) => row.gain)), Math.max(...test.map((row) => row.gain)), 3)}.` }))];
}
