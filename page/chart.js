// Vega-Lite charts. Colours are the page's CSS variables, so light, dark and print need no redrawing. A chart is one image to a
// screen reader, named by a sentence; its numbers are in a table folded under it, beside a menu that saves it.
//
// Charts are drawn one after the other when the page is up, so that a long report can be read at once; a chart in a fold is drawn
// when the fold is opened.
import embed from "vega-embed";
import { closeOnEscape, foldable, h } from "./dom.js";
import { csvText, fileName, pngBlob, save, svgText } from "./export.js";
import { isNumber } from "./format.js";
import { table } from "./table.js";

const font = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif";
const text = { labelColor: "var(--ink-soft)", titleColor: "var(--ink-soft)", labelFontSize: 12, titleFontSize: 12,
               titleFontWeight: "normal" };
const config = {
  background: null,
  font,
  padding: { left: 2, right: 10, top: 6, bottom: 2 },
  view: { stroke: null },
  mark: { aria: false },  // a chart is one image: its parts have no names of their own
  axis: { ...text, aria: false, gridColor: "var(--line)", domainColor: "var(--line-strong)", tickColor: "var(--line-strong)", labelPadding: 6,
          titlePadding: 10, tickSize: 4, labelOverlap: true },
  axisY: { domain: false, ticks: false },
  legend: { ...text, aria: false, orient: "top", title: null, symbolSize: 90, labelLimit: 220 },
  text: { color: "var(--ink-soft)", fontSize: 12, font },
  point: { filled: true, size: 70 },
  rule: { color: "var(--ink-soft)" },
  bar: { color: "var(--series-1)", cornerRadiusEnd: 2 },
};

/// Which side of the truth a value is on, by colour and by shape: the triangles point to where the truth lies.
export const sides = {
  lower: { label: "from below", colour: "var(--lower)", shape: "triangle-right" },
  upper: { label: "from above", colour: "var(--upper)", shape: "triangle-left" },
  exact: { label: "exact", colour: "var(--exact)", shape: "diamond" },
  estimate: { label: "estimate", colour: "var(--estimate)", shape: "circle" },
};

export const sideScales = (used) => {
  const keys = Object.keys(sides).filter((key) => used.has(key));
  const legend = keys.length > 1 ? {} : null;
  const domain = keys.map((key) => sides[key].label);
  return {
    color: { field: "sideLabel", type: "nominal", legend, scale: { domain, range: keys.map((key) => sides[key].colour) } },
    shape: { field: "sideLabel", type: "nominal", legend, scale: { domain, range: keys.map((key) => sides[key].shape) } },
  };
};

const marks = ["circle", "square", "triangle-up", "diamond", "triangle-down", "cross", "triangle-right", "triangle-left", "diamond",
               "triangle-up"];
const dashes = [[1, 0], [6, 3], [2, 2], [8, 3, 2, 3], [1, 0], [6, 3], [2, 2], [8, 3, 2, 3], [4, 4], [10, 2]];

/// One look a name, the same in every chart of a group.
export function styles(names) {
  const all = [...new Set(names)];
  const colours = all.map((_, k) => `var(--series-${(k % 8) + 1})`);
  return {
    names: all,
    color: { type: "nominal", legend: null, scale: { domain: all, range: colours } },
    shape: { type: "nominal", legend: null, scale: { domain: all, range: all.map((_, k) => marks[k % marks.length]) } },
    strokeDash: { type: "nominal", legend: null, scale: { domain: all, range: all.map((_, k) => dashes[k % dashes.length]) } },
  };
}

const paths = {
  circle: "M12 4a4 4 0 1 0 .01 0z", square: "M8.5 4.5h7v7h-7z", "triangle-up": "M12 3.5l4.5 8h-9z", diamond: "M12 3l4.5 5-4.5 5-4.5-5z",
  "triangle-down": "M12 12.500l4.500-8h-9z", cross: "M10.500 4h3v2.500H16v3h-2.500V12h-3V9.500H8v-3h2.500z",
  "triangle-right": "M8 3.500v9l8-4.500z", "triangle-left": "M16 3.500v9l-8-4.500z",
};

/// The names of a group of charts with their looks, once for all of them.
export function legend(style) {
  const swatch = (k) => {
    const make = (name, attributes) => {
      const element = document.createElementNS("http://www.w3.org/2000/svg", name);
      for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
      return element;
    };
    const svg = make("svg", { viewBox: "0 0 24 16", width: 24, height: 16, "aria-hidden": "true" });
    const colour = style.color.scale.range[k];
    svg.append(make("path", { d: "M0 8h24", stroke: colour, "stroke-width": 2, "stroke-dasharray": style.strokeDash.scale.range[k].join(" ") }),
               make("path", { d: paths[style.shape.scale.range[k]], fill: colour }));
    return svg;
  };
  return h("ul.legend", { "aria-label": "Legend" }, style.names.map((name, k) => h("li", swatch(k), " ", name)));
}

