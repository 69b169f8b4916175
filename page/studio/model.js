// What a model is: its kind and items, pictures of its terms, what each item is worth alone.
import { block, facts, h, note } from "../dom.js";
import { count, itemName } from "../format.js";
import { table } from "../table.js";
import { answer } from "../view.js";
import { fieldPicture } from "./field_picture.js";
import { groupPicture, interactionPicture } from "./pictures.js";

export const namesOf = (model) =>
  Array.from({ length: model.n }, (_, i) => itemName(model.items?.length ? model.items : null, i));

export function modelView(model, place) {
  const names = namesOf(model),
    width = Math.max(320, Math.min(960, place.clientWidth - 48)),
    { alone, pairs, groups, whole } = model.picture;
  const picture = [
    groupPicture(model, names, width),
    fieldPicture(model, names, width),
    interactionPicture(model, names, width),
  ];
  place.replaceChildren(
    h(
      "article.result",
      h("p.file", h("span.command", "model"), h("span.file-name", model.name)),
      h("h2.view-title", `${model.kind}, ${count(model.n, "item")}`),
      answer({
        level: model.violation ? "open" : "sure",
        text: model.violation
          ? `Not log-submodular as it stands: ${model.violation}. Where flips of variables mend it they are made; else bounds by spectra and edges still apply.`
          : "Log-submodular: every answer about it carries a certificate.",
      }),
      block(
        "The model",
        facts([
          ["Kind", model.kind],
          ["Items", model.n],
          ["Named", model.items?.length ? "yes" : "no: by number"],
          ["Items forced in or out", model.box.length || null],
          ["Pairs", pairs.length || null],
          ["Groups", groups.length || null],
          ["Terms shown", whole ? null : "a part: the model is large"],
        ]),
      ),
      picture,
      alone.length > 0 &&
        block(
          "Items by themselves",
          note("What each item adds to F where no other is in."),
          table({
            caption: "Gains of the items alone",
            step: 12,
            sort: { key: "gain", descending: true },
            rows: alone.map((gain, i) => ({ item: names[i], gain })),
            columns: [
              { key: "item", label: "Item" },
              { key: "gain", label: "Gain", number: true, digits: 4 },
            ],
          }),
        ),
    ),
  );
}
