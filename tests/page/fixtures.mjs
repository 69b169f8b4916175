// Small results of every command, as the program writes them, and some that no program wrote.
const wave = (k, n) => Number((0.5 + 0.49 * Math.sin(1.7 * k + n)).toFixed(6));
const names = ["stroller", "car seat", "monitor", "bottle set", "crib, white", "</script><script>window.hacked = 1</script>", "<img src=x onerror=window.hacked=1>",
               "a \"quoted\" rattle", "\u00e9t\u00e9 blanket", "a very long name of a thing that nobody would ever be able to put on a phone screen in one line"];

export const infer = {
  surefield: "1", command: "infer", model: { kind: "flid", n: names.length, items: names }, objective: "elbo", inverse_temperature: 1,
  algorithm: "best", status: "converged", elbo: 6.12422483256109, upper_bound: 6.32422483256745, certified_global: false,
  log_z_lower: 6.12422483256109, log_z_upper: 6.511633323983391, log_z_exact: false, marginals: names.map((_, k) => wave(k, 1)),
  trace: [{ epoch: 0.5, value: 4.5, seconds: 0.0001, top: 3.25 }, { epoch: 1, value: 5.75, seconds: 0.0002, top: 5.75 }, { epoch: 2, value: 6.12422483256109, seconds: 0.0003 }],
  guarantee: "value >= optimum/2 + (value(a) + value(b))/4", notes: [], seed: 1, threads: 1, seconds: 0.0013,
  arguments: ["infer", "my model.json", "--trace", "--format", "json"],
};
export const many = { ...infer, model: { kind: "pairwise-field", n: 3000, items: [] }, certified_global: true, upper_bound: infer.elbo, log_z_exact: true,
                      log_z_upper: infer.log_z_lower, marginals: Array.from({ length: 3000 }, (_, k) => wave(k, 2)), trace: [], arguments: undefined };
export const open = { ...infer, upper_bound: null, log_z_upper: null, elbo: -3.5, log_z_lower: -3.5, trace: [] };
export const failed = { ...infer, status: "failed", elbo: null, upper_bound: null, log_z_lower: null, log_z_upper: null, marginals: [] };
export const logz = {
  surefield: "1", command: "logz", model: { kind: "flid", n: 20 }, log_z_lower: 6.198811346561344, log_z_upper: 6.199686456707096, log_z_exact: false,
  methods: [{ method: "mean field", side: "lower", value: 6.12422483256109, seconds: 1.45e-4 }, { method: "conditioned mean field", side: "lower", value: 6.16451189961962, seconds: 0.0057 },
            { method: "hoelder", side: "upper", value: 6.311633323983391, seconds: 4.8e-4 }, { method: "branch and bound", side: "lower", value: 6.198811346561344, seconds: 0.0023 },
            { method: "branch and bound", side: "upper", value: 6.199686456707096, seconds: 0.0023 }, { method: "enumeration", side: "exact", value: 6.19897670744553, seconds: 0.147 },
            { method: "annealed importance sampling", side: "estimate", value: 6.179235328848307, seconds: 0.0198, standard_error: 0.0467 }],
  refused: [{ method: "determinant", reason: "the model is not a DPP" }], seconds: 0.19,
};
export const agree = { ...infer, command: "agree", objective: "pa-elbo", pa_lower: -4.25, pa_upper: -4.125, pa_exact: false, pa_elbo: infer.elbo, pa_elbo_lower: -4.5,
                       models: [{ name: "a.json", log_z: { lower: 6, upper: 6.1, exact: false, method: "branch and bound", seconds: 0.1 } },
                                { name: "b.json", log_z: { lower: 7, upper: 7, exact: true, method: "best items", seconds: 0.1 } }] };
const four = ["fold_1.txt", "fold_2.txt", "fold_3.txt", "fold_4.txt"];
const pairs = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]].map(([first, second]) =>
  ({ first, second, pa_lower: -4 - 0.1 * first - 0.2 * second, pa_upper: -3.99 - 0.1 * first - 0.2 * second, pa_exact: false, pa_elbo: 5, pa_elbo_lower: -5, seconds: 0.02 }));
