// Pictures of a field: the image of a grid where it is one, the graph of its couplings where not.
import { block, note } from "../dom.js";
import { count, short } from "../format.js";
import { paint } from "./matrix.js";
import { figure, listed, s } from "./svg.js";

/// The width of a grid whose pairs are neighbours to the right and below; 0 where it is none.
function gridWidth(n, pairs) {
  if (n < 9 || !pairs.length) return 0;
  const steps = new Map();
  for (const [i, j] of pairs) {
    const d = Math.abs(j - i);
    steps.set(d, (steps.get(d) ?? 0) + 1);
  }
  const others = [...steps.keys()].filter((d) => d !== 1);
  if (!steps.has(1) || others.length === 0) return 0;
  const width = others.reduce((a, b) => (steps.get(a) >= steps.get(b) ? a : b));
  const regular = pairs.every(([i, j]) => {
    const [a, b] = i < j ? [i, j] : [j, i];
    return b - a === width || (b - a === 1 && b % width !== 0);
  });
  return regular && width > 1 ? width : 0;
}

const greatest = (values) => values.reduce((large, value) => Math.max(large, Math.abs(value ?? 0)), 0);

function gridPicture({ n, picture: { pairs, linear } }, wide, names, width) {
  const most = greatest(linear),
    coupling = greatest(pairs.map(([, , w]) => w));
  const rows = Math.ceil(n / wide),
    side = Math.min(width, 44 * wide) / wide,
    linked = side >= 8, // smaller squares leave no room between them
    gap = linked ? 0.2 * side : 0,
    at = (i) => [(i % wide) * side, Math.floor(i / wide) * side];
  const svg = s(
    "svg",
    { viewBox: `0 0 ${wide * side} ${rows * side}` },
    linear.map((w, i) =>
      s(
        "rect",
        {
          class: "site",
          x: at(i)[0] + gap,
          y: at(i)[1] + gap,
          width: side - 2 * gap,
          height: side - 2 * gap,
          stroke: linked ? "var(--line-strong)" : null,
          "stroke-width": linked ? 0.5 : null,
          ...paint(w ?? 0, most),
        },
        n <= 2500 && s("title", {}, `${names[i]}: ${short(w, 4)}`),
      ),
    ),
    linked &&
      pairs.map(([i, j, w]) => {
        const [a, b] = i < j ? [i, j] : [j, i],
          [x, y] = at(a),
          across = b - a === 1 && wide > 1;
        return s(
          "rect",
          {
            x: across ? x + side - gap : x + 0.36 * side,
            y: across ? y + 0.36 * side : y + side - gap,
            width: across ? 2 * gap : 0.28 * side,
            height: across ? 0.28 * side : 2 * gap,
            ...paint(w, coupling),
          },
          n <= 2500 && s("title", {}, `${names[a]} and ${names[b]}: ${short(w, 4)}`),
        );
      }),
  );
  const drawing = figure(svg, {
    about: `Image of the weights of a grid of ${wide} by ${rows} items${linked ? ", and of the couplings between neighbours" : ""}.`,
    name: "Grid",
    numbers: () =>
      listed(
        ["item", "weight"],
        linear.map((w, i) => [names[i], w]),
      ),
  });
  drawing.style.maxWidth = `${Math.ceil(wide * side)}px`;
  return block(
    "The field on its grid",
    note(
      `Each square is an item of a grid of ${wide} by ${rows}: blue where it is drawn in by itself, orange where out, the stronger the more.${linked ? " Bars between squares are couplings: orange where neighbours keep each other out, blue where they draw each other in." : ""}`,
    ),
    drawing,
  );
}

function graphPicture(model, names, width) {
  const pairs = model.picture.pairs,
    coupling = greatest(pairs.map(([, , w]) => w));
  const n = Math.min(model.n, 200),
    tall = Math.min(width, 560),
    r = tall / 2 - 60,
    at = (i) => [width / 2 + r * Math.sin((2 * Math.PI * i) / n), tall / 2 - r * Math.cos((2 * Math.PI * i) / n)];
  const drawn = pairs
    .filter(([i, j]) => i < n && j < n)
    .sort((a, b) => Math.abs(a[2]) - Math.abs(b[2]))
    .slice(-1500);
  const svg = s(
    "svg",
    { viewBox: `0 0 ${width} ${tall}` },
    drawn.map(([i, j, w]) => {
      const [a, b] = [at(i), at(j)];
      return s("path", {
        d: `M${a[0].toFixed(1)} ${a[1].toFixed(1)}Q${width / 2} ${tall / 2} ${b[0].toFixed(1)} ${b[1].toFixed(1)}`,
        fill: "none",
        stroke: w < 0 ? "var(--upper)" : "var(--lower)",
        "stroke-opacity": (0.1 + (0.8 * Math.abs(w)) / coupling).toFixed(2),
        "stroke-width": (0.5 + (2 * Math.abs(w)) / coupling).toFixed(2),
      });
    }),
    Array.from({ length: n }, (_, i) => {
      const [x, y] = at(i);
      return s(
        "circle",
        { cx: x.toFixed(1), cy: y.toFixed(1), r: n > 80 ? 2.5 : 4.5, fill: "var(--ink)" },
        s("title", {}, names[i]),
      );
    }),
    n <= 60 &&
      Array.from({ length: n }, (_, i) => {
        const [x, y] = at(i),
          aside = (x - width / 2) / r, // -1 at the left, 1 at the right
          anchor = Math.abs(aside) < 0.15 ? "middle" : aside < 0 ? "end" : "start",
          up = y < tall / 2;
        return s(
          "text",
          {
            x: (x + (anchor === "middle" ? 0 : aside < 0 ? -8 : 8)).toFixed(1),
            y: (y + (anchor !== "middle" ? 4 : up ? -9 : 17)).toFixed(1),
            "text-anchor": anchor,
            "font-size": 11,
            fill: "var(--ink-soft)",
          },
          names[i].length > 16 ? `${names[i].slice(0, 15)}\u2026` : names[i],
        );
      }),
  );
  return block(
    "The graph of couplings",
    note(
      `A line a pair: orange where the two items keep each other out, blue where they draw each other in.${drawn.length < pairs.length ? ` The ${drawn.length} strongest of ${pairs.length} are drawn.` : ""}`,
    ),
    figure(svg, {
      about: `Graph of ${count(n, "item")} with ${count(drawn.length, "coupling")}.`,
      name: "Couplings",
      numbers: () =>
        listed(
          ["item", "other", "coupling"],
          pairs.map(([i, j, w]) => [names[i], names[j], w]),
        ),
    }),
  );
}

export function fieldPicture(model, names, width) {
  const pairs = model.picture.pairs;
  if (!pairs.length) return null;
  const wide = gridWidth(model.n, pairs);
  return wide ? gridPicture(model, wide, names, width) : graphPicture(model, names, width);
}
