// One bar a name, longest first. Where the chart is narrow a name stands above its bar, so that it can be read in full.
import { chart } from "./chart.js";
import { down, isNumber, shortened, up } from "./format.js";
import { probabilities } from "./axis.js";

const kCharacter = 6.4;  // pixels, about, of the labels' font

/// rows: {name, value, low?, high?}, in the order to be drawn; low and high are the ends of an interval for what the value
/// approximates, drawn over the bar, which is then pale. Options as those of chart(), and title: of the axis.
export function bars(rows, { title, colour = "var(--series-1)", scale = probabilities(rows.flatMap((row) => [row.value, row.high])), ...options }) {
  const spec = ({ narrow, width }) => {
    const labels = shortened(rows.map((row) => row.name), Math.max(12, Math.floor((narrow ? width - 30 : 0.5 * width) / kCharacter)));
    const values = rows.map((row, k) => ({ place: k, label: labels[k], name: row.name, value: row.value, low: row.low, high: row.high, ends: isNumber(row.low) && isNumber(row.high) ? `${down(row.low)} to ${up(row.high)}` : "" }));
    const spans = values.filter((row) => row.ends), end = (field) => ({ field, type: "quantitative", scale });
    const over = { yOffset: narrow ? 7 : 0, color: "var(--ink)" };
    const inside = 0.88 * scale.domain[1];
    const y = narrow ? { field: "place", type: "ordinal", axis: null } : { field: "label", type: "nominal", sort: null, axis: { title: null, labelLimit: 0.52 * width } };
    const number = (field, test, mark) => ({ transform: [{ calculate: "max(datum.value, datum.high || 0)", as: "edge" }, { filter: test }], mark: { type: "text", fontSize: 11, baseline: "middle", yOffset: narrow ? 7 : 0, ...mark },
                                             encoding: { x: { field: mark.align === "left" ? "edge" : "value", type: "quantitative", scale }, text: { field, format: ".3f", type: "quantitative" } } });
    return {
      height: { step: narrow ? 32 : 20 },
      data: { values },
      encoding: { y, x: { field: "value", type: "quantitative", scale, axis: { title, tickCount: 5, titlePadding: 4 } } },
      layer: [
        { mark: { type: "bar", height: narrow ? 10 : 13, yOffset: narrow ? 7 : 0, color: spans.length ? "var(--span)" : colour }, encoding: { tooltip: [{ field: "name", title: "item" }, { field: "value", format: ".6f" }] } },
        { data: { values: spans }, mark: { type: "rule", strokeWidth: 3, ...over }, encoding: { x: end("low"), x2: { field: "high" } } },
        { data: { values: spans }, mark: { type: "tick", thickness: 2, height: 15, ...over }, encoding: { x: end("low"), tooltip: [{ field: "name", title: "item" }, { field: "ends", title: "of p(S)" }] } },
        { data: { values: spans }, mark: { type: "tick", thickness: 2, height: 15, ...over }, encoding: { x: end("high"), tooltip: [{ field: "name", title: "item" }, { field: "ends", title: "of p(S)" }] } },
        ...(spans.length ? [] : [number("value", `datum.value > ${inside}`, { align: "right", dx: -4, color: "var(--on-bar)" })]),
        number("value", spans.length ? "true" : `datum.value <= ${inside}`, { align: "left", dx: 4 }),
        ...(narrow ? [{ mark: { type: "text", align: "left", baseline: "middle", yOffset: -6, x: 0, dx: 1, color: "var(--ink)" }, encoding: { x: null, text: { field: "label" } } }] : []),
      ],
    };
  };
  return chart(spec, options);
}