export const agreePairs = { surefield: "1", command: "agree", tables: [{ inverse_temperature: 1, mean_pa_lower: -4.5, mean_pa_upper: -4.49, mean_pa_elbo: 5, mean_pa_elbo_lower: -5,
                            exact: false, models: four.map((name) => ({ name, log_z: { lower: 1, upper: 1, exact: true, method: "best items", seconds: 0 } })), pairs, seconds: 0.2 }] };
export const agreeOld = { surefield: "1", command: "agree", pairs: [{ a: "x", b: "y", pa_lower: -4, pa_upper: -3.5, pa_elbo: 5 }] };
export const select = {
  surefield: "1", command: "select", decided: true, verdict: "D = 5 at beta 1 has the largest posterior agreement; every other interval lies below.", winner: { dims: 5, beta: 1 },
  data: { sets: 5000, items: 40, folds: 5 },
  rows: [2, 3, 5, 10].flatMap((dims, k) => [0.5, 1].map((beta) => ({ dims, beta, pa_lower: -9 + [0, 1, 2, 1.5][k] * beta, pa_upper: -8.9 + [0, 1, 2, 1.5][k] * beta, pa_standard_error: 0.1,
    log_likelihood_lower: -7 + 0.3 * k, log_likelihood_upper: -6.98 + 0.3 * k, log_likelihood_standard_error: 0.04, seconds: 1.5 * (k + 1) }))),
};
export const recommend = {
  surefield: "1", command: "recommend", model: { kind: "flid", n: names.length, items: names }, have: [0, 2], out: [3], exact: false, method: "mean field", status: "converged",
  suggestions: [{ item: 4, name: names[4], marginal: 0.75, gain: 1.25, replaces: [{ item: 1, name: names[1], before: 0.5, after: 0.125 }], complements: [] },
                { item: 5, name: names[5], marginal: 0.5, gain: 0.25, replaces: [], complements: [{ item: 7, name: names[7], before: 0.25, after: 0.5 }] }],
  left: 7, completion: [{ item: 4, name: names[4], gain: 1.25 }], completion_from: 1, completion_to: 2.25, marginals: infer.marginals, seconds: 0.01,
};
const ascent = (start, seed, elbo) => ({ ...infer, algorithm: "coordinate-ascent", elbo, elbo_lower: elbo, upper_bound: null, certified_global: false, log_z_upper: null, marginals: infer.marginals.map((value, k) => (k === 2 ? 1 - value : value)),
  trace: [{ epoch: 0, value: -800, seconds: 0 }, { epoch: 1, value: elbo - 0.5, seconds: 0.1 }, { epoch: 2, value: elbo, seconds: 0.2 }],
  arguments: ["infer", "my model.json", "-a", "coordinate-ascent", "--start", start, ...(seed ? ["--seed", String(seed)] : []), "--trace", "--format", "json"] });
export const runLow = ascent("low", 0, 5.75), runRandom = { ...ascent("random", 7, 6), upper_bound: 7.25, log_z_upper: 7.5 };
export const runBest = { ...infer, elbo_lower: infer.elbo, certified_global: true, upper_bound: 6.1242249, arguments: ["infer", "my model.json", "--trace", "--certify", "10", "--format", "json"] };
export const bestSet = { surefield: "1", command: "best-set", model: { kind: "flid" }, most: 3, items: [6, 1], names: ["crib", "monitor"], value: 0.75, found_by: "lazy greedy", lower: 0.71, upper: 0.82, upper_method: "x", basis: "proved",
  status: "done", guarantee: "none", notes: [], seed: 1, seconds: 0.001 };
