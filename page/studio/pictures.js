// Pictures of a model by its terms: items by groups, a grid or a graph of couplings, and who replaces or goes with whom.
import { block, h, note } from "../dom.js";
import { count, isNumber, short } from "../format.js";
import { table } from "../table.js";
import { figure, listed, s } from "./svg.js";

const kinds = { best: "dimension", cover: "concept", cut: "cut", concave: "group", product: "product" };

/// A number as a colour: below 0 one way, above 0 the other, by opacity over the card.
const paint = (value, most) => ({
  fill: value < 0 ? "var(--upper)" : "var(--lower)",
  "fill-opacity": most > 0 ? Math.min(1, Math.abs(value) / most).toFixed(3) : 0,
});

/// A matrix with named rows: cells as squares, few labels where there are many rows. cells: [row, column, value].
function matrix({ rows, columns, cells, rowNames, columnNames, width, about, name, cell = null }) {
  const longest = Math.max(...rowNames.map((text) => Math.min(text.length, 24)), 4);
  const left = Math.min(190, 12 + 6.6 * longest),
    top = 54,
    size = Math.max(2, Math.min(cell ?? 22, (width - left - 16) / columns)),
    tall = Math.max(2, Math.min(22, cell ?? size, 760 / rows));
  const most = cells.reduce((large, [, , value]) => Math.max(large, Math.abs(value)), 0);
  const everyRow = Math.ceil(12 / tall),
    everyColumn = Math.ceil(13 / size);
  const svg = s(
    "svg",
    { viewBox: `0 0 ${width} ${top + rows * tall + 8}`, class: "matrix" },
    s("rect", { x: left, y: top, width: columns * size, height: rows * tall, fill: "var(--raised)" }),
    cells.map(([row, column, value]) =>
      s(
        "rect",
        {
          x: (left + column * size).toFixed(2),
          y: (top + row * tall).toFixed(2),
          width: size.toFixed(2),
          height: tall.toFixed(2),
          ...paint(value, most),
        },
        cells.length <= 4000 ? s("title", {}, `${rowNames[row]}, ${columnNames[column]}: ${short(value, 4)}`) : null,
      ),
    ),
    rowNames.map(
      (text, row) =>
        row % everyRow === 0 &&
        s(
          "text",
          {
            x: left - 5,
            y: top + (row + 0.5) * tall + 4,
            "text-anchor": "end",
            "font-size": 11,
            fill: "var(--ink-soft)",
          },
          text.length > 24 ? `${text.slice(0, 23)}\u2026` : text,
        ),
    ),
    columnNames.map(
      (text, column) =>
        column % everyColumn === 0 &&
        s(
          "text",
          {
            transform: `translate(${left + (column + 0.5) * size + 4} ${top - 5}) rotate(-50)`,
            "font-size": 11,
            fill: "var(--ink-soft)",
          },
          text.length > 9 ? `${text.slice(0, 8)}\u2026` : text,
        ),
    ),
  );
  svg.style.maxWidth = `${width}px`;
  return figure(svg, {
    about,
    name,
    numbers: () =>
      listed(
        ["row", "column", "value"],
        cells.map(([row, column, value]) => [rowNames[row], columnNames[column], value]),
      ),
  });
}

/// Items that weigh in the same group stand together: by their heaviest group, then by weight.
function sortedItems(n, groups) {
  const best = Array.from({ length: n }, () => [groups.length, 0]);
  groups.forEach((group, g) => {
    for (const [i, value] of group.members)
      if (Math.abs(value * group.weight) > Math.abs(best[i][1])) best[i] = [g, value * group.weight];
  });
  return Array.from({ length: n }, (_, i) => i).sort(
    (a, b) => best[a][0] - best[b][0] || Math.abs(best[b][1]) - Math.abs(best[a][1]),
  );
}

