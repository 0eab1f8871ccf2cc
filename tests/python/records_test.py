"""Tests that records are read, derived values come from the program, and errors name places.

    records_test.py GPP ROOFLINE
"""
import itertools
import json
import os
import subprocess
import sys
import unittest
from unittest import mock

from place import Folder, path
import roofline
from roofline import outside

STUDY, CHARTED = path("results", "h200", "silicon8"), path("results", "h200", "gpp214")
PROFILE = path("results", "h100", "transformer", "forward")


def text_of(*names):
    with open(path(*names), encoding="utf-8") as file:
        return file.read()


class Reads(Folder):
    def test_every_record_of_the_tree(self):
        self.hide_programs()
        kinds = {"study.json": roofline.Study, "profile.json": roofline.Profile,
                 "trajectory.json": roofline.Trajectory}
        seen = set()
        # A user's own studies are beside these, and git ignores them.
        kept = [path("results", name) for name in ("epyc-2-cores", "h100", "h200", "xeon-16-cores", "xeon-2-cores")]
        for folder, _, names in itertools.chain.from_iterable(map(os.walk, kept)):
            for name in set(names) & set(kinds):
                record = roofline.read(os.path.join(folder, name))
                self.assertIs(type(record), kinds[name])
                self.assertTrue(record.rows(), folder)
                self.assertIn("<table>", record._repr_html_())
                seen.add(name)
        self.assertEqual(seen, set(kinds))

    def test_facts_are_there_without_the_program_and_what_follows_is_not(self):
        self.hide_programs()
        study = roofline.read(STUDY)
        row = next(row for row in study.rows() if row["status"] == "passed")
        result = next(one for one in study.facts["results"] if one["status"] == "passed")
        self.assertEqual((row["variant"], row["runs"]), (result["variant"], len(result["time_s"]["samples"])))
        self.assertIsNone(row["median_s"])
        self.assertIn("`gpp`", study.why_facts_alone)
        self.assertIn("`gpp`", study._repr_html_())
        for call in (study.charts, lambda: study.derived, study.draw):
            with self.assertRaisesRegex(roofline.ProgramMissing, "GPP_PROGRAM"):
                call()

    def test_what_follows_is_what_the_program_says(self):
        study = roofline.read(STUDY)
        self.assertEqual(study.why_facts_alone, "")
        told = json.loads(subprocess.run([os.environ["GPP_PROGRAM"], "report", "--json", STUDY], check=True,
                                         capture_output=True, text=True).stdout)["studies"][0]["study"]
        self.assertEqual(study.derived, told)
        passed = [row for row in study.rows() if row["status"] == "passed"]
        results = [one for one in told["results"] if one["status"] == "passed"]
        self.assertEqual([row["median_s"] for row in passed], [one["time_s"]["median"] for one in results])
        self.assertTrue(any(row["percent_of_roof"] for row in passed))
        with open(os.path.join(STUDY, "study.json"), encoding="utf-8") as file:
            self.assertEqual(study.facts, json.load(file))

    def test_charts_are_the_programs_own(self):
        study = roofline.read(CHARTED)
        names = [chart.name for chart in study.charts()]
        kept = {name[:-4] for name in os.listdir(self.report(CHARTED)) if name.endswith(".svg")}
        self.assertEqual(set(names), kept)
        self.assertTrue(study.chart("roofline").name.startswith("roofline"))
        self.assertIn("<svg", study.chart("roofline").svg)
        with self.assertRaisesRegex(roofline.RecordError, "no chart 'wrong'; there are"):
            study.chart("wrong")

    def test_a_profile_is_placed_anew_by_the_program(self):
        profile = roofline.read(PROFILE)
        kept = json.loads(text_of(PROFILE, "profile.json"))
        row = profile.rows()[0]
        self.assertEqual(row["kernel"], kept["kernels"][0]["name"])
        self.assertAlmostEqual(row["percent_of_roof"],
                               kept["kernels"][0]["rooflines"]["bf16_tensor"]["percent_of_roof"])
        self.assertEqual(profile.chart().name, "roofline-bf16_tensor")
        self.assertIn("charts", profile.derived)

    def test_trajectories_and_scaling(self):
        trajectory = roofline.read(path("results", "h200", "trajectories", "gpp"))
        rows = trajectory.rows()
        self.assertEqual(len({row["units"] for row in rows}), len({one["units"] for one in trajectory.facts["points"]}))
        self.assertTrue(any(row["median_s"] for row in rows))
        self.assertTrue(trajectory.charts())
        scaled = roofline.read(path("results", "h200", "whole", "gpp214_v12")).scaling()
        self.assertEqual(scaled[0]["law"], "strong")
        self.assertGreater(scaled[0]["seconds"], 0)

    def test_what_the_program_refuses_is_told_in_its_words(self):
        study = json.loads(text_of(STUDY, "study.json"))
        study["machine"]["cores"] = "many"
        record = roofline.read(self.write("study.json", json.dumps(study)))
        with self.assertRaisesRegex(roofline.RecordError, "machine.cores"):
            record.rows()


