// The report page: reads the result JSON embedded in it and nothing else.
import { h } from "./dom.js";
import { allDrawn } from "./chart.js";
import { count } from "./format.js";
import { grouped, labels } from "./same.js";
import { bindTheme } from "./theme.js";
import { icons, view } from "./view.js";

/// Runs on one model share a view; views of one title are told apart by what differs.
function viewsOf(results) {
  const views = grouped(results).map((entries, index) => {
    const names = entries.length > 1 ? labels(entries) : [entries[0].file];
    return view(entries.map((entry, k) => ({ ...entry, label: names[k] })), `result-${index + 1}`);
  });
  for (const title of new Set(views.map((one) => one.title))) {
    const alike = views.filter((one) => one.title === title);
    if (alike.length > 1) labels(alike.map((one) => one.entries[0])).forEach((name, k) => { alike[k].title = `${title}, ${name}`; });
  }
  return views;
}

function contents(views) {
  const links = h("ol", views.map((one) => h("li", h("a", { href: `#${one.id}` }, h(`span.mark.mark-${one.sure?.level ?? "plain"}`, { "aria-hidden": "true" }, icons[one.sure?.level ?? "plain"]),
    h("span", one.title, one.sure?.short && h("small", one.sure.short))))));
  const box = h("details.contents", h("summary", `On this page: ${count(views.length, "result")}`), links);
  const wide = window.matchMedia("(min-width: 68rem)"), fit = () => { box.open = wide.matches; };
  wide.addEventListener("change", fit);
  fit();
  return box;
}

function start() {
  bindTheme(document.getElementById("theme"));
  const about = JSON.parse(document.getElementById("report").textContent);
  const results = [...document.querySelectorAll("script.result")].map((script, index) => ({ file: about.files[index], result: JSON.parse(script.textContent) }));
  const views = viewsOf(results);
  document.title = about.title;
  document.getElementById("title").textContent = about.title;
  document.getElementById("content").append(...views.map((one) => one.element(one.title)));
  if (views.length > 1) document.getElementById("contents").append(contents(views));
  else document.getElementById("contents").remove();
  document.getElementById("footer").append(
    h("p", "Made by ", h("code", "surefield report"), ". The page is one file, opens without a network, and holds every number it shows: the results are embedded as JSON. Bounds are rounded outwards; logarithms are natural."));
  allDrawn().then(() => { document.documentElement.dataset.drawn = "yes"; });
}

start();
