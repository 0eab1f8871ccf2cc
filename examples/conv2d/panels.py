#!/usr/bin/env python3
"""Draws the six panels of the study as one picture: forward and backward over batch size, number of
filters and filter size, under the roofs measured with the cases.

    examples/conv2d/panels.py results/my-gpu/conv2d

Reads FOLDER as table.py does, and writes FOLDER/panels.svg. A case is one mark for each level of memory.
"""
import math
import os
import sys
from html import escape

from table import read_cases, read_rows

PANELS = (("batch", "batch size"), ("filters", "filters"), ("kernel", "size of the filters"))
BASE = {"batch": 16, "filters": 64, "kernel": 3}
COLOURS = {"fp32": "#1f5fa8", "fp16": "#b5472b"}
PEAKS = {"fp32": "fp32_fma", "fp16": "fp16_tensor"}
LEVELS = ("l1", "l2", "dram")
WIDTH, HEIGHT = 1200, 800
LEFT, TOP, ACROSS, DOWN = 74, 74, 380, 360  # the first panel; distances between panels
PLOT_WIDTH, PLOT_HEIGHT = 330, 290
X, Y = (1.5, 2e3), (1e12, 1.2e15)  # axis ranges, FLOP/B and FLOP/s


def place(panel, intensity, rate):
    column, row = panel
    across = math.log(intensity / X[0]) / math.log(X[1] / X[0])
    up = math.log(rate / Y[0]) / math.log(Y[1] / Y[0])
    return LEFT + column * ACROSS + across * PLOT_WIDTH, TOP + row * DOWN + (1 - up) * PLOT_HEIGHT


def line(start, end, colour, width, dash=""):
    return (f'<line x1="{start[0]:.1f}" y1="{start[1]:.1f}" x2="{end[0]:.1f}" y2="{end[1]:.1f}" '
            f'stroke="{colour}" stroke-width="{width}" stroke-dasharray="{dash}"/>')


def text(at, words, size=12, anchor="start", colour="#222", more=""):
    return (f'<text x="{at[0]:.1f}" y="{at[1]:.1f}" font-size="{size}" text-anchor="{anchor}" '
            f'fill="{colour}" {more}>{escape(words)}</text>')


def mark(at, level, colour):
    x, y = at
    form = {"dram": f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" ',
            "l2": f'<rect x="{x - 4:.1f}" y="{y - 4:.1f}" width="8" height="8" ',
            "l1": f'<path d="M{x:.1f} {y - 5:.1f} l5 9 h-10 z" '}[level]
    return form + f'fill="{colour}" fill-opacity="{1 if level == "dram" else 0.45}"/>'


def roofs(panel, ceilings):
    parts = []
    for dtype, peak in PEAKS.items():
        parts.append(line(place(panel, X[0], ceilings[peak]), place(panel, X[1], ceilings[peak]),
                          COLOURS[dtype], 1.6))
    for level, dash in zip(LEVELS, ("2 3", "6 3", "")):
        bandwidth = ceilings[level]
        left = max(X[0], Y[0] / bandwidth)
        right = ceilings[PEAKS["fp16"]] / bandwidth
        parts.append(line(place(panel, left, left * bandwidth),
                          place(panel, right, right * bandwidth), "#777", 1.4, dash))
    return parts


def axes(panel):
    left, top = place(panel, X[0], Y[1])
    parts = [f'<rect x="{left}" y="{top}" width="{PLOT_WIDTH}" height="{PLOT_HEIGHT}" fill="none" '
             'stroke="#222"/>']
    for intensity in (10, 100, 1000):
        x, bottom = place(panel, intensity, Y[0])
        parts.append(text((x, bottom + 16), f"{intensity}", 11, "middle"))
    for rate in (1e12, 1e13, 1e14, 1e15):
        parts.append(text((left - 6, place(panel, X[0], rate)[1] + 4), f"{rate / 1e12:.0f}", 11, "end"))
    return parts


def cases(rows, direction, dtype, varied):
    """Returns the rows of a panel in one precision, sorted by the varied parameter."""
    fixed = {key: value for key, value in BASE.items() if key != varied}
    found = [row for row in rows if row["pass"] == direction and row["dtype"] == dtype
             and all(row[key] == value for key, value in fixed.items())
             and row["case"].endswith(f"k{row['kernel']}")  # cases of the study only
             and row["flop_per_s"] and row["dram_intensity"]]
    return sorted(found, key=lambda row: row[varied])


def draw_panel(panel, rows, direction, varied, title, ceilings):
    left, top = place(panel, X[0], Y[1])
    parts = axes(panel) + roofs(panel, ceilings)
    parts.append(text((left, top - 8), f"{direction}, {title}", 15))
    for dtype, colour in COLOURS.items():
        shown = cases(rows, direction, dtype, varied)
        places = [place(panel, row["dram_intensity"], row["flop_per_s"]) for row in shown]
        parts += [line(one, other, colour, 1.2) for one, other in zip(places, places[1:])]
        for row, at in zip(shown, places):
            parts += [mark(place(panel, row[f"{level}_intensity"], row["flop_per_s"]), level, colour)
                      for level in LEVELS if X[0] < (row[f"{level}_intensity"] or 0) < X[1]]
        parts += labels(places, [row[varied] for row in shown], colour, dtype == "fp16")
    return parts


def labels(places, values, colour, above):
    """Labels the varied value beside each mark. Neighbours too close for two labels share one."""
    groups = []  # (place, values)
    for at, value in zip(places, values):
        near = next((group for group in groups if math.dist(group[0], at) < 32), None)
        if near:
            near[1].append(str(value))
        else:
            groups.append((at, [str(value)]))
    return [text((x + 8, y + (-8 if above else 16)), ", ".join(told), 11, colour=colour)
            for (x, y), told in groups]


def key():
    parts, x = [], LEFT
    for dtype, colour in COLOURS.items():
        parts += [mark((x, 30), "dram", colour), text((x + 10, 34), dtype.upper(), 13)]
        x += 70
    for level, title in zip(LEVELS, ("L1", "L2", "DRAM")):
        parts += [mark((x, 30), level, "#444"), text((x + 10, 34), title, 13)]
        x += 70
    parts.append(text((x, 34), "roofs as measured: level the two peaks; falling to the left L1 (dotted), L2 "
                               "(dashed), DRAM", 13))
    parts.append(text((WIDTH / 2, HEIGHT - 8), "arithmetic intensity, FLOP/B", 13, "middle"))
    parts.append(text((20, HEIGHT / 2), "TFLOP/s, counted", 13, "middle",
                      more=f'transform="rotate(-90 20 {HEIGHT / 2:.0f})"'))
    return parts


def picture(rows, ceilings):
    parts = key()
    for row, direction in enumerate(("forward", "backward")):
        for column, (varied, title) in enumerate(PANELS):
            parts += draw_panel((column, row), rows, direction, varied, title, ceilings)
    return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
                      f'font-family="sans-serif" role="img" aria-label="conv2d: six rooflines">',
                      f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>', *parts, "</svg>\n"])


def write_panels(folder):
    """Returns the picture of the folder's cases, or None without cases."""
    rows = read_rows(folder)
    if not rows:
        return
    ceilings = next(iter(read_cases(folder).values()))["roofs"]
    with open(os.path.join(folder, "panels.svg"), "w", encoding="utf-8") as file:
        file.write(picture(rows, ceilings))


if __name__ == "__main__":
    if len(sys.argv) != 2 or not os.path.isdir(sys.argv[1]):
        sys.exit(__doc__.strip())
    write_panels(sys.argv[1])
