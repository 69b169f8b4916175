// The command that does this, to copy.
import { h } from "../dom.js";
import { commandBox, commandLine } from "../view.js";

/// A place for the command of a result; set(null) empties it.
export function commandPlace(label = "The command that does this") {
  const element = h("div.command-line", { hidden: true });
  return {
    element,
    set: (result) => {
      element.hidden = !result;
      element.replaceChildren(...(result ? [h("p.command-label", label), commandBox(commandLine(result))] : []));
    },
  };
}
