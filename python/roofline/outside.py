"""Reads what comes from outside: JSON and CSV files that anybody may have written.

Nothing here trusts a file. It must be a regular file of bounded size, it is parsed as data alone, and every
value is asked for by the type that it must have. What does not fit is told with its place in the file:

    results/a/study.json: results[3].variant: a text is expected here, and a number was found
"""
import importlib
import json
import math
import os
import stat

MOST_BYTES = 64 << 20  # of a file; the programs read no larger record either
MOST_VALUES = 4_000_000  # of a file's JSON: more would take far more memory than its text
LONGEST_NUMBER = 400  # digits
LONGEST_TEXT = 100_000  # as the programs read them


class RecordError(ValueError):
    """A record that cannot be read: which, where, why, and what to do."""


def package(name, purpose):
    """The module of another package, which this one does without until it is asked for `purpose`."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        first = name.split(".")[0]
        raise ImportError(f"{purpose} takes {first}, which cannot be imported ({error}): pip install {first}, or "
                          f"Debian's python3-{first}") from None


def visible(text):
    """The text without characters that control a terminal, or that nobody sees."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def bytes_of(path):
    """The content of a regular file of bounded size; no pipe or device is waited for."""
    name = visible(os.fspath(path))
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError) as error:
        raise RecordError(f"{name}: {getattr(error, 'strerror', None) or error}") from None
    with os.fdopen(handle, "rb") as file:
        about = os.fstat(handle)
        if not stat.S_ISREG(about.st_mode):
            raise RecordError(f"{name}: not a regular file")
        content = file.read(MOST_BYTES + 1) if about.st_size <= MOST_BYTES else None
    if content is None or len(content) > MOST_BYTES:
        raise RecordError(f"{name}: larger than {MOST_BYTES >> 20} MiB, which no record is")
    return content


def text_of(path):
    try:
        return bytes_of(path).decode("utf-8")
    except UnicodeDecodeError as error:
        raise RecordError(f"{visible(os.fspath(path))}: not UTF-8 at byte {error.start}") from None


def _no_constant(name):
    raise ValueError(f"{name} is no number of JSON")


def finite(text):
    """The number of a text; ValueError where it is none that can be drawn."""
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"the number {text[:20]} is too large")
    return value


def _whole(text):
    if len(text) > LONGEST_NUMBER:
        raise ValueError(f"a number of {len(text)} digits")
    finite(text)
    return int(text)


def json_in(text, source):
    """The JSON of a text as a Place. `source` names it in messages."""
    source = visible(os.fspath(source))
    if sum(map(text.count, ",[{")) > MOST_VALUES:
        raise RecordError(f"{source}: more than {MOST_VALUES} values, which no record has")
    try:
        value = json.loads(text, parse_constant=_no_constant, parse_float=finite, parse_int=_whole)
    except (ValueError, RecursionError) as error:
        why = "nested too deeply" if isinstance(error, RecursionError) else error
        raise RecordError(f"{source}: not JSON, or cut off: {why}") from None
    return Place(value, source)


class Place:
    """A value of a file, and where it stands there."""

    def __init__(self, value, source, path=""):
        self.value, self.source, self.path = value, source, path

    def refuse(self, what):
        where = f"{self.path}: " if self.path else ""
        raise RecordError(f"{self.source}: {where}{what}")

    def _expect(self, kind, name):
        # A truth is a number to Python, and none to JSON.
        if not isinstance(self.value, kind) or (isinstance(self.value, bool) and kind is not bool):
            found = {dict: "an object", list: "a list", str: "a text", bool: "a truth", type(None): "null"}
            self.refuse(f"{name} is expected here, and {found.get(type(self.value), 'a number')} was found")
        return self.value

    def has(self, key):
        """Whether the object has that key with something else than null."""
        return self._expect(dict, "an object").get(key) is not None

    def __getitem__(self, key):
        values = self._expect(dict, "an object")
        path = f"{self.path}.{visible(key)}" if self.path else visible(key)
        if key not in values:
            Place(None, self.source, path).refuse("missing")
        return Place(values[key], self.source, path)

    def __iter__(self):
        for i, value in enumerate(self._expect(list, "a list")):
            yield Place(value, self.source, f"{self.path}[{i}]")

    def items(self):
        """The values of an object with their keys."""
        return [(visible(key), self[key]) for key in self._expect(dict, "an object")]

    def text(self):
        text = self._expect(str, "a text")
        if len(text) > LONGEST_TEXT:
            self.refuse(f"a text of {len(text)} letters, {LONGEST_TEXT} at most")
        return visible(text)

    def lines(self):
        """A text that may have several lines."""
        return "\n".join(map(visible, self._expect(str, "a text")[:LONGEST_TEXT].split("\n")))

    def number(self):
        return self._expect((int, float), "a number")

    def truth(self):
        return self._expect(bool, "a truth")

    def numbers(self):
        return [one.number() for one in self]

    def texts(self):
        return [one.text() for one in self]

    def or_none(self, key, read):
        """read(the value of that key), or None where it is missing or null."""
        return read(self[key]) if self.has(key) else None
