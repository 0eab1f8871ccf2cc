"""Tests of the section files for Nsight Compute: their format and their counters."""
import csv
import functools
import glob
import os
import re
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FOLDER = os.path.join(ROOT, "roofline", "sections")
CHIP = "GH100"
NAME = re.compile(r"[a-z0-9]+__[A-Za-z0-9_.]+")
# The models of roofline/models/nvidia.txt that each section contains.
MODELS = {
    "RooflineHierarchicalDouble": ["fp64"],
    "RooflineHierarchicalSingle": ["fp32"],
    "RooflineHierarchicalHalf": ["fp16"],
    "RooflineHierarchicalTensor": ["fp64_tensor", "fp16_tensor", "bf16_tensor", "tf32_tensor",
                                   "fp8_tensor", "int8_tensor"],
}
# Operations per multiprocessor and cycle, for dense matrices (NVIDIA's white paper on H100).
A_CYCLE = {"FP64": 128, "FP32": 256, "FP16": 512, "FP64 tensor": 256, "FP16 tensor": 4096,
           "BF16 tensor": 4096, "TF32 tensor": 2048, "FP8 tensor": 8192, "INT8 tensor": 8192}
SMS = 132
LEVELS = {"L1": "l1", "Shared memory": "shared", "L2": "l2", "DRAM": "dram"}

# The fields in use, as in Nsight Compute's Customization Guide; None means a value.
PER_SECOND = {"ValueCyclesPerSecondExpression": {
    "ValuePerCycleMetrics": {"Label": None, "Name": None},
    "CyclesPerSecondMetric": {"Label": None, "Name": None}}}
METRIC = {"Label": None, "Name": None}
FILTERED = {**METRIC, "Filter": {"MinArch": None, "MaxArch": None}}
FIELDS = {
    "Identifier": None, "DisplayName": None, "Description": None, "Order": None,
    "Sets": {"Identifier": None},
    "Header": {"Metrics": METRIC},
    "Metrics": {"Metrics": FILTERED},
    "MetricDefinitions": {"MetricDefinitions": {"Name": None, "Expression": None}},
    "Body": {"DisplayName": None, "Items": {"RooflineChart": {
        "Label": None, "AxisIntensity": {"Label": None}, "AxisWork": {"Label": None},
        "Rooflines": {"PeakWork": PER_SECOND, "PeakTraffic": PER_SECOND,
                      "Options": {"Label": None}},
        "AchievedValues": {"AchievedWork": PER_SECOND, "AchievedTraffic": {"Metric": METRIC},
                           "Options": {"Label": None}}}}},
}


class Malformed(Exception):
    pass


def tokens_of(text):
    form = re.compile(r'\s+|#[^\n]*|(?P<token>"[^"\n\\]*"|[{}:]|[A-Za-z_]\w*|\d+)')
    at = 0
    while at < len(text):
        match = form.match(text, at)
        if not match:
            raise Malformed(f"line {text.count(chr(10), 0, at) + 1}: {text[at:at + 20]!r}")
        if match["token"]:
            yield match["token"]
        at = match.end()


def parse(text):
    """Parses the subset of Protocol Buffers' text format in use: {field: [values]}."""
    top, above = {}, []
    message, tokens = top, tokens_of(text)
    for token in tokens:
        if token == "}":
            if not above:
                raise Malformed("a brace closes that none opened")
            message = above.pop()
            continue
        if not re.fullmatch(r"[A-Za-z_]\w*", token):
            raise Malformed(f"{token} where a field's name should stand")
        then = next(tokens, None)
        if then == "{":
            inner = {}
            message.setdefault(token, []).append(inner)
            above.append(message)
            message = inner
        elif then == ":":
            value = next(tokens, "")
            if value.startswith('"'):
                message.setdefault(token, []).append(value[1:-1])
            elif re.fullmatch(r"CC_\d+", value):
                message.setdefault(token, []).append(value)
            elif value.isdigit():
                message.setdefault(token, []).append(int(value))
            else:
                raise Malformed(f"{token}: {value} is neither a text nor a number")
        else:
            raise Malformed(f"{token} without a value")
    if above:
        raise Malformed("a brace is not closed")
    return top


def unknown_fields(message, fields, path=""):
    for name, values in message.items():
        if name not in fields:
            yield f"{path}{name}"
            continue
        for value in values:
            if isinstance(value, dict) != isinstance(fields[name], dict):
                yield f"{path}{name}"
            elif isinstance(value, dict):
                yield from unknown_fields(value, fields[name], f"{path}{name}.")


def all_of(message, *path):
    """All values at the path; fields may be repeated."""
    found = [message]
    for name in path:
        found = [value for one in found for value in one.get(name, [])]
    return found


def table():
    """The rows of roofline/models/nvidia.txt: {(kind, name): {key: [values]}}."""
    rows, row, key = {}, None, None
    with open(os.path.join(ROOT, "roofline", "models", "nvidia.txt"), encoding="utf-8") as file:
        for line in file:
            words = line.split()
            if not words or words[0].startswith("#"):
                continue
            if not line.startswith(" "):
                row = rows.setdefault((words[0], words[1]), {})
            elif line.startswith("    "):
                row[key][-1] += " " + line.strip()
            else:
                key = words[0]
                row.setdefault(key, []).append(" ".join(words[1:]))
    return rows


