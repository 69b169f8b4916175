// Numbers and names of the page, without a browser: bounds are rounded outwards exactly, names that are cut stay apart, and runs are
// called by what differs.
//
// usage: node format_test.mjs
import assert from "node:assert/strict";
import { test } from "node:test";
import { atMost, down, interval, shortened, up } from "../../page/format.js";
import { fitted, fittedToEnds, probabilities } from "../../page/axis.js";
import { grouped, labels, typed } from "../../page/same.js";
import { csvText } from "../../page/export.js";
import { isAtLeast, outward } from "./rational.mjs";

let state = 12345;
const random = () => (state = (Math.imul(state, 1103515245) + 12345) >>> 0) / 2 ** 32;
const doubles = [0, 0.1, -0.1, 0.5, -0.5, 1, 0.3, 2.5, -2.5, 999.9995, -999.9995, 1e-7, -1e-7, 1e-200, -1e-200, 5e-324, 6.52, 123456789.987654321, 1e11 + 0.5,
  ...Array.from({ length: 3000 }, () => (random() - 0.5) * 10 ** Math.floor(24 * random() - 14)), ...Array.from({ length: 500 }, () => Math.round(1e6 * (random() - 0.5)) / 1e3)];

test("a bound is rounded outwards, by less than one unit", () => {
  for (const value of doubles)
    for (const digits of [0, 1, 3, 6, 9]) {
      assert.equal(down(value, digits), outward(value, digits, false), `${value} down to ${digits}`);
      assert.equal(up(value, digits), outward(value, digits, true), `${value} up to ${digits}`);
    }
});

test("a width is never said to be smaller than it is", () => {
  for (const value of doubles.map(Math.abs).filter((width) => width > 1e-300)) {
    assert.ok(isAtLeast(atMost(value), value), `${value} as ${atMost(value)}`);
    assert.ok(Number(atMost(value).replace("\u2212", "-")) <= 1.12 * value, `${value} as ${atMost(value)}`);
  }
  assert.equal(atMost(0), "0");
});

test("an interval is rounded outwards and says which end is missing", () => {
  assert.equal(interval(0.1234567, 0.7654321, 3), "0.123 to 0.766");
  assert.equal(interval(-0.1234567, -0.0004, 3), "\u22120.124 to 0.000");
  assert.equal(interval(2.25, 2.25, 3), "2.250");
  assert.equal(interval(null, 1 / 3, 3), "at most 0.334");
  assert.equal(interval(1 / 3, null, 3), "at least 0.333");
  assert.equal(interval(null, undefined), "\u2013");
});

test("names that are cut stay apart", () => {
  const names = ["Larkfield Lightweight Jogging Stroller, Blue", "Larkfield Lightweight Jogging Stroller, Red", "Larkfield Lightweight Jogging Stroller", "Crib"];
  for (let most = 6; most < 50; ++most) {
    const cut = shortened(names, most);
    assert.equal(new Set(cut).size, names.length, `${most}: ${cut}`);
    assert.equal(cut[3], "Crib");
  }
  assert.deepEqual(shortened(["twin", "twin"], 20), ["twin (1)", "twin (2)"]);
});

test("an axis holds its values, and rounding is not a slope", () => {
  const { domain } = fitted([2, 3, null]);
  assert.ok(domain[0] < 2 && domain[0] > 1.8 && domain[1] > 3 && domain[1] < 3.2);
  const noise = fitted([4.390870982829834, 4.390870982843878]).domain;
  assert.ok(noise[1] - noise[0] > 1e-6 && noise[1] - noise[0] < 1e-4);
  const started = fittedToEnds([-800, 5, 6, 7], [5, 6, 7]);
  assert.ok(started.cut && started.scale.domain[0] > 4 && started.scale.domain[0] < 5 && started.scale.domain[1] > 7 && started.scale.domain[1] < 8);
  const whole = fittedToEnds([3, 5, 6, 7], [5, 6, 7]);
  assert.ok(!whole.cut && whole.scale.domain[0] < 3);
  assert.deepEqual([0.01, 0.26, 0.45, 0.95].map((most) => probabilities([most]).domain[1]), [0.05, 0.3, 0.5, 1]);
});

const run = (file, algorithm, ...rest) => ({ file, result: { command: "infer", model: { kind: "flid", n: 2, items: [] }, objective: "elbo", inverse_temperature: 1, algorithm, arguments: ["infer", "m.json", ...rest] } });

test("runs of one model go together and are called by what differs", () => {
  const runs = [run("a", "best", "--certify", "10", "--trace"), run("b", "coordinate-ascent", "-a", "coordinate-ascent", "--start", "low", "--format", "json"),
                run("c", "coordinate-ascent", "--algorithm=coordinate-ascent", "--start", "random", "--seed", "7")];
  const other = run("d", "best");
  other.result.arguments[1] = "n.json";
  assert.deepEqual(grouped([runs[0], other, runs[1], runs[2]]).map((group) => group.map((one) => one.file)), [["a", "b", "c"], ["d"]]);
  assert.deepEqual(labels(runs), ["best", "coordinate-ascent, start low", "coordinate-ascent, start random, seed 7"]);
  assert.deepEqual(labels([run("a", "best", "--certify", "1"), run("b", "best", "--certify", "9")]), ["certify 1", "certify 9"]);
  assert.deepEqual(labels([run("a", "best"), run("b", "best")]), ["a", "b"]);
  const forced = run("e", "best", "--in", "3", "7", "--out", "0");
  assert.deepEqual(typed(forced.result).options, { in: "3,7", out: "0" });
  assert.equal(grouped([runs[0], forced]).length, 2, "another question is another result");
  for (const [name, value] of [["--in", "3"], ["--out", "0"], ["--evidence", "e.evid"], ["--box", "b.txt"], ["--edges", "couplings"], ["--row-weight", "2"]])
    assert.equal(grouped([runs[0], run("g", "best", name, value)]).length, 2, name);
  const hot = run("f", "best");
  hot.result.inverse_temperature = 2;
  assert.equal(grouped([runs[0], hot]).length, 2);
});

test("a table as CSV has all digits and quotes what it must", () => {
  const columns = [{ key: "name", label: "Name" }, { key: "value", label: "At least", group: "log Z", of: (row) => row.value }];
  assert.equal(csvText({ columns, rows: [{ name: "a, \"b\"", value: 1 / 3 }, { name: "c", value: null }] }), 'Name,log Z: At least\r\n"a, ""b""",0.3333333333333333\r\nc,\r\n');
});
