// Numbers and names as a person reads them. The page shows rounded numbers; the full ones are in the title of each cell.
// A bound is rounded outwards, so that what is shown is still a bound.

export const isNumber = (value) => typeof value === "number" && Number.isFinite(value);
const typographic = (text) => text.replace("-", "\u2212");
const unknown = "\u2013";
const isLong = (value) => Math.abs(value) >= 1e12;

/// Rounded to so many digits after the point, or a dash where nothing is known. Tiny numbers keep their size.
export function fixed(value, digits = 6) {
  if (!isNumber(value)) return unknown;
  if (value !== 0 && (Math.abs(value) < 0.5 * 10 ** -digits || isLong(value))) return typographic(value.toExponential(2));
  return typographic(value.toFixed(digits));
}

/// The decimal of so many digits next to `value` on one side of it. Exact: toFixed(100) writes out every double of at least
/// 2^-48, and of a smaller one only whether it is 0 matters.
function rounded(value, digits, up) {
  const negative = value < 0, full = Math.abs(value).toFixed(100), kept = full.length - 100 + digits - (digits === 0 ? 1 : 0);
  const lost = /[1-9]/.test(full.slice(kept)) || (value !== 0 && !/[1-9]/.test(full));
  let text = full.slice(0, kept);
  if (lost && up !== negative) {
    const next = (BigInt(text.replace(".", "")) + 1n).toString().padStart(digits + 1, "0");
    text = digits === 0 ? next : `${next.slice(0, -digits)}.${next.slice(-digits)}`;
  }
  return negative && /[1-9]/.test(text) ? `-${text}` : text;
}

/// A lower end, never above the value; an upper end, never below it. Beyond 1e12 the shortest text that reads back to the same.
export const down = (value, digits = 6) => (isNumber(value) ? typographic(isLong(value) ? String(value) : rounded(value, digits, false)) : unknown);
export const up = (value, digits = 6) => (isNumber(value) ? typographic(isLong(value) ? String(value) : rounded(value, digits, true)) : unknown);

/// A width or a gap, of which one says "at most": two digits, rounded up.
export function atMost(width) {
  if (!isNumber(width)) return unknown;
  if (width <= 0) return "0";
  const power = Math.floor(Math.log10(width));
  if (power >= -4) return up(width, Math.max(0, 1 - power));
  const digits = Math.ceil((width / 10 ** power) * 10 * (1 + 4e-16)) / 10;  // of a width: a unit too many is still "at most"
  return typographic(digits >= 10 ? `1.0e${power + 1}` : `${digits.toFixed(1)}e${power}`);
}

/// As few digits as tell the value to `significant` of them.
export function short(value, significant = 6) {
  if (!isNumber(value)) return unknown;
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return typographic(String(value));
  if (Math.abs(value) >= 1e-4 && Math.abs(value) < 1e9) return typographic(String(Number(value.toPrecision(significant))));
  return typographic(value.toExponential(2));
}

export function seconds(value) {
  if (!isNumber(value)) return unknown;
  if (value >= 100) return `${value.toFixed(0)} s`;
  if (value >= 0.1) return `${Number(value.toPrecision(3))} s`;
  if (value >= 1e-4) return `${Number((1e3 * value).toPrecision(3))} ms`;
  return `${Number((1e6 * value).toPrecision(3))} \u00b5s`;
}

export const count = (n, one, many = one + "s") => `${n} ${n === 1 ? one : many}`;

/// An interval rounded outwards, saying which end is missing; one number where both ends are it to so many digits.
export function interval(lower, upper, digits = 6) {
  if (isNumber(lower) && isNumber(upper)) {
    const nearest = fixed(lower, digits);
    if (nearest === fixed(upper, digits) && upper - lower < 1e-9 * Math.max(1, Math.abs(upper))) return nearest;
    return `${down(lower, digits)} to ${up(upper, digits)}`;
  }
  if (isNumber(lower)) return `at least ${down(lower, digits)}`;
  if (isNumber(upper)) return `at most ${up(upper, digits)}`;
  return unknown;
}

/// field_name to "Field name".
export function words(key) {
  const known = { elbo: "ELBO", pa_elbo: "PA-ELBO", pa_lower: "PA from below", pa_upper: "PA from above", n: "n", D: "D",
                  log_z: "log Z", log_z_lower: "log Z from below", log_z_upper: "log Z from above", mrr: "MRR",
                  log_z_exact: "log Z exact", std: "Deviation", seconds: "Time", solver_seconds: "Time of the solvers", longest_seconds: "Longest",
                  pa_exact: "PA exact", pa_elbo_lower: "PA by mean field", left: "Items left", gap: "Relative gap", equal_cells: "Equal cells" };
  if (known[key]) return known[key];
  if (/[A-Z/-]/.test(key)) return key;
  const text = key.replace(/_/g, " ").replace(/\blog z\b/g, "log Z").replace(/\bpa\b/g, "PA").replace(/\belbo\b/g, "ELBO");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/// An argument as a shell wants it.
export const shell = (text) => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replace(/'/g, "'\\''")}'`);

/// The name of item i: its own, or its number.
export const itemName = (items, i) => (Array.isArray(items) && items[i] !== undefined ? String(items[i]) : `item ${i}`);

/// Names of at most so many characters, no two alike unless they are the same name: what is cut is the end, or the middle where two
/// would begin alike; where that does not tell them apart either, their place does.
export function shortened(names, most) {
  const cut = (name) => (name.length <= most ? name : `${name.slice(0, most - 1).trimEnd()}\u2026`);
  const middle = (name) => (name.length <= most ? name : `${name.slice(0, Math.ceil(most / 2) - 1).trimEnd()}\u2026${name.slice(-Math.floor(most / 2)).trimStart()}`);
  const alone = (texts, k) => texts.every((text, j) => j === k || text !== texts[k]);
  let shown = names.map(cut);
  shown = shown.map((text, k) => (alone(shown, k) ? text : middle(names[k])));
  return shown.map((text, k) => (alone(shown, k) ? text : `${text} (${k + 1})`));
}
