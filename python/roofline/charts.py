"""The programs' pictures of a record, and a roofline for papers, drawn with matplotlib."""
from .outside import RecordError, package

_COLOURS = {"l1": "#D55E00", "l2": "#009E73", "l3": "#CC79A7", "dram": "#0072B2", "shared": "#3C9BD0"}
_MARKERS = {"l1": "o", "l2": "s", "l3": "^", "dram": "D", "shared": "p"}


class Chart:
    """A picture from the program, which notebooks show: `name`, `title`, and `svg`, its text."""

    def __init__(self, place):
        self.name, self.title = place["name"].text(), place["title"].text()
        self.svg = str(place["svg"].value)  # the program's own, longer than texts of records

    def __repr__(self):
        return f"<chart {self.name}: {self.title}>"

    def _repr_svg_(self):
        return self.svg

    def save(self, path):
        """Writes the picture into an SVG file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.svg)


def charts_of(place):
    """The charts in a program's output."""
    return [Chart(one) for one in place["charts"]]


def draw_roofline(roofs, points, title="", ax=None):
    """Draws a roofline into the axes `ax` or into a new figure, and returns the axes. `roofs` are the
    record's ceilings of one device. `points` are pairs of a name and a point of a program's output, all
    of one precision, whose FMA roof is their peak."""
    kinds = {point["precision"].text() for _, point in points}
    if len(kinds) != 1:
        raise RecordError(f"a roofline has points of one precision, and these have {sorted(kinds) or 'none'}")
    if ax is None:
        ax = package("matplotlib.pyplot", "drawing").figure(figsize=(9, 6)).add_subplot()
    precision, = kinds
    rates = {roof["name"].text(): roof["measured"].number() for roof in roofs["list"]}
    peak = rates.get(precision if precision in rates else f"{precision}_fma")
    levels = list(dict.fromkeys(level for _, point in points for level, _ in point["intensity"].items()))
    places = [one.number() for _, point in points for _, one in point["intensity"].items()]
    heights = [point["flops_per_s"].number() for _, point in points]
    if not peak or not places or min(places + heights + list(rates.values())) <= 0:
        raise RecordError(f"there is no roof of {precision}, or a point without a place")
    left = min(places + [peak / rates[level] for level in levels if level in rates]) / 3
    right = max(places + [peak / rates[level] for level in levels if level in rates]) * 3
    ax.set(xscale="log", yscale="log", xlim=(left, right), ylim=(min(heights) / 3, peak * 2), title=title,
           xlabel="operations per byte moved at each level", ylabel=f"{precision} operations per second")
    ax.axhline(peak, color="black", label=f"peak {peak:.3g}/s")
    for level in levels:
        colour, rate = _COLOURS.get(level, "black"), rates.get(level)
        if rate:
            ax.plot([left, peak / rate], [left * rate, peak], color=colour, zorder=1)
        here = [point for _, point in points if point["intensity"].has(level)]
        ax.plot([point["intensity"][level].number() for point in here],
                [point["flops_per_s"].number() for point in here], color=colour, ls="",
                marker=_MARKERS.get(level, "o"), label=f"{level}, {rate:.3g} B/s" if rate else level)
    for name, point in points:  # at the farthest level: its other marks are as high
        x = [one.number() for _, one in point["intensity"].items()][-1]
        ax.annotate(name.replace("$", r"\$"), (x, point["flops_per_s"].number()), (3, 4),
                    textcoords="offset points", fontsize="small")
    ax.legend(loc="lower right")
    return ax