def names_in(*files):
    names = set()
    for file in files:
        with open(os.path.join(ROOT, "tests", "roofline", *file), encoding="utf-8") as stream:
            names.update(NAME.findall(stream.read()))
    return names


def lacking():
    with open(os.path.join(ROOT, "tests", "roofline", "chips_lack.txt"), encoding="utf-8") as file:
        return next(set(line.split()[1:]) for line in file if line.startswith(CHIP + ":"))


def formula(rows, metric):
    """The first formula whose counters the chip has. Nsight Compute reads no machine code, and
    its charts add up no bytes: bulk copies are left out."""
    lacks = lacking()
    return next(text for text in rows["metric", metric]["formula"]
                if not lacks & set(NAME.findall(text)) and
                "roofline__" not in text and "_op_tma_" not in text)


def counter(name):
    """Maps all names of a counter to one: 'sm__ops.sum' for 'smsp__ops.sum.per_cycle_elapsed'."""
    name = re.sub(r"\.(per_cycle_elapsed|per_second|peak_sustained)$", "", name)
    return name.replace("smsp__sass_", "sm__sass_")


def value_of(expression, values):
    return eval(NAME.sub(lambda name: f"values[{counter(name[0])!r}]", expression),
                {"__builtins__": {}}, {"values": values})


def of_each_section(test):
    """A test that runs for each section, and continues after a failed one."""
    @functools.wraps(test)
    def run(self):
        for name, section in self.sections.items():
            with self.subTest(name):
                test(self, name, section)
    return run