export const longSet = { ...bestSet, most: null, items: Array.from({ length: 67 }, (_, k) => k), names: Array.from({ length: 67 }, (_, k) => `item ${k}`) };
export const families = { surefield: "1", command: "select", data: { sets: 400, items: 40, folds: 3 }, by: "hidden items", verdict: "flid: hidden items are ranked better than by popularity", complete: true, leader: "flid", winner: "flid",
  rows: ["modular", "flid"].map((model, k) => ({ model, mean_reciprocal_rank: 0.28 + 0.05 * k, standard_error: 0.01, hit_rate_at_5: 0.43, hit_rate_at_10: 0.62, ndcg: 0.43, coverage: 0.34, over_popularity: 0.05 * k, over_popularity_standard_error: 0.007, behind: 0.05 * (1 - k), behind_standard_error: 0.007, seconds: 0.1 })),
  baselines: [{ model: "popularity", mean_reciprocal_rank: 0.28, standard_error: 0.01, hit_rate_at_5: 0.43, hit_rate_at_10: 0.62, ndcg: 0.43, coverage: 0.34 }] };
export const dimensionsAndFamilies = { ...select, notes: ["trainings have one start of 3"], families: { ...families, notes: ["dpp was not compared: time ran out"] } };
export const undecided = { surefield: "1", command: "select", decided: false, verdict: "cannot tell D = 2 from D = 3 apart", winner: null, data: { sets: 5000, items: 40, folds: 5 },
  rows: [2, 3].map((dims) => ({ dims, beta: 1, pa_lower: -9, pa_upper: -8.9, pa_standard_error: 0.1, log_likelihood_lower: -7, log_likelihood_upper: -6.98, log_likelihood_standard_error: 0.04, seconds: 1.5 })) };
export const exactRecommend = { ...{ surefield: "1", command: "recommend", model: { kind: "flid", n: names.length, items: names } }, have: [0], out: [], exact: true, method: "exact, by best items", status: "done",
  suggestions: [{ item: 4, name: names[4], marginal: 0.75, gain: 1.25, replaces: [], complements: [] }], left: 7, completion: [], marginals: infer.marginals, seconds: 0.01 };
export const longNames = { ...infer, model: { kind: "flid", n: 4, items: ["Blue", "Red", "Green", "Grey"].map((colour) => `Larkfield Lightweight Three Wheel Jogging Stroller with Rain Cover, ${colour}`) }, marginals: [0.5, 0.4, 0.3, 0.2] };
export const beside = { ...infer, set_marginals: { exact: false, method: "leaves", basis: "proved", low: infer.marginals.map((value) => 0.9 * value), high: infer.marginals.map((value) => Math.min(1, 1.05 * value)) } };
export const reasoned = { ...exactRecommend, suggestions: [{ ...exactRecommend.suggestions[0], because: [{ item: 2, name: names[2], effect: 0.375 }, { item: 1, name: names[1], effect: -0.25 }] }] };
export const sample = { surefield: "1", command: "sample", model: { kind: "flid", n: names.length, items: names }, method: "best items", exact: true, acceptance: 1, seed: 1, sets: [[0, 4], [], [1]] };
export const fitted = { surefield: "1", command: "fit", data: { sets: 600, items: 24 }, seed: 1, models: [{ path: "m1.json", fold: 1, kind: "flid", model: "flid", method: "nce", sets: 400, status: "converged", passes: 3,
  held_out: { sets: 200, log_likelihood_lower: -7.875, log_likelihood_upper: -7.75 }, seconds: 0.2, trace: [{ epoch: 0, training: -3, watched: -3.5 }, { epoch: 1, training: -2, watched: -2.5 }] }] };
