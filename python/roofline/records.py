"""Reads the programs' records: studies, trajectories and profiles.

Facts come from the file: what ran, where, and what was timed and counted. What follows from facts
(medians, speeds, speedups, shares of roofs, charts) comes from the program that made the file, by
`gpp report --json` or `roofline show --json`, and is not computed here. Without the program these
values are None, and `why_facts_alone` gives the reason.
"""
import functools
import html
import os

from .charts import charts_of, draw_roofline
from .outside import RecordError, json_in, package, text_of, visible
from .programs import program, program_of, told_by

SCHEMA_VERSION = 2  # version of study.json and trajectory.json
PROFILE_VERSION = 1
MOST_SHOWN = 100  # rows of a record that a notebook shows
_NAMES = ("study.json", "trajectory.json", "profile.json")


def _text(one):
    return one.text()


def _number(one):
    return one.number()


def _truth(one):
    return one.truth()


def _length(one):
    return sum(1 for _ in one)


def _at(place, path, read):
    """The value at a path such as "check.tolerance", or None if a key is missing or null."""
    for key in path.split("."):
        if place is None or not place.has(key):
            return None
        place = place[key]
    return read(place)


def _row(place, columns):
    return {name: _at(place, path, read) for name, path, read in columns}


class Record:
    """The base of all records. `facts` is the JSON of the file; read() makes a Record."""

    kind = program_name = ""
    words = ()  # arguments that make the program print JSON

    def __init__(self, path, place):
        self.path, self.place = path, place
        self.facts = place.value

    @functools.cached_property
    def _told(self):
        return told_by(self.program_name, [*self.words, os.path.abspath(self.path)], self.path)

    @property
    def why_facts_alone(self):
        """The reason why derived values are unknown; empty if they are known."""
        if program(self.program_name):
            return ""
        return (f"The program `{self.program_name}`, which tells what follows from the facts of this record, is "
                "not here.")

    @property
    def derived(self):
        """The record with derived values, as the program prints it. Raises ProgramMissing."""
        return self._derived_place().value

    def _derived_place(self):
        raise NotImplementedError

    def _best_place(self):
        return self.place if self.why_facts_alone else self._derived_place()

    def charts(self):
        """The program's charts of the record. Raises ProgramMissing."""
        return charts_of(self._told)

    def chart(self, name="roofline"):
        """The chart with a name, or the first one whose name starts with it."""
        charts = self.charts()
        for found in ([one for one in charts if one.name == name],
                      [one for one in charts if one.name.startswith(name)]):
            if found:
                return found[0]
        raise RecordError(f"{self.place.source}: no chart '{visible(name)}'; there are "
                          f"{', '.join(one.name for one in charts) or 'none'}")

    def draw(self, precision="fp64", ax=None):
        """Draws the roofline of a precision on the first device with matplotlib and returns the axes."""
        place = self._derived_place()
        for kind, roofs in place["ceilings"].items() if place.has("ceilings") else ():
            return draw_roofline(roofs, [(name, one["rooflines"][precision]) for name, one in self._drawn(place, kind)
                                         if one.has("rooflines") and one["rooflines"].has(precision)],
                                 roofs["device"].text(), ax)
        return place.refuse("no roofs to draw under")

    def _drawn(self, place, kind):
        """The names and places of what has points on that kind of device."""
        return place.refuse("no roofline, see charts()")

    def rows(self):
        """A list with a dict for each row of the record's table."""
        raise NotImplementedError

    def frame(self):
        """The rows as a pandas DataFrame."""
        return package("pandas", "a DataFrame").DataFrame(self.rows())

    def _repr_html_(self):
        rows = self.rows()
        more = len(rows) - MOST_SHOWN
        rows = rows[:MOST_SHOWN]
        keys = list(dict.fromkeys(key for row in rows for key in row))
        keys = [key for key in keys if any(row.get(key) is not None for row in rows)]
        cells = "".join("<tr>" + "".join(f"<td>{_cell(row.get(key))}</td>" for key in keys) + "</tr>" for row in rows)
        heads = "".join(f"<th>{html.escape(key)}</th>" for key in keys)
        notes = [self.why_facts_alone, f"And {more} more: rows() has all." if more > 0 else ""]
        note = "".join(f"<p>{html.escape(one)}</p>" for one in notes if one)
        return f"<table><thead><tr>{heads}</tr></thead><tbody>{cells}</tbody></table>{note}"

    def __repr__(self):
        return f"<{self.kind} {self.place.source}>"


def _cell(value):
    if value is None:
        return ""
    return html.escape(f"{value:.4g}" if isinstance(value, float) else str(value))


_OF_A_POINT = [("precision", "precision", _text), ("flops_per_s", "flops_per_s", _number),
               ("percent_of_roof", "percent_of_roof", _number), ("bound_by", "bound_by", _text)]
_OF_A_RESULT = [
    # facts
    ("variant", "variant", _text), ("step", "step", _text), ("model", "model", _text), ("kind", "kind", _text),
    ("device", "device", _text), ("threads", "threads", _number), ("status", "status", _text),
    ("reason", "reason", _text), ("runs", "time_s.samples", _length),
    ("max_relative_error", "check.max_relative_error", _number), ("tolerance", "check.tolerance", _number),
    # values derived from facts
    ("median_s", "time_s.median", _number), ("low_s", "time_s.low", _number), ("high_s", "time_s.high", _number),
    ("terms_per_s", "terms_per_s", _number), ("speedup", "speedup", _number),
    *[(name, f"roofline.{path}", read) for name, path, read in _OF_A_POINT]]
