// A chart as a file: SVG as drawn, PNG at twice the size, CSV of its numbers in full. Nothing leaves the browser.

/// A drawing that stands alone: the page's colour variables become colours, and its ground is drawn.
export function svgText(drawing) {
  const style = getComputedStyle(document.documentElement);
  const box = drawing.viewBox.baseVal, size = drawing.getBoundingClientRect();
  const width = box?.width || size.width, height = box?.height || size.height;
  const copy = drawing.cloneNode(true);
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", width);
  copy.setAttribute("height", height);
  const ground = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  for (const [key, value] of Object.entries({ width: "100%", height: "100%", fill: "var(--card)" })) ground.setAttribute(key, value);
  copy.prepend(ground);
  const text = new XMLSerializer().serializeToString(copy);
  return { text: text.replace(/var\((--[\w-]+)\)/g, (_, name) => style.getPropertyValue(name).trim()), width, height };
}

/// A picture of the drawing, by way of a canvas.
export async function pngBlob(drawing, scale = 2) {
  const { text, width, height } = svgText(drawing);
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = Math.ceil(scale * width);
  canvas.height = Math.ceil(scale * height);
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}

const csvCell = (value) => {
  const text = value === null || value === undefined ? "" : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
};

/// columns as those of a table (table.js): what they sort by is what is written, so numbers keep all their digits.
export function csvText({ columns, rows }) {
  const head = columns.map((column) => [column.group, column.label].filter(Boolean).join(": "));
  const cells = (row) => columns.map((column) => (column.of ? column.of(row) : row[column.key]));
  return [head, ...rows.map(cells)].map((line) => line.map(csvCell).join(",")).join("\r\n") + "\r\n";
}

/// Hands a file to the reader.
export function save(name, content, type) {
  const link = document.createElement("a");
  const blob = content instanceof Blob ? content : new Blob([content], { type });
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

export const fileName = (text) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "").slice(0, 60) || "chart";
