"""Tests that matplotlib draws charts as the program made them, that tables become pandas', and that
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
from roofline.charts import charts_of  # noqa: E402
from roofline.outside import Place  # noqa: E402

STUDY = path("results", "h200", "silicon8")


def chart_of(**changes):
    """A small chart in the program's format."""
    axis = {"title": "operations", "unit": "", "logarithmic": True, "low": 1, "high": 100, "categories": False,
            "ticks": [{"at": 1, "text": "$1$"}, {"at": 10, "text": "$x_{"}]}
    chart = {"name": "roofline", "title": "a $\\frac title", "subtitle": "$", "description": "", "x": axis,
             "y": dict(axis, title="$"), "boxes": [{"left": 1, "bottom": 1, "right": 2, "top": 3, "colour": "ink"}],
             "lines": [{"x": [1, 10], "y": [2, 20], "width": 1.5, "colour": "ink", "dash": "dash", "item": "roof"},
                       {"x": [1, 3], "y": [2, 4], "width": 1, "colour": "ink", "arrow": True}],
             "marks": [{"x": 5, "y": 7, "shape": "square", "colour": "ink", "hollow": True, "name": "v1",
                        "item": "point", "of": "l2", "low": 6, "high": 8}],
             "labels": [{"text": "v1 $", "x": 5, "y": 7, "dx": 8, "dy": 9, "angle": 0, "led": True, "colour": "ink"}],
             "key": [{"text": "$L2", "colour": "ink", "shape": "square"}, {"text": "roof", "colour": "ink"}],
             "notes": ["$ is not drawn"],
             "frame": {"width": 1200, "height": 800, "left": 118, "bottom": 84, "right": 304, "top": 108}}
    chart.update(changes)
    return charts_of(Place({"charts": [chart], "palette": {"ink": "#1B1D21"}}, "made"))[0]


class Draws(Folder):
    def tearDown(self):
        plt.close("all")

    def drawn(self, axes):
        """The size of a chart's picture in bytes, which depends on every text and line."""
        file = os.path.join(self.folder, "picture.png")
        axes.figure.savefig(file)
        return os.path.getsize(file)

    def test_marks_and_roofs_lie_where_the_program_put_them(self):
        chart = chart_of()
        axes = chart.draw()
        self.assertGreater(self.drawn(axes), 5000)
        places = [tuple(map(tuple, line.get_data())) for line in axes.get_lines()]
        self.assertIn(((1, 10), (2, 20)), places)
        self.assertIn(((5,), (7,)), places)
        self.assertEqual((axes.get_xscale(), axes.get_xlim()), ("log", (1, 100)))
        self.assertIn("v1 \\$", [text.get_text() for text in axes.texts])
        self.assertEqual(chart.marks(), [{"item": "point", "of": "l2", "name": "v1", "source": "", "x": 5, "y": 7}])

    def test_axes_of_others_are_taken(self):
        figure, axes = plt.subplots()
        self.assertIs(chart_of().draw(axes), axes)
        self.assertGreater(self.drawn(axes), 5000)

    def test_what_cannot_be_drawn_is_refused_with_its_place(self):
        line = {"x": [1], "y": [1, 2], "width": 1, "colour": "ink"}
        axis = {"title": "", "logarithmic": True, "low": 0, "high": 1, "ticks": [], "categories": False}
        for changes, part in (({"lines": [line]}, r"charts\[0\].lines\[0\]: 1 places across and 2 up"),
                              ({"lines": [dict(line, x=[1, "2"])]}, r"lines\[0\].x\[1\]: a number is expected"),
                              ({"lines": [dict(line, x=[1, 2], colour="url(x)")]}, "no colour 'url"),
                              ({"x": axis}, "x: no axis goes from 0 to 1"), ({"frame": {}}, "frame.width: missing")):
            with self.assertRaisesRegex(roofline.RecordError, part):
                chart_of(**changes).draw()

    def test_every_kind_of_chart(self):
        charts = {}
        for names in (("h200", "silicon8"), ("h200", "trajectories", "gpp"), ("h100", "transformer", "forward"),
                      ("h200", "whole", "gpp214_v12")):
            for chart in roofline.read(path("results", *names)).charts():
                charts[chart.name.split("-")[0]] = chart
        self.assertEqual(set(charts), {"roofline", "time", "plane", "ladder", "trajectory"})
        for chart in charts.values():
            self.assertGreater(self.drawn(chart.draw()), 10_000, chart)

    def test_a_table_beside_a_picture_is_enough(self):
        table = os.path.join(self.report(path("results", "h200", "gpp214")), "roofline.csv")
        self.hide_programs()
        axes = roofline.draw_csv(table)
        self.assertGreater(self.drawn(axes), 10_000)
        with open(table, encoding="utf-8") as file:
            kept = file.read().splitlines()
        points = [line for line in kept if line.startswith("point,")]
        self.assertEqual(len([line for line in axes.get_lines() if line.get_marker() != "None"]), len(points))
        head = kept[0]
        for text, part in (("a,b\n1,2\n", "not the table of a chart"), ("", "not the table of a chart"),
                           (head + "\npoint,l1,v1,,x,1,,,,\n", "line 2: not a row of numbers"),
                           (head + "\nroof,l1,v1,,1,1\n", "line 2: not a row of numbers"),
                           (head + "\nroof,l1,v1,,1,inf,2,2,,\n", "line 2: not a row of numbers"),
                           (head + "\npoint,l1,v1,,0,1,,,,\n", "line 2: not a row of numbers"),
                           (head + "\npoint," + "x" * 200_000, "no table: field larger")):
            with self.assertRaisesRegex(roofline.RecordError, part):
                roofline.draw_csv(self.write("roofline.csv", text))

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
