// Which results are runs on one model, and what tells results apart: fields of the result first, then what was typed.
import { isNumber } from "./format.js";

const flags = new Set(["trace", "polish", "contract", "multilinear-direction", "no-guarantee", "quiet", "q", "marginals", "pairs", "explain"]);
const longNames = { a: "algorithm", o: "output", k: "count", d: "dims", n: "count", q: "quiet" };
const dull = new Set(["format", "output", "trace", "top", "threads", "quiet"]);     // say nothing about the answer
const effort = new Set(["certify", "gap", "seconds", "width", "epochs", "tolerance"]);  // how long it was looked for

/// {positional: [...], options: {name: text}} of what was typed after the program's name.
export function typed(result) {
  const positional = [], options = {};
  let open = null;
  for (const part of (Array.isArray(result.arguments) ? result.arguments : []).map(String)) {
    const match = /^--?([A-Za-z][\w-]*)(?:=(.*))?$/s.exec(part);
    if (match) {
      const name = longNames[match[1]] ?? match[1];
      options[name] = match[2] ?? "";
      open = flags.has(name) || match[2] !== undefined ? null : name;
    } else if (open) options[open] = options[open] ? `${options[open]},${part}` : part;
    else positional.push(part);
    if (open && !match && !["in", "out", "have"].includes(open)) open = null;
  }
  return { positional: positional.slice(1), options };
}

/// Runs with one key maximise the same thing: one model, one temperature, the same items forced.
function keyOf(result) {
  if (result.command !== "infer" || !result.model || typeof result.model !== "object") return null;
  const { positional, options } = typed(result);
  return JSON.stringify([result.model.kind, result.model.n, result.model.items, result.objective, result.inverse_temperature, positional,
                         ["in", "out", "box", "evidence", "edges", "row-weight"].map((name) => options[name])]);
}

/// entries: {file, result}. Lists of entries in the order of their first ones.
export function grouped(entries) {
  const groups = new Map();
  for (const entry of entries) {
    const key = keyOf(entry.result) ?? entry;
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(entry);
  }
  return [...groups.values()];
}

function featuresOf({ result }) {
  const { positional, options } = typed(result);
  const named = Object.entries(options).filter(([name]) => !dull.has(name) && !["algorithm", "beta"].includes(name)).map(([name, value]) => [name, `${name.replace(/-/g, " ")} ${value}`.trim()]);
  return new Map([["file", positional.join(" ")], ["algorithm", result.algorithm ?? ""], ["beta", isNumber(result.inverse_temperature) ? `beta ${result.inverse_temperature}` : ""],
                  ["experiment", result.experiment ?? ""], ...named].filter(([, text]) => text));
}

/// One name an entry: what it has that not all have; the name of its file where that tells nothing or not enough.
export function labels(entries) {
  const features = entries.map(featuresOf), keys = [...new Set(features.flatMap((one) => [...one.keys()]))];
  const differing = keys.filter((key) => new Set(features.map((one) => one.get(key))).size > 1);
  const name = (wanted) => features.map((one) => wanted.map((key) => one.get(key)).filter(Boolean).join(", "));
  const distinct = (names) => new Set(names).size === names.length && names.every(Boolean);
  const plain = name(differing.filter((key) => !effort.has(key)));
  if (distinct(plain)) return plain;
  const all = name(differing);
  return distinct(all) ? all : all.map((text, k) => [text, entries[k].file].filter(Boolean).join(", "));
}
