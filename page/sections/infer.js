// A mean field answer: what is certain, the trajectory, the intervals, the marginals.
import { atMost, down, fixed, interval, isNumber, itemName, seconds, short, up } from "../format.js";
import { chart, gallery, sides, sideScales } from "../chart.js";
import { fitted, fittedToEnds } from "../axis.js";
import { bars } from "../bars.js";

const isPa = (result) => result.objective === "pa-elbo" || isNumber(result.pa_elbo);
export const objectiveOf = (result) => (isPa(result) ? "PA-ELBO" : "ELBO");
/// What is proved of the value: a little less than the value itself, by what rounding can have done.
export const proved = (result) => result.elbo_lower ?? result.elbo;

/// In one sentence, what is certain about the answer: {level: sure | bounded | open | failed, short, text}.
export function certainty(result) {
  const what = objectiveOf(result), value = down(proved(result)), bound = result.upper_bound;
  if (result.status === "failed")
    return { level: "failed", short: "failed", text: "The run failed: its numbers cannot be trusted." };
  if (!isNumber(bound) && !isNumber(result.elbo)) return { level: "open", short: "no answer", text: "The result holds no answer." };
  if (!isNumber(bound))
    return { level: "open", short: "a local optimum, no bound",
             text: `A local optimum with ${what} ${value}; nothing is known about how much better another answer may be.` };
  const certified = result.basis && result.basis !== "proved" ? `certified, ${result.basis}` : "certified";
  const reach = `no factorised distribution reaches more than ${up(bound)}`;
  if (result.certified_global) return { level: "sure", short: `global optimum, ${certified}`, text: `The global optimum, ${certified}: ${what} ${value}, and ${reach}.` };
  if (isNumber(result.elbo) && result.elbo > 0) {
    const percent = (Math.floor((1000 * proved(result)) / bound) / 10).toFixed(1);
    return { level: "bounded", short: `at least ${percent} % of the optimum, ${certified}`, text: `At least ${percent} % of the optimum, ${certified}: ${what} ${value}, and ${reach}.` };
  }
  if (!isNumber(result.elbo)) return { level: "open", short: "no answer", text: `No answer; the best ${what} is at most ${up(bound)}.` };
  const gap = atMost(bound - proved(result));
  return { level: "bounded", short: `within ${gap} of the optimum, ${certified}`, text: `Within ${gap} of the optimum, ${certified}: ${what} ${value}, and ${reach}.` };
}

export function numbers(result) {
  const exact = result.log_z_exact && isNumber(result.log_z_lower);
  return [
    [objectiveOf(result), down(proved(result)), "of this answer"],
    ["Upper bound", up(result.upper_bound), `of the best ${objectiveOf(result)}`],
    exact && ["log Z", fixed((result.log_z_lower + result.log_z_upper) / 2), "exact"],
    !exact && ["log Z from below", down(result.log_z_lower), "log Z is at least this"],
    !exact && ["log Z from above", up(result.log_z_upper), "log Z is at most this"],
  ].filter(Boolean);
}

/// rows: {what, lower, upper, exact?}; ends that are not known are left out.
export function intervalPicture(caption, unit, all) {
  const rows = all.filter((row) => isNumber(row.lower) || isNumber(row.upper)).map((row) => ({ ...row, exact: row.exact || row.lower === row.upper }));
  if (!rows.length) return null;
  const points = rows.flatMap((row) => (row.exact && isNumber(row.lower)
    ? [{ what: row.what, side: "exact", value: row.lower, shown: fixed(row.lower, 8) }]
    : [{ what: row.what, side: "lower", value: row.lower, shown: down(row.lower, 8) }, { what: row.what, side: "upper", value: row.upper, shown: up(row.upper, 8) }]
  )).filter((point) => isNumber(point.value)).map((point) => ({ ...point, sideLabel: sides[point.side].label }));
  const y = { field: "what", type: "nominal", sort: null, axis: { title: null } };
  const scale = fitted(points.map((point) => point.value), { room: 0.12 });
  const spans = rows.filter((row) => isNumber(row.lower) && isNumber(row.upper));
  const columns = [
    { key: "what", label: "Quantity" },
    { key: "lower", label: "From below", number: true, end: "lower" },
    { key: "upper", label: "From above", number: true, end: "upper" },
    { key: "width", label: "Width", number: true, show: atMost, of: (row) => (isNumber(row.lower) && isNumber(row.upper) ? row.upper - row.lower : null) },
  ];
  return chart({
    height: { step: rows.length > 4 ? 26 : 46 },
    layer: [
      { data: { values: spans }, mark: { type: "bar", height: 12, color: "var(--span)", cornerRadius: 6 },
        encoding: { y, x: { field: "lower", type: "quantitative", scale, axis: { title: unit, tickCount: 5 } }, x2: { field: "upper" } } },
      { data: { values: points }, mark: { type: "point", size: 150, opacity: 1 },
        encoding: { y, x: { field: "value", type: "quantitative", scale }, ...sideScales(new Set(points.map((point) => point.side))),
                    tooltip: [{ field: "what", title: "quantity" }, { field: "sideLabel", title: "side" }, { field: "shown", title: "value" }] } },
    ],
  }, { caption, about: `${caption}: ${rows.map((row) => `${row.what} ${interval(row.lower, row.upper)}`).join("; ")}.`, numbers: { caption: "Certified intervals", columns, rows } });
}