export function groupPicture(model, names, width) {
  const groups = model.picture.groups;
  if (!groups.length) return null;
  const kind = kinds[groups[0].kind] ?? "group",
    shown = groups.slice(0, 60);
  const order = sortedItems(model.n, shown).slice(0, 150),
    place = new Map(order.map((i, row) => [i, row]));
  const cells = shown.flatMap((group, g) =>
    group.members.filter(([i]) => place.has(i)).map(([i, value]) => [place.get(i), g, value * group.weight]),
  );
  return block(
    kind === "dimension" ? "Weights by dimension" : `Which items are in which ${kind}`,
    note(
      `A row an item, a column a ${kind}; the darker, the greater the weight. Items that are strong in the same ${kind} stand together${kind === "dimension" ? ": they replace each other" : ""}.${groups.length > shown.length || model.n > order.length ? ` Shown are ${shown.length} of ${groups.length} and ${order.length} of ${model.n} items.` : ""}`,
    ),
    matrix({
      rows: order.length,
      columns: shown.length,
      cells,
      rowNames: order.map((i) => names[i]),
      columnNames: shown.map((_, g) => String(g + 1)),
      width,
      name: `Weights by ${kind}`,
      about: `Matrix of ${count(order.length, "item")} by ${count(shown.length, kind)} with ${cells.length} weights.`,
    }),
  );
}

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

export function fieldPicture(model, names, width) {
  const { pairs, linear } = model.picture;
  if (!pairs.length) return null;
  const wide = gridWidth(model.n, pairs),
    most = linear.reduce((large, w) => Math.max(large, Math.abs(w ?? 0)), 0),
    coupling = pairs.reduce((large, [, , w]) => Math.max(large, Math.abs(w)), 0);
  if (wide) {
    const rows = Math.ceil(model.n / wide),
      side = Math.min(width, 30 * wide) / wide;
    const svg = s(
      "svg",
      { viewBox: `0 0 ${wide * side} ${rows * side}` },
      linear.map((w, i) =>
        s(
          "rect",
          { x: (i % wide) * side, y: Math.floor(i / wide) * side, width: side, height: side, ...paint(w ?? 0, most) },
          model.n <= 2500 && s("title", {}, `${names[i]}: ${short(w, 4)}`),
        ),
      ),
    );
    return block(
      "The field on its grid",
      note(
        `Each square is an item of a grid of ${wide} by ${rows}; blue where it is drawn in by itself, orange where out.`,
      ),
      figure(svg, {
        about: `Image of the weights of a grid of ${wide} by ${rows} items.`,
        name: "Grid",
        numbers: () =>
          listed(
            ["item", "weight"],
            linear.map((w, i) => [names[i], w]),
          ),
      }),
    );
  }
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

export function interactionPicture(model, names, width) {
  const rows = model.picture.interaction;
  if (!Array.isArray(rows) || rows.length < 2) return null;
  const order = model.picture.groups.length ? sortedItems(model.n, model.picture.groups) : names.map((_, i) => i);
  const cells = order
    .flatMap((i, row) => order.map((j, column) => [row, column, rows[i][j] ?? 0]))
    .filter(([, , value]) => value !== 0);
  const pairs = rows
    .flatMap((row, i) => row.slice(i + 1).map((value, k) => ({ one: names[i], other: names[i + 1 + k], value })))
    .filter((pair) => isNumber(pair.value) && Math.abs(pair.value) > 1e-9)
    .sort((a, b) => Math.abs(b.value) - Math.abs(a.value));
  if (!pairs.length)
    return block("Which items replace or go with which", note("No two items have to do with each other."));
  const strongest = (sign) =>
    pairs
      .filter((pair) => Math.sign(pair.value) === sign)
      .slice(0, 3)
      .map((pair) => `${pair.one} and ${pair.other}`)
      .join("; ");
  return block(
    "Which items replace or go with which",
    note(
      `F of two items together less F of each alone: orange where one replaces the other${strongest(-1) ? ` (most: ${strongest(-1)})` : ""}, blue where they go together${strongest(1) ? ` (most: ${strongest(1)})` : ""}.`,
    ),
    matrix({
      rows: model.n,
      columns: model.n,
      cells,
      rowNames: order.map((i) => names[i]),
      columnNames: order.map((i) => names[i]),
      width: Math.min(width, 720),
      name: "Interaction",
      about: `Map of ${model.n} by ${model.n} items; ${count(pairs.length, "pair")} have to do with each other.`,
    }),
    h(
      "details.foldable",
      h("summary", "The strongest pairs as a table"),
      table({
        caption: "Pairs by how much they have to do with each other",
        rows: pairs.slice(0, 500),
        step: 10,
        columns: [
          { key: "one", label: "Item" },
          { key: "other", label: "Other" },
          { key: "value", label: "Together less alone", number: true, digits: 4 },
          { key: "means", label: "Means", of: (pair) => (pair.value < 0 ? "replace each other" : "go together") },
        ],
      }),
    ),
  );
}
