"""Draws charts with matplotlib.

Roofs, points, arrows, axes and label positions come from the program, which draws its own pictures
from the same data. Only pixels are computed here.
"""
import csv
import io
import math
import os
import textwrap

from .outside import RecordError, finite, package, text_of, visible

PIXEL = 0.72  # size in points; a figure has 100 pixels per inch
LETTER = 0.63  # points per pixel of text; matplotlib's letters are wider than the program assumes
LONGEST_LINE = 140  # characters in a line of the subtitle
MARKERS = {"circle": "o", "square": "s", "triangle": "^", "triangle-down": "v", "diamond": "D", "pentagon": "p",
           "cross": "P", "bar": "_"}
DASHES = {"": "-", "dash": (0, (5, 4)), "dot": (0, (1, 2)), "dashdot": (0, (6, 2, 1, 2))}
SIZES = {"label": 15, "small": 13, "key": 14, "title": 22, "subtitle": 14, "note": 12}


def _flag(place, key):
    return bool(place.or_none(key, lambda one: one.truth()))


def _word(place, key):
    return place.or_none(key, lambda one: one.text()) or ""


def _numbers(place, *keys):
    return [place[key].number() for key in keys]


def _plain(text):
    """Escapes characters that matplotlib would read as a formula."""
    return text.replace("$", r"\$")


def _letters(across):
    """The scale of letters in narrower axes, which have less room but must be readable."""
    return min(1, max(0.75, across))