const kNarrow = 520;
let queue = Promise.resolve();
const later = (draw) => { queue = queue.then(draw).then(() => new Promise((done) => setTimeout(done))); };

async function drawn(place, spec, about) {
  const fold = place.closest("details:not([open])");
  if (fold) return void fold.addEventListener("toggle", () => later(() => drawn(place, spec, about)), { once: true });
  try {
    const width = place.clientWidth, narrow = width < kNarrow;
    const full = {
      $schema: "https://vega.github.io/schema/vega-lite/v6.json",
      width: "container",
      height: 220,
      autosize: { type: "fit-x", contains: "padding" },
      ...(typeof spec === "function" ? spec({ narrow, width }) : spec),
    };
    full.config = { ...config, axis: { ...config.axis, labelLimit: narrow ? 150 : 260 }, legend: { ...config.legend, columns: narrow ? 2 : 4 } };
    // The expressions of a chart are interpreted, not compiled: the page's policy allows no code but its own.
    await embed(place, full, { actions: false, logLevel: 1, renderer: "svg", ast: true, defaultStyle: false,
                               tooltip: { disableDefaultStyle: true, theme: "surefield" } });
    for (const given of ["role", "aria-label", "aria-roledescription"]) place.removeAttribute(given);  // Vega calls every chart by its own name
    const drawing = place.querySelector("svg");
    drawing.setAttribute("role", "img");
    drawing.setAttribute("aria-label", about);
    place.dataset.drawn = "yes";
  } catch (error) {
    place.append(h("p.note", `This chart could not be drawn: ${error.message}. Its numbers are in the table.`));
    place.dataset.failed = error.message;
    console.error(error);
  }
}

/// What a chart draws as rows and columns, where no table of it is given: the largest of its data.
function ownNumbers(spec) {
  const parts = (one) => [one.data?.values ?? [], ...(one.layer ?? []).flatMap(parts)];
  const rows = parts(typeof spec === "function" ? spec({ narrow: false, width: 800 }) : spec).reduce((most, one) => (one.length > most.length ? one : most), []);
  const keys = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter((key) => rows.every((row) => row[key] === null || typeof row[key] !== "object"));
  return { rows, columns: keys.map((key) => ({ key, label: key, number: rows.every((row) => isNumber(row[key])) })) };
}

/// Saves the drawing in `place`: as drawn, as a picture, as numbers.
export function saveMenu(place, name, numbers) {
  const file = fileName(name), drawing = () => place.querySelector("svg");
  const ways = [["SVG", () => save(`${file}.svg`, svgText(drawing()).text, "image/svg+xml")], ["PNG", async () => save(`${file}.png`, await pngBlob(drawing()))],
                ["CSV", () => save(`${file}.csv`, csvText(numbers()), "text/csv;charset=utf-8")]];
  const menu = h("details.menu", h("summary", { "aria-label": `Save the chart: ${name}` }, "Save"),
    h("div.choices", ways.map(([label, act]) => h("button.quiet", { type: "button", "aria-label": `Save as ${label}: ${name}`, onclick: async () => {
      await act();
      menu.open = false;
    } }, label))));
  return closeOnEscape(menu);
}

/// A figure. spec: a Vega-Lite chart, or a function of {narrow, width} that returns one. caption: a line above it; about: the
/// sentence that is its name to a screen reader; numbers: what `table` takes, folded under it; under: between the two, a legend; name: of saved files.
export function chart(spec, { caption = null, about, numbers = null, name = null, under = null }) {
  const place = h("div.chart");
  const title = name ?? (typeof caption === "string" ? caption : null) ?? about.replace(/[:;,.] .*|\.$/s, "");
  later(() => drawn(place, spec, about));
  return h("figure", caption && h("figcaption", caption), place, under,
    h("div.chart-foot", numbers && foldable("The numbers", table(numbers)), saveMenu(place, title, () => numbers ?? ownNumbers(spec))));
}

export const allDrawn = () => queue;

/// Charts beside each other: those that fit a screen are shown, the others are a click away.
function grid(kind, most, figures) {
  const all = figures.flat(Infinity).filter(Boolean);
  const limit = window.matchMedia("(max-width: 40rem)").matches ? Math.min(most, 2) : most;
  const shown = all.length <= limit + 1 ? all.length : limit, left = all.length - shown;
  const box = (some) => h(`div.${kind}`, some);
  return left > 0 ? h("div", box(all.slice(0, shown)), foldable(`${left} more charts`, box(all.slice(shown)))) : box(all);
}
export const gallery = (...figures) => grid("gallery", 4, figures);
export const thirds = (...figures) => grid("gallery.thirds", 3, figures);
