// The report page as a reader meets it: made by the program, opened from the disk in a browser without a network.
//
// usage: node page_test.mjs PROGRAM FOLDER_WITH_NODE_MODULES [WORD: only the cases whose name holds it]
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import * as results from "./fixtures.mjs";
import { outward } from "./rational.mjs";

const [program, modules] = process.argv.slice(2, 4).map((path) => resolve(path)), only = process.argv[4] ?? "";
const { chromium } = createRequire(join(modules, "package.json"))("playwright-core");
const axe = readFileSync(join(modules, "node_modules/axe-core/axe.min.js"), "utf8");
const folder = mkdtempSync(join(tmpdir(), "surefield-page-"));
const executablePath = execFileSync("sh", ["-c", "command -v chromium || command -v chromium-browser || command -v google-chrome"], { encoding: "utf8" }).trim();

function report(names, extra = []) {
  const files = names.map((name) => {
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(results[name], null, 2));
    return join(folder, `${name}.json`);
  });
  const output = join(folder, `${names[0]}-${names.length}.html`);
  execFileSync(program, ["report", ...files, "-o", output, "--quiet", ...extra]);
  return pathToFileURL(output).href;
}

const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-dev-shm-usage"] });

/// Charts that failed, are empty, are not called by a sentence, or whose place has a name beside it; those in a closed fold are not drawn yet.
const badCharts = (page) => page.$$eval(".chart", (charts) => charts.filter((chart) => {
  if (chart.closest("details:not([open])") && !chart.dataset.drawn) return chart.childNodes.length > 0;
  const name = chart.querySelector("svg")?.getAttribute("aria-label") ?? "";
  return chart.dataset.failed || chart.querySelectorAll("svg .role-mark path, svg .role-mark rect, svg .role-mark line").length === 0 || !/^.{20,}\.$/s.test(name) || /vega|undefined|NaN/i.test(name) || chart.hasAttribute("aria-label") || chart.hasAttribute("role");
}).map((chart) => chart.innerHTML.slice(0, 300)));

/// Opens every fold and waits until what was in it is drawn.
async function unfold(page) {
  await page.$$eval("details:not(.menu):not(.contents)", (all) => all.forEach((one) => { one.open = true; }));
  await page.waitForFunction(() => [...document.querySelectorAll(".chart")].every((chart) => chart.dataset.drawn || chart.dataset.failed), undefined, { timeout: 60000 });
  assert.deepEqual(await badCharts(page), []);
}

/// Opens the page with the network off and fails on any error, any request and any chart that is not drawn.
async function opened(url, { width = 1280, height = 900, colorScheme = "light", mayWarn = false } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme, offline: true });
  const page = await context.newPage();
  page.setDefaultTimeout(120000);  // the machine may be busy with the other tests
  const faults = [];
  page.on("console", (message) => (message.type() === "error" || (message.type() === "warning" && !mayWarn)) && faults.push(message.text()));
  page.on("pageerror", (error) => faults.push(error.stack));
  page.on("request", (request) => { if (request.url() !== url && !request.url().startsWith("data:")) faults.push(`asked for ${request.url()}`); });
  await page.goto(url);
  await page.waitForSelector("html[data-drawn=yes]", { timeout: 120000 });
  assert.deepEqual(await badCharts(page), [], "charts without marks, or whose name is not a sentence");
  assert.deepEqual(faults, []);
  const wide = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
  assert.ok(wide[0] <= wide[1], `the page is ${wide[0]} wide in a window of ${wide[1]}`);
  return page;
}

/// Every table of the page by its caption: its rows by the labels of the columns, numbers in full as their titles have them.
const tablesOf = (page) => page.$$eval("table", (all) => Object.fromEntries(all.map((one) => {
  const labels = [...one.tHead.rows[one.tHead.rows.length - 1].cells].map((cell) => cell.textContent);
  const groups = one.tHead.rows.length > 1 ? [...one.tHead.rows[0].cells].flatMap((cell) => Array(cell.colSpan).fill(cell.textContent)) : labels.map(() => "");
  const rows = [...one.tBodies[0].rows].map((row) => Object.fromEntries([...row.cells].map((cell, k) =>
    [groups[k] ? `${groups[k]}: ${labels[k]}` : labels[k], cell.title ? Number(cell.title) : cell.textContent])));
  return [one.caption.textContent, rows];
})));
const factsOf = (page) => page.$$eval(".facts div", (all) => Object.fromEntries(all.map((one) => [one.querySelector("dt").textContent, one.querySelector("dd").textContent])));
const numbersOf = (page) => page.$$eval(".numbers", (all) => Object.fromEntries(all.flatMap((one) => { const names = [...one.querySelectorAll("dt")], values = [...one.querySelectorAll("dd:not(.about)")];
  return names.map((name, k) => [name.textContent, values[k].textContent]); })));
