// Axes fitted to what they show.
import { isNumber } from "./format.js";

const kRounding = 1e-6;  // of the value: a span below this is rounding, not a difference

/// A scale that holds all values with a little room. Rounding is not a slope: the span is a millionth of the value at least.
export function fitted(values, { room = 0.08 } = {}) {
  const known = values.filter(isNumber);
  if (!known.length) return { zero: false };
  const most = Math.max(...known), least = Math.min(...known);
  const margin = Math.max(room * (most - least), kRounding * Math.max(1, Math.abs(most)));
  return { zero: false, nice: false, domain: [least - margin, most + margin] };
}

/// The same for lines that may begin far below where they go: begins just below what `reached` holds, where drawing all of it would
/// leave that less than a quarter of the picture. `cut` says whether something is left out.
export function fittedToEnds(values, reached) {
  const all = fitted(values, { room: 0.12 }), ends = fitted([...reached, Math.max(...values.filter(isNumber))], { room: 0.12 });
  const span = ({ domain }) => domain[1] - domain[0], cut = Boolean(all.domain && ends.domain) && span(all) > 4 * span(ends);
  return { scale: cut ? ends : all, cut };
}

/// From 0 to a round number above the greatest probability, 1 where it is not much less.
export function probabilities(values) {
  const most = Math.max(0, ...values.filter(isNumber));
  const end = [0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8].find((limit) => most <= 0.92 * limit) ?? 1;
  return { domain: [0, end], nice: false };
}
