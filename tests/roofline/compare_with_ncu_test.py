"""Tests of scripts/compare-with-ncu with fake programs: agreement, differences, messages."""
import csv
import json
import os
import subprocess
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SCRIPT = os.path.join(ROOT, "scripts", "compare-with-ncu")
# Prints the profile for its first argument, record or import.
ROOFLINE = '#!/bin/bash\nprintf "%s\\n" "$*" >>"$FAKE_CALLS"\ncat "$FAKE_PROFILES/$1.json"\n'
COLLECT = '#!/bin/bash\nprintf "%s\\n" "$*" >>"$FAKE_CALLS"\nexit "${FAKE_STATUS-0}"\n'


def kernel(name, launches=2, fp64=100.0, dram=1e6, l1=4e6):
    return {"name": name, "launches": launches, "work": {"fp64": fp64},
            "bytes": {"dram": dram, "l1": l1}}


class CompareWithNcu(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        for name, text in (("roofline", ROOFLINE), ("collect", COLLECT)):
            with open(self.path(name), "w", encoding="utf-8") as file:
                file.write(text)
            os.chmod(self.path(name), 0o755)

    def path(self, name):
        return os.path.join(self.folder, name)

    def compare(self, record, imported, *options, **environment):
        for name, kernels in (("record", record), ("import", imported)):
            with open(self.path(name + ".json"), "w", encoding="utf-8") as file:
                json.dump({"kernels": kernels}, file)
        return subprocess.run(
            [SCRIPT, "-o", self.path("out.csv"), "--roofline", self.path("roofline"), "--collect",
             self.path("collect"), *options, "--", "./program", "--its", "own"],
            capture_output=True, text=True,
            env={**os.environ, "FAKE_CALLS": self.path("calls"), "FAKE_PROFILES": self.folder,
                 **environment})

    def verdicts(self):
        with open(self.path("out.csv"), encoding="utf-8") as file:
            return {(row["kernel"], row["quantity"]): row["verdict"]
                    for row in csv.DictReader(file)}

    def test_equal_operations_and_nearly_equal_bytes_agree(self):
        done = self.compare([kernel("f")], [kernel("f", dram=1029e3)])
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("1 kernels, 3 quantities agree, 0 do not", done.stdout)

    def test_one_operation_too_many_differs(self):
        done = self.compare([kernel("f", fp64=101.0)], [kernel("f")])
        self.assertEqual(done.returncode, 1)
        self.assertEqual(self.verdicts()["f", "fp64"], "differs")
        self.assertEqual(self.verdicts()["f", "dram"], "agrees")

    def test_bytes_beyond_three_percent_differ(self):
        self.assertEqual(self.compare([kernel("f", dram=1031e3)], [kernel("f")]).returncode, 1)
        self.assertEqual(self.verdicts()["f", "dram"], "differs")

    def test_next_to_no_bytes_are_not_judged(self):
        done = self.compare([kernel("f", dram=1.0)], [kernel("f", dram=3.0)])
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.verdicts()["f", "dram"], "told")

    def test_dram_that_the_device_needs_itself_is_not_judged(self):
        done = self.compare([kernel("f", dram=7e4)], [kernel("f", dram=13e4)])
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.verdicts()["f", "dram"], "told")
        done = self.compare([kernel("f", l1=6e3, dram=0)], [kernel("f", l1=7e3, dram=0)])
        self.assertEqual(self.verdicts()["f", "l1"], "differs")

    def test_other_numbers_of_launches_are_scaled(self):
        done = self.compare([kernel("f")], [kernel("f", launches=1, fp64=50.0, dram=5e5, l1=2e6)])
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_what_one_of_them_lacks_is_no_agreement(self):
        lacking = kernel("f")
        del lacking["work"]["fp64"]
        self.assertEqual(self.compare([lacking], [kernel("f")]).returncode, 1)
        self.assertEqual(self.verdicts()["f", "fp64"], "missing")
        self.assertEqual(self.compare([kernel("f"), kernel("g")], [kernel("f")]).returncode, 1)
        self.assertEqual(self.verdicts()["g", ""], "in one of them alone")
        self.assertEqual(self.compare([], []).returncode, 1)

    def test_both_run_the_same_program_with_the_same_choice(self):
        self.compare([kernel("f")], [kernel("f")], "--kernel", "gemm", "--profile-from-start", "off",
                     "--replay", "application")
        with open(self.path("calls"), encoding="utf-8") as file:
            record, collect, imported = file.read().splitlines()
        for call in (record, collect):
            self.assertIn("--profile-from-start off --kernel gemm -- ./program --its own", call)
        self.assertIn(" --replay application ", collect)
        self.assertTrue(imported.startswith("import "))

    def test_where_ncu_fails_nothing_is_claimed(self):
        done = self.compare([kernel("f")], [kernel("f")], FAKE_STATUS="1")
        self.assertEqual(done.returncode, 1)
        self.assertIn("ncu counted nothing", done.stderr)
        self.assertFalse(os.path.exists(self.path("out.csv")))


if __name__ == "__main__":
    unittest.main()
