// What if: items clicked in or out, the inverse temperature moved; marginals, certificate and log Z follow.
import { rowOf } from "../commands.js";
import { h, note } from "../dom.js";
import { csvText, save } from "../export.js";
import { down, fixed, interval, seconds as secondsText, up } from "../format.js";
import { answer as sentence } from "../view.js";
import * as api from "./api.js";
import { commandPlace } from "./command.js";
import { itemList } from "./item_list.js";
import { namesOf } from "./model.js";
import { state, undoable } from "./state.js";
import { listed } from "./svg.js";

export function whatIfView(model, place) {
  const names = namesOf(model),
    n = model.n;
  const from = {
    in: state.list("in").filter((i) => i < n),
    out: state.list("out").filter((i) => i < n),
    beta: Number(state.get("beta")) || 1,
  };
  const answer = h("div.whatif-answer", { role: "status", "aria-live": "polite" }),
    fault = h("p.notice", { role: "alert", hidden: true }),
    took = h("p.note.took");
  const slider = h("input", {
      type: "range",
      min: -2,
      max: 2,
      step: 0.01,
      id: "beta-slider",
      "aria-label": "Inverse temperature",
    }),
    exact = h("input", {
      type: "number",
      min: 0.01,
      max: 100,
      step: "any",
      "aria-label": "Inverse temperature, exact",
    });
  const suggestions = h("div.suggestions"),
    chosen = h("p.chosen");
  const undo = h("button.quiet", { type: "button" }, "Undo"),
    redo = h("button.quiet", { type: "button" }, "Redo"),
    clear = h("button.quiet", { type: "button" }, "Start over"),
    link = h("button.quiet", { type: "button" }, "Copy link"),
    table = h("button.quiet", { type: "button" }, "Marginals as CSV");
  const command = commandPlace(),
    recommendCommand = commandPlace("The command that makes these suggestions");
  let result = null,
    base = null,
    asking = null,
    slideFrom = null,
    again = 0;

  const steps = undoable(from, (now) => {
    state.set({ in: now.in, out: now.out, beta: now.beta === 1 ? null : now.beta }, { replace: true });
    refresh();
  });
  const put = (i, where) => {
    const now = steps.now(),
      without = (list) => list.filter((j) => j !== i);
    const already = (where === "in" ? now.in : now.out).includes(i);
    steps.change({
      ...now,
      in: where === "in" && !already ? [...without(now.in), i] : without(now.in),
      out: where === "out" && !already ? [...without(now.out), i] : without(now.out),
    });
  };

  const list = itemList(names, new Set(model.box.map(([i]) => i)), put, draw);

  function draw() {
    const now = steps.now();
    slider.value = Math.log10(now.beta);
    exact.value = Number(now.beta.toPrecision(4));
    undo.disabled = !steps.canUndo();
    redo.disabled = !steps.canRedo();
    clear.disabled = !now.in.length && !now.out.length && now.beta === 1;
    const said = [
      now.in.length && `In: ${now.in.map((i) => names[i]).join(", ")}.`,
      now.out.length && `Out: ${now.out.map((i) => names[i]).join(", ")}.`,
    ].filter(Boolean);
    chosen.textContent = said.length ? said.join(" ") : "Nothing is forced in or out: press In or Out beside an item, or move the inverse temperature.";
    list.draw(now, result?.marginals ?? null, base);
  }

  async function refresh() {
    draw();
    asking?.abort();
    asking = new AbortController();
    const { signal } = asking,
      now = steps.now(),
      turn = ++again,
      begun = performance.now();
    const beta = now.beta === 1 ? {} : { beta: now.beta };
    place.dataset.busy = "yes";
    suggestions.setAttribute("aria-busy", "true"); // those shown are of the question before
    try {
      const found = await api.askQuick(
        { command: "infer", file: model.id, options: { in: now.in, out: now.out, ...beta } },
        signal,
      );
      if (turn !== again) return;
      result = found;
      base ??= found.marginals;
      fault.hidden = true;
      const elapsed = performance.now() - begun;
      answer.replaceChildren(
        ...[
          sentence(rowOf(found).sure(found)),
          h(
            "dl.numbers",
            h("div", h("dt", "ELBO"), h("dd", down(found.elbo_lower ?? found.elbo, 4))),
            h("div", h("dt", "Upper bound"), h("dd", up(found.upper_bound, 4))),
            h(
              "div",
              h("dt", found.log_z_exact ? "log Z, exact" : "log Z"),
              h("dd", interval(found.log_z_lower, found.log_z_upper, 4)),
            ),
          ),
        ].filter(Boolean),
      );
      took.textContent = `Answered in ${secondsText(elapsed / 1000)}, of which the model took ${secondsText(found.seconds)}.`;
      place.dataset.milliseconds = elapsed.toFixed(1);
      command.set(found);
      draw();
      delete place.dataset.busy;
      await suggest(now, beta, signal, turn);
    } catch (error) {
      if (error.name === "AbortError" || turn !== again) return;
      fault.textContent = error.message;
      fault.hidden = false;
      delete place.dataset.busy;
    }
  }

  async function suggest(now, beta, signal, turn) {
    const found = await api.askQuick(
      {
        command: "recommend",
        file: model.id,
        options: { have: now.in, out: now.out, count: 5, ...beta, explain: n <= 150 },
      },
      signal,
    );
    if (turn !== again) return;
    const effect = (list) => list.map((one) => `${one.name ?? names[one.item ?? one.index]}`).join(", ");
    suggestions.replaceChildren(
      h(
        "ol",
        found.suggestions.map((one) => {
          const i = one.item ?? one.index;
          return h(
            "li",
            h("button.quiet.suggest", { type: "button", onclick: () => turn === again && put(i, "in") }, `Add ${names[i]}`),
            h(
              "span.reason",
              ` probability ${fixed(one.marginal, 3)}, adds ${fixed(one.gain, 3)} to F${one.replaces.length ? `; replaces ${effect(one.replaces)}` : ""}${one.complements.length ? `; goes with ${effect(one.complements)}` : ""}.`,
            ),
          );
        }),
      ),
      note(found.exact ? "By exact marginals." : `By ${found.method}.`),
    );
    suggestions.removeAttribute("aria-busy");
    recommendCommand.set(found);
  }

  const beta = (value) => ({ ...steps.now(), beta: Math.min(100, Math.max(0.01, value)) });
  let timer = 0;
  slider.addEventListener("input", () => {
    slideFrom ??= steps.now();
    clearTimeout(timer);
    const next = Number((10 ** Number(slider.value)).toPrecision(3));
    exact.value = next;
    timer = setTimeout(() => steps.slide(beta(next)), 25);
  });
  slider.addEventListener("change", () => {
    clearTimeout(timer);
    const before = slideFrom ?? steps.now();
    slideFrom = null;
    steps.slide(beta(Number((10 ** Number(slider.value)).toPrecision(3))));
    steps.mark(before);
    draw();
  });
  exact.addEventListener("change", () => {
    if (Number(exact.value) > 0) steps.change(beta(Number(exact.value)));
  });
  undo.addEventListener("click", steps.undo);
  redo.addEventListener("click", steps.redo);
  clear.addEventListener("click", () => steps.change({ in: [], out: [], beta: 1 }));
  link.addEventListener("click", async () => {
    await navigator.clipboard.writeText(location.href);
    link.textContent = "Copied";
    setTimeout(() => {
      link.textContent = "Copy link";
    }, 1500);
  });
  table.addEventListener(
    "click",
    () =>
      result &&
      save(
        "marginals.csv",
        csvText(
          listed(
            ["item", "marginal"],
            names.map((name, i) => [name, result.marginals[i]]),
          ),
        ),
        "text/csv;charset=utf-8",
      ),
  );
  const leaving = new AbortController();
  document.addEventListener(
    "keydown",
    (event) => {
      if (!(event.ctrlKey || event.metaKey) || event.target.matches("input[type=search], input[type=number]")) return;
      if (event.key.toLowerCase() !== "z") return;
      event.preventDefault();
      if (event.shiftKey) steps.redo();
      else steps.undo();
    },
    { signal: leaving.signal },
  );

  place.replaceChildren(
    h(
      "article.result",
      h("p.file", h("span.command", "what if"), h("span.file-name", model.name)),
      h("h2.view-title", "What if?"),
      chosen,
      h("div.buttons", undo, redo, clear, link, table),
      fault,
      answer,
      took,
      h(
        "div.whatif",
        list.element,
        h(
          "section.whatif-side",
          { "aria-label": "Temperature and suggestions" },
          h("h3.part-title", "Inverse temperature"),
          note("Above 1 the model is surer of itself, below 1 less."),
          h("div.beta", slider, exact),
          h("h3.part-title", "What goes with it"),
          suggestions,
        ),
      ),
      command.element,
      recommendCommand.element,
    ),
  );
  refresh();
  return {
    end: () => {
      asking?.abort();
      leaving.abort();
    },
  };
}