export const fit = { surefield: "1", command: "fit", model: { kind: "flid", n: 40 }, dims: 5, sets: 5000, trace: [{ epoch: 1, value: -3 }, { epoch: 2, value: -2.5 }, { epoch: 3, value: -2.25 }], seconds: 2 };
const rate = (mean) => ({ mean, standard_error: 0.01 });
const predicted = (scale) => ({ sets: 200, hidden_items: 500, hit_rates: [1, 5, 10].map((at) => ({ at, rate: rate(scale * at / 20) })), mean_reciprocal_rank: rate(0.4 * scale), mean_rank: rate(5 / scale) });
export const evaluated = { surefield: "1", command: "evaluate", model: { kind: "flid", n: names.length, items: names }, sets: 200, empty_sets: 0, mean_size: 3.5, log_z_lower: 4.25, log_z_upper: 4.25, log_z_exact: true,
  log_likelihood_all_sets: { lower: -7.875, upper: -7.75, standard_error: 0.05, sets: 200 }, log_likelihood_non_empty_sets: null, prediction_by_gain: predicted(1), prediction_by_popularity: predicted(0.75),
  calibration: { sets: 200, expected_calibration_error: 0.01, worst_bin_error: 0.02, mean_square_z: 1.5, impossible_items: 0, support: "all sets", marginals_by: "best items",
    bins: [{ items: 5, low: 0, high: 0.25, predicted: 0.125, observed: 0.1, standard_error: 0.01 }, { items: 5, low: 0.25, high: 0.5, predicted: 0.375, observed: 0.4, standard_error: 0.01 }],
    items: names.map((_, k) => ({ predicted: k / 20, observed: k / 21, z: k - 4 })) }, seconds: 0.1 };
export const evaluate = { surefield: "1", command: "evaluate", log_likelihood: { lower: -6.5, upper: -6.25, standard_error: 0.05 }, hit_rates: [{ k: 1, model: 0.25, popularity: 0.125 }, { k: 5, model: 0.5, popularity: 0.375 }],
                          calibration: [{ from: 0, to: 0.1, items: 12, predicted: 0.05, observed: 0.0625 }] };
const solvers = ["Submodular-DoubleGreedy", "BSCB", "DR-DoubleGreedy"];
const table1Rows = ["elbo", "pa-elbo"].flatMap((objective, o) => [2, 3, 10].flatMap((D, d) => ["furniture", "carseats", "gear"].map((category, c) => ({
  category, n: [32, 34, 100][c], D, objective, problems: 10,
  cells: [...solvers.map((solver, s) => ({ solver, mean: 2 + s * 0.25 + c + d + o + 0.0004, std: 0.0591, printed_mean: 2 + s * 0.25 + c + d + o, printed_std: 0.059, equal: !(s === 1 && c === 2) })),
          { solver: "equalised", mean: 2.8 + c + d + o, std: 0.06, printed_mean: null, printed_std: null, equal: null },
          { solver: "best", mean: 2.9 + c + d + o, std: 0.06, printed_mean: null, printed_std: null, equal: null }],
  optimum: [2.9 + c + d + o, 2.9001 + c + d + o], log_z: o === 0 ? [3.5 + c + d, 3.501 + c + d] : null, log_z_exact: false }))));
const experiment = (name, rest) => ({ surefield: "1", command: "reproduce", experiment: name, complete: true, faults: [], left_out: [], seconds: 12.5, ...rest });
export const table1 = experiment("table1", { rows: table1Rows, equal_cells: 48, printed_cells: 54, solver_seconds: 0.4, left_out: ["log Z at D = 10: ask with --log-z SECONDS"] });
const multi = ["CoordinateAscent-0", "CoordinateAscent-1", "CoordinateAscent-Random", "DG-MeanField-1/2", "DG-MeanField-1/3", "BSCB-Multiepoch"];
const charts = (figure, categories) => categories.flatMap((category, c) => [3, 10].map((D, d) => ({
  id: `${category}-${D}`, figure, title: `${category}, fold 1, D = ${D}`, objective: "elbo", category, n: 100, D, folds: [1], log_z: [5.5 + c + d, 5.51 + c + d], log_z_exact: false, one_epoch: 1,
  series: multi.map((algorithm, a) => ({ algorithm, points: [0, 1, 2, 3, 4, 5, 6].map((epoch) => [epoch, 5 + c + d - (1 + 0.5 * a) * Math.exp(-1.2 * epoch) - 0.05 * a]) })) })));
