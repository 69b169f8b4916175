// A file of sets: what it holds, a model learned from it, how many dimensions it bears, and how well an open model foretells it.
import { block, facts, h, note } from "../dom.js";
import { count, fixed } from "../format.js";
import { table } from "../table.js";
import { view } from "../view.js";
import * as api from "./api.js";
import { commandPlace } from "./command.js";
import { choice, control, numberInput } from "./live.js";

const what = {
  fit: "Learn a model (fit)",
  select: "How many dimensions? (select)",
  evaluate: "How good is a model of them? (evaluate)",
};
const families = (learners) =>
  Object.fromEntries(
    [...learners]
      .reverse() // the usual method of a model comes first in the list, so it is what stays
      .map(({ model, about }) => [model, model === "auto" ? "the best of the families" : `${model}: ${about.split(",")[0]}`])
      .sort(([a], [b]) => (b === "auto") - (a === "auto")),
  );
const dimensional = ["flid", "fldc", "dpp"];

/// open: the models that are open; learners: what can be learned, as the server lists it; onMade: called when a model was learned, gives it.
export function setsView(sets, place, { open, learners, onMade }) {
  const question = choice(what, "fit"),
    model = choice(families(learners), "auto"),
    dims = numberInput(5, { min: 0, max: 100, step: 1 }),
    tried = h("input", { type: "text", value: "1,2,3,5", pattern: "\\d+(,\\d+)*" }),
    folds = numberInput(3, { min: 2, max: 20, step: 1 }),
    seed = numberInput(1, { min: 0, step: 1 }),
    judged = choice(Object.fromEntries(open.map((file) => [file.id, file.name])));
  const only = {
    judged: control("Model to judge", judged),
    model: control("Model", model),
    dims: control("Dimensions", dims),
    tried: control("Dimensions to try", tried),
    folds: control("Folds", folds),
    seed: control("Seed", seed),
  };
  const start = h("button.main", { type: "submit" }, "Run"),
    stop = h("button.quiet", { type: "button", disabled: true }, "Stop"),
    words = h("p.gap", { role: "status" }),
    bar = h("progress", { max: 1, "aria-label": "Done so far", hidden: true }),
    fault = h("p.notice", { role: "alert", hidden: true });
  const command = commandPlace(),
    answer = h("div.answer-place");
  const show = () => {
    const kind = question.value;
    only.model.hidden = kind !== "fit";
    only.dims.hidden = kind !== "fit" || !dimensional.includes(model.value);
    only.tried.hidden = only.folds.hidden = kind !== "select";
    only.judged.hidden = kind !== "evaluate";
    only.seed.hidden = kind === "evaluate";
  };
  question.addEventListener("change", show);
  model.addEventListener("change", show);
  show();
  let number = null;
  const asked = {
    fit: () => ({
      file: sets.id,
      options: {
        model: model.value,
        seed: Number(seed.value),
        ...(dimensional.includes(model.value) ? { dims: Number(dims.value) } : {}),
      },
    }),
    select: () => ({
      file: sets.id,
      options: { dims: tried.value.split(",").map(Number), folds: Number(folds.value), seed: Number(seed.value) },
    }),
    evaluate: () => ({ file: judged.value, sets: sets.id, options: {} }),
  };
  async function run(event) {
    event.preventDefault();
    start.disabled = true;
    stop.disabled = false;
    fault.hidden = true;
    bar.hidden = false;
    bar.removeAttribute("value");
    answer.replaceChildren();
    command.set(null);
    words.textContent = "Working\u2026";
    try {
      const kind = question.value,
        result = await api.ask({ command: kind, ...asked[kind]() }, (name, data) => {
          if (name === "run") number = data.number;
          if (name === "progress") {
            bar.value = data.share ?? Math.min(1, data.done / Math.max(1, data.most));
            words.textContent =
              data.share === undefined
                ? `${data.done} of at most ${data.most}, objective ${fixed(data.objective, 4)}`
                : `${Math.round(100 * data.share)} % done`;
          }
        });
      words.textContent = "Done.";
      command.set(result);
      answer.replaceChildren(view([{ file: sets.name, label: "", result }], "answer").element());
      if (kind === "fit") {
        const made = await onMade();
        if (made) words.replaceChildren("Done: it is open as ", h("a", { href: `#file=${made.id}&view=model` }, made.name), ".");
      }
    } catch (error) {
      fault.textContent = error.message;
      fault.hidden = false;
      words.textContent = "";
    } finally {
      start.disabled = false;
      stop.disabled = true;
      bar.hidden = true;
    }
  }
  const form = h("form.controls", control("Question", question), Object.values(only), h("div.buttons", start, stop));
  form.addEventListener("submit", run);
  stop.addEventListener("click", () => {
    if (number !== null) api.stop(number);
  });
  const rows = sets.items.map((item, i) => ({ item, count: sets.counts[i], share: sets.counts[i] / sets.sets }));
  place.replaceChildren(
    h(
      "article.result",
      h("p.file", h("span.command", "sets"), h("span.file-name", sets.name)),
      h("h2.view-title", `${count(sets.sets, "set")} of ${count(sets.n, "item")}`),
      note(sets.understood),
      form,
      fault,
      words,
      bar,
      command.element,
    ),
    answer,
    h(
      "article.result",
      block(
        "The sets",
        facts([
          ["Sets", sets.sets],
          ["Items", sets.n],
          ["Mean size", fixed(sets.counts.reduce((a, b) => a + b, 0) / sets.sets, 2)],
          ["Largest", sets.sizes.length - 1],
          ["Empty", sets.sizes[0] ?? 0],
        ]),
      ),
      block(
        "Items by how often they occur",
        table({
          caption: "Every item",
          rows,
          step: 15,
          sort: { key: "count", descending: true },
          columns: [
            { key: "item", label: "Item" },
            {
              key: "share",
              label: "Share of the sets",
              number: true,
              digits: 4,
              bar: Math.max(...rows.map((row) => row.share)),
            },
            { key: "count", label: "Sets", number: true, show: String },
          ],
        }),
      ),
    ),
  );
}