/// What the answer leaves open, as a picture: the best ELBO and log Z, each from both sides.
export const intervals = (result) => intervalPicture("What is known, from both sides", "natural logarithm", [
  { what: `best ${objectiveOf(result)}`, lower: proved(result), upper: result.upper_bound },
  { what: isPa(result) ? "log Z of the sum" : "log Z", lower: result.log_z_lower, upper: result.log_z_upper, exact: result.log_z_exact },
]);

export const traceOf = (result) => (Array.isArray(result.trace) ? result.trace.filter((point) => isNumber(point?.epoch) && isNumber(point?.value)) : []);

/// The trace, and the answer itself where work after the last epoch has raised it (a proof may find a better point).
export function courseOf(result) {
  const trace = traceOf(result), last = trace.at(-1);
  return last && isNumber(result.elbo) && result.elbo > last.value + 1e-9 * Math.max(1, Math.abs(last.value)) ? [...trace, { epoch: last.epoch, value: result.elbo }] : trace;
}

/// The values that one epoch or more has reached: a start can lie hundreds below them.
export const settled = (trace) => (trace.some((point) => point.epoch >= 1) ? trace.filter((point) => point.epoch >= 1) : trace).map((point) => point.value);

/// The bound as a line with what it rules out above it.
export function boundLayers(bound, label, y, top) {
  if (!isNumber(bound)) return [];
  const values = [{ bound, top, label }];
  return [
    { data: { values }, mark: { type: "rect", color: "var(--upper)", opacity: 0.1 }, encoding: { y: y("bound"), y2: { field: "top" } } },
    { data: { values }, mark: { type: "rule", strokeDash: [5, 4], color: "var(--upper)" }, encoding: { y: y("bound") } },
    { data: { values }, mark: { type: "text", align: "right", baseline: "bottom", dy: -4, color: "var(--upper)", x: "width" }, encoding: { y: y("bound"), text: { field: "label" } } },
  ];
}

/// The value after every epoch, the point from the top of a double greedy pass, and the bound it stays under.
function trajectory(result) {
  const trace = traceOf(result);
  if (trace.length < 2) return null;
  const what = objectiveOf(result), two = trace.some((point) => isNumber(point.top));
  const from = two ? ["answer", "from the top"] : ["answer"];
  const values = courseOf(result).flatMap((point) => [
    { epoch: point.epoch, value: point.value, line: from[0] },
    ...(isNumber(point.top) ? [{ epoch: point.epoch, value: point.top, line: from[1] }] : [])]);
  const first = trace[0], last = courseOf(result).at(-1), bound = result.upper_bound;
  const { scale, cut } = fittedToEnds([...values.map((point) => point.value), bound], [...settled(trace), bound]);
  const y = (field) => ({ field, type: "quantitative", scale, axis: { title: what, tickCount: 5 } });
  const columns = [
    { key: "epoch", label: "Epoch", number: true, show: (epoch) => short(epoch, 4) },
    { key: "value", label: what, number: true, digits: 8 },
    ...(two ? [{ key: "top", label: "From the top", number: true, digits: 8 }] : []),
    { key: "seconds", label: "Time", number: true, show: seconds },
  ];
  return chart({
    height: 290,
    layer: [
      ...boundLayers(bound, "proved: nothing is above", y, scale.domain[1]),
      { data: { values }, mark: { type: "line", clip: true, point: values.length <= 60 ? { filled: true, size: 34 } : false, strokeWidth: 2 },
        encoding: { x: { field: "epoch", type: "quantitative", scale: { zero: first.epoch <= 2 }, axis: { title: "epoch", tickCount: 6, tickMinStep: 1 } }, y: y("value"),
                    color: { field: "line", type: "nominal", legend: two ? {} : null, scale: { domain: from, range: ["var(--series-1)", "var(--series-2)"] } },
                    strokeDash: { field: "line", type: "nominal", legend: two ? {} : null, scale: { domain: from, range: [[1, 0], [5, 3]] } },
                    tooltip: [{ field: "line", title: "point" }, { field: "epoch" }, { field: "value", format: ".8f" }] } },
    ],
  }, { caption: `${what} by epoch, and the proved bound${cut ? "; the start is cut off" : ""}`,
       about: `${what} by epoch, from ${fixed(first.value)} at epoch ${short(first.epoch, 4)} to ${fixed(last.value)} at epoch ${short(last.epoch, 4)}${isNumber(bound) ? `, under a proved bound of ${up(bound)}` : ""}.`,
       numbers: { caption: "Value after every epoch", columns, rows: trace, step: 8 } });
}

