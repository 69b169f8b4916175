// One bar a name, longest first. Where the chart is narrow a name stands above its bar, so that it can be read in full.
import { chart } from "./chart.js";
import { shortened } from "./format.js";
import { probabilities } from "./axis.js";

const kCharacter = 6.4;  // pixels, about, of the labels' font

/// rows: {name, value}, in the order to be drawn; options as those of chart(), and title: of the axis.
export function bars(rows, { title, colour = "var(--series-1)", scale = probabilities(rows.map((row) => row.value)), ...options }) {
  const spec = ({ narrow, width }) => {
    const labels = shortened(rows.map((row) => row.name), Math.max(12, Math.floor((narrow ? width - 30 : 0.5 * width) / kCharacter)));
    const values = rows.map((row, k) => ({ place: k, label: labels[k], name: row.name, value: row.value }));
    const inside = 0.88 * scale.domain[1];
    const y = narrow ? { field: "place", type: "ordinal", axis: null } : { field: "label", type: "nominal", sort: null, axis: { title: null, labelLimit: 0.52 * width } };
    const number = (field, test, mark) => ({ transform: [{ filter: test }], mark: { type: "text", fontSize: 11, baseline: "middle", yOffset: narrow ? 7 : 0, ...mark },
                                             encoding: { text: { field, format: ".3f", type: "quantitative" } } });
    return {
      height: { step: narrow ? 32 : 20 },
      data: { values },
      encoding: { y, x: { field: "value", type: "quantitative", scale, axis: { title, tickCount: 5, titlePadding: 4 } } },
      layer: [
        { mark: { type: "bar", height: narrow ? 10 : 13, yOffset: narrow ? 7 : 0, color: colour }, encoding: { tooltip: [{ field: "name", title: "item" }, { field: "value", format: ".6f" }] } },
        number("value", `datum.value > ${inside}`, { align: "right", dx: -4, color: "var(--on-bar)" }),
        number("value", `datum.value <= ${inside}`, { align: "left", dx: 4 }),
        ...(narrow ? [{ mark: { type: "text", align: "left", baseline: "middle", yOffset: -6, x: 0, dx: 1, color: "var(--ink)" }, encoding: { x: null, text: { field: "label" } } }] : []),
      ],
    };
  };
  return chart(spec, options);
}
