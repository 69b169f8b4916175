// A matrix of coloured cells with named rows, and what its colours say.
import { short, shortened } from "../format.js";
import { figure, listed, s } from "./svg.js";

/// A number as a colour: below 0 one way, above 0 the other, by opacity over the card.
export const paint = (value, most) => ({
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
export function matrix({ rows, columns, cells, rowNames, columnNames = null, width, about, name }) {
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