/// The most likely items as bars, all of them in the table. `ofSets` holds the ends of what p(S) itself gives each item.
export function marginals(values, items, caption = "Marginals under the best factorised distribution found", ofSets = null) {
  const known = Array.isArray(ofSets?.low) && Array.isArray(ofSets?.high) && ofSets.low.length === values.length;
  const rows = values.map((marginal, i) => ({ i, item: itemName(items, i), marginal, low: known ? ofSets.low[i] : null, high: known ? ofSets.high[i] : null })).filter((row) => isNumber(row.marginal));
  if (!rows.length) return null;
  const named = Array.isArray(items) && items.length > 0;
  const top = rows.slice().sort((a, b) => b.marginal - a.marginal).slice(0, 12);
  const columns = [
    { key: "item", label: "Item" },
    { key: "marginal", label: "Marginal", number: true, bar: 1 },
    ...(known ? [{ key: "low", label: "From below", group: "of p(S) itself", number: true, end: "lower" }, { key: "high", label: "From above", group: "of p(S) itself", number: true, end: "upper" }] : []),
    ...(named ? [{ key: "i", label: "Number", number: true, show: String }] : []),
  ];
  if (!named) columns[0].of = (row) => row.i, columns[0].show = (_, row) => row.item;
  const marks = known ? `; the lines over the bars are those of p(S) itself, ${ofSets.exact ? "exact" : "certified from both sides"}` : "";
  return bars(top.map((row) => ({ name: row.item, value: row.marginal, low: row.low, high: row.high })), {
    title: "probability",
    caption: `${caption}${rows.length > top.length ? `: the ${top.length} largest of ${rows.length}` : ""}${marks}`,
    about: `${caption}, the ${top.length} largest of ${rows.length}: ${top.slice(0, 5).map((row) => `${row.item} ${fixed(row.marginal, 3)}`).join(", ")}${top.length > 5 ? ", and so on" : ""}.`,
    numbers: { caption: `Marginals of all ${rows.length} items`, columns, rows, sort: { key: "marginal", descending: true }, step: 12 } });
}

/// Of many items, how many lie where.
export function spread(values) {
  const known = values.filter(isNumber);
  if (known.length <= 40) return null;
  const bins = Array.from({ length: 20 }, (_, k) => ({ from: k / 20, to: (k + 1) / 20, items: 0, none: 0 }));
  for (const marginal of known) ++bins[Math.min(19, Math.floor(20 * marginal))].items;
  const settled = known.filter((marginal) => marginal < 0.05 || marginal >= 0.95).length;
  return chart({
    height: 150,
    data: { values: bins },
    mark: { type: "rect", color: "var(--series-6)", stroke: "var(--card)", strokeWidth: 1 },
    encoding: { x: { field: "from", type: "quantitative", scale: { domain: [0, 1] }, axis: { title: "probability", tickCount: 5 } }, x2: { field: "to" },
                y: { field: "none", type: "quantitative", axis: { title: "items", tickCount: 3 } }, y2: { field: "items" },
                tooltip: [{ field: "from" }, { field: "to" }, { field: "items" }] },
  }, { caption: "How the marginals spread", about: `Histogram of ${known.length} marginals; ${settled} of them lie below 0.05 or at 0.95 and above.`,
       numbers: { caption: "Items by marginal", rows: bins, columns: [{ key: "from", label: "From", number: true, digits: 2 }, { key: "to", label: "To", number: true, digits: 2 }, { key: "items", label: "Items", number: true, digits: 0 }] } });
}

export const inferLead = (result) => trajectory(result) ?? intervals(result);
export const inferBeside = (result) => (traceOf(result).length >= 2 ? intervals(result) : null);

export function inferParts(result) {
  const given = Array.isArray(result.marginals) ? result.marginals : [];
  return [gallery(marginals(given, result.model?.items, undefined, result.set_marginals), spread(given))];
}

export const inferRun = (result) => [
  ["Model", result.model?.kind], ["Items", result.model?.n], ["Objective", result.objective],
  ["Inverse temperature", result.inverse_temperature], ["Algorithm", result.algorithm], ["Status", result.status],
  ["Guarantee", result.guarantee], ["Notes", Array.isArray(result.notes) ? result.notes.join("; ") : result.notes],
  ["Upper bound by", result.upper_bound_method], ["log Z by", result.log_z_method], ["Rests on", result.basis],
  ["Seed", result.seed], ["Threads", result.threads], ["Time", isNumber(result.seconds) ? seconds(result.seconds) : null],
];