_OF_SCALING = [("ranks", "ranks", _number), ("states", "states", _number), ("runs", "samples", _length),
               ("wait", "wait", _number), ("transport", "transport", _text),
               ("seconds", "seconds", _number), ("low_s", "low", _number), ("high_s", "high", _number),
               ("speedup", "speedup", _number), ("time_ratio", "time_ratio", _number),
               ("efficiency", "efficiency", _number)]


def _results(study, first=None):
    return [{**(first or {}), **_row(result, _OF_A_RESULT)} for result in study["results"]]


class Study(Record):
    """A study.json: a kernel's variants on one machine, and its scaling over ranks."""

    kind, words = "study", ("report", "--json")

    def __init__(self, path, place):
        super().__init__(path, place)
        self.kernel, self.created = place["kernel"].text(), place["created"].text()
        self.program_name = program_of(self.kernel)
        self.complete = place["complete"].truth()

    def _derived_place(self):
        for one in self._told["studies"]:
            return one["study"]
        return self._told["studies"].refuse("no study")

    def rows(self):
        """A row for each variant. Facts: variant, step, model, kind, device, threads, status,
        reason, runs, max_relative_error and tolerance. Derived: median_s, low_s, high_s,
        terms_per_s, speedup, precision, flops_per_s, percent_of_roof and bound_by."""
        return _results(self._best_place())

    def _drawn(self, place, kind):
        return [(f"{one['variant'].text()} {one['model'].text()}", one) for one in place["results"]
                if one["kind"].text() == kind]

    def scaling(self):
        """A row for each number of ranks, if measured. Facts: law (strong or weak), ranks,
        states, runs, wait, transport. Derived: seconds, low_s, high_s, speedup, time_ratio,
        efficiency."""
        place = self._best_place()
        if not place.has("scaling"):
            return []
        return [{"law": law, **_row(point, _OF_SCALING)} for law in ("strong", "weak")
                for point in place["scaling"][law]]


class Trajectory(Record):
    """A trajectory.json: variants on growing parts of one device."""

    kind, words = "trajectory", ("report", "--json")

    def __init__(self, path, place):
        super().__init__(path, place)
        self.kernel, self.device, self.units = place["kernel"].text(), place["device"].text(), place["units"].number()
        self.program_name = program_of(self.kernel)

    def _derived_place(self):
        for one in self._told["trajectories"]:
            return one["trajectory"]
        return self._told["trajectories"].refuse("no trajectory")

    def rows(self):
        """A row for each size, number of units and variant: `size`, `units`, study columns."""
        return [row for point in self._best_place()["points"]
                for row in _results(point["study"], {"size": point["size"].text(), "units": point["units"].number()})]


class Profile(Record):
    """A profile.json: the kernels of any program. The file also holds the values derived when it
    was written; the program, if present, derives them again."""

    kind, program_name, words = "profile", "roofline", ("show", "--json")

    def __init__(self, path, place):
        super().__init__(path, place)
        self.program, self.device = place["program"].text(), place["device"].text()

    def _derived_place(self):
        return self._told

    def _drawn(self, place, kind):
        return [(one["name"].text()[:24], one) for one in place["kernels"]]

    def rows(self):
        """A row for each kernel. Facts: kernel, launches, seconds. Derived for the largest
        precision: precision, flops_per_s, percent_of_roof, bound_by; for all: LEVEL_bytes,
        PRECISION_operations."""
        return [_kernel_row(kernel) for kernel in self._best_place()["kernels"]]


def _kernel_row(kernel):
    row = _row(kernel, [("kernel", "name", _text), ("launches", "launches", _number), ("seconds", "seconds", _number)])
    points = [point for _, point in kernel["rooflines"].items()] if kernel.has("rooflines") else []
    point = points[0] if points else None  # the one with most work comes first
    row.update({name: point and _at(point, path, read) for name, path, read in _OF_A_POINT})
    for key, ending in (("bytes", "bytes"), ("work", "operations")):
        for name, value in kernel[key].items() if kernel.has(key) else ():
            row[f"{name}_{ending}"] = value.number()
    return row


def _file_in(folder):
    found = [name for name in _NAMES if os.path.exists(os.path.join(folder, name))]
    if len(found) == 1:
        return os.path.join(folder, found[0])
    what = f"{' and '.join(found)} are both there: name one" if found else f"none of {', '.join(_NAMES)} is there"
    if not found and os.path.isdir(os.path.join(folder, "rank-0")):
        what += "; each rank has a record of its own: read rank-0"
    raise RecordError(f"{visible(os.fspath(folder))}: {what}")


def read(path):
    """Reads a file or folder into a Study, a Trajectory or a Profile. Raises RecordError with
    the fault and its place."""
    if os.path.isdir(path):
        path = _file_in(path)
    place = json_in(text_of(path), path)
    if place.has("roofline_profile"):
        _require_version(place["roofline_profile"], PROFILE_VERSION)
        return Profile(path, place)
    if not place.has("schema_version") or not (place.has("points") or place.has("results")):
        place.refuse("JSON, but no study, trajectory or profile")
    kind = Trajectory if place.has("points") else Study
    _require_version(place["schema_version"], SCHEMA_VERSION)
    return kind(path, place)


def _require_version(place, known):
    version = place.number()
    if version != known:
        place.refuse(f"version {version:g}, and this package reads version {known}: "
                     + ("take a later one" if version > known else "gpp_records of revision 1551ee35 upgrades it"))