const minus = (text) => text.replaceAll("-", "\u2212");
/// What is expected is in what is shown; the rest of what is shown is words.
function holds(shown, expected, about) {
  for (const [key, value] of Object.entries(expected)) assert.deepEqual(shown[key], value, `${about}: ${key}`);
}

const cases = {
  async "every number of an answer is the one of its field"() {
    const { differentInfer: r } = results, page = await opened(report(["differentInfer"]));
    holds(await numbersOf(page), { ELBO: outward(r.elbo_lower, 6, false), "Upper bound": "6.520000", "log Z from below": "5.929999", "log Z from above": "7.040001" }, "numbers, rounded outwards");
    const tables = await tablesOf(page);
    assert.deepEqual(tables["Certified intervals"], [{ Quantity: "best ELBO", "From below": r.elbo_lower, "From above": r.upper_bound, Width: r.upper_bound - r.elbo_lower },
      { Quantity: "log Z", "From below": r.log_z_lower, "From above": r.log_z_upper, Width: r.log_z_upper - r.log_z_lower }]);
    const shown = await page.$$eval("table", (all) => [...all.find((one) => one.caption.textContent === "Certified intervals").tBodies[0].rows].map((row) => [row.cells[1].textContent, row.cells[2].textContent]));
    assert.deepEqual(shown, [[r.elbo_lower, r.upper_bound], [r.log_z_lower, r.log_z_upper]].map(([low, high]) => [outward(low, 6, false), outward(high, 6, true)]), "bounds in tables are rounded outwards");
    const marks = await page.$$eval(".chart svg", (all) => [...all.find((svg) => svg.getAttribute("aria-label").startsWith("What is known")).querySelectorAll(".mark-symbol.role-mark path")].map((path) => {
      const box = path.getBoundingClientRect();
      return [Math.round(box.y), box.x, path.getAttribute("fill")];
    }).sort((a, b) => a[0] - b[0] || a[1] - b[1]).map((mark) => mark[2]));
    assert.deepEqual(marks, ["var(--lower)", "var(--upper)", "var(--lower)", "var(--upper)"], "each end of both intervals on its side, in its colour");
    assert.deepEqual(tables["Value after every epoch"], r.trace.map((one) => ({ Epoch: one.epoch, ELBO: one.value, "From the top": one.top ?? "\u2013", Time: one.seconds })));
    holds(await factsOf(page), { Items: "10", "Inverse temperature": "1.7", Seed: "31", Threads: "5", Time: "2.71 s" }, "the run");
  },
  async "every number of log Z is the one of its field"() {
    const { differentLogz: r } = results, page = await opened(report(["differentLogz"]));
    assert.match(await page.textContent(".answer"), /between 6\.110000000 and 6\.320000001, certified/);
    holds(await numbersOf(page), { "log Z from below": "6.110000000", "log Z from above": "6.320000001", Width: "0.21" }, "numbers");
    const tables = await tablesOf(page);
    assert.deepEqual(tables["log Z by method"].map((row) => [row.Method, row.Value, row.Time, row["Standard error"]]), r.methods.map((one) => [one.method, one.value, one.seconds, one.standard_error ?? "\u2013"]));
    assert.deepEqual(tables["Marginals of all 3 items, certified from both sides, by boxes"],
      [2, 1, 0].map((i) => ({ Item: r.model.items[i], "From below": r.marginals_lower[i], "From above": r.marginals_upper[i] })));
    holds(await factsOf(page), { Items: "3", Time: "4.19 s" }, "the run");
  },
  async "every number of an agreement is the one of its field"() {
    const { differentAgree: r } = results, page = await opened(report(["differentAgree"]));
    assert.match(await page.textContent(".answer"), new RegExp(minus("between -4.260000 and -4.129999, certified").replaceAll(".", "\\.")));
    const all = await page.$$eval("table", (tables) => tables.filter((one) => one.caption.textContent === "Certified intervals").map((one) => [...one.tBodies[0].rows].map((row) => [...row.cells].map((cell) => cell.title ? Number(cell.title) : cell.textContent))));
    assert.deepEqual(all[0].map((row) => row.slice(0, 3)), [["PA", r.pa_lower, r.pa_upper], ["PA by mean field", r.pa_elbo_lower, "\u2013"]]);
    assert.deepEqual(all[1].map((row) => row.slice(0, 3)), [["best PA-ELBO", r.elbo_lower, r.upper_bound], ["log Z of the sum", r.log_z_lower, r.log_z_upper]]);
    assert.deepEqual((await tablesOf(page))["log Z of each model"], r.models.map(({ name, log_z }) => ({ Model: name, "From below": log_z.lower, "From above": log_z.upper, Method: log_z.method, Time: log_z.seconds })));
  },
  async "every number of every pair is the one of its field"() {
    const { tables: [r] } = results.differentPairs, page = await opened(report(["differentPairs"]));
    assert.deepEqual((await tablesOf(page))["Posterior agreement by pair, certified from below and from above"], r.pairs.map((one) => ({ First: r.models[one.first].name, Second: r.models[one.second].name,
      "From below": one.pa_lower, "From above": one.pa_upper, "By mean field": one.pa_elbo_lower, "PA-ELBO": one.pa_elbo, Time: one.seconds })));
    holds(await factsOf(page), { "Mean PA at beta = 1.3": minus("-3.510000 to -3.419999"), Time: "7.21 s" }, "the table");
  },
  async "every number of a selection is the one of its field"() {
    const { differentSelect: r } = results, page = await opened(report(["differentSelect"]));
    const pa = "Posterior agreement", held = "Held-out log-likelihood a set";
    assert.deepEqual((await tablesOf(page))["Candidates; the winner is marked"], r.rows.map((row) => ({ D: row.dims, Beta: row.beta, [`${pa}: From below`]: row.pa_lower, [`${pa}: From above`]: row.pa_upper,
      [`${pa}: Standard error`]: row.pa_standard_error, [`${held}: From below`]: row.log_likelihood_lower, [`${held}: From above`]: row.log_likelihood_upper,
      [`${held}: Standard error`]: row.log_likelihood_standard_error, Time: row.seconds })));
    const winner = r.rows.find((row) => row.dims === 5 && row.beta === 1);
    const ends = (stem) => `${outward(winner[`${stem}_lower`], 4, false)} to ${outward(winner[`${stem}_upper`], 4, true)}`;
    holds(await numbersOf(page), { Dimensions: "5", Beta: "1", "Log-likelihood": ends("log_likelihood"), Agreement: ends("pa") }, "numbers");
    holds(await factsOf(page), { Sets: "5001", Items: "41", Folds: "6" }, "the data");
  },
  async "every number of a choice of families is the one of its field"() {
    const { differentFamilies: r } = results, page = await opened(report(["differentFamilies"])), winner = r.rows[1];
    holds(await numbersOf(page), { Winner: "flid", "Mean reciprocal rank": winner.mean_reciprocal_rank.toFixed(4), "Over popularity": winner.over_popularity.toFixed(4) }, "numbers");
    assert.match(await page.textContent(".numbers"), new RegExp(`\u00b1 ${winner.over_popularity_standard_error.toFixed(4)}`));
    const row = (one) => ({ "Mean reciprocal rank": one.mean_reciprocal_rank, "Standard error": one.standard_error, "Hit rate at 5": one.hit_rate_at_5, "Hit rate at 10": one.hit_rate_at_10, ndcg: one.ndcg, "Items shown": one.coverage,
      "Over popularity": one.over_popularity ?? "\u2013", "Behind the leader": one.behind ?? "\u2013", Time: one.seconds ?? "\u2013" });
    assert.deepEqual((await tablesOf(page))["Families and baselines; the winner is marked"], [...r.rows.map((one) => ({ Model: one.model, ...row(one) })), ...r.baselines.map((one) => ({ Model: `${one.model} (baseline)`, ...row(one) }))]);
  },
  async "families compared after dimensions are on the page, with what was left out"() {
    const page = await opened(report(["dimensionsAndFamilies"])), tables = await tablesOf(page);
    assert.equal(tables["Candidates; the winner is marked"].length, results.select.rows.length);
    assert.deepEqual(tables["Families and baselines; the winner is marked"].map((row) => row.Model), ["modular", "flid", "popularity (baseline)"]);
    assert.match(await page.textContent(".answer"), /largest posterior agreement.*flid: hidden items are ranked better than by popularity\./s);
    holds(await factsOf(page), { Notes: "trainings have one start of 3; dpp was not compared: time ran out" }, "notes");
  },
  async "what a certificate rests on is said with it"() {
    const page = await opened(report(["assumed", "logz", "assumedLogz"]));
    assert.match(await page.textContent("#result-1 .answer"), /The global optimum, certified, assumed submodular: ELBO/);
    assert.match(await page.textContent("#result-2 .answer"), /, certified\.$/);
    assert.match(await page.textContent("#result-3 .answer"), /, certified, assumed submodular\.$/);
    assert.match(await (await opened(report(["assumedShare"]))).textContent(".answer"), /% of the optimum, certified, proved up to rounding: ELBO/);
  },
  async "every number of a training is the one of its field"() {
    const { differentFit: r } = results, page = await opened(report(["differentFit"])), tables = await tablesOf(page), held = "log-likelihood of a set held out";
    assert.deepEqual(tables["Models trained"], r.models.map((one) => ({ Model: `flid, fold ${one.fold}`, Method: "nce", Sets: one.sets, Passes: one.passes, Status: one.status,
      [`${held}: From below`]: one.held_out.log_likelihood_lower, [`${held}: From above`]: one.held_out.log_likelihood_upper, Time: one.seconds })));
    assert.deepEqual(tables["Objective by epoch"], r.models.flatMap((one) => one.trace.flatMap((point) => ["training", "watched"].map((key) => ({ Model: `flid, fold ${one.fold}, ${key}`, Epoch: point.epoch, Objective: point[key] })))));
    holds(await factsOf(page), { Sets: "601", Items: "25" }, "the data");
  },
  async "every number of an evaluation is the one of its field"() {
    const { differentEvaluated: r } = results, page = await opened(report(["differentEvaluated"])), tables = await tablesOf(page);
    const likelihood = (over, one) => ({ "Probability over": over, "From below": one.lower, "From above": one.upper, "Standard error": one.standard_error, Sets: one.sets });
    assert.deepEqual(tables["Mean log-likelihood a set, certified from both sides"], [likelihood("all sets", r.log_likelihood_all_sets), likelihood("non-empty sets", r.log_likelihood_non_empty_sets)]);
    const scorers = [["the model's gain", r.prediction_by_gain], ["popularity", r.prediction_by_popularity], ["co-occurrence", r.prediction_by_co_occurrence]];
    const measured = (what, scorer, one) => ({ Measure: what, "Ranked by": scorer, Value: one.mean, "Standard error": one.standard_error });
    assert.deepEqual(tables["Prediction of a hidden item"], [...scorers.flatMap(([scorer, one]) => one.hit_rates.map((hit) => measured(`hit rate, top ${hit.at}`, scorer, hit.rate))),
      ...scorers.flatMap(([scorer, one]) => [measured("mean reciprocal rank", scorer, one.mean_reciprocal_rank), measured("mean rank", scorer, one.mean_rank)])]);
    assert.deepEqual(tables["Calibration by bin"], r.calibration.bins.map((bin) => ({ From: bin.low, To: bin.high, Items: bin.items, Predicted: bin.predicted, Observed: bin.observed, "Standard error": bin.standard_error })));
    assert.deepEqual(tables["Calibration by item"].map((row) => [row.Predicted, row.Observed, row["|z|"]]), r.calibration.items.slice().reverse().slice(0, tables["Calibration by item"].length).map((item) => [item.predicted, item.observed, item.z]));
    const ends = (over, one) => ({ [`From below, ${over}`]: minus(outward(one.lower, 4, false)), [`From above, ${over}`]: minus(outward(one.upper, 4, true)) });
    holds(await numbersOf(page), { ...ends("all sets", r.log_likelihood_all_sets), ...ends("non-empty sets", r.log_likelihood_non_empty_sets) }, "numbers, rounded outwards");
    holds(await factsOf(page), { Items: "10", Sets: "202", "Empty sets": "7", "Mean size": "3.570", "log Z": "4.209999 to 4.320001", Time: "3.31 s" }, "the run");
  },
  async "every number of a suggestion is the one of its field"() {
    const { differentRecommend: r } = results, page = await opened(report(["differentRecommend"])), rows = (await tablesOf(page))["Suggestions, most probable first"];
    assert.deepEqual(rows.map((row) => [row.Item, row.Rank, row.Probability, row.Gain, row.Replaces, row.Complements]), [
      [r.suggestions[0].name, 1, 0.71, 1.32, "car seat (0.51 \u2192 0.12)", ""], [r.suggestions[1].name, 2, 0.43, 0.24, "", "car seat (0.23 \u2192 0.54)"]]);
    assert.deepEqual(await page.$$eval("ol li", (all) => all.map((one) => one.textContent)), r.completion.map((step) => `${step.name} (+${step.gain.toFixed(3)})`));
  },
  async "an answer is on the page with its numbers and its certificate"() {
    const page = await opened(report(["infer"], ["--title", "Nursery <b>1</b>"]));
    assert.equal(await page.title(), "Nursery <b>1</b>");
    assert.equal(await page.textContent("h1"), "Nursery <b>1</b>");
    assert.match(await page.textContent(".answer"), /At least 96\.8 % of the optimum, certified: ELBO 6\.124224, .* more than 6\.324225/);
    assert.deepEqual(await page.$$eval(".numbers dd:not(.about)", (all) => all.map((one) => one.textContent)), ["6.124224", "6.324225", "6.124224", "6.511634"]);
    assert.equal(await page.textContent("pre code"), "surefield infer 'my model.json' --trace --format json");
    assert.equal(await page.locator(".chart").count(), 3);
    const shown = await page.$$eval("table", (tables) => [...tables.find((one) => one.caption.textContent.startsWith("Marginals")).tBodies[0].rows].map((row) => [row.cells[0].textContent, Number(row.cells[1].title)]));
    const expected = results.infer.model.items.map((item, i) => [item, results.infer.marginals[i]]).sort((a, b) => b[1] - a[1]);
    assert.deepEqual(shown, expected, "every marginal, exactly, by name, largest first");
  },
  async "a name that looks like markup does nothing"() {
    const page = await opened(report(["infer", "recommend"]));
    assert.equal(await page.evaluate(() => window.hacked), undefined);
    assert.equal(await page.locator("main img, main script").count(), 0);
    assert.ok((await page.locator("tbody th", { hasText: "</script><script>window.hacked = 1</script>" }).count()) > 0);
  },
  async "log Z has every method with its side"() {
    const page = await opened(report(["logz"]));
    const rows = await page.$$eval("table", (tables) => [...tables[0].tBodies[0].rows].map((row) => [row.cells[0].textContent, row.cells[1].textContent, Number(row.cells[2].title)]));
    const side = { lower: "from below", upper: "from above", exact: "exact", estimate: "estimate" };
    assert.deepEqual(rows, results.logz.methods.map((one) => [one.method, side[one.side], one.value]));
    assert.match(await page.textContent("main"), /the model is not a DPP/);
  },
  async "a table sorts by keyboard and says so"() {
    const page = await opened(report(["logz"]));
    await page.getByText("The numbers").first().click();
    const button = page.locator("table").first().getByRole("button", { name: "Value" });
    const heading = button.locator("..");
    const values = () => page.$$eval("table", (tables) => [...tables[0].tBodies[0].rows].map((row) => Number(row.cells[2].title)));
    const sorted = results.logz.methods.map((one) => one.value).sort((a, b) => a - b);
    await button.focus();
    await page.keyboard.press("Enter");
    assert.equal(await heading.getAttribute("aria-sort"), "descending");
    assert.deepEqual(await values(), sorted.slice().reverse());
    await page.keyboard.press("Space");
    assert.equal(await heading.getAttribute("aria-sort"), "ascending");
    assert.deepEqual(await values(), sorted);
  },
  async "thousands of items stay readable, and all can be reached"() {
    const page = await opened(report(["many"]));
    const marginals = page.locator("table", { has: page.locator("caption", { hasText: "Marginals of all 3000" }) });
    assert.equal(await marginals.locator("tbody tr").count(), 12);
    const bars = await page.$$eval(".chart", (charts) => [...charts.at(-1).querySelectorAll("svg .mark-rect path")].map((bar) => [bar.getBoundingClientRect().width, bar.getBoundingClientRect().height]));
    assert.equal(bars.length, 20, "a histogram of twenty bins");
    assert.ok(bars.every(([wide]) => wide > 5) && bars.some(([, high]) => high > 50), "whose bars can be seen");
    await unfold(page);
    await page.getByRole("button", { name: /Show \d+ more of 3000/ }).click();
    assert.equal(await marginals.locator("tbody tr").count(), 252);
    assert.match(await page.textContent(".answer"), /global optimum, certified/);
  },
  async "of a long set the first sixty are named, and the rest counted"() {
    const page = await opened(report(["longSet"]));
    const named = await page.$$eval(".set li", (all) => all.map((one) => one.textContent));
    assert.deepEqual([named.length, named[0], named[59], named[60]], [61, "item 0", "item 59", "and 7 more"]);
  },
  async "nothing is claimed where nothing is known"() {
    const page = await opened(report(["open", "failed"]));
    const said = await page.textContent(".answer-failed");  // two runs of one model
    assert.match(said, /A local optimum .* nothing is known/);
    assert.match(said, /1 run failed: the numbers of a failed run cannot be trusted/);
    assert.doesNotMatch(await page.textContent("main"), /NaN|undefined|Infinity|\[object/);
    const alone = await opened(report(["failed"]));
    assert.match(await alone.textContent(".answer"), /failed: its numbers cannot be trusted/);
  },
  async "every command has its page, on a wide screen and on a phone, in both colours"() {
    const names = ["agree", "agreePairs", "agreeOld", "select", "recommend", "fit", "evaluate", "table1", "figures", "synthetic", "certified", "hardGrid", "cuts", "mixedSigns", "registries", "all", "strange", "sample", "fitted", "evaluated", "safety", "bestSet", "families", "undecided"];
    const url = report(names), place = (name) => `#result-${names.indexOf(name) + 1}`;
    for (const [width, colorScheme] of [[1400, "light"], [390, "dark"]]) {
      const page = await opened(url, { width, height: 800, colorScheme });
      assert.equal(await page.locator("article.result").count(), names.length);
      const tall = await page.$$eval("article.result", (all) => all.map((one) => [one.id, one.getBoundingClientRect().height]));
      for (const [id, height] of tall) assert.ok(height < (width > 1000 ? 1400 : 2400) || id === place("all").slice(1), `${id} is ${height} high`);
      await unfold(page);
      assert.equal(await page.locator(".notice").count(), 0, "no result is unexpected");
      assert.doesNotMatch(await page.textContent("main"), /NaN|undefined|\[object|Show -/);
      assert.match(await page.textContent(`${place("table1")} .answer`), /48 of 54 printed cells/);
      assert.equal(await page.locator(`${place("table1")} .equal`).count(), 48);
      assert.equal(await page.locator(`${place("table1")} .differs`).count(), 6);
      assert.ok((await page.locator(`${place("select")} tr.marked`).count()) >= 1);
      assert.equal(await page.locator(`${place("figures")} .chart`).count(), 8);
      assert.match(await page.textContent(`${place("sample")} tbody`), /stroller, crib, white.*\(empty\).*car seat/);
      assert.equal(await page.locator(`${place("evaluated")} .chart`).count(), 3);
      assert.match(await page.textContent(`${place("registries")} .answer`), /under flid, D = 10 in 2 of 2 categories/);
      assert.equal(await page.locator(`${place("registries")} .chart`).count(), 2);
      assert.match(await page.textContent(`${place("certified")} .answer`), /^.?8 of 9 problems certified global to a relative gap of 1e.6\./);
      assert.match(await page.textContent(`${place("cuts")} .answer`), /2 of 3 rows certified to a relative gap of 0\.1 %/);
      assert.equal(await page.locator(`${place("cuts")} .chart`).count(), 1);
      assert.match(await page.textContent(`${place("mixedSigns")} .answer`), /0 of 2 rows certified/);
      assert.match(await page.textContent(place("mixedSigns")), /random \+-1, n = 50/);
      assert.match(await page.textContent(`${place("safety")} .answer`), /5 of 6 models/);
      assert.equal(await page.locator(`${place("safety")} .chart`).count(), 2);
      assert.match(await page.textContent(`${place("bestSet")} .answer`), /A set of 2 items of at most 3 with F 0\.7(0999|1000)\d*; no set reaches more than 0\.82000\d, certified/);
      assert.deepEqual(await page.$$eval(`${place("bestSet")} .set li`, (all) => all.map((one) => one.textContent)), ["crib", "monitor"]);
      assert.equal(await page.locator(`${place("families")} tr.marked`).count(), 1);
      assert.match(await page.textContent(`${place("undecided")} .answer`), /^\?Cannot tell D = 2 from D = 3 apart\.$/);
      assert.doesNotMatch(await page.textContent(place("undecided")), /winner is marked/);
      const levels = await page.$$eval("h1, h2, h3", (all) => all.map((one) => Number(one.tagName[1])));
      assert.equal(levels.filter((level) => level === 1).length, 1);
      assert.ok(levels.every((level, k) => k === 0 || level <= levels[k - 1] + 1), "no heading level is skipped");
      const wide = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
      assert.ok(wide[0] <= wide[1], `unfolded, the page is ${wide[0]} wide in a window of ${wide[1]}`);
    }
  },
  async "no rule of accessibility is broken, folded and unfolded"() {
    const url = report(["runBest", "runLow", "logz", "select", "recommend", "sample"]);
    for (const [width, colorScheme] of [[1400, "light"], [390, "dark"], [1400, "dark"], [390, "light"]]) {
      const page = await opened(url, { width, colorScheme });
      await page.evaluate(axe);
      const broken = () => page.evaluate(async () => (await globalThis.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] })).violations
        .map((one) => `${one.id}: ${one.nodes.slice(0, 3).map((node) => node.html.slice(0, 160)).join(" | ")}`));
      assert.deepEqual(await broken(), [], `${width}, ${colorScheme}`);
      if (width === 1400 || colorScheme === "dark") continue;
      await unfold(page);
      await page.locator(".menu summary").first().click();
      assert.deepEqual(await broken(), [], `${width}, ${colorScheme}, unfolded`);
    }
  },
  async "runs of one model are one result, overlaid and called by what differs"() {
    const page = await opened(report(["runLow", "runRandom", "runBest", "logz"]));
    assert.equal(await page.locator("article.result").count(), 2);
    assert.equal(await page.textContent("#result-1 h2"), "Inference: flid, 10 items, 3 runs");
    assert.match(await page.textContent("#result-1 .answer"), /The global optimum, certified: .* Found by best\. The other 2 runs end 0\.12 to 0\.37 lower\./);
    const names = ["coordinate-ascent, start low", "coordinate-ascent, start random, seed 7"];
    assert.deepEqual(await page.$$eval("#result-1 .legend", (all) => [...all[0].children].map((one) => one.textContent.trim())), ["best", ...names]);
    assert.equal(await page.locator("#result-1 .legend:not(svg *)").count(), 1, "one legend, of both charts");
    const rows = (await tablesOf(page))["The runs, best first"];
    assert.deepEqual(rows.map((row) => [row.Run, row.ELBO, row["Upper bound"]]), [["best", results.infer.elbo, 6.1242249], [names[1], 6, 7.25], [names[0], 5.75, "\u2013"]]);
    assert.deepEqual((await tablesOf(page))["Certified intervals"].map((row) => [row.Quantity, row["From below"], row["From above"]]),
      [["best ELBO", results.infer.elbo, 6.1242249], ["log Z", results.infer.log_z_lower, results.infer.log_z_upper]], "the best end of all runs");
    const ticks = await page.$eval("#result-1 .picture svg", (svg) => [...svg.querySelectorAll(".role-axis-label text")].map((text) => Number(text.textContent.replace("\u2212", "-"))));
    assert.ok(ticks.every((tick) => tick > -100), "the axis does not go down to where a start was");
    assert.match(await page.textContent("#result-1"), /1 of 10 differ/);
  },
  async "exact marginals are called exact, and those of mean field are not"() {
    const page = await opened(report(["exactRecommend", "recommend", "byGain"]));
    assert.match(await page.textContent("#result-1"), /Marginals given the basket, exact/);
    assert.match(await page.textContent("#result-2"), /Marginals given the basket, by mean field/);
    assert.match(await page.textContent("#result-3"), /Marginals given the basket, if nothing else is put in/);
    assert.match(await page.textContent("#result-3 .answer"), /with probability 0\.750, if nothing else is put in\.$/);
    assert.doesNotMatch(await page.textContent("#result-3"), /mean field/);
    assert.doesNotMatch(await page.textContent("main"), /factorised/);
  },
  async "marginals of p(S) itself stand beside those of mean field, and reasons beside a suggestion"() {
    const page = await opened(report(["beside"]));
    const { low, high } = results.beside.set_marginals, tables = await tablesOf(page);
    const order = results.infer.marginals.map((_, i) => i).sort((a, b) => results.infer.marginals[b] - results.infer.marginals[a]);
    assert.deepEqual(tables["Marginals of all 10 items"].map((row) => [row.Marginal, row["of p(S) itself: From below"], row["of p(S) itself: From above"]]), order.map((i) => [results.infer.marginals[i], low[i], high[i]]));
    const chart = await page.$eval("#result-1 .gallery svg", (svg) => [svg.querySelectorAll(".mark-rule.role-mark line").length, svg.querySelectorAll(".mark-rect.role-mark path").length]);
    assert.deepEqual(chart, [10, 10 + 2 * 10], "an interval with two ends over every bar");
    assert.match(await page.textContent("#result-1"), /the lines over the bars are those of p\(S\) itself, certified from both sides/);
    assert.match(await (await opened(report(["reasoned"]))).textContent(".reasons"), /crib, white because of monitor \(\+0\.38\), car seat \(\u22120\.25\)/);
  },
  async "names that begin alike are told apart on a phone"() {
    const page = await opened(report(["longNames"]), { width: 390 });
    const names = await page.$$eval(".chart", (charts) => [...charts.at(-1).querySelectorAll("svg text")].map((text) => text.textContent).filter((text) => text.startsWith("Larkfield")));
    assert.equal(names.length, 4);
    assert.equal(new Set(names).size, 4, names.join(" | "));
    const ticks = await page.$$eval(".chart", (charts) => [...charts.at(-1).querySelectorAll(".role-axis-label text")].map((text) => Number(text.textContent)));
    assert.equal(Math.max(...ticks), 0.6, "the axis ends above the largest marginal, not at 1");
  },
  async "a table that goes on to the right says so until its end"() {
    const page = await opened(report(["table1"]), { width: 390 });
    await unfold(page);
    const hint = page.locator(".sideways").first(), scroll = page.locator(".scroll").first();
    await hint.waitFor({ state: "visible" });
    await scroll.evaluate((one) => { one.scrollLeft = one.scrollWidth; });
    await hint.waitFor({ state: "hidden" });
  },
  async "a chart is saved as it is drawn, as a picture and as numbers"() {
    const page = await opened(report(["logz"]), { colorScheme: "dark" });
    const saved = async (kind) => {
      await page.locator(".menu summary").first().focus();
      await page.keyboard.press("Enter");
      const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: `Save as ${kind}` }).first().press("Enter")]);
      return [download.suggestedFilename(), readFileSync(await download.path())];
    };
    const [svgName, svg] = await saved("SVG");
    assert.equal(svgName, "log-z-by-method.svg");
    assert.match(svg.toString(), /^<svg[^>]* xmlns="http:\/\/www.w3.org\/2000\/svg"/);
    assert.doesNotMatch(svg.toString(), /var\(--/, "colours, not variables");
    assert.match(svg.toString(), /annealed importance sampling/);
    const [pngName, png] = await saved("PNG");
    assert.equal(pngName, "log-z-by-method.png");
    assert.deepEqual([...png.subarray(0, 8)], [137, 80, 78, 71, 13, 10, 26, 10]);
    const drawn = await page.$eval(".picture svg", (one) => one.getBoundingClientRect().width);
    assert.ok(Math.abs(png.readUInt32BE(16) - 2 * drawn) < 4, "twice as wide as drawn");
    const [csvName, csv] = await saved("CSV");
    assert.equal(csvName, "log-z-by-method.csv");
    assert.deepEqual(csv.toString().trim().split("\r\n").slice(1).map((line) => [line.split(",")[0], Number(line.split(",")[2])]), results.logz.methods.map((one) => [one.method, one.value]));
    await page.locator(".menu summary").first().press("Enter");
    await page.keyboard.press("Escape");
    assert.equal(await page.locator(".menu[open]").count(), 0, "Escape closes the menu");
  },
  async "a damaged result takes nothing else with it"() {
    const page = await opened(report(["damaged", "damagedSelect", "damagedTable", "infer"]), { mayWarn: true });
    assert.equal(await page.locator("article.result").count(), 4);
    assert.equal(await page.locator("article.result").last().locator(".chart").count(), 3);
    assert.ok((await page.locator(".notice").count()) >= 1);
  },
  async "light and dark follow the system until the button is pressed"() {
    const page = await opened(report(["infer"]), { colorScheme: "dark" });
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const label = () => page.$eval(".chart svg text", (text) => getComputedStyle(text).fill);
    const dark = [await ground(), await label()];
    await page.locator("#theme").press("Enter");
    const light = [await ground(), await label()];
    assert.equal(dark[0], "rgb(18, 23, 28)");
    assert.equal(light[0], "rgb(247, 246, 243)");
    assert.notEqual(dark[1], light[1], "the text of the charts changes with it");
    await page.locator("#theme").press("Enter");
    assert.deepEqual([await ground(), await label()], dark);
    await page.emulateMedia({ media: "print" });
    assert.equal(await ground(), "rgb(255, 255, 255)", "paper is white");
    assert.equal(await page.locator(".foldable:not([open]) > summary:visible").count(), 0, "what is folded is not on paper, nor its name");
  },
  async "text stands out from its ground by 4.5 to 1 in both colours"() {
    for (const colorScheme of ["light", "dark"]) {
      const page = await opened(report(["infer", "logz", "table1"]), { colorScheme });
      const weak = await page.evaluate(() => {
        const parts = (colour) => colour.match(/[\d.]+/g).map(Number);
        const light = ([r, g, b]) => [r, g, b].map((v) => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4).reduce((sum, v, k) => sum + v * [0.2126, 0.7152, 0.0722][k], 0);
        const ground = (element) => { for (; element; element = element.parentElement) { const c = parts(getComputedStyle(element).backgroundColor); if (c.length < 4 || c[3] > 0) return c; } return [255, 255, 255]; };
        return [...document.querySelectorAll("main *, header *, nav *")].filter((element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim()) && element.getClientRects().length && !element.closest("svg"))
          .map((element) => { const [a, b] = [light(parts(getComputedStyle(element).color)), light(ground(element))]; return [element.className, element.textContent.slice(0, 30), (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)]; })
          .filter(([, , ratio]) => ratio < 4.5);
      });
      assert.deepEqual(weak, []);
    }
  },
};

let failures = 0;
const chosen = Object.entries(cases).filter(([name]) => name.includes(only));
for (const [name, run] of chosen) {
  const start = Date.now();
  try {
    await run();
    console.log(`ok      ${name} (${Date.now() - start} ms)`);
  } catch (error) {
    ++failures;
    console.log(`FAILED  ${name}\n${error.stack}`);
  }
  for (const context of browser.contexts()) await context.close();
}
await browser.close();
rmSync(folder, { recursive: true });
console.log(`${chosen.length} cases, ${failures} failed`);
process.exitCode = failures || !chosen.length ? 1 : 0;