export const figures = experiment("figures", { charts: charts("ELBO trajectories", ["gear", "bath", "health"]), faults: ["strollers_flid_d_10_fold_1.txt: cannot be read: No such file or directory"],
  values: ["gear", "bath"].flatMap((category, c) => [2, 3, 10].flatMap((D) => solvers.map((algorithm, s) => ({ figure: "more ELBO", category, n: 100, folds: [1], objective: "elbo", D, algorithm, value: 3 + c + s / 4 + D / 10 })))) });
export const synthetic = experiment("synthetic", { charts: charts("synthetic, n = 10", ["synthetic"]).map((one) => ({ ...one, folds: [], n: 10 })),
  values: [10, 14].flatMap((n) => [1, 3, 5, 7].flatMap((D) => [...solvers, ...multi].map((algorithm, s) => ({ n, D, algorithm, mean: n / 2 - D / 4 + s / 20, std: 0.2 })))),
  log_z: [10, 14].flatMap((n) => [1, 3, 5, 7].map((D) => ({ n, D, mean: n / 2 - D / 4 + 1, std: 0.2 }))) });
export const certified = experiment("certified", { problems: [2, 3, 10].flatMap((D) => [1, 2, 3].map((fold) => ({ problem: `gear_flid_d_${D}_fold_${fold}.txt`, objective: "elbo", D, value: 3.5, upper_bound: 3.5000001,
  gap: D === 10 && fold === 3 ? 7.4e-5 : 1e-8 * fold, seconds: 0.02 * D }))) });
export const hardGrid = experiment("hard-grid", { rows: [1, 2, 3].map((seed) => ({ seed, starts: { low: 1000 + seed, high: 1010 + seed, middle: 1005, random: 990, "dg-mean-field-1/2": 1020 }, best: 1030 + seed, upper_bound: 1031 + seed, gap: 1e-5, seconds: 2 })) });
export const cuts = experiment("cuts", { rows: [1, 5, 20].map((beta) => ({ graph: "g05_60.0", n: 60, beta, elbo: 536 * beta, upper_bound: 536.25 * beta, gap: beta === 20 ? 0.031 : 4.7e-4, bound_method: "spectral bound", best_cut: 536, share: 1, seconds: 3.5 })) });
export const mixedSigns = experiment("mixed-signs", { rows: [{ field: "Grids_11.uai", n: 100, elbo: 385.25, upper_bound: 390.5, gap: 0.0125, bound_method: "an upper bound of log Z", log_z_lower: 390.25, log_z_upper: 390.5, log_z_exact: true, seconds: 6 },
  { field: "random +-1, n = 50", n: 50, elbo: 76.5, upper_bound: null, gap: null, bound_method: "", log_z_lower: 76.5, log_z_upper: null, log_z_exact: false, seconds: 6 }] });
const estimate = (mean, standard_error = 0.01) => ({ mean, standard_error });
export const registries = experiment("registries", { folds: 10, rows: ["gear", "bath"].flatMap((category, c) => [["popularity", 0], ["modular", 0], ["flid", 2], ["flid", 10]].map(([learner, D], k) => ({
  category, n: 100, sets: 8000, learner, D, folds: 10, log_likelihood: k ? [-12.5 + 0.25 * k - c, -12.49 + 0.25 * k - c] : null, log_likelihood_non_empty: k ? [-12.25 + 0.25 * k - c, -12.24 + 0.25 * k - c] : null,
  non_empty_middle: k ? estimate(-12) : null, gain_over_modular: k ? estimate(0.25 * (k - 1)) : null, gain_over_modular_non_empty: k ? estimate(0.1 * k) : null, hit_rate_at_5: estimate(0.4 + 0.03 * k, null), mean_reciprocal_rank: estimate(0.3 + 0.02 * k) }))) });