class Refuses(Folder):
    def refused(self, content, *parts, call=lambda record: record.rows()):
        file = self.write("study.json", content)
        with self.assertRaises(roofline.RecordError) as caught:
            call(roofline.read(file))
        for part in (file, *parts):
            self.assertIn(part, str(caught.exception))
        self.assertEqual(str(caught.exception), outside.visible(str(caught.exception)))

    def test_what_is_no_json(self):
        for content, part in ((b"", "not JSON"), (b"{", "not JSON"), (b"\xff\xfe", "not UTF-8 at byte 0"),
                              (b"[" * 100_000, "nested too deeply"), (b'{"a": NaN}', "NaN is no number"),
                              (b'{"a": 1e999}', "too large"), (b'{"a": ' + b"9" * 5000 + b"}", "5000 digits"),
                              (b"[" + b"0," * 4_000_001 + b"0]", "more than 4000000 values")):
            self.refused(content, part)

    def test_what_is_no_record(self):
        for content, part in (("[]", "an object is expected here, and a list was found"),
                              ("3", "an object is expected here, and a number was found"),
                              ("{}", "no study, trajectory or profile"),
                              ('{"schema_version": 3, "results": []}', "a later one"),
                              ('{"schema_version": 1, "results": []}', "revision 1551ee35"),
                              ('{"schema_version": true, "results": []}', "a number is expected here, and a truth"),
                              ('{"roofline_profile": 2}', "roofline_profile: version 2"),
                              ('{"schema_version": 2, "results": []}', "kernel: missing")):
            self.refused(content, part)

    def test_wrong_values_are_told_with_their_place(self):
        self.hide_programs()
        for key, value, part in (("variant", 7, "results[0].variant: a text is expected here, and a number"),
                                 ("time_s", {"samples": 3}, "results[0].time_s.samples: a list is expected"),
                                 ("check", [], "results[0].check: an object is expected here, and a list"),
                                 ("variant", "x" * 200_000, "a text of 200000 letters")):
            study = json.loads(text_of(STUDY, "study.json"))
            study["results"][0][key] = value
            self.refused(json.dumps(study), part)

    def test_texts_cannot_control_a_terminal_or_a_page(self):
        self.hide_programs()
        study = json.loads(text_of(STUDY, "study.json"))
        study["results"][0]["variant"] = "\x1b[31m<b>\u202e\ud800"
        record = roofline.read(self.write("study.json", json.dumps(study)))
        self.assertEqual(record.rows()[0]["variant"], r"\x1b[31m<b>\u202e\ud800")
        self.assertIn("&lt;b&gt;", record._repr_html_())
        record._repr_html_().encode()

    def test_a_notebook_shows_no_more_than_people_read(self):
        self.hide_programs()
        profile = json.loads(text_of(PROFILE, "profile.json"))
        profile["kernels"] = profile["kernels"][:1] * 250
        shown = roofline.read(self.write("profile.json", json.dumps(profile)))._repr_html_()
        self.assertEqual(shown.count("<tr>"), 101)
        self.assertIn("And 150 more", shown)

    def test_a_package_that_is_not_here_is_named_with_its_remedy(self):
        self.hide_programs()
        with mock.patch.dict(sys.modules, {"pandas": None, "matplotlib": None, "matplotlib.pyplot": None}):
            with self.assertRaisesRegex(ImportError, "a DataFrame takes pandas.*python3-pandas"):
                roofline.read(STUDY).frame()
            with self.assertRaisesRegex(ImportError, "drawing takes matplotlib.*python3-matplotlib"):
                roofline.draw_roofline(None, [("k", {"precision": mock.Mock()})])

    def test_only_regular_files_of_bounded_size(self):
        fifo = os.path.join(self.folder, "fifo")
        os.mkfifo(fifo)
        for name in (fifo, "/dev/zero"):
            with self.assertRaisesRegex(roofline.RecordError, "not a regular file"):
                roofline.read(name)
        large = self.write("large", "")
        os.truncate(large, 1 << 40)
        with self.assertRaisesRegex(roofline.RecordError, "larger than 64 MiB"):
            roofline.read(large)
        ranks = os.path.join(self.folder, "ranks")
        os.makedirs(os.path.join(ranks, "rank-0"))
        for name, part in ((os.path.join(self.folder, "no"), "No such file"), ("a\0b", "null byte"),
                           (self.folder, "none of study.json"), (ranks, "read rank-0")):
            with self.assertRaisesRegex(roofline.RecordError, part):
                roofline.read(name)

    def test_a_program_that_is_none(self):
        for script, part in (("exit 2", "ended with 2"), ("echo no", "ended with 0"), ("echo '{'", "not JSON"),
                             ("echo alas >&2; exit 3", "alas"), ("echo '{}'", "studies: missing")):
            os.environ["GPP_PROGRAM"] = self.write("gpp", f"#!/bin/sh\n{script}\n", 0o755)
            with self.assertRaisesRegex(roofline.RecordError, part):
                roofline.read(STUDY).rows()


if __name__ == "__main__":
    os.environ["ROOFLINE_PROGRAM"], os.environ["GPP_PROGRAM"] = sys.argv.pop(), sys.argv.pop()
    unittest.main()
