// Runs side by side: values, gaps, times, both bounds over time on one axis, and where the marginals differ.
import { rowOf } from "../commands.js";
import { block, h, note } from "../dom.js";
import { save } from "../export.js";
import { fixed, isNumber, itemName, seconds } from "../format.js";
import { labels } from "../same.js";
import { table } from "../table.js";
import { commandBox, commandLine } from "../view.js";
import * as api from "./api.js";
import { lines, record } from "./chart_live.js";
import { state } from "./state.js";

const lowOf = (result) => result.elbo ?? result.log_z_lower ?? result.lower ?? null,
  highOf = (result) => result.upper_bound ?? result.log_z_upper ?? result.upper ?? null;

/// What a run was asked, so that runs of one model can be told apart before they are chosen.
const asked = (options) =>
  Object.entries(options ?? {})
    .map(([name, value]) => (value === true ? name : `${name} ${Array.isArray(value) ? value.slice(0, 6).join(", ") + (value.length > 6 ? " …" : "") : value}`))
    .join(", ");

export async function compareView(place) {
  const wanted = new Set(state.list("runs")),
    list = await api.history_();
  const shown = h("div"),
    report = h("button.main", { type: "button", disabled: true }, "Report of these"),
    remove = h("button.quiet", { type: "button", disabled: true }, "Forget these"),
    count = h("p.note", { role: "status" });
  const cache = new Map();
  const boxes = list.map((row) =>
    h(
      "label.run",
      h("input", {
        type: "checkbox",
        value: row.id,
        checked: wanted.has(row.id),
        onchange: (event) => {
          if (event.target.checked) wanted.add(row.id);
          else wanted.delete(row.id);
          state.set({ runs: [...wanted].sort((a, b) => a - b) }, { replace: true });
          draw();
        },
      }),
      h(
        "span",
        h("strong", `${row.id} ${row.command}`),
        ` ${row.name} `,
        h("small", [asked(row.options), new Date(row.at).toLocaleString()].filter(Boolean).join(" · ")),
      ),
    ),
  );

  async function draw() {
    const ids = list
      .map((row) => row.id)
      .filter((id) => wanted.has(id))
      .sort((a, b) => a - b);
    report.disabled = remove.disabled = ids.length === 0;
    count.textContent = ids.length
      ? `${ids.length} chosen.`
      : list.length
        ? "Choose runs to see them side by side."
        : "There are no runs yet: ask something under Inference.";
    const runs = await Promise.all(
      ids.map(async (id) => {
        if (!cache.has(id))
          cache.set(id, {
            row: list.find((row) => row.id === id),
            result: await api.run(id),
            news: await api.news(id),
          });
        return cache.get(id);
      }),
    );
    if (!runs.length) return shown.replaceChildren();
    const names = labels(runs.map((run) => ({ file: run.row.name, result: run.result }))).map(
      (label, k) => `${label} (${runs[k].row.id})`,
    );
    const rows = runs.map((run, k) => ({
      title: names[k],
      file: run.row.name,
      sure: rowOf(run.result).sure?.(run.result)?.short ?? run.result.status ?? "",
      low: lowOf(run.result),
      high: highOf(run.result),
      gap: isNumber(lowOf(run.result)) && isNumber(highOf(run.result)) ? highOf(run.result) - lowOf(run.result) : null,
      log_z_lower: run.result.log_z_lower,
      log_z_upper: run.result.log_z_upper,
      seconds: run.result.seconds,
      command: commandLine(run.result),
    }));
    const over = lines({ name: "Bounds over time", xTitle: "seconds", yTitle: "value", height: 300 }),
      starts = lines({ name: "Trajectories", xTitle: "epoch", yTitle: "ELBO", height: 280 });
    const heard = runs.map((run) => {
      const one = record();
      for (const { event, data } of run.news) one.hear(event, data);
      one.settle(run.result);
      return one;
    });
    const series = heard
      .flatMap((one, k) => [
        {
          name: `${names[k]}, attained`,
          colour: `var(--series-${(k % 8) + 1})`,
          dash: null,
          step: true,
          points: one.lower,
        },
        {
          name: `${names[k]}, upper bound`,
          colour: `var(--series-${(k % 8) + 1})`,
          dash: "5 3",
          step: true,
          points: one.upper,
        },
      ])
      .filter((one) => one.points.length);
    const best = heard
      .map((one, k) => {
        const ended = one.starts.filter((start) => start.points.length > 1);
        const top = ended.reduce((a, b) => (!a || b.points.at(-1)[1] > a.points.at(-1)[1] ? b : a), null);
        if (!top) return null;
        const elbo = runs[k].result.elbo, // of a proof that has found a better point: its last step
          raised = isNumber(elbo) && elbo > top.points.at(-1)[1] ? [[top.points.at(-1)[0], elbo]] : [];
        return { name: names[k], colour: `var(--series-${(k % 8) + 1})`, points: [...top.points, ...raised] };
      })
      .filter(Boolean);
    shown.replaceChildren(
      ...[
        block(
          "Side by side",
          table({
            caption: "The chosen runs",
            rows,
            columns: [
              { key: "title", label: "Run", show: (text, row) => h("span", text, h("small", row.file)) },
              { key: "sure", label: "What is certain" },
              { key: "low", label: "Attained", number: true, digits: 4, end: "lower" },
              { key: "high", label: "Upper bound", number: true, digits: 4, end: "upper" },
              { key: "gap", label: "Gap", number: true, digits: 6 },
              { key: "seconds", label: "Time", number: true, show: seconds },
            ],
          }),
        ),
        series.length > 0 && block("Bounds over time", over.element),
        best.length > 0 && block("Trajectories", note("The best start of each run, and what the proof has added to it."), starts.element),
        differences(runs, names),
        block(
          "The commands",
          rows.map((row) => commandBox(row.command)),
        ),
      ].filter(Boolean),
    );
    over.set(series);
    starts.set(best);
  }

  /// Of runs over the same items: the marginals beside each other, the greatest difference first.
  function differences(runs, names) {
    const having = runs
      .map((run, k) => ({ run, name: names[k], marginals: run.result.marginals }))
      .filter((one) => Array.isArray(one.marginals) && one.marginals.every(isNumber));
    const n = having[0]?.marginals.length,
      same = having.filter((one) => one.marginals.length === n);
    if (same.length < 2) return null;
    const rows = Array.from({ length: n }, (_, i) => {
      const values = same.map((one) => one.marginals[i]);
      return {
        item: itemName(same[0].run.result.model?.items?.length ? same[0].run.result.model.items : null, i),
        ...Object.fromEntries(values.map((value, k) => [`m${k}`, value])),
        spread: Math.max(...values) - Math.min(...values),
      };
    });
    const worst = rows.reduce((a, b) => (b.spread > a.spread ? b : a));
    return block(
      "Differences of marginals",
      note(
        worst.spread < 1e-6
          ? "The marginals are the same."
          : `They differ most for ${worst.item}: by ${fixed(worst.spread, 4)}.`,
      ),
      table({
        caption: "Marginals by run",
        rows,
        step: 12,
        sort: { key: "spread", descending: true },
        columns: [
          { key: "item", label: "Item" },
          ...same.map((one, k) => ({ key: `m${k}`, label: one.name, number: true, digits: 4 })),
          { key: "spread", label: "Spread", number: true, digits: 4 },
        ],
      }),
    );
  }

  report.addEventListener("click", async () =>
    save("report.html", await api.reportOf([...wanted].sort((a, b) => a - b))),
  );
  remove.addEventListener("click", async () => {
    for (const id of wanted) await api.forget(id);
    state.set({ runs: null }, { replace: true });
    compareView(place);
  });
  place.replaceChildren(
    h(
      "article.result",
      h("p.file", h("span.command", "compare")),
      h("h2.view-title", "Compare runs"),
      h("fieldset.runs", h("legend", "History, the latest first"), boxes),
      count,
      h("div.buttons", report, remove),
      shown,
    ),
  );
  await draw();
}