class Sections(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.rows = table()
        cls.sections, cls.texts = {}, {}
        for path in sorted(glob.glob(os.path.join(FOLDER, "*.section"))):
            with open(path, encoding="utf-8") as file:
                text = file.read()
            name = os.path.basename(path)[:-len(".section")]
            cls.sections[name], cls.texts[name] = parse(text), text
        every = [name for kind, name in cls.rows if kind == "model"]
        cls.models = {**MODELS, "RooflineHierarchical": every}

    @staticmethod
    def collected(section):
        """On the chip, which is older than those that metrics are kept for."""
        return set(all_of(section, "Header", "Metrics", "Name") +
                   [one["Name"][0] for one in all_of(section, "Metrics", "Metrics")
                    if "Filter" not in one])

    @staticmethod
    def definitions(section):
        rows = all_of(section, "MetricDefinitions", "MetricDefinitions")
        return {row["Name"][0]: row["Expression"][0] for row in rows}

    @staticmethod
    def charts(section):
        return all_of(section, "Body", "Items", "RooflineChart")

    @staticmethod
    def drawn(message):
        """All names that a chart, or a part of it, draws."""
        found, left = [], [message]
        while left:
            for key, values in left.pop().items():
                found += values if key == "Name" else []
                left += [value for value in values if isinstance(value, dict)]
        return found

    def test_there_is_one_for_each_promise(self):
        self.assertEqual(set(self.sections), set(self.models))

    @of_each_section
    def test_fields_are_those_of_a_section(self, _, section):
        self.assertEqual(list(unknown_fields(section, FIELDS)), [])

    def test_identifiers_are_unique_and_not_nvidias(self):
        for name, section in self.sections.items():
            self.assertEqual(section["Identifier"], [name])
            self.assertFalse(name.startswith("SpeedOfLight"))
            self.assertEqual(all_of(section, "Sets", "Identifier"), ["roofline"])
        for key in ("DisplayName", "Order"):
            values = [section[key][0] for section in self.sections.values()]
            self.assertEqual(len(set(values)), len(values), key)

    @of_each_section
    def test_prose_names_its_source(self, name, section):
        comment = re.match(r"(#[^\n]*\n)+", self.texts[name])[0]
        self.assertIn("Yang 2020", comment)
        self.assertIn("NERSC 2020", comment)

    @of_each_section
    def test_every_counter_of_the_table_is_collected_by_plain_name(self, name, section):
        levels = [self.rows["level", level]["traffic"][0] for level in LEVELS.values()]
        needed = {"gpu__time_duration.sum"}
        for model in self.models[name]:
            row = self.rows["model", model]
            self.assertEqual(set(row["levels"][0].split()), set(LEVELS.values()))
            for metric in row["work"] + row.get("fma_fraction", []) + levels:
                needed.update(NAME.findall(formula(self.rows, metric)))
        self.assertEqual(needed - self.collected(section), set())

    @of_each_section
    def test_every_name_is_collected_defined_or_known_of_the_chip(self, _, section):
        known = {counter(name).split(".")[0] for name in names_in(
            ("profiles", "ncu-gpp-v9.csv"), ("profiles", "ncu-nersc-gpp-v9.csv"))}
        for row in self.rows.values():
            for text in row.get("formula", []):
                known.update(counter(name).split(".")[0] for name in NAME.findall(text))
        definitions, collected = self.definitions(section), self.collected(section)
        used = set(self.drawn(section["Body"][0]))
        for expression in definitions.values():
            self.assertRegex(expression, rf"^{NAME.pattern} \* \d+$")
            self.assertEqual(set(NAME.findall(expression)) - collected, set())
        derived = {name for name in used if name.startswith("derived__")}
        self.assertEqual(derived, set(definitions))
        for name in collected | used - derived:
            self.assertRegex(name, r"\.(sum|avg)(\.\w+)?$")
            self.assertIn(counter(name).split(".")[0], known)
        self.assertEqual({counter(name) for name in collected} & lacking(), set())

    def test_work_on_pairs_is_collected_where_the_chip_has_it(self):
        every, plain = (set(NAME.findall(text))
                        for text in self.rows["metric", "fp32_flop"]["formula"])
        for name in ("RooflineHierarchical", "RooflineHierarchicalSingle"):
            rows = [one for one in all_of(self.sections[name], "Metrics", "Metrics")
                    if "Filter" in one]
            self.assertEqual({one["Name"][0] for one in rows}, every - plain)
            for one in rows:
                self.assertEqual(one["Filter"], [{"MinArch": ["CC_100"], "MaxArch": ["CC_103"]}])

    def test_definitions_of_the_same_name_are_the_same(self):
        # Several sections may be collected together.
        whole = {}
        for section in self.sections.values():
            for name, expression in self.definitions(section).items():
                self.assertEqual(whole.setdefault(name, expression), expression)

    @of_each_section
    def test_tensor_work_is_never_counted_by_instructions(self, _, section):
        names = self.collected(section) | set(self.drawn(section["Body"][0]))
        self.assertFalse([name for name in names if "inst_executed_pipe_tensor" in name])

    def test_a_section_of_a_precision_draws_every_level_of_each_model(self):
        for name in MODELS:
            with self.subTest(name):
                charts = self.charts(self.sections[name])
                self.assertEqual(len(charts), len(MODELS[name]))
                for chart, model in zip(charts, MODELS[name]):
                    self.assertIn(self.rows["model", model]["title"][0], chart["Label"][0])
                    self.assertEqual(all_of(chart, "Rooflines", "Options", "Label"),
                                     [f"{level} roof" for level in LEVELS])
                    self.assertEqual(all_of(chart, "AchievedValues", "Options", "Label"),
                                     [f"{level} point" for level in LEVELS])

    @of_each_section
    def test_charts_draw_the_work_and_the_bytes_of_the_table(self, name, section):
        # Values are arbitrary, but different for each counter.
        counters = {counter(name) for section in self.sections.values()
                    for name in self.collected(section) | set(self.drawn(section["Body"][0]))}
        values = {name: 3 + 2 * place for place, name in enumerate(sorted(counters))}
        titles = {row["title"][0]: row for (kind, _), row in self.rows.items() if kind == "model"}
        definitions = self.definitions(section)

        def drawn_value(part):
            return sum(value_of(definitions.get(one, one), values)
                       for one in self.drawn(part) if "cycles_elapsed" not in one)

        for chart in self.charts(section):
            for point in chart["AchievedValues"]:
                label = point["Options"][0]["Label"][0].removesuffix(" point")
                title = (label if name == "RooflineHierarchical"
                         else chart["Label"][0].split(", ")[1])
                level = LEVELS.get(label, "dram")
                traffic = self.rows["level", level]["traffic"][0]
                for part, metric in (("AchievedWork", titles[title]["work"][0]),
                                     ("AchievedTraffic", traffic)):
                    self.assertEqual(drawn_value(point[part][0]),
                                     value_of(formula(self.rows, metric), values),
                                     f"{chart['Label'][0]}, {label}: {part}")

    @of_each_section
    def test_roofs_are_those_of_dense_work_on_an_h200(self, name, section):
        with open(os.path.join(ROOT, "tests", "roofline", "profiles", "ncu-gpp-v9.csv"),
                  encoding="utf-8") as file:
            lines = [line for line in file if line.startswith('"')]
        header, _, launch = list(csv.reader(lines))[:3]
        seen = {column: cell.replace(",", "") for column, cell in zip(header, launch)}
        definitions = self.definitions(section)
        for chart in self.charts(section):
            for roof in chart["Rooflines"]:
                label = roof["Options"][0]["Label"][0].removesuffix(" roof")
                title = (label if name == "RooflineHierarchical"
                         else chart["Label"][0].split(", ")[1])
                names = set(self.drawn(roof["PeakWork"][0]))
                clock = "sm__cycles_elapsed.avg.per_second"
                self.assertIn(clock, names)
                [peak] = names - {clock}
                peak, factor = (definitions.get(peak, peak) + " * 1").split(" * ")[:2]
                self.assertEqual(float(seen[peak]) * int(factor) / SMS, A_CYCLE[title])

    def test_the_parser_refuses_what_is_malformed(self):
        for text in ("A {", "}", "A { } }", "A: ", "A B", 'A: "b', "A: b", ": 1", "A: 1 ;"):
            with self.subTest(text), self.assertRaises(Malformed):
                parse(text)


if __name__ == "__main__":
    unittest.main()
