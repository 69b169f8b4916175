// Every picture as SVG, PNG and CSV. An exported SVG stands alone: the page's variables become the colours they have now.
import { h } from "../dom.js";

export function save(blob, name) {
  const link = h("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

const properties = ["fill", "stroke", "color"];

export function standalone(svg) {
  const style = getComputedStyle(document.documentElement);
  const settle = (text) => text.replace(/var\((--[\w-]+)\)/g, (_, name) => style.getPropertyValue(name).trim() || "currentColor");
  const box = svg.getBoundingClientRect(), copy = svg.cloneNode(true);
  for (const element of [copy, ...copy.querySelectorAll("*")])
    for (const property of properties) {
      const value = element.getAttribute(property);
      if (value?.includes("var(")) element.setAttribute(property, settle(value));
    }
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", Math.round(box.width));
  copy.setAttribute("height", Math.round(box.height));
  if (!copy.hasAttribute("viewBox")) copy.setAttribute("viewBox", `0 0 ${Math.round(box.width)} ${Math.round(box.height)}`);
  copy.setAttribute("font-family", "system-ui, sans-serif");
  const ground = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  for (const [key, value] of Object.entries({ width: "100%", height: "100%", fill: style.getPropertyValue("--card").trim() })) ground.setAttribute(key, value);
  copy.prepend(ground);
  return new XMLSerializer().serializeToString(copy);
}

async function png(text, width, height, scale = 2) {
  const image = new Image();
  const address = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
  try {
    image.src = address;
    await image.decode();
    const canvas = h("canvas", { width: Math.round(width * scale), height: Math.round(height * scale) });
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((done) => canvas.toBlob(done, "image/png"));
  } finally {
    URL.revokeObjectURL(address);
  }
}

const field = (value) => (value === null || value === undefined ? "" : /[",\n\r]/.test(String(value)) ? `"${String(value).replaceAll('"', '""')}"` : String(value));
export const csv = (columns, rows) => [columns, ...rows].map((row) => row.map(field).join(",")).join("\r\n") + "\r\n";

/// Three buttons under a picture. `data()` gives {columns, rows} of what is drawn.
export function exports(name, svgOf, data) {
  const button = (kind, action) => h("button.quiet.small", { type: "button", "aria-label": `Save ${name} as ${kind}`, onclick: action }, kind);
  return h("p.exports",
    button("SVG", () => save(new Blob([standalone(svgOf())], { type: "image/svg+xml" }), `${name}.svg`)),
    button("PNG", async () => { const svg = svgOf(), box = svg.getBoundingClientRect(); save(await png(standalone(svg), box.width, box.height), `${name}.png`); }),
    button("CSV", () => { const { columns, rows } = data(); save(new Blob([csv(columns, rows)], { type: "text/csv" }), `${name}.csv`); }));
}
