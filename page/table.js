// A table that sorts: a button in every column heading, by mouse or keyboard, announced by aria-sort. Long tables show their
// first rows and more on demand; sorting always goes over all rows.
import { h } from "./dom.js";
import { down, fixed, isNumber, up } from "./format.js";

const kStep = 25;
const rounding = { nearest: fixed, lower: down, upper: up };

function compare(a, b) {
  const blank = (value) => value === null || value === undefined || Number.isNaN(value);
  if (blank(a) || blank(b)) return blank(a) - blank(b);
  if (typeof a === "number" && typeof b === "number") return a - b;
  return String(a).localeCompare(String(b), "en", { numeric: true });
}

/// columns: {key, label, group?, number?, digits?, end?: "lower" | "upper" rounds outwards, of?(row) -> value to sort by,
/// show?(value, row) -> text or node, bar?, long?: sentences}. The first column names the row.
export function table({ caption, columns, rows, sort = null, step = kStep, wide = false, mark = null }) {
  const value = (column, row) => (column.of ? column.of(row) : row[column.key]);
  const body = h("tbody");
  const more = h("button.quiet", { type: "button", onclick: () => { shown += 20 * step; fill(); } });
  const rest = h("p.more");
  let order = rows.slice(), shown = rows.length <= step + 5 ? rows.length : step;

  function cell(column, row, first) {
    const content = value(column, row);
    const text = column.show ? column.show(content, row) : isNumber(content) ? rounding[column.end ?? "nearest"](content, column.digits ?? 6) : content ?? "\u2013";
    const td = h(first ? "th" : "td", { scope: first ? "row" : null, title: isNumber(content) ? content : null });
    if (column.number) td.className = "number";
    if (column.long) td.className = "long";
    if (column.bar && isNumber(content)) {
      const bar = h("span.bar", { "aria-hidden": "true" });
      bar.style.setProperty("--part", Math.min(1, Math.max(0, content / column.bar)).toFixed(4));
      td.classList.add("with-bar");
      td.append(bar);
    }
    td.append(text instanceof Node ? text : String(text));
    return td;
  }

  function fill() {
    body.replaceChildren(...order.slice(0, shown).map((row) =>
      h(mark && mark(row) ? "tr.marked" : "tr", columns.map((column, k) => cell(column, row, k === 0)))));
    const left = order.length - shown;
    if (left > 0) {
      more.textContent = `Show ${Math.min(left, 20 * step)} more of ${order.length}`;
      rest.replaceChildren(more);
    } else rest.remove();
  }

  function sortBy(column, descending) {
    // The sort is stable, so rows that are equal keep the order they had.
    order = rows.slice().sort((a, b) => (descending ? -1 : 1) * compare(value(column, a), value(column, b)));
    for (const other of columns)
      other.heading.setAttribute("aria-sort", other === column ? (descending ? "descending" : "ascending") : "none");
    fill();
  }

  const own = columns.map((column) => ({ ...column }));
  columns = own;
  const headings = columns.map((column) => {
    const click = () => {
      const now = column.heading.getAttribute("aria-sort");
      sortBy(column, now === "none" ? Boolean(column.number) : now === "ascending");
    };
    column.heading = h("th", { scope: "col", "aria-sort": "none" }, h("button.sort", { type: "button", onclick: click }, column.label));
    if (column.number) column.heading.className = "number";
    return column.heading;
  });
  const groups = [];
  for (const column of columns) {
    const last = groups[groups.length - 1];
    if (last && last.name === (column.group ?? "")) ++last.span;
    else groups.push({ name: column.group ?? "", span: 1 });
  }
  const groupRow = groups.some((group) => group.name) &&
    h("tr.groups", groups.map((group) => group.name ? h("th", { colspan: group.span, scope: "colgroup" }, group.name) : h("td", { colspan: group.span })));
  if (sort) sortBy(columns.find((column) => column.key === sort.key), sort.descending ?? false);
  else fill();
  const element = h(wide ? "table.wide" : "table", h("caption", caption), h("thead", groupRow, h("tr", headings)), body);
  const scroll = h("div.scroll", { tabindex: "0", role: "group", "aria-label": caption }, element);
  return h("div.table", scroll, hintOf(scroll), shown < rows.length && rest);
}

/// Says that a table goes on beyond its right edge, for as long as it does.
function hintOf(scroll) {
  const hint = h("p.sideways", { "aria-hidden": "true", hidden: true }, "more columns to the right \u2192");
  const look = () => { hint.hidden = scroll.scrollWidth - scroll.clientWidth - scroll.scrollLeft < 8; };
  scroll.addEventListener("scroll", look, { passive: true });
  new ResizeObserver(look).observe(scroll);
  return hint;
}
