// The items of a what-if: a bar and two buttons each, found by name, in three orders.
import { h, note } from "../dom.js";
import { fixed } from "../format.js";

const most = 120; // rows shown at a time; the search reaches the others

/// put(i, "in" | "out") when a button is pressed; redraw() when the search or the order changes. `boxed`: items that the file itself fixes.
export function itemList(names, boxed, put, redraw) {
  const filter = h("input", { type: "search", placeholder: "Find an item", "aria-label": "Find an item" });
  const order = h(
    "select",
    { "aria-label": "Order" },
    h("option", { value: "marginal" }, "most probable first"),
    h("option", { value: "change" }, "most changed first"),
    h("option", { value: "item" }, "as in the model"),
  );
  const rows = h("ul.items", { "aria-label": "Items" }),
    was = note("The orange line is where the marginal was when this view was opened.");

  // One row an item, made once and moved, so that focus stays where it is.
  const row = names.map((name, i) => {
    const button = (where, label) =>
      h(
        "button.toggle",
        {
          type: "button",
          "aria-pressed": "false",
          "aria-label": `${label}: ${name}`,
          disabled: boxed.has(i),
          onclick: () => put(i, where),
        },
        where === "in" ? "In" : "Out",
      );
    const inside = button("in", "Force in"),
      outside = button("out", "Force out"),
      bar = h("span.fill", { "aria-hidden": "true" }),
      before = h("span.before", { "aria-hidden": "true" }),
      value = h("span.value");
    const element = h(
      "li.item",
      h("span.item-name", { title: name }, name),
      h("span.meter", before, bar),
      value,
      h("span.toggles", inside, outside),
    );
    return { i, name, element, inside, outside, bar, before, value };
  });

  /// now: {in, out}; marginals, and those of the beginning, or null.
  function draw(now, marginals, base) {
    const wanted = filter.value.trim().toLowerCase();
    const marginal = (i) => marginals?.[i] ?? 0,
      change = (i) => Math.abs(marginal(i) - (base?.[i] ?? marginal(i)));
    const sorted = row.filter((one) => !wanted || one.name.toLowerCase().includes(wanted));
    if (order.value !== "item")
      sorted.sort(
        (a, b) => (order.value === "marginal" ? marginal(b.i) - marginal(a.i) : change(b.i) - change(a.i)) || a.i - b.i,
      );
    for (const one of sorted.slice(0, most)) {
      const forced = now.in.includes(one.i) ? "in" : now.out.includes(one.i) ? "out" : null;
      one.inside.setAttribute("aria-pressed", String(forced === "in"));
      one.outside.setAttribute("aria-pressed", String(forced === "out"));
      one.element.dataset.forced = forced ?? (boxed.has(one.i) ? "fixed" : "");
      one.bar.style.width = `${(100 * marginal(one.i)).toFixed(2)}%`;
      one.before.style.left = `${(100 * (base?.[one.i] ?? 0)).toFixed(2)}%`;
      one.before.hidden = change(one.i) < 0.005;
      one.value.textContent = marginals ? fixed(marginal(one.i), 3) : "\u2013";
    }
    was.hidden = !row.some((one) => change(one.i) >= 0.005);
    const focused = document.activeElement;
    rows.replaceChildren(...sorted.slice(0, most).map((one) => one.element));
    if (focused && rows.contains(focused)) focused.focus({ preventScroll: true });
    rows.classList.toggle("empty", sorted.length === 0);
  }

  for (const element of [filter, order]) element.addEventListener("input", redraw);
  const element = h(
    "section.whatif-items",
    { "aria-label": "Items" },
    h("div.tools", filter, order),
    rows,
    was,
    names.length > most && note(`${most} of ${names.length} items are shown; the search finds the others.`),
  );
  return { element, draw };
}
