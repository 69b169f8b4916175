// The command that does this, to copy.
import { h } from "../dom.js";
import { shell } from "../format.js";

export const commandText = (argumentsList) => ["surefield", ...argumentsList].map((part) => shell(String(part))).join(" ");

/// A line that can be copied; set(text) changes it.
export function commandLine(label = "The command that does this") {
  const code = h("code"), said = h("span.hidden", { role: "status" });
  const copy = h("button.quiet", { type: "button", "aria-label": `Copy: ${label.toLowerCase()}`, onclick: async () => {
    await navigator.clipboard.writeText(code.textContent);
    copy.textContent = said.textContent = "Copied";
    setTimeout(() => { copy.textContent = "Copy"; said.textContent = ""; }, 1500);
  } }, "Copy");
  const element = h("div.command-line", h("p.command-label", label), h("div.shell", h("pre", { tabindex: "0", "aria-label": label }, code), copy, said));
  return { element, set: (text) => { code.textContent = text; element.hidden = !text; } };
}
