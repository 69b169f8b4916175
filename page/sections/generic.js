// Any result at all: plain values as facts, lists of objects as tables, objects inside by their name. The way out for commands the
// page does not know, and for the fields of those it does.
import { block, facts, h } from "../dom.js";
import { isNumber, seconds, short, words } from "../format.js";
import { chart } from "../chart.js";
import { fitted } from "../axis.js";
import { table } from "../table.js";

const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
const kDeepest = 4;

export function plain(value) {
  if (value === null || value === undefined) return "\u2013";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (isNumber(value)) return short(value, 8);
  if (Array.isArray(value)) {
    const shown = value.slice(0, 12).map(plain).join(", ");
    return value.length > 12 ? `${shown}, \u2026 (${value.length} in all)` : shown || "none";
  }
  if (isObject(value)) return Object.entries(value).slice(0, 12).map(([key, part]) => `${words(key)}: ${plain(part)}`).join("; ");
  return String(value);
}

/// What `table` takes, of any list of objects: one column for every field that some of them have.
export function objectNumbers(caption, rows, options = {}) {
  const keys = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const columns = keys.map((key) => {
    const number = rows.every((row) => row[key] === null || row[key] === undefined || isNumber(row[key]));
    const format = /(^|_)seconds$/.test(key) ? seconds : plain;
    return { key, label: words(key), number, show: (value) => format(value) };
  });
  return { caption, rows, columns, ...options };
}

export function objectTable(caption, rows, options = {}) {
  const numbers = objectNumbers(caption, rows, options);
  return numbers.columns.length ? table(numbers) : null;
}

/// A line over the epochs, or whatever a trace counts.
function traceChart(title, rows) {
  const over = ["epoch", "iteration", "step"].find((key) => rows.every((row) => isNumber(row[key])));
  const value = ["value", "objective", "loss", "log_likelihood"].find((key) => rows.every((row) => isNumber(row[key])));
  if (!over || !value || rows.length < 2) return null;
  return chart({
    data: { values: rows.map((row) => ({ at: row[over], value: row[value] })) },
    mark: { type: "line", color: "var(--series-1)", strokeWidth: 2 },
    encoding: { x: { field: "at", type: "quantitative", axis: { title: over, tickCount: 6 } },
                y: { field: "value", type: "quantitative", scale: fitted(rows.map((row) => row[value])), axis: { title: words(value), tickCount: 5 } } },
  }, { numbers: objectNumbers(title, rows, { step: 8 }), about: `${title}: ${words(value)} by ${over}, from ${short(rows[0][value])} to ${short(rows[rows.length - 1][value])}.` });
}

const isSimple = (value) => !isObject(value) && !(Array.isArray(value) && value.length > 0 && (isObject(value[0]) || value.length > 12));
const entriesOf = (object, without) => Object.entries(object).filter(([key]) => !["surefield", "command", "arguments", ...without].includes(key));

/// The plain values of `object` but the fields named, as facts.
export const genericRun = (object, without = []) => entriesOf(object, without).filter(([, value]) => isSimple(value))
  .map(([key, value]) => [words(key), /(^|_)seconds$/.test(key) ? seconds(value) : plain(value)]);

/// Lists and objects in `object` but the fields named; inside an object its plain values too.
export function genericParts(object, without = [], depth = 0) {
  const parts = [depth > 0 && block("Values", facts(genericRun(object, without)))];
  for (const [key, value] of entriesOf(object, without)) {
    if (isSimple(value)) continue;
    if (Array.isArray(value) && value.every(isObject)) parts.push(block(words(key), traceChart(words(key), value) ?? objectTable(words(key), value, { step: 8 })));
    else if (Array.isArray(value))
      parts.push(block(words(key), table({ caption: words(key), step: 12, rows: value.map((entry, i) => ({ i, entry })),
        columns: [{ key: "i", label: "Number", show: String }, { key: "entry", label: "Value", number: value.every(isNumber), show: plain }] })));
    else if (depth < kDeepest) {
      const inside = genericParts(value, [], depth + 1);
      if (inside.length) parts.push(h("div.nested", h("p.nested-title", words(key)), inside));
    } else parts.push(block(words(key), h("p", plain(value))));
  }
  return parts.filter(Boolean);
}
