// Makes the template of the report page: one HTML file that holds the style, the script and the chart library, and needs no
// other file. The policy in its head allows that one script by its hash and nothing from outside.
//
// usage: node build.mjs FOLDER_WITH_NODE_MODULES OUTPUT
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const [modules, output] = process.argv.slice(2).map((path) => resolve(path));
const esbuild = createRequire(join(modules, "package.json"))("esbuild");

const options = {
  bundle: true,
  minify: true,
  write: false,
  legalComments: "none",
  charset: "ascii",
  nodePaths: [join(modules, "node_modules")],
  target: ["es2022"],
  logLevel: "warning",
};
const built = (entry, more) =>
  esbuild.buildSync({ ...options, ...more, entryPoints: [join(here, entry)] }).outputFiles[0].text.trim();
const script = built("page.js", { format: "iife" });
const style = built("page.css", {});
for (const [name, text, end] of [["script", script, "</script"], ["style", style, "</style"]])
  if (text.toLowerCase().includes(end)) throw new Error(`page: the ${name} holds ${end}, which would end it early`);

const parts = {
  style,
  script,
  "script-hash": "sha256-" + createHash("sha256").update(script).digest("base64"),
};
const template = readFileSync(join(here, "template.html"), "utf8");
writeFileSync(output, template.replace(/\{\{([\w-]+)\}\}/g, (_, name) => parts[name]));
