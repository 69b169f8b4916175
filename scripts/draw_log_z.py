#!/usr/bin/env python3
"""Draws what `surefield logz --format json` found: every bound closes in on log Z from its side.

    surefield logz model.json --format json | python3 scripts/draw_log_z.py > log_z.svg

A grey bar covers the values that a bound rules out, from the left for a lower bound and from the right for an upper one; what is
left open is where log Z may be. Plain Python, plain SVG: readable on a light page and on a dark one.
"""
import argparse
import json
import math
import sys
from xml.sax.saxutils import escape

LABELS, PLOT, RIGHT, ROW, TOP = 226, 500, 26, 26, 62  # pixels

STYLE = """
  text { font: 13px system-ui, sans-serif; fill: #24292f }
  .title { font-size: 15px; font-weight: 600 }
  .quiet { fill: #57606a; font-size: 12px }
  .axis { stroke: #8c959f; stroke-width: 1 }
  .grid { stroke: #d0d7de; stroke-width: 1 }
  .lower { fill: #0969da; fill-opacity: 0.22 } .lower-end { stroke: #0969da; stroke-width: 2.5 }
  .upper { fill: #bc4c00; fill-opacity: 0.22 } .upper-end { stroke: #bc4c00; stroke-width: 2.5 }
  .truth { stroke: #1a7f37; stroke-width: 1.5; stroke-dasharray: 4 3 }
  .exact { fill: #1a7f37 }
  .estimate { stroke: #8250df; stroke-width: 2; fill: #8250df }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 } .quiet { fill: #9198a1 } .axis { stroke: #656c76 } .grid { stroke: #30363d }
    .lower { fill: #4493f8 } .lower-end { stroke: #4493f8 } .upper { fill: #f0883e } .upper-end { stroke: #f0883e }
    .truth { stroke: #3fb950 } .exact { fill: #3fb950 } .estimate { stroke: #ab7df8; fill: #ab7df8 }
  }
"""


def rows_of(result):
    """One row a method, loosest lower bounds first, then both ends, exact and estimates, then upper bounds outwards."""
    rows = {}
    for value in result["methods"]:
        rows.setdefault(value["method"], []).append(value)

    def place(values):
        sides = {v["side"] for v in values}
        if sides == {"lower"}:
            return (0, values[0]["value"])
        if sides == {"upper"}:
            return (2, values[0]["value"])
        return (1, -len(values), sides == {"estimate"})

    return sorted(rows.items(), key=lambda row: place(row[1]))


def nice_step(span):
    power = 10 ** math.floor(math.log10(span / 6))
    return next(m * power for m in (1, 2, 5, 10) if m * power >= span / 6)


def draw(result):
    rows = rows_of(result)
    low_end, high_end = result["log_z_lower"], result["log_z_upper"]
    if not rows or low_end is None or high_end is None:
        sys.exit("draw_log_z: the result has no interval to draw")
    values = [v["value"] for _, found in rows for v in found]
    values += [v["value"] + s * v["standard_error"] for _, found in rows for v in found
               if v["side"] == "estimate" for s in (-1, 1)]
    middle = (low_end + high_end) / 2
    # A bound very far out is cut off at the edge with its number, so that the others can be told apart.
    spread = sorted(abs(v - middle) for v in values)[int(0.85 * (len(values) - 1))] * 1.25 or 1
    low = max(min(values), middle - spread)
    high = min(max(values), middle + spread)
    low, high = low - 0.12 * (high - low) - 1e-9, high + 0.12 * (high - low) + 1e-9
    width, height = LABELS + PLOT + RIGHT, TOP + ROW * len(rows) + 40

    def x(value):
        return LABELS + PLOT * (min(max(value, low), high) - low) / (high - low)

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
           f'height="{height}" role="img" aria-label="Bounds of log Z">', f"<style>{STYLE}</style>"]
    model = result["model"]
    found = (f"log Z = {low_end:.6g}, exact" if result["log_z_exact"]
             else f"log Z from {low_end:.6g} to {high_end:.6g}, certified")
    out.append(f'<text class="title" x="10" y="24">{escape(found)}</text>')
    out.append(f'<text class="quiet" x="10" y="42">{escape(model["kind"])}, n = {model["n"]}; '
               "bars cover what each bound rules out</text>")
    bottom = TOP + ROW * len(rows)
    step = nice_step(high - low)
    digits = max(0, -math.floor(math.log10(step)))
    tick = math.ceil(low / step) * step
    while tick <= high:
        out.append(f'<line class="grid" x1="{x(tick):.1f}" y1="{TOP - 6}" x2="{x(tick):.1f}" y2="{bottom}"/>')
        out.append(f'<text class="quiet" x="{x(tick):.1f}" y="{bottom + 18}" text-anchor="middle">{tick:.{digits}f}</text>')
        tick += step
    out.append(f'<line class="axis" x1="{LABELS}" y1="{bottom}" x2="{LABELS + PLOT}" y2="{bottom}"/>')
    for number, (method, found) in enumerate(rows):
        y = TOP + ROW * number
        out.append(f'<text x="{LABELS - 10}" y="{y + 15}" text-anchor="end">{escape(method)}</text>')
        for value in found:
            out += mark(value, x, y, (low, high), len(found) > 1)
    for end in {low_end, high_end}:
        out.append(f'<line class="truth" x1="{x(end):.1f}" y1="{TOP - 6}" x2="{x(end):.1f}" y2="{bottom}"/>')
    out.append("</svg>\n")
    return "\n".join(out)


