"""Reads JSON and CSV files of unknown origin.

Files are not trusted. A file must be a regular file of bounded size, it is parsed as data only, and
every value must have the expected type. Errors name the place in the file:

    results/a/study.json: results[3].variant: a text is expected here, and a number was found
"""
import importlib
import json
import math
import os
import stat

MOST_BYTES = 64 << 20  # bytes of a file; the programs have the same limit
MOST_VALUES = 4_000_000  # values in a JSON file; more would take far more memory than the text
LONGEST_NUMBER = 400  # digits of a number
LONGEST_TEXT = 100_000  # characters of a text, as in the programs


class RecordError(ValueError):
    """An unreadable record: which one, where, why, and what to do."""


def package(name, purpose):
    """Returns another package's module, which is needed only for `purpose`."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        first = name.split(".")[0]
        raise ImportError(f"{purpose} takes {first}, which cannot be imported ({error}): pip install {first}, or "
                          f"Debian's python3-{first}") from None


def visible(text):
    """Replaces invisible characters and those that control a terminal."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def bytes_of(path):
    """Returns the content of a regular file of bounded size; never waits for a pipe or device."""
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
    """Returns the number in a text; ValueError if it is not finite."""
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
    """Parses JSON text into a Place. `source` names it in messages."""
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
    """A value in a file, and its position there."""

    def __init__(self, value, source, path=""):
        self.value, self.source, self.path = value, source, path

    def refuse(self, what):
        where = f"{self.path}: " if self.path else ""
        raise RecordError(f"{self.source}: {where}{what}")

    def _expect(self, kind, name):
        # Python treats true and false as numbers; JSON does not.
        if not isinstance(self.value, kind) or (isinstance(self.value, bool) and kind is not bool):
            found = {dict: "an object", list: "a list", str: "a text", bool: "a truth", type(None): "null"}
            self.refuse(f"{name} is expected here, and {found.get(type(self.value), 'a number')} was found")
        return self.value

    def has(self, key):
        """True if the object has that key with a value other than null."""
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
        """The keys and values of an object."""
        return [(visible(key), self[key]) for key in self._expect(dict, "an object")]

    def text(self):
        text = self._expect(str, "a text")
        if len(text) > LONGEST_TEXT:
            self.refuse(f"a text of {len(text)} letters, {LONGEST_TEXT} at most")
        return visible(text)

    def lines(self):
        """A text, possibly with several lines."""
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
        """Returns read(value of that key), or None if it is missing or null."""
        return read(self[key]) if self.has(key) else None
