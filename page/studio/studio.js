// The studio: files at the side, views of the chosen one, all in the address.
import { h } from "../dom.js";
import { bindTheme } from "../theme.js";
import * as api from "./api.js";
import { compareView } from "./compare.js";
import { liveView } from "./live.js";
import { modelView } from "./model.js";
import { setsView } from "./sets.js";
import { state } from "./state.js";
import { whatIfView } from "./whatif.js";

const views = { model: "Model", live: "Inference", whatif: "What if", compare: "Compare" };
const content = document.getElementById("content"),
  side = document.getElementById("files"),
  tabs = document.getElementById("views");
const known = new Map(); // descriptions by id
let files = [],
  folder = [],
  shown = null,
  active = null,
  server = { algorithms: [], learners: [] }, // what the server can do
  unfolded = false; // the files, where they are folded
const narrow = window.matchMedia("(max-width: 60rem)");

const described = async (id) => {
  if (!known.has(id)) known.set(id, await api.file(id));
  return known.get(id);
};
const setsFile = async () => {
  const one = files.find((file) => file.holds === "sets");
  return one ? described(one.id) : null;
};

function complain(error) {
  content.replaceChildren(
    h(
      "p.notice",
      { role: "alert" },
      error.status === 401
        ? "The token is missing or belongs to a server that has ended. Open the address that surefield serve printed."
        : error.message,
    ),
  );
}

function say(text) {
  const place = side.querySelector(".said");
  if (place) {
    place.textContent = text;
    place.hidden = !text;
  }
}

async function add(promise) {
  try {
    const file = await promise;
    await refreshFiles();
    state.set({ file: file.id, view: file.holds === "sets" ? "sets" : "model", in: null, out: null, beta: null });
  } catch (error) {
    say(error.message);
  }
}

async function refreshFiles() {
  files = await api.files();
  drawSide();
  return files.at(-1);
}

function drawSide() {
  const now = state.get("file");
  const pick = h("input", {
    type: "file",
    id: "pick",
    class: "hidden",
    multiple: true,
    onchange: (event) => {
      for (const one of event.target.files) add(api.upload(one));
    },
  });
  const others = folder.filter((name) => !files.some((file) => file.name === name));
  const chosen = files.find((file) => file.id === now);
  const folded = h("details.drawer", { open: !narrow.matches || unfolded || !chosen });
  folded.addEventListener("toggle", () => {
    unfolded = narrow.matches && folded.open;
  });
  folded.append(
    ...[
      h(
        "summary",
        h("h2.side-title", "Files"),
        chosen && h("span.side-now", `${chosen.name}${files.length > 1 ? `, one of ${files.length}` : ""}`),
      ),
      h(
        "ul.files",
        files.map((file) =>
          h(
            "li",
            h(
              "a",
              {
                href: `#file=${file.id}&view=${file.holds === "sets" ? "sets" : "model"}`,
                "aria-current": file.id === now ? "true" : null,
                onclick: () => {
                  unfolded = false;
                },
              },
              h("span", file.name),
              h("small", `${file.kind}, ${file.n} items`),
            ),
            h(
              "button.close",
              {
                type: "button",
                "aria-label": `Close ${file.name}`,
                onclick: async () => {
                  await api.closeFile(file.id);
                  known.delete(file.id);
                  if (file.id === state.get("file")) state.set({ file: null });
                  refreshFiles();
                },
              },
              "\u00d7",
            ),
          ),
        ),
      ),
      !files.length && h("p.note", "No file is open yet."),
      others.length > 0 &&
        h(
          "label.control",
          h("span", "Open from the folder"),
          h(
            "select",
            { onchange: (event) => event.target.value && add(api.openPath(event.target.value)) },
            h("option", { value: "" }, "choose\u2026"),
            others.map((name) => h("option", { value: name }, name)),
          ),
        ),
      h("label.upload", { for: "pick" }, "Open a file\u2026"),
      pick,
      h("p.note.drop-hint", "or drop one here: a model or sets, in any format."),
    ].filter(Boolean),
  );
  side.replaceChildren(folded, h("p.notice.said", { role: "alert", hidden: true }));
}

function drawTabs(file) {
  const now = state.get("view");
  const mine = file?.holds === "sets" ? { sets: "Sets", compare: "Compare" } : views;
  tabs.replaceChildren(
    ...Object.entries(mine).map(([key, label]) => {
      const next = new URLSearchParams(location.hash.slice(1));
      next.set("view", key);
      return h("a", { href: `#${next}`, "aria-current": key === now ? "page" : null }, label);
    }),
  );
}

async function show() {
  let id = state.get("file"),
    view = state.get("view");
  const file = files.find((one) => one.id === id) ?? files[0];
  if (file && (file.id !== id || !view))
    return state.set({ file: file.id, view: view || (file.holds === "sets" ? "sets" : "model") }, { replace: true });
  id = file?.id;
  drawTabs(file);
  drawSide();
  const key = `${id} ${view}`;
  if (key === shown) return;
  shown = key;
  active?.end?.();
  active = null;
  document.title = `${file?.name ?? "Surefield"} \u2013 ${views[view] ?? "Sets"} \u2013 Surefield studio`;
  try {
    if (view === "compare") return await compareView(content);
    if (!file)
      return content.replaceChildren(
        h(
          "article.result.welcome",
          h("h2.view-title", "Open a model or a file of sets"),
          h("p.lead", "Then watch it being proved, ask it what if, and compare runs. Nothing leaves this machine."),
        ),
      );
    const model = await described(id);
    if (shown !== key) return;
    if (file.holds === "sets")
      setsView(model, content, {
        open: files.filter((one) => one.holds === "model"),
        learners: server.learners,
        onMade: refreshFiles,
      });
    else if (view === "live") active = liveView(model, content, { setsFile, algorithms: server.algorithms });
    else if (view === "whatif") active = whatIfView(model, content);
    else modelView(model, content);
  } catch (error) {
    complain(error);
  }
}

async function start() {
  bindTheme(document.getElementById("theme"));
  for (const name of ["dragover", "drop"])
    document.addEventListener(name, (event) => {
      event.preventDefault();
      if (name === "drop") for (const one of event.dataTransfer.files) add(api.upload(one));
    });
  state.watch(show);
  narrow.addEventListener("change", drawSide);
  try {
    const about = await api.about();
    folder = about.folder;
    server = about;
    await refreshFiles();
    await show();
  } catch (error) {
    complain(error);
  }
  document.documentElement.dataset.ready = "yes";
}

start();