def mark(value, x, y, window, shared):
    side, at = value["side"], x(value["value"])
    text = f"{value['value']:.3f}" if abs(value["value"]) < 100 else f"{value['value']:.1f}"
    top, tall = y + 4, ROW - 8
    if side in ("lower", "upper"):
        edge = x(window[0] if side == "lower" else window[1])
        left, right = min(at, edge), max(at, edge)
        out = [f'<rect class="{side}" x="{left:.1f}" y="{top}" width="{right - left:.1f}" height="{tall}"/>',
               f'<line class="{side}-end" x1="{at:.1f}" y1="{top}" x2="{at:.1f}" y2="{top + tall}"/>']
        outside = value["value"] < window[0] or value["value"] > window[1]
        # The number stands in the bar; where the bar is too short, beside it, away from the other end of the same method.
        inside = right - left > 60 or shared
        anchor = "end" if (side == "lower") == inside else "start"
        shift = (-6 if anchor == "end" else 6)
        arrow = ("\u2190 " if side == "lower" else "") if outside else ""
        tail = " \u2192" if outside and side == "upper" else ""
        return out + [f'<text class="quiet" x="{at + shift:.1f}" y="{y + 17}" text-anchor="{anchor}">{arrow}{text}{tail}</text>']
    if side == "exact":
        return [f'<path class="exact" d="M{at:.1f} {y + 6} l7 7 l-7 7 l-7 -7 z"/>',
                f'<text class="quiet" x="{at + 12:.1f}" y="{y + 17}">{text}</text>']
    error = value["standard_error"]
    left, right = x(value["value"] - error), x(value["value"] + error)
    return [f'<line class="estimate" x1="{left:.1f}" y1="{y + 13}" x2="{right:.1f}" y2="{y + 13}"/>',
            f'<circle class="estimate" cx="{at:.1f}" cy="{y + 13}" r="3.5"/>',
            f'<text class="quiet" x="{right + 8:.1f}" y="{y + 17}">{text} \u00b1 {error:.2g}, no bound</text>']


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("result", nargs="?", help="JSON of surefield logz; stdin if left out")
    parser.add_argument("-o", "--output", help="SVG file; stdout if left out")
    options = parser.parse_args()
    try:
        with open(options.result, encoding="utf-8") if options.result else sys.stdin as file:
            result = json.load(file)
    except (OSError, ValueError) as error:
        sys.exit(f"draw_log_z: {error}")
    if result.get("command") != "logz":
        sys.exit("draw_log_z: this is not the JSON of surefield logz")
    svg = draw(result)
    if options.output:
        with open(options.output, "w", encoding="utf-8") as file:
            file.write(svg)
    else:
        sys.stdout.write(svg)


if __name__ == "__main__":
    main()