class Chart:
    """A chart from the program: `name`, `title`, `notes`, and all its data in `place`."""

    def __init__(self, place, palette):
        self.place, self._palette = place, palette
        self.name, self.title = place["name"].text(), place["title"].text()
        self.subtitle = place["subtitle"].text()
        self.description = place["description"].text()
        self.notes = place["notes"].texts()

    def __repr__(self):
        return f"<chart {self.name}: {self.title}>"

    def marks(self):
        """The marks as rows: item, level or series, name, x, y, in the units of the axes."""
        keys = ("item", "of", "name", "source")
        return [{**{key: _word(mark, key) for key in keys}, "x": mark["x"].number(), "y": mark["y"].number()}
                for mark in self.place["marks"]]

    def draw(self, ax=None):
        """Draws the chart into the axes `ax` or into a new figure. Returns the axes."""
        width, height, left, bottom, right, top = _numbers(self.place["frame"], "width", "height", "left", "bottom",
                                                           "right", "top")
        own = ax is None
        if own:
            ax = package("matplotlib.pyplot", "drawing").figure(figsize=(width / 100, height / 100), dpi=100).add_axes(
                [left / width, bottom / height, 1 - (left + right) / width, 1 - (bottom + top) / height])
        self._axes(ax)
        inches = ax.get_window_extent().transformed(ax.figure.dpi_scale_trans.inverted())
        scale = inches.width * 100 / (width - left - right), inches.height * 100 / (height - bottom - top)
        for box in self.place["boxes"]:
            left, bottom, right, top = _numbers(box, "left", "bottom", "right", "top")
            ax.fill([left, right, right, left], [bottom, bottom, top, top], color=self._colour(box), zorder=1, lw=0)
        for line in self.place["lines"]:
            self._line(ax, line)
        for mark in self.place["marks"]:
            self._mark(ax, mark)
        for label in self.place["labels"]:
            self._label(ax, label, *scale)
        self._words(ax, own, scale[0])
        return ax

    def _colour(self, place):
        name = _word(place, "colour")
        colour = self._palette.get(name)
        if colour is None:
            place.refuse(f"there is no colour '{name}'")
        return colour

    def _axes(self, ax):
        for axis, set_scale, set_range, key in ((ax.xaxis, ax.set_xscale, ax.set_xlim, "x"),
                                                (ax.yaxis, ax.set_yscale, ax.set_ylim, "y")):
            place = self.place[key]
            logarithmic, (low, high) = place["logarithmic"].truth(), _numbers(place, "low", "high")
            if not low < high or (logarithmic and low <= 0):
                place.refuse(f"no axis goes from {low:g} to {high:g}")
            if logarithmic:
                set_scale("log")
            ticks = [(tick["at"].number(), _plain(tick["text"].lines())) for tick in place["ticks"]]
            axis.set_ticks([at for at, _ in ticks], [text for _, text in ticks])
            axis.set_ticks([], minor=True)
            axis.set_label_text(_plain(place["title"].text()))
            set_range(low, high)
            if not place["categories"].truth():
                ax.grid(True, axis=key, color=self._palette.get("grid", "0.9"), linewidth=PIXEL)
        ax.set_axisbelow(True)
        for side in ("top", "right"):
            ax.spines[side].set_visible(False)

    def _line(self, ax, place):
        x, y = place["x"].numbers(), place["y"].numbers()
        if len(x) != len(y):
            place.refuse(f"{len(x)} places across and {len(y)} up")
        colour, width = self._colour(place), place["width"].number() * PIXEL
        if _flag(place, "arrow") and len(x) > 1:
            ax.annotate("", (x[-1], y[-1]), (x[-2], y[-2]), annotation_clip=False, zorder=2,
                        arrowprops={"arrowstyle": "-|>", "color": colour, "alpha": 0.6, "lw": width,
                                    "shrinkA": 6, "shrinkB": 6, "mutation_scale": 8})
        else:
            ax.plot(x, y, color=colour, lw=width, ls=DASHES.get(_word(place, "dash"), "-"), zorder=2,
                    label="_")

    def _mark(self, ax, place):
        x, y = _numbers(place, "x", "y")
        colour, hollow = self._colour(place), _flag(place, "hollow")
        if place.has("low") and place.has("high"):
            low, high = _numbers(place, "low", "high")
            ax.plot([x, x], [low, high], color=colour, lw=1.2 * PIXEL, marker="_", ms=7, zorder=3, label="_")
        ax.plot([x], [y], marker=MARKERS.get(_word(place, "shape"), "o"), color=colour, ls="", zorder=4, label="_",
                ms=6.5 if _flag(place, "small") else 8.5, mfc="white" if hollow else colour,
                mec=colour if hollow else "white", mew=1.3 if hollow else 0.7, clip_on=False)

    def _label(self, ax, place, across, up):
        x, y, dx, dy, angle = _numbers(place, "x", "y", "dx", "dy", "angle")
        outside = _flag(place, "outside")
        colour = self._colour(place)
        size = SIZES["small" if _flag(place, "small") else "label"] * LETTER * _letters(across)
        turn = math.radians(angle)
        turn = math.degrees(math.atan2(up * math.sin(turn), across * math.cos(turn)))
        led = {"arrowstyle": "-", "color": self._palette.get("ink-soft", "0.4"), "lw": 0.5, "shrinkA": 0, "shrinkB": 0}
        ax.annotate(_plain(place["text"].text()), (x, y), (dx * across * PIXEL, dy * up * PIXEL),
                    textcoords="offset points", rotation=turn, rotation_mode="anchor", va="center",
                    ha="left" if outside else "center", fontsize=size, color=colour, annotation_clip=False, zorder=5,
                    arrowprops=led if _flag(place, "led") else None)

    def _words(self, ax, own, across):
        """Draws the key, the title, the subtitle, and a note on what is not drawn."""
        from matplotlib.lines import Line2D
        handles = []
        for key in self.place["key"]:
            shape, colour, hollow = _word(key, "shape"), self._colour(key), _flag(key, "hollow")
            handles.append(Line2D([], [], color=colour, label=_plain(key["text"].text()),
                                  ls="" if shape else DASHES.get(_word(key, "dash"), "-"),
                                  marker=MARKERS.get(shape, "") if shape else "",
                                  mfc="white" if hollow else colour))
        pad = 0
        if handles:
            columns = min(5, len(handles))
            ax.legend(handles=handles, loc="lower left", bbox_to_anchor=(0, 1), ncol=columns, frameon=False,
                      fontsize=SIZES["key"] * LETTER * _letters(across), handlelength=1.6, columnspacing=1.2,
                      borderpad=0.3)
            pad = 18 * -(-len(handles) // columns)
        if own:
            ax.annotate(_plain(self.title), (0, 1), (0, pad + 24), xycoords="axes fraction",
                        textcoords="offset points", fontsize=SIZES["title"] * LETTER, fontweight="semibold")
            ran = textwrap.shorten(self.subtitle, LONGEST_LINE, placeholder=" ...")
            ax.annotate(_plain(ran), (0, 1), (0, pad + 8), xycoords="axes fraction",
                        textcoords="offset points", fontsize=SIZES["subtitle"] * LETTER,
                        color=self._palette.get("ink-soft", "0.4"))
        else:
            ax.set_title(_plain(self.title), loc="left", pad=pad + 6)
        if self.notes and own:
            ax.figure.text(0.01, 0.01, _plain("; ".join(self.notes)), fontsize=SIZES["note"] * LETTER,
                           color=self._palette.get("ink-soft", "0.4"))


def charts_of(place):
    """The charts in a program's output."""
    palette = {name: one.text() for name, one in place["palette"].items()}
    return [Chart(one, palette) for one in place["charts"]]


def draw_csv(path, ax=None):
    """Draws a roofline from the programs' table roofline.csv, without the program: roofs and
    points, but no arrows and labels. Returns the axes."""
    source = visible(os.fspath(path))
    if ax is None:
        ax = package("matplotlib.pyplot", "drawing").figure(figsize=(9, 6)).add_subplot()
    try:
        rows = list(csv.DictReader(io.StringIO(text_of(path))))
    except csv.Error as error:
        raise RecordError(f"{source}: no table: {error}") from None
    columns = {"item", "of", "name", "x", "y", "to_x", "to_y"}
    if not rows or not columns <= set(rows[0]):
        raise RecordError(f"{source}: not the table of a chart, whose columns are {', '.join(sorted(columns))}")
    ax.set(xscale="log", yscale="log", xlabel="operations per unit moved", ylabel="operations per second")
    levels = list(dict.fromkeys(row["of"] for row in rows if row["item"] == "point"))
    for i, row in enumerate(rows):
        try:
            _draw_row(ax, row, levels)
        except (TypeError, ValueError):
            raise RecordError(f"{source}: line {i + 2}: not a row of numbers") from None
    ax.legend(fontsize="small")
    return ax


def _positive(text):
    """A number for a logarithmic axis; ValueError for others."""
    value = finite(text)
    if value <= 0:
        raise ValueError("not above 0")
    return value


def _draw_row(ax, row, levels):
    x, y, of = _positive(row["x"]), _positive(row["y"]), row["of"]
    colour = f"C{levels.index(of)}" if of in levels else "0.5"
    if row["item"] in ("roof", "thin roof"):
        ax.plot([x, _positive(row["to_x"])], [y, _positive(row["to_y"])], color=colour,
                lw=1.5 if row["item"] == "roof" else 0.7, label=_plain(visible(row["name"])))
    elif row["item"] == "point":
        ax.plot([x], [y], ls="", marker="osDpv^P"[levels.index(of) % 7], color=colour, label="_")
        if of == levels[-1]:  # one label per step, at its farthest level
            ax.annotate(_plain(visible(row["name"])), (x, y), (4, 4), textcoords="offset points", fontsize="x-small")
