// A mean field answer: what is certain, the marginals, the intervals, the trajectory.
import { block, facts, note } from "../dom.js";
import { fixed, interval, isNumber, itemName, seconds, short } from "../format.js";
import { chart, sides, sideScales } from "../chart.js";
import { table } from "../table.js";

const isPa = (result) => result.objective === "pa-elbo" || isNumber(result.pa_elbo);
const nameOf = (result) => (isPa(result) ? "PA-ELBO" : "ELBO");

/// In one sentence, what is certain about the answer: {level: sure | bounded | open | failed, short, text}.
export function certainty(result) {
  const what = nameOf(result), value = fixed(result.elbo), bound = result.upper_bound;
  if (result.status === "failed")
    return { level: "failed", short: "failed", text: "The run failed: its numbers cannot be trusted." };
  if (!isNumber(bound) && !isNumber(result.elbo)) return { level: "open", short: "no answer", text: "The result holds no answer." };
  if (!isNumber(bound))
    return { level: "open", short: "a local optimum, no bound",
             text: `A local optimum with ${what} ${value}; nothing is known about how much better another answer may be.` };
  if (result.certified_global)
    return { level: "sure", short: "global optimum, certified",
             text: `The global optimum, certified: ${what} ${value}, and no factorised distribution reaches more than ${fixed(bound)}.` };
  if (isNumber(result.elbo) && result.elbo > 0) {
    const percent = (Math.floor((1000 * result.elbo) / bound) / 10).toFixed(1);
    return { level: "bounded", short: `at least ${percent} % of the optimum, certified`,
             text: `At least ${percent} % of the optimum, certified: ${what} ${value}, and no factorised distribution reaches more than ${fixed(bound)}.` };
  }
  if (!isNumber(result.elbo)) return { level: "open", short: "no answer", text: `No answer; the best ${what} is at most ${fixed(bound)}.` };
  const gap = fixed(bound - result.elbo, 4);
  return { level: "bounded", short: `within ${gap} of the optimum, certified`,
           text: `Within ${gap} of the optimum, certified: ${what} ${value}, and no factorised distribution reaches more than ${fixed(bound)}.` };
}

export function numbers(result) {
  return [
    [nameOf(result), fixed(result.elbo), "of this answer"],
    ["Upper bound", fixed(result.upper_bound), `of the best ${nameOf(result)}`],
    result.log_z_exact ? ["log Z", fixed(result.log_z_lower), "exact"] : null,
    !result.log_z_exact && ["log Z from below", fixed(result.log_z_lower), "log Z is at least this"],
    !result.log_z_exact && ["log Z from above", fixed(result.log_z_upper), "log Z is at most this"],
  ].filter(Boolean);
}

/// What the answer leaves open, as a picture: the best ELBO and log Z, each from both sides.
function intervals(result) {
  return intervalPicture("What is known, from both sides", "natural logarithm", [
    { what: `best ${nameOf(result)}`, lower: result.elbo, upper: result.upper_bound },
    { what: isPa(result) ? "log Z of the sum" : "log Z", lower: result.log_z_lower, upper: result.log_z_upper, exact: result.log_z_exact },
  ]);
}

/// rows: {what, lower, upper, exact?}; ends that are not known are left out.
export function intervalPicture(title, unit, all) {
  const rows = all.filter((row) => isNumber(row.lower) || isNumber(row.upper)).map((row) => ({ ...row, exact: row.exact || row.lower === row.upper }));
  if (!rows.length) return null;
  const points = rows.flatMap((row) => (row.exact && isNumber(row.lower)
    ? [{ what: row.what, side: "exact", value: row.lower }]
    : [{ what: row.what, side: "lower", value: row.lower }, { what: row.what, side: "upper", value: row.upper }]
  )).filter((point) => isNumber(point.value)).map((point) => ({ ...point, sideLabel: sides[point.side].label }));
  const y = { field: "what", type: "nominal", sort: null, axis: { title: null } };
  const scale = { zero: false, nice: true, padding: 24 };
  const spans = rows.filter((row) => isNumber(row.lower) && isNumber(row.upper));
  const columns = [
    { key: "what", label: "Quantity" },
    { key: "lower", label: "From below", number: true },
    { key: "upper", label: "From above", number: true },
    { key: "width", label: "Width", number: true, of: (row) => (isNumber(row.lower) && isNumber(row.upper) ? row.upper - row.lower : null) },
  ];
  return block(title,
    chart({
      height: { step: 46 },
      layer: [
        { data: { values: spans }, mark: { type: "bar", height: 12, color: "var(--span)", cornerRadius: 6 },
          encoding: { y, x: { field: "lower", type: "quantitative", scale, axis: { title: unit, tickCount: 6 } }, x2: { field: "upper" } } },
        { data: { values: points }, mark: { type: "point", size: 150, opacity: 1 },
          encoding: { y, x: { field: "value", type: "quantitative", scale }, ...sideScales(new Set(points.map((point) => point.side))),
                      tooltip: [{ field: "what", title: "quantity" }, { field: "sideLabel", title: "side" }, { field: "value", title: "value", format: ".8f" }] } },
      ],
    }, { about: `Intervals: ${rows.map((row) => `${row.what} ${interval(row.lower, row.upper)}`).join("; ")}.` }),
    table({ caption: "Certified intervals", columns, rows }));
}

