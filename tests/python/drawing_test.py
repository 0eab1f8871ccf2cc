"""Tests that matplotlib draws a roofline, that charts are the program's, that tables become pandas', and that
the example of docs/python.md runs.

    drawing_test.py GPP ROOFLINE
"""
import os
import re
import sys
import unittest

from place import Folder, need, path

need("matplotlib", "pandas")
import matplotlib  # noqa: E402
matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
import roofline  # noqa: E402
from roofline.outside import Place  # noqa: E402

STUDY = path("results", "h200", "silicon8")


def place_of(value):
    return Place(value, "made")


ROOFS = {"list": [{"name": "fp64_fma", "measured": 1e12}, {"name": "dram", "measured": 1e11}]}


def point_of(**changes):
    return place_of({"precision": "fp64", "flops_per_s": 5e11, "intensity": {"dram": 7, "l2": 3}, **changes})


class Draws(Folder):
    def tearDown(self):
        plt.close("all")

    def drawn(self, axes):
        """The size of a chart's picture in bytes, which depends on every text and line."""
        file = os.path.join(self.folder, "picture.png")
        axes.figure.savefig(file)
        return os.path.getsize(file)

    def test_points_and_roofs_lie_where_they_belong(self):
        axes = roofline.draw_roofline(place_of(ROOFS), [("v1 $", point_of())], "$ title".replace("$", r"\$"))
        self.assertGreater(self.drawn(axes), 5000)
        places = [tuple(map(tuple, line.get_data())) for line in axes.get_lines()]
        self.assertIn(((7,), (5e11,)), places)
        self.assertIn(1e12, [line.get_ydata()[0] for line in axes.get_lines()])
        self.assertEqual(axes.get_xscale(), "log")
        self.assertIn("v1 \\$", [text.get_text() for text in axes.texts])

    def test_axes_of_others_are_taken(self):
        figure, axes = plt.subplots()
        self.assertIs(roofline.draw_roofline(place_of(ROOFS), [("k", point_of())], ax=axes), axes)

    def test_what_cannot_be_drawn_is_refused(self):
        for points, part in (([], "one precision"), ([("a", point_of()), ("b", point_of(precision="fp32"))], "one prec"),
                             ([("a", point_of(flops_per_s=0))], "without a place"),
                             ([("a", point_of(precision="fp8"))], "no roof of fp8"),
                             ([("a", point_of(intensity={"dram": "x"}))], "a number is expected")):
            with self.assertRaisesRegex(roofline.RecordError, part):
                roofline.draw_roofline(place_of(ROOFS), points)

    def test_every_kind_of_chart(self):
        kinds = set()
        for names in (("h200", "silicon8"), ("h200", "trajectories", "gpp"), ("h100", "transformer", "forward"),
                      ("h200", "whole", "gpp214_v12")):
            for chart in roofline.read(path("results", *names)).charts():
                kinds.add(chart.name.split("-")[0])
                chart.save(os.path.join(self.folder, "chart.svg"))
                self.assertTrue(chart._repr_svg_().rstrip().endswith("</svg>"))
        self.assertEqual(kinds, {"roofline", "time", "plane", "ladder", "trajectory"})
        self.assertGreater(self.drawn(roofline.read(STUDY).draw()), 10_000)

    def test_tables_are_those_of_pandas(self):
        table = roofline.read(STUDY).frame()
        passed = table[table.status == "passed"]
        self.assertGreater(len(passed), 1)
        self.assertGreater(passed.median_s.min(), 0)

    def test_the_example_of_the_document(self):
        with open(path("docs", "python.md"), encoding="utf-8") as file:
            blocks = re.findall(r"^```python\n(.*?)^```$", file.read(), re.M | re.S)
        self.assertEqual(len(blocks), 1)
        source = blocks[0].replace("results/", path("results") + "/")
        done = self.run_python("-c", source, PYTHONPATH=path("python"), MPLBACKEND="Agg")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("v9 cuda", done.stdout)
        self.assertGreater(os.path.getsize(os.path.join(self.folder, "roofline.png")), 10_000)


if __name__ == "__main__":
    os.environ["ROOFLINE_PROGRAM"], os.environ["GPP_PROGRAM"] = sys.argv.pop(), sys.argv.pop()
    unittest.main()
