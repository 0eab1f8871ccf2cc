"""scripts/validate-recorder against programs that are fakes: what it sums, compares and judges."""
import csv
import json
import os
import stat
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DFMA = "sm__sass_thread_inst_executed_op_dfma_pred_on.sum"


class ValidateRecorder(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.ours = {DFMA: 1500, "dram__bytes.sum": 1010, "gpu__time_duration.sum": 9}
        # One row per kernel and counter, as ncu prints them.
        self.theirs = [(0, DFMA, "1,000"), (1, DFMA, "500"), (0, "dram__bytes.sum", "1000"),
                       (1, "dram__bytes.sum", "n/a"), (0, "gpu__time_duration.sum", "3")]
        self.answers = "known answer,Daxpy,fp64_flop,2,2,+0.0000%"

    def program(self, path, text):
        path = os.path.join(self.folder.name, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\ncat <<'EOF'\n" + text + "\nEOF\n")
        os.chmod(path, os.stat(path).st_mode | stat.S_IXUSR)

    def validate(self):
        lines = ["==PROF== Connected", '"ID","Kernel Name","Metric Name","Metric Value"']
        lines += [f'"{kernel}","k","{name}","{value}"' for kernel, name, value in self.theirs]
        self.program("bin/ncu", "\n".join(lines))
        listed = [{"variant": "v7", "step": "reciprocal", "model": "cuda", "runnable": True},
                  {"variant": "v8", "step": "power2", "model": "cuda", "runnable": False},
                  {"variant": "v7", "step": "reciprocal", "model": "omp", "runnable": True}]
        self.program("build/gpp", json.dumps(listed))
        self.program("build/tests/roofline/one_call",
                     json.dumps({"counters": self.ours, "missing": {}, "defects": [],
                                 "seconds": 1, "seconds_recording": 7}))
        self.program("build/tests/roofline/known_answers_tests", self.answers)
        done = subprocess.run(
            [sys.executable, os.path.join(ROOT, "scripts", "validate-recorder"),
             "-o", os.path.join(self.folder.name, "out"),
             "--build", os.path.join(self.folder.name, "build")],
            env={"PATH": os.path.join(self.folder.name, "bin") + ":/usr/bin:/bin"},
            capture_output=True, text=True)
        rows = {}
        path = os.path.join(self.folder.name, "out", "recorder-against-ncu.csv")
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                rows = {row["counter"]: row for row in csv.DictReader(file)}
        return done, rows

    def test_sums_over_kernels_and_agrees(self):
        done, rows = self.validate()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(rows[DFMA]["ncu"], "1500")
        self.assertEqual(rows[DFMA]["kernels"], "2")
        self.assertEqual(rows[DFMA]["verdict"], "agrees")
        self.assertEqual(rows["dram__bytes.sum"]["difference_percent"], "1")
        self.assertEqual(rows["gpu__time_duration.sum"]["verdict"], "told")
        self.assertEqual(rows["lts__t_bytes.sum"]["verdict"], "missing in both")
        self.assertEqual({row["variant"] for row in rows.values()}, {"v7"})

    def test_one_operation_more_is_different(self):
        self.ours[DFMA] += 1
        done, rows = self.validate()
        self.assertEqual(done.returncode, 1)
        self.assertEqual(rows[DFMA]["verdict"], "DIFFERENT")

    def test_bytes_may_differ_by_three_percent(self):
        self.ours["dram__bytes.sum"] = 1031
        done, rows = self.validate()
        self.assertEqual(done.returncode, 1)
        self.assertEqual(rows["dram__bytes.sum"]["verdict"], "DIFFERENT")

    def test_a_counter_that_only_one_has_is_different(self):
        del self.ours["dram__bytes.sum"]
        done, rows = self.validate()
        self.assertEqual(done.returncode, 1)
        self.assertEqual(rows["dram__bytes.sum"]["recorder"], "")

    def test_nothing_profiled_is_an_error(self):
        self.theirs = []
        done, _ = self.validate()
        # The header alone: no kernel, so nothing of the recorder's is confirmed.
        self.assertEqual(done.returncode, 1)

    def test_known_answers_must_have_been_counted(self):
        self.answers = "skipped"
        done, _ = self.validate()
        self.assertEqual(done.returncode, 1)
        self.assertIn("known answers", done.stdout)


if __name__ == "__main__":
    unittest.main()
