// Elements without markup: every text goes in as text, so nothing in a result can become HTML.

/// h("p.lead", {id: "x"}, "text", child, ...): an element; null and false children are left out.
export function h(name, ...rest) {
  const [tag, ...classes] = name.split(".");
  const element = document.createElement(tag);
  if (classes.length) element.className = classes.join(" ");
  const plain = rest[0] && typeof rest[0] === "object" && !(rest[0] instanceof Node) && !Array.isArray(rest[0]);
  if (plain)
    for (const [key, value] of Object.entries(rest.shift())) {
      if (value === null || value === undefined || value === false) continue;
      if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
      else element.setAttribute(key, value === true ? "" : String(value));
    }
  for (const child of rest.flat(Infinity))
    if (child !== null && child !== undefined && child !== false)
      element.append(child instanceof Node ? child : String(child));
  return element;
}

/// A heading and what stands under it; nothing if all of it is missing.
export function block(title, ...content) {
  const children = content.flat(Infinity).filter(Boolean);
  if (!children.length) return null;
  return h("section.block", h("h3", title), children);
}

export const note = (text) => h("p.note", text);

/// Names and values in two columns; entries without a value are left out.
export function facts(entries) {
  const shown = entries.filter(([, value]) => value !== null && value !== undefined && value !== "");
  if (!shown.length) return null;
  return h("dl.facts", shown.map(([name, value]) => h("div", h("dt", name), h("dd", value))));
}

export const foldable = (title, ...content) => h("details.foldable", h("summary", title), content);

/// A menu of `details` that closes as menus do: on Escape, and when what is clicked or focused is elsewhere.
export function closeOnEscape(menu) {
  menu.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !menu.open) return;
    menu.open = false;
    menu.querySelector("summary").focus();
  });
  menu.addEventListener("focusout", (event) => { if (event.relatedTarget && !menu.contains(event.relatedTarget)) menu.open = false; });
  return menu;
}
