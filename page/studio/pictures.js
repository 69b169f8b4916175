// Pictures of a model by its terms: items by groups, and who replaces or goes with whom.
import { block, h, note } from "../dom.js";
import { count, isNumber } from "../format.js";
import { table } from "../table.js";
import { matrix } from "./matrix.js";

const kinds = { best: "dimension", cover: "concept", cut: "cut", concave: "group", product: "product" };

/// Items that weigh in the same group stand together: by their heaviest group, then by weight.
function sortedItems(n, groups) {
  const best = Array.from({ length: n }, () => [groups.length, 0]);
  groups.forEach((group, g) => {
    for (const [i, value] of group.members)
      if (Math.abs(value * group.weight) > Math.abs(best[i][1])) best[i] = [g, value * group.weight];
  });
  return Array.from({ length: n }, (_, i) => i).sort(
    (a, b) => best[a][0] - best[b][0] || Math.abs(best[b][1]) - Math.abs(best[a][1]),
  );
}

export function groupPicture(model, names, width) {
  const groups = model.picture.groups;
  if (!groups.length) return null;
  const kind = kinds[groups[0].kind] ?? "group",
    shown = groups.slice(0, 60);
  const order = sortedItems(model.n, shown).slice(0, 150),
    place = new Map(order.map((i, row) => [i, row]));
  const cells = shown.flatMap((group, g) =>
    group.members.filter(([i]) => place.has(i)).map(([i, value]) => [place.get(i), g, value * group.weight]),
  );
  return block(
    kind === "dimension" ? "Weights by dimension" : `Which items are in which ${kind}`,
    note(
      `A row an item, a column a ${kind}; the stronger the colour, the greater the weight. Items that are strong in the same ${kind} stand together${kind === "dimension" ? ": they replace each other" : ""}.${groups.length > shown.length || model.n > order.length ? ` Shown are ${shown.length} of ${groups.length} and ${order.length} of ${model.n} items.` : ""}`,
    ),
    matrix({
      rows: order.length,
      columns: shown.length,
      cells,
      rowNames: order.map((i) => names[i]),
      columnNames: shown.map((_, g) => String(g + 1)),
      width,
      name: `Weights by ${kind}`,
      about: `Matrix of ${count(order.length, "item")} by ${count(shown.length, kind)} with ${cells.length} weights.`,
    }),
  );
}

export function interactionPicture(model, names, width) {
  const rows = model.picture.interaction;
  if (!Array.isArray(rows) || rows.length < 2) return null;
  const order = model.picture.groups.length ? sortedItems(model.n, model.picture.groups) : names.map((_, i) => i);
  const cells = order
    .flatMap((i, row) => order.map((j, column) => [row, column, rows[i][j] ?? 0]))
    .filter(([, , value]) => value !== 0);
  const pairs = rows
    .flatMap((row, i) => row.slice(i + 1).map((value, k) => ({ one: names[i], other: names[i + 1 + k], value })))
    .filter((pair) => isNumber(pair.value) && Math.abs(pair.value) > 1e-9)
    .sort((a, b) => Math.abs(b.value) - Math.abs(a.value));
  if (!pairs.length)
    return block("Which items replace or go with which", note("No two items have to do with each other."));
  const strongest = (sign) =>
    pairs
      .filter((pair) => Math.sign(pair.value) === sign)
      .slice(0, 3)
      .map((pair) => `${pair.one} and ${pair.other}`)
      .join("; ");
  return block(
    "Which items replace or go with which",
    note(
      `F of two items together less F of each alone: orange where one replaces the other${strongest(-1) ? ` (most: ${strongest(-1)})` : ""}, blue where they go together${strongest(1) ? ` (most: ${strongest(1)})` : ""}. Columns are the items in the same order.`,
    ),
    matrix({
      rows: model.n,
      columns: model.n,
      cells,
      rowNames: order.map((i) => names[i]),
      width: Math.min(width, 820),
      name: "Interaction",
      about: `Map of ${model.n} by ${model.n} items; ${count(pairs.length, "pair")} have to do with each other.`,
    }),
    h(
      "details.foldable",
      h("summary", "The strongest pairs as a table"),
      table({
        caption: "Pairs by how much they have to do with each other",
        rows: pairs.slice(0, 500),
        step: 10,
        columns: [
          { key: "one", label: "Item" },
          { key: "other", label: "Other" },
          { key: "value", label: "Together less alone", number: true, digits: 4 },
          { key: "means", label: "Means", of: (pair) => (pair.value < 0 ? "replace each other" : "go together") },
        ],
      }),
    ),
  );
}
