// Pictures of a model by its terms: items by groups, a grid or a graph of couplings, and who replaces or goes with whom.
import { block, h, note } from "../dom.js";
import { count, isNumber, short, shortened } from "../format.js";
import { table } from "../table.js";
import { figure, listed, s } from "./svg.js";

const kinds = { best: "dimension", cover: "concept", cut: "cut", concave: "group", product: "product" };

/// A number as a colour: below 0 one way, above 0 the other, by opacity over the card.
const paint = (value, most) => ({
  fill: value < 0 ? "var(--upper)" : "var(--lower)",
  "fill-opacity": most > 0 ? Math.min(1, Math.abs(value) / most).toFixed(3) : 0,
});

/// What the colours of a matrix say, from the least to the greatest.
function scaleOf(x, y, least, most) {
  const steps = least < 0 && most > 0 ? [-1, -0.5, 0, 0.5, 1] : least < 0 ? [-1, -0.75, -0.5, -0.25, 0] : [0, 0.25, 0.5, 0.75, 1];
  const large = Math.max(-least, most),
    label = { y: y + 10, "font-size": 11, fill: "var(--ink-soft)" },
    from = short(steps[0] * large, 2);
  const left = x + 6.6 * from.length + 6;
  return [
    s("text", { ...label, x }, from),
    s("rect", { x: left, y, width: 90, height: 12, fill: "var(--raised)" }),
    steps.map((step, k) => s("rect", { x: left + 18 * k, y, width: 18, height: 12, ...paint(step, 1) })),
    s("text", { ...label, x: left + 96 }, short(steps.at(-1) * large, 2)),
  ];
}

/// A matrix with named rows, of cells as wide as there is room; few labels where there are many rows, and no names of columns where
/// they are the rows again. cells: [row, column, value].
function matrix({ rows, columns, cells, rowNames, columnNames = null, width, about, name }) {
  const longest = rowNames.reduce((most, text) => Math.max(most, text.length), 4),
    letters = Math.min(longest, Math.floor((0.42 * width - 12) / 6.6)),
    shown = shortened(rowNames, letters);
  const left = 12 + 6.6 * shown.reduce((most, text) => Math.max(most, text.length), 4),
    top = columnNames ? 22 : 6,
    room = (width - left - 16) / columns,
    tall = Math.max(2, Math.min(22, columnNames ? 760 / rows : Math.min(room, 760 / rows))),
    size = columnNames ? Math.max(2, Math.min(48, room)) : tall;
  const values = cells.map(([, , value]) => value),
    most = values.reduce((large, value) => Math.max(large, Math.abs(value)), 0);
  const everyRow = Math.ceil(12 / tall),
    everyColumn = Math.ceil(20 / size),
    wide = Math.max(280, left + columns * size + 16),
    other = columnNames ?? rowNames;
  const svg = s(
    "svg",
    { viewBox: `0 0 ${wide.toFixed(1)} ${(top + rows * tall + 30).toFixed(1)}`, class: "matrix" },
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
        cells.length <= 4000 ? s("title", {}, `${rowNames[row]}, ${other[column]}: ${short(value, 4)}`) : null,
      ),
    ),
    shown.map(
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
          text,
        ),
    ),
    columnNames?.map(
      (text, column) =>
        column % everyColumn === 0 &&
        s(
          "text",
          { x: left + (column + 0.5) * size, y: top - 6, "text-anchor": "middle", "font-size": 11, fill: "var(--ink-soft)" },
          text,
        ),
    ),
    scaleOf(left, top + rows * tall + 12, Math.min(0, ...minMost(values)), Math.max(0, ...minMost(values))),
  );
  const drawing = figure(svg, {
    about,
    name,
    numbers: () =>
      listed(
        ["row", "column", "value"],
        cells.map(([row, column, value]) => [rowNames[row], other[column], value]),
      ),
  });
  drawing.style.maxWidth = `${Math.ceil(wide)}px`;
  return drawing;
}

/// The least and the greatest, of however many.
const minMost = (values) =>
  values.reduce(([least, most], value) => [Math.min(least, value), Math.max(most, value)], [0, 0]);

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
      `A row an item, a column a ${kind}; the stronger the colour, the greater the weight. Items that are strong in the same ${kind} stand together${kind === "dimension" ? ": they replace each other" : ""}.${groups.length > shown.length || model.n > order.length ? ` Shown are ${shown.length} of ${groups.length} and ${order.length} of ${model.n} items.` : ""}`,
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
          model.n <= 2500 && s("title", {}, `${names[i]}: ${short(w, 4)}`),
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
            model.n <= 2500 && s("title", {}, `${names[a]} and ${names[b]}: ${short(w, 4)}`),
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
      `F of two items together less F of each alone: orange where one replaces the other${strongest(-1) ? ` (most: ${strongest(-1)})` : ""}, blue where they go together${strongest(1) ? ` (most: ${strongest(1)})` : ""}. Columns are the items in the same order.`,
    ),
    matrix({
      rows: model.n,
      columns: model.n,
      cells,
      rowNames: order.map((i) => names[i]),
      width: Math.min(width, 820),
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