export const safety = experiment("safety", { rows: [2, 10].flatMap((D) => [1, 2, 3].map((fold) => ({ D, fold, elbo: 2.9 + 0.01 * fold, best_elbo: 3.4 + 0.01 * fold, log_z: [4.3 + 0.01 * D, 4.3001 + 0.01 * D], log_z_estimate: 4.38,
  test_likelihood_lower: -4.25 - 0.01 * fold, test_likelihood_upper: -4.2499 - 0.01 * fold, modular_test_likelihood: D === 10 && fold === 3 ? -4.2 : -4.5, seconds: 0.3 }))) });
export const all = experiment("all", { experiments: [synthetic, hardGrid] });
export const strange = { surefield: "1", command: "dance", steps: 3, partners: [{ name: "a", tall: true }, { name: "b", age: 4 }], list: Array.from({ length: 30 }, (_, k) => k), deep: { deeper: { deepest: { end: { more: { still: 1 } } } } }, nothing: null };
export const damaged = { surefield: "1", command: "infer", model: null, marginals: "none", trace: { not: "a list" }, elbo: "six", notes: 7 };
export const damagedSelect = { surefield: "1", command: "select", rows: "none", winner: 3 };
export const damagedTable = experiment("table1", { rows: [{ category: "gear", objective: "elbo", cells: 5 }, 3, null] });

// The same with no two numbers alike, so that one shown in the place of another is noticed.
export const differentInfer = { ...infer, elbo: 6.01, elbo_lower: 5.97, upper_bound: 6.52, log_z_lower: 5.93, log_z_upper: 7.04, inverse_temperature: 1.7, seed: 31, threads: 5, seconds: 2.71,
  trace: [{ epoch: 0.5, value: 4.51, seconds: 0.11, top: 3.26 }, { epoch: 1, value: 5.77, seconds: 0.22, top: 5.88 }, { epoch: 2, value: 6.01, seconds: 0.33 }] };
export const differentLogz = { ...logz, log_z_lower: 6.11, log_z_upper: 6.32, seconds: 4.19, model: { kind: "flid", n: 3, items: ["a", "b", "c"] },
  methods: logz.methods.map((one, k) => ({ ...one, value: 6.1 + 0.013 * k, seconds: 0.41 + 0.07 * k })), marginals_lower: [0.11, 0.22, 0.33], marginals_upper: [0.44, 0.55, 0.66],
  marginals_exact: false, marginals_method: "boxes" };
export const differentAgree = { ...differentInfer, command: "agree", objective: "pa-elbo", pa_lower: -4.26, pa_upper: -4.13, pa_exact: false, pa_elbo: 6.01, pa_elbo_lower: -4.57,
  models: [{ name: "a.json", log_z: { lower: 8.01, upper: 8.12, exact: false, method: "x", seconds: 0.53 } }, { name: "b.json", log_z: { lower: 9.03, upper: 9.24, exact: false, method: "y", seconds: 0.64 } }] };
export const differentPairs = { surefield: "1", command: "agree", tables: [{ inverse_temperature: 1.3, mean_pa_lower: -3.51, mean_pa_upper: -3.42, mean_pa_elbo: 5.13, mean_pa_elbo_lower: -5.24, exact: false,
  models: four.map((name, k) => ({ name, log_z: { lower: 1 + k, upper: 1.5 + k, exact: false, method: "x", seconds: 0.1 } })), seconds: 7.21,
  pairs: pairs.map((one, k) => ({ ...one, pa_lower: -4 - 0.1 * k, pa_upper: -3.93 - 0.1 * k, pa_elbo: 5 + 0.03 * k, pa_elbo_lower: -5 - 0.07 * k, seconds: 0.2 + 0.11 * k })) }] };
export const differentSelect = { ...select, data: { sets: 5001, items: 41, folds: 6 }, rows: select.rows.map((row, k) => ({ ...row, pa_lower: -9 + 0.1 * k, pa_upper: -8.93 + 0.1 * k, pa_standard_error: 0.31 + 0.01 * k,
  log_likelihood_lower: -7 + 0.2 * k, log_likelihood_upper: -6.91 + 0.2 * k, log_likelihood_standard_error: 0.51 + 0.01 * k, seconds: 1.5 + 0.17 * k })) };
