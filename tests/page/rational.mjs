// What a rounded number must be, by exact arithmetic on the bits of the double: nothing of the page's own code is used.

/// value = numerator / 2^power, exactly.
function bits(value) {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  const all = view.getBigUint64(0), exponent = Number((all >> 52n) & 0x7ffn), fraction = all & 0xfffffffffffffn;
  const numerator = (exponent === 0 ? fraction : fraction | (1n << 52n)) * (all >> 63n ? -1n : 1n);
  return { numerator, power: 1075 - Math.max(exponent, 1) };
}

/// The greatest decimal of so many digits that is not above value, or the least that is not below, as text with a real minus sign.
export function outward(value, digits, up) {
  const { numerator, power } = bits(value);
  const scaled = numerator * 10n ** BigInt(digits), unit = power >= 0 ? 1n << BigInt(power) : 1n, whole = power >= 0 ? scaled : scaled << BigInt(-power);
  let quotient = whole / unit;
  if (up && quotient * unit < whole) ++quotient;
  if (!up && quotient * unit > whole) --quotient;
  const text = (quotient < 0n ? -quotient : quotient).toString().padStart(digits + 1, "0");
  return `${quotient < 0n ? "\u2212" : ""}${digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`}`;
}

/// Whether decimal text is at least the value, exactly.
export function isAtLeast(text, value) {
  const match = /^(\u2212?)(\d+)(?:\.(\d+))?(?:e(\u2212?\d+))?$/.exec(text);
  if (!match) return false;
  const fraction = match[3] ?? "", exponent = Number((match[4] ?? "0").replace("\u2212", "-")) - fraction.length;
  const { numerator, power } = bits(value);
  let left = BigInt(match[2] + fraction) * (match[1] ? -1n : 1n), right = numerator;
  if (exponent >= 0) left *= 10n ** BigInt(exponent); else right *= 10n ** BigInt(-exponent);
  if (power >= 0) left <<= BigInt(power); else right <<= BigInt(-power);
  return left >= right;
}
