// Pictures drawn by hand where a chart library is too slow or too general: live lines and large matrices. Colours are the
// page's variables.
import { saveMenu } from "../chart.js";
import { h } from "../dom.js";

const space = "http://www.w3.org/2000/svg";

export function s(name, attributes = {}, ...children) {
  const element = document.createElementNS(space, name);
  for (const [key, value] of Object.entries(attributes))
    if (value !== null && value !== undefined) element.setAttribute(key, value);
  for (const child of children.flat(Infinity))
    if (child !== null && child !== undefined && child !== false)
      element.append(child instanceof Node ? child : String(child));
  return element;
}

/// A figure around an svg element: described in a sentence, and saved under a name. numbers(): {columns, rows} as `table` takes them.
export function figure(svg, { about, name, numbers, caption = null }) {
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", about);
  const place = h("div.drawn", svg);
  return h("figure", caption && h("figcaption", caption), place, h("div.chart-foot", saveMenu(place, name, numbers)));
}

/// Columns of a table by their names: rows are lists in that order.
export const listed = (labels, rows) => ({ columns: labels.map((label, k) => ({ key: k, label })), rows });

/// About `count` round numbers from low to high.
export function ticks(low, high, count = 5) {
  if (!(high > low)) return [low];
  const raw = (high - low) / count,
    size = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((k) => k * size).find((k) => k >= raw);
  const out = [];
  for (let t = Math.ceil(low / step) * step; t <= high + 1e-9 * step; t += step)
    out.push(Math.abs(t) < 1e-12 * step ? 0 : t);
  return out;
}

/// As many digits as the distance of two ticks needs.
export function tickText(all) {
  const step = all.length > 1 ? all[1] - all[0] : Math.abs(all[0]) || 1;
  const digits = Math.max(0, Math.min(12, Math.ceil(-Math.log10(step) + 1e-9)));
  return (value) => value.toFixed(digits).replace("-", "\u2212");
}

/// Axes of a picture of the given size for x in [x0, x1] and y in [y0, y1]: the elements and the two scales.
export function axes({ width, height, x: [x0, x1], y: [y0, y1], xTitle, yTitle }) {
  const xs = ticks(x0, x1, width < 500 ? 4 : 7),
    ys = ticks(y0, y1, 5),
    xText = tickText(xs),
    yText = tickText(ys);
  const left = 16 + 7.5 * Math.max(...ys.map((value) => yText(value).length)),
    right = 14,
    top = 10,
    bottom = 40;
  const px = (value) => left + (width - left - right) * (x1 > x0 ? (value - x0) / (x1 - x0) : 0.5);
  const py = (value) => height - bottom - (height - top - bottom) * (y1 > y0 ? (value - y0) / (y1 - y0) : 0.5);
  const label = { fill: "var(--ink-soft)", "font-size": 12 };
  return {
    px,
    py,
    inside: { left, right: width - right, top, bottom: height - bottom },
    elements: [
      ys.map((value) => [
        s("line", { x1: left, x2: width - right, y1: py(value), y2: py(value), stroke: "var(--line)" }),
        s("text", { ...label, x: left - 6, y: py(value) + 4, "text-anchor": "end" }, yText(value)),
      ]),
      xs.map((value) =>
        s("text", { ...label, x: px(value), y: height - bottom + 17, "text-anchor": "middle" }, xText(value)),
      ),
      s("line", {
        x1: left,
        x2: width - right,
        y1: height - bottom,
        y2: height - bottom,
        stroke: "var(--line-strong)",
      }),
      s("text", { ...label, x: (left + width - right) / 2, y: height - 5, "text-anchor": "middle" }, xTitle),
      yTitle && s("text", { ...label, x: left, y: top - 1, "text-anchor": "start" }, yTitle),
    ],
  };
}