export const differentFit = { ...fitted, data: { sets: 601, items: 25 }, models: [1, 2].map((fold) => ({ ...fitted.models[0], fold, sets: 400 + fold, passes: 30 + fold, seconds: 0.2 + fold,
  held_out: { sets: 200 + fold, log_likelihood_lower: -7.8 - 0.2 * fold, log_likelihood_upper: -7.7 - 0.1 * fold }, trace: [{ epoch: 0, training: -3 - fold, watched: -3.5 - fold }, { epoch: 1, training: -2.1 - fold, watched: -2.6 - fold }] })) };
const differentRate = (mean, error) => ({ mean, standard_error: error });
const differentPrediction = (shift) => ({ sets: 201, hidden_items: 501, hit_rates: [1, 5].map((at, k) => ({ at, rate: differentRate(0.11 + 0.2 * k + shift, 0.013 + 0.005 * k + shift / 10) })),
  mean_reciprocal_rank: differentRate(0.4 + shift, 0.031 + shift / 10), mean_rank: differentRate(5.1 + shift, 0.41 + shift) });
export const differentEvaluated = { ...evaluated, sets: 202, empty_sets: 7, mean_size: 3.57, log_z_lower: 4.21, log_z_upper: 4.32, log_z_exact: false, seconds: 3.31,
  log_likelihood_all_sets: { lower: -7.81, upper: -7.72, standard_error: 0.053, sets: 203 }, log_likelihood_non_empty_sets: { lower: -6.81, upper: -6.72, standard_error: 0.064, sets: 196 },
  prediction_by_gain: differentPrediction(0), prediction_by_popularity: differentPrediction(0.02), prediction_by_co_occurrence: differentPrediction(0.05),
  calibration: { ...evaluated.calibration, expected_calibration_error: 0.017, worst_bin_error: 0.029, mean_square_z: 1.53,
    bins: [{ items: 4, low: 0.01, high: 0.24, predicted: 0.12, observed: 0.13, standard_error: 0.011 }, { items: 6, low: 0.25, high: 0.52, predicted: 0.37, observed: 0.41, standard_error: 0.022 }],
    items: names.map((_, k) => ({ predicted: (k + 1) / 20, observed: (k + 1) / 21, z: k + 0.5 })) } };
export const differentRecommend = { ...recommend, suggestions: [{ item: 4, name: names[4], marginal: 0.71, gain: 1.32, replaces: [{ item: 1, name: names[1], before: 0.51, after: 0.12 }], complements: [] },
  { item: 7, name: names[7], marginal: 0.43, gain: 0.24, replaces: [], complements: [{ item: 1, name: names[1], before: 0.23, after: 0.54 }] }], completion: [{ item: 4, name: names[4], gain: 1.47 }, { item: 7, name: names[7], gain: 0.38 }] };
export const differentFamilies = { ...families, rows: families.rows.map((row, k) => ({ ...row, mean_reciprocal_rank: 0.31 + 0.05 * k, standard_error: 0.011 + 0.01 * k, hit_rate_at_5: 0.42 + 0.1 * k, hit_rate_at_10: 0.63 + 0.1 * k, ndcg: 0.47 + 0.1 * k,
  coverage: 0.34 + 0.1 * k, over_popularity: 0.053 + 0.1 * k, over_popularity_standard_error: 0.0071 + 0.01 * k, behind: 0.061 + 0.02 * k, seconds: 0.13 + k })),
  baselines: [{ ...families.baselines[0], mean_reciprocal_rank: 0.29, standard_error: 0.0123 }] };
export const byGain = { ...recommend, method: "gain" };
export const assumed = { ...runBest, basis: "assumed submodular" }, assumedShare = { ...infer, basis: "proved up to rounding" }, assumedLogz = { ...logz, basis: "assumed submodular" };