/// The value after every epoch, the point from the top of a double greedy pass, and the bounds it stays under.
function trajectory(result) {
  const trace = Array.isArray(result.trace) ? result.trace.filter((point) => isNumber(point.epoch) && isNumber(point.value)) : [];
  if (trace.length < 2) return null;
  const two = trace.some((point) => isNumber(point.top));
  const from = two ? ["answer", "from the top"] : ["answer"];
  const values = trace.flatMap((point) => [
    { epoch: point.epoch, value: point.value, line: from[0] },
    ...(isNumber(point.top) ? [{ epoch: point.epoch, value: point.top, line: from[1] }] : [])]);
  const lines = isNumber(result.upper_bound) ? [{ value: result.upper_bound, label: `upper bound of the best ${nameOf(result)}` }] : [];
  const columns = [
    { key: "epoch", label: "Epoch", number: true, show: (epoch) => short(epoch, 4) },
    { key: "value", label: nameOf(result), number: true, digits: 8 },
    ...(two ? [{ key: "top", label: "From the top", number: true, digits: 8 }] : []),
    { key: "seconds", label: "Time", number: true, show: seconds },
  ];
  const first = trace[0], last = trace[trace.length - 1];
  // Rounding is not a slope: the axis spans a millionth of the value at least.
  const heights = [...values, ...lines].map((point) => point.value);
  const most = Math.max(...heights), least = Math.min(...heights);
  const room = Math.max(0.08 * (most - least), 1e-6 * Math.max(1, Math.abs(most)));
  return block("Trajectory",
    chart({
      height: 240,
      encoding: { y: { type: "quantitative", field: "value", scale: { zero: false, domain: [least - room, most + room], nice: false }, axis: { title: nameOf(result), tickCount: 5 } } },
      layer: [
        { data: { values: lines }, mark: { type: "rule", strokeDash: [5, 4], color: "var(--upper)" } },
        { data: { values: lines }, mark: { type: "text", align: "right", baseline: "bottom", dy: -3, color: "var(--upper)", x: "width" }, encoding: { text: { field: "label" } } },
        { data: { values }, mark: { type: "line", point: values.length <= 60 ? { filled: true, size: 34 } : false, strokeWidth: 2 },
          encoding: { x: { field: "epoch", type: "quantitative", scale: { zero: first.epoch <= 2 }, axis: { title: "epoch", tickCount: 6 } },
                      color: { field: "line", type: "nominal", legend: two ? {} : null, scale: { domain: from, range: ["var(--series-1)", "var(--series-2)"] } },
                      strokeDash: { field: "line", type: "nominal", legend: two ? {} : null, scale: { domain: from, range: [[1, 0], [5, 3]] } },
                      tooltip: [{ field: "line", title: "point" }, { field: "epoch" }, { field: "value", format: ".8f" }] } },
      ],
    }, { about: `${nameOf(result)} by epoch, from ${fixed(first.value)} at epoch ${first.epoch} to ${fixed(last.value)} at epoch ${last.epoch}.` }),
    table({ caption: "Value after every epoch", columns, rows: trace, step: 8 }));
}

