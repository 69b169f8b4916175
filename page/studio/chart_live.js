// Both bounds over time while they close in, and the value of every start by epoch: lines that are redrawn as news comes.
import { fittedToEnds } from "../axis.js";
import { h } from "../dom.js";
import { atMost, down, fixed, isNumber, seconds as secondsText, up } from "../format.js";
import { axes, figure, listed, s } from "./svg.js";

const colours = [
  "var(--series-1)",
  "var(--series-2)",
  "var(--series-3)",
  "var(--series-4)",
  "var(--series-5)",
  "var(--series-6)",
  "var(--series-7)",
  "var(--series-8)",
];
const dashes = [null, "6 3", "2 2", "8 3 2 3", "4 4", "10 2", "1 3", "12 3"];

const path = (points) => points.map(([x, y], k) => `${k ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");
const stepped = (points) => points.flatMap((point, k) => (k ? [[point[0], points[k - 1][1]], point] : [point]));

/// series: {name, colour?, points: [[x, y], ...], step?}; drawn on one axis.
export function lines({ name, xTitle, yTitle, height = 260, band = false }) {
  const svg = s("svg", { class: "live" }),
    legend = h("ul.legend", { "aria-label": "Legend" });
  let series = [],
    waiting = false;
  function draw() {
    waiting = false;
    const width = Math.max(300, svg.parentElement?.clientWidth ?? 640);
    const drawn = series.filter((one) => one.points.length > 0),
      all = drawn.flatMap((one) => one.points);
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    if (!all.length) return svg.replaceChildren();
    const xs = all.map(([x]) => x),
      ends = drawn.map((one) => one.points.at(-1)[1]),
      xMost = Math.max(...xs);
    const y = fittedToEnds(
        all.map((point) => point[1]),
        ends,
      ).scale.domain,
      frame = axes({ width, height, x: [Math.min(0, ...xs), xMost > 0 ? xMost : 1], y, xTitle, yTitle });
    const cut = (value) => Math.min(Math.max(value, y[0]), y[1]),
      place = (one) => (one.step ? stepped(one.points) : one.points).map(([x, v]) => [frame.px(x), frame.py(cut(v))]);
    const shade =
      band && drawn.length === 2 && drawn.every((one) => one.points.length)
        ? s("path", {
            d: `${path(place(drawn[0]))}${path(place(drawn[1]).reverse()).replace("M", "L")}Z`,
            fill: "var(--span)",
            "fill-opacity": 0.35,
          })
        : null;
    svg.replaceChildren(
      ...[
        frame.elements,
        shade,
        drawn.map((one) => [
          s("path", {
            d: path(place(one)),
            fill: "none",
            stroke: one.colour,
            "stroke-width": 2,
            "stroke-dasharray": one.dash,
            "stroke-linejoin": "round",
          }),
          s("circle", {
            cx: frame.px(one.points.at(-1)[0]),
            cy: frame.py(cut(one.points.at(-1)[1])),
            r: 3.5,
            fill: one.colour,
          }),
        ]),
      ]
        .flat(Infinity)
        .filter(Boolean),
    );
    svg.setAttribute(
      "aria-label",
      `${yTitle} by ${xTitle}: ${drawn
        .slice(0, 8)
        .map((one) => `${one.name} from ${fixed(one.points[0][1], 4)} to ${fixed(one.points.at(-1)[1], 4)}`)
        .join("; ")}.`,
    );
  }
  const element = h(
    "div",
    legend,
    figure(svg, {
      about: `${yTitle} by ${xTitle}.`,
      name,
      numbers: () =>
        listed(
          ["series", xTitle, yTitle],
          series.flatMap((one) => one.points.map(([x, v]) => [one.name, x, v])),
        ),
    }),
  );
  const later = () => {
    if (!waiting) {
      waiting = true;
      requestAnimationFrame(draw);
    }
  };
  new ResizeObserver(later).observe(element);
  return {
    element,
    set(next) {
      series = next.map((one, k) => ({
        ...one,
        colour: one.colour ?? colours[k % 8],
        dash: one.dash === undefined ? dashes[k % 8] : one.dash,
      }));
      element.hidden = !series.some((one) => one.points.length > 0);
      legend.replaceChildren(
        ...series.map((one) =>
          h(
            "li",
            s(
              "svg",
              { viewBox: "0 0 24 12", width: 24, height: 12, "aria-hidden": "true" },
              s("path", { d: "M0 6h24", stroke: one.colour, "stroke-width": 2.5, "stroke-dasharray": one.dash }),
            ),
            " ",
            one.name,
          ),
        ),
      );
      later();
    },
  };
}

/// What a run has told so far: bounds over time, starts with their epochs.
export function record() {
  const lower = [],
    upper = [],
    starts = [];
  return {
    lower,
    upper,
    starts,
    hear(event, data) {
      if (event === "bounds") {
        if (isNumber(data.lower)) lower.push([data.seconds, data.lower]);
        if (isNumber(data.upper)) upper.push([data.seconds, data.upper]);
      } else if (event === "start") starts.push({ name: data.name, points: [] });
      else if (event === "epoch") starts[data.start]?.points.push([data.epoch, data.value]);
    },
    /// The ends as the answer has them, at its time.
    settle(result) {
      const low = result.elbo_lower ?? result.elbo ?? result.log_z_lower,
        high = result.upper_bound ?? result.log_z_upper;
      if (isNumber(low) && lower.length) lower.push([result.seconds, Math.max(low, lower.at(-1)[1])]);
      if (isNumber(high) && upper.length) upper.push([result.seconds, Math.min(high, upper.at(-1)[1])]);
    },
  };
}

export const bounds = (heard, what = "ELBO") => [
  { name: `${what}, attained`, colour: "var(--lower)", dash: null, step: true, points: heard.lower },
  { name: "upper bound", colour: "var(--upper)", dash: null, step: true, points: heard.upper },
];

/// `what`: the number that is closed in on, "the best ELBO" or "log Z".
export function gapWords(heard, what) {
  const low = heard.lower.at(-1)?.[1],
    high = heard.upper.at(-1)?.[1];
  if (!isNumber(low)) return "Nothing is known yet.";
  if (!isNumber(high)) return `At least ${down(low)} is ${what}; from above nothing is known yet.`;
  const gap = Math.max(0, high - low),
    part = gap / Math.max(1, Math.abs(low));
  if (part <= 1e-6) return `Closed: ${what} is ${down(low)}.`;
  return `${what[0].toUpperCase()}${what.slice(1)} is between ${down(low)} and ${up(high)}: a certified gap of ${atMost(gap)}, ${atMost(100 * part)} % of the value, after ${secondsText(Math.max(heard.lower.at(-1)[0], heard.upper.at(-1)[0]))}.`;
}

/// Where the answer stands over the starts, in words and, where work after them has raised it, as a line of its own.
export function answerLine(starts, elbo) {
  const points = starts.flatMap((one) => one.points),
    best = Math.max(...starts.filter((one) => one.points.length).map((one) => one.points.at(-1)[1]));
  if (!isNumber(elbo) || !(elbo > best + 1e-9 * Math.max(1, Math.abs(best)))) return ["The best end is the answer.", null];
  const last = points.reduce((most, [epoch]) => Math.max(most, epoch), 0);
  return [
    "The answer is above them all: the proof has found a better point.",
    { name: "the answer", colour: "var(--ink)", dash: "3 3", points: [[0, elbo], [last, elbo]] },
  ];
}
