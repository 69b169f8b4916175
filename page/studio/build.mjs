// Bundles the studio's page: script and style as two files that the server gives out under its own policy.
//
// usage: node build.mjs FOLDER_WITH_NODE_MODULES OUTPUT_FOLDER
import { copyFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const [modules, output] = process.argv.slice(2).map((path) => resolve(path));
const esbuild = createRequire(join(modules, "package.json"))("esbuild");
esbuild.buildSync({
  entryPoints: { studio: join(here, "studio.js") },
  outdir: output,
  bundle: true,
  minify: true,
  format: "iife",
  legalComments: "none",
  charset: "ascii",
  nodePaths: [join(modules, "node_modules")],
  target: ["es2022"],
  logLevel: "warning",
});
esbuild.buildSync({ entryPoints: { studio: join(here, "studio.css") }, outdir: output, bundle: true, minify: true, logLevel: "warning" });
copyFileSync(join(here, "studio.html"), join(output, "studio.html"));