/// The most likely items as bars, all of them in a table.
export function marginals(values, items, title = "Marginals") {
  const rows = values.map((marginal, i) => ({ i, item: itemName(items, i), marginal })).filter((row) => isNumber(row.marginal));
  if (!rows.length) return null;
  const named = Array.isArray(items) && items.length > 0;
  const top = rows.slice().sort((a, b) => b.marginal - a.marginal).slice(0, 20);
  const columns = [
    { key: "item", label: "Item" },
    { key: "marginal", label: "Marginal", number: true, bar: 1 },
    ...(named ? [{ key: "i", label: "Number", number: true, show: String }] : []),
  ];
  if (!named) columns[0].of = (row) => row.i, columns[0].show = (_, row) => row.item;
  return block(title,
    note(`The probability of each item under the best factorised distribution found${rows.length > top.length ? `; the chart shows the ${top.length} most likely of ${rows.length}` : ""}.`),
    chart({
      height: { step: 20 },
      data: { values: labelled(top) },
      encoding: { y: { field: "label", type: "nominal", sort: null, axis: { title: null } },
                  x: { field: "marginal", type: "quantitative", scale: { domain: [0, 1] }, axis: { title: "marginal probability", tickCount: 5 } } },
      layer: [
        { mark: { type: "bar", height: 13 }, encoding: { tooltip: [{ field: "item" }, { field: "marginal", format: ".6f" }] } },
        { transform: [{ calculate: "datum.marginal > 0.85 ? format(datum.marginal, '.3f') : ''", as: "inside" },
                      { calculate: "datum.marginal > 0.85 ? '' : format(datum.marginal, '.3f')", as: "outside" }],
          layer: [{ mark: { type: "text", align: "right", dx: -5, color: "var(--on-bar)" }, encoding: { text: { field: "inside" } } },
                  { mark: { type: "text", align: "left", dx: 5 }, encoding: { text: { field: "outside" } } }] },
      ],
    }, { about: `Marginal probabilities of the ${top.length} most likely items: ${top.slice(0, 5).map((row) => `${row.item} ${fixed(row.marginal, 3)}`).join(", ")}${top.length > 5 ? ", and so on" : ""}.` }),
    rows.length > 40 && spread(rows),
    table({ caption: `Marginals of all ${rows.length} items`, columns, rows, sort: { key: "marginal", descending: true }, step: 12 }));
}

/// Two items may have one name: then the bars are told apart by number.
function labelled(rows) {
  const uses = new Map();
  for (const row of rows) uses.set(row.item, (uses.get(row.item) ?? 0) + 1);
  return rows.map((row) => ({ ...row, label: uses.get(row.item) > 1 ? `${row.item} (${row.i})` : row.item }));
}

function spread(rows) {
  const bins = Array.from({ length: 20 }, (_, k) => ({ from: k / 20, to: (k + 1) / 20, items: 0 }));
  for (const { marginal } of rows) ++bins[Math.min(19, Math.floor(20 * marginal))].items;
  const settled = rows.filter(({ marginal }) => marginal < 0.05 || marginal >= 0.95).length;
  return chart({
    height: 130,
    data: { values: bins },
    mark: { type: "bar", color: "var(--series-6)", binSpacing: 1 },
    encoding: { x: { field: "from", type: "quantitative", bin: { binned: true, step: 0.05 }, scale: { domain: [0, 1] }, axis: { title: "marginal probability", tickCount: 5 } },
                x2: { field: "to" }, y: { field: "items", type: "quantitative", axis: { title: "items", tickCount: 3 } },
                tooltip: [{ field: "from" }, { field: "to" }, { field: "items" }] },
  }, { caption: "How the marginals spread", about: `Histogram of ${rows.length} marginals; ${settled} of them lie below 0.05 or at 0.95 and above.` });
}

export function inferParts(result) {
  return [
    intervals(result),
    Array.isArray(result.marginals) && marginals(result.marginals, result.model?.items),
    trajectory(result),
    block("The run", facts([
      ["Model", result.model?.kind], ["Items", result.model?.n], ["Objective", result.objective],
      ["Inverse temperature", result.inverse_temperature], ["Algorithm", result.algorithm], ["Status", result.status],
      ["Guarantee", result.guarantee], ["Notes", Array.isArray(result.notes) ? result.notes.join("; ") : result.notes],
      ["Seed", result.seed], ["Threads", result.threads], ["Time", isNumber(result.seconds) ? seconds(result.seconds) : null],
    ])),
  ];
}
