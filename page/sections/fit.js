// Training: one model a fold, the course of each, and what it says of sets held out.
import { count, fixed, interval, isNumber, seconds, words } from "../format.js";
import { chart, legend, styles } from "../chart.js";
import { fittedToEnds } from "../axis.js";
import { foldable } from "../dom.js";
import { table } from "../table.js";
import { genericParts, plain } from "./generic.js";

const list = (value) => (Array.isArray(value) ? value : []);
const nameOf = (model) => `${model.model ?? model.kind ?? "model"}${isNumber(model.fold) ? `, fold ${model.fold}` : ""}`;

export function fitCertainty(result) {
  const models = list(result.models);
  const known = models.filter((model) => isNumber(model.held_out?.log_likelihood_lower));
  const mean = (key) => known.reduce((sum, model) => sum + model.held_out[key], 0) / known.length;
  const held = known.length ? ` Mean log-likelihood of a set held out: ${interval(mean("log_likelihood_lower"), mean("log_likelihood_upper"), 4)}, certified.` : "";
  const verdict = models.length === 1 && models[0].verdict ? ` Chosen, ${models[0].verdict}.` : "";
  return { level: known.length ? "bounded" : "plain", short: `${count(models.length, "model")} trained`,
           text: `${count(models.length, "model")} trained on ${count(result.data?.sets ?? 0, "set")} of ${count(result.data?.items ?? 0, "item")}.${held}${verdict}` };
}

export function fitLead(result) {
  const values = list(result.models).flatMap((model) => list(model.trace).flatMap((point) => ["training", "watched"].filter((key) => isNumber(point[key]))
    .map((key) => ({ model: `${nameOf(model)}, ${key}`, epoch: point.epoch, value: point[key] }))));
  if (values.length < 2) return null;
  const style = styles(values.map((value) => value.model)), all = values.map((value) => value.value);
  const { scale } = fittedToEnds(all, values.filter((value) => value.epoch > 1).map((value) => value.value));
  return chart({
    data: { values },
    mark: { type: "line", strokeWidth: 2, clip: true },
    encoding: { x: { field: "epoch", type: "quantitative", axis: { title: "epoch", tickCount: 6, tickMinStep: 1 } },
                y: { field: "value", type: "quantitative", scale, axis: { title: "objective of training", tickCount: 5 } },
                color: { field: "model", ...style.color }, strokeDash: { field: "model", ...style.strokeDash },
                tooltip: [{ field: "model" }, { field: "epoch" }, { field: "value", format: ".6f" }] },
  }, { caption: "The course of training", about: `Objective by epoch of ${count(list(result.models).length, "model")}, at the end ${fixed(values.at(-1).value, 4)}.`,
       numbers: { caption: "Objective by epoch", rows: values, step: 8, columns: [{ key: "model", label: "Model" }, { key: "epoch", label: "Epoch", number: true, show: String }, { key: "value", label: "Objective", number: true }] }, under: style.names.length <= 8 && legend(style) });
}

export function fitParts(result) {
  const models = list(result.models);
  const columns = [{ key: "name", label: "Model", of: nameOf }, { key: "method", label: "Method", show: plain }, { key: "sets", label: "Sets", number: true, show: plain },
    { key: "passes", label: "Passes", number: true, show: plain }, { key: "status", label: "Status", show: plain }];
  if (models.some((model) => isNumber(model.held_out?.log_likelihood_lower)))
    columns.push({ key: "lower", label: "From below", group: "log-likelihood of a set held out", number: true, end: "lower", of: (model) => model.held_out?.log_likelihood_lower },
                 { key: "upper", label: "From above", group: "log-likelihood of a set held out", number: true, end: "upper", of: (model) => model.held_out?.log_likelihood_upper });
  columns.push({ key: "seconds", label: "Time", number: true, show: seconds });
  return models.length > 0 ? [foldable("The models", table({ caption: "Models trained", rows: models, columns, wide: true }))] : genericParts(result, ["data", "model"]);
}

export const fitRun = (result) => Object.entries(result.data ?? {}).map(([key, value]) => [words(key), plain(value)]);
