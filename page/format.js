// Numbers and names as a person reads them. The page shows rounded numbers; the full ones are in the title of each cell.

export const isNumber = (value) => typeof value === "number" && Number.isFinite(value);
const typographic = (text) => text.replace("-", "\u2212");

/// Rounded to so many digits after the point, or a dash where nothing is known. Tiny numbers keep their size.
export function fixed(value, digits = 6) {
  if (!isNumber(value)) return "\u2013";
  if (value !== 0 && (Math.abs(value) < 0.5 * 10 ** -digits || Math.abs(value) >= 1e12)) return typographic(value.toExponential(2));
  return typographic(value.toFixed(digits));
}

/// As few digits as tell the value to `significant` of them.
export function short(value, significant = 6) {
  if (!isNumber(value)) return "\u2013";
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return typographic(String(value));
  if (Math.abs(value) >= 1e-4 && Math.abs(value) < 1e9) return typographic(String(Number(value.toPrecision(significant))));
  return typographic(value.toExponential(2));
}

export function seconds(value) {
  if (!isNumber(value)) return "\u2013";
  if (value >= 100) return `${value.toFixed(0)} s`;
  if (value >= 0.1) return `${Number(value.toPrecision(3))} s`;
  if (value >= 1e-4) return `${Number((1e3 * value).toPrecision(3))} ms`;
  return `${Number((1e6 * value).toPrecision(3))} \u00b5s`;
}

export const count = (n, one, many = one + "s") => `${n} ${n === 1 ? one : many}`;

/// An interval, saying which end is missing.
export function interval(lower, upper, digits = 6) {
  if (isNumber(lower) && lower === upper) return fixed(lower, digits);
  if (isNumber(lower) && isNumber(upper)) return `${fixed(lower, digits)} to ${fixed(upper, digits)}`;
  if (isNumber(lower)) return `at least ${fixed(lower, digits)}`;
  if (isNumber(upper)) return `at most ${fixed(upper, digits)}`;
  return "\u2013";
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
