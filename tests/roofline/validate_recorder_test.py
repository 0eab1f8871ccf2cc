"""Tests of scripts/validate-recorder with fake programs: sums, comparisons, verdicts."""
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
TENSOR = "sm__ops_path_tensor_src_fp64.sum"
DRAM = "dram__bytes.sum"
INSTRUCTIONS = "sm__inst_executed.sum"
SECONDS = "gpu__time_duration.sum"


class ValidateRecorder(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        # Counters on the bundled input, where everything is counted, and on the input for traffic.
        self.ours = {DFMA: 1500, TENSOR: 0, INSTRUCTIONS: 100, DRAM: 7, SECONDS: 8}
        self.ours_traffic = {DRAM: 1010, INSTRUCTIONS: 5000, SECONDS: 9}
        # One row per kernel and counter, in ncu's format.
        self.theirs = [(0, DFMA, "1,000"), (1, DFMA, "500"), (0, TENSOR, "0"),
                       (0, INSTRUCTIONS, "102")]
        self.theirs_traffic = [(0, DRAM, "1000"), (1, DRAM, "n/a"), (0, INSTRUCTIONS, "5000"),
                               (0, SECONDS, "3")]
        self.answers = "known answer,Daxpy,fp64_flop,2,2,+0.0000%"

    def path(self, *names):
        return os.path.join(self.folder.name, *names)

    def text(self, *names):
        with open(self.path(*names), encoding="utf-8") as file:
            return file.read()

    def program(self, path, text, special="no such option", special_text=""):
        """Writes a program that prints a text (another one for arguments with `special`)."""
        path = self.path(path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"#!/bin/sh\necho \"$*\" >> {path}.log\n"
                       f"case \" $* \" in *\" {special} \"*) cat <<'EOF'\n{special_text}\nEOF\n;;\n"
                       f"*) cat <<'EOF'\n{text}\nEOF\n;; esac\n")
        os.chmod(path, os.stat(path).st_mode | stat.S_IXUSR)

    def calls(self, *names):
        """The arguments of each call to a program."""
        return [line.split() for line in self.text(*names[:-1], names[-1] + ".log").splitlines()]

    @staticmethod
    def as_ncu_prints(counted):
        lines = ["==PROF== Connected", '"ID","Kernel Name","Metric Name","Metric Value"']
        lines += [f'"{kernel}","k","{name}","{value}"' for kernel, name, value in counted]
        return "\n".join(lines)

    @staticmethod
    def as_one_call_prints(counters):
        return json.dumps({"counters": counters, "missing": {}, "defects": []})

    def validate(self, *arguments, traffic="--preset gpp214"):
        """The finished run, and its rows by input and counter."""
        self.program("bin/ncu", self.as_ncu_prints(self.theirs), traffic,
                     self.as_ncu_prints(self.theirs_traffic))
        listed = [{"variant": "v7", "step": "reciprocal", "model": "cuda", "runnable": True},
                  {"variant": "v8", "step": "power2", "model": "cuda", "runnable": False},
                  {"variant": "v7", "step": "reciprocal", "model": "omp", "runnable": True}]
        self.program("build/gpp", json.dumps(listed))
        self.program("build/tests/harness/one_call", self.as_one_call_prints(self.ours),
                     f"{traffic} --record --hardware", self.as_one_call_prints(self.ours_traffic))
        self.program("build/tests/roofline/known_answers_tests", self.answers)
        done = subprocess.run(
            [sys.executable, os.path.join(ROOT, "scripts", "validate-recorder"),
             "-o", self.path("out"), "--build", self.path("build"), *arguments],
            env={"PATH": self.path("bin") + ":/usr/bin:/bin"}, capture_output=True, text=True)
        rows = {}
        if os.path.exists(self.path("out", "recorder-against-ncu.csv")):
            for row in csv.DictReader(self.text("out", "recorder-against-ncu.csv").splitlines()):
                rows[row["input"], row["counter"]] = row
        return done, rows

    def test_sums_over_kernels_and_agrees(self):
        done, rows = self.validate()
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        dfma, dram = rows["silicon8", DFMA], rows["gpp214", DRAM]
        self.assertEqual(dfma["ncu"], "1500")
        self.assertEqual(dfma["kernels"], "2")
        self.assertEqual(dfma["verdict"], "agrees")
        self.assertEqual(dram["recorder"], "1010")
        self.assertEqual(dram["difference_percent"], "1")
        self.assertEqual(rows["gpp214", SECONDS]["verdict"], "told")
        self.assertEqual(rows["gpp214", SECONDS]["limit_percent"], "")
        self.assertEqual(rows["gpp214", "lts__t_bytes.sum"]["verdict"], "missing in both")
        self.assertEqual({row["variant"] for row in rows.values()}, {"v7"})

    def test_operations_and_traffic_have_an_input_each(self):
        _, rows = self.validate()
        small = {counter for source, counter in rows if source == "silicon8"}
        large = {counter for source, counter in rows if source == "gpp214"}
        operations = {f"sm__sass_thread_inst_executed_op_{op}_pred_on.sum"
                      for op in ("dadd", "dmul", "dfma", "fadd", "fmul", "ffma")}
        self.assertEqual(small, operations | {TENSOR, INSTRUCTIONS})
        self.assertEqual(large, {DRAM, "lts__t_bytes.sum", "lts__t_sectors_srcunit_tex.sum",
                                 "l1tex__t_bytes.sum",
                                 "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum", INSTRUCTIONS,
                                 "sm__cycles_elapsed.max", SECONDS})
        self.assertEqual({rows["silicon8", name]["limit_percent"]
                          for name in operations | {TENSOR}}, {"0"})
        self.assertEqual(rows["silicon8", INSTRUCTIONS]["limit_percent"], "3")
        self.assertEqual({rows["gpp214", name]["limit_percent"] for name in large}, {"3", ""})

    def test_ncu_is_asked_for_the_counters_of_a_part_alone(self):
        # A single name with "__sass_" would make ncu patch the code of the large input, too.
        _, rows = self.validate()
        small, large = [call for call in self.calls("bin", "ncu") if "--metrics" in call]
        for call, source in (small, "silicon8"), (large, "gpp214"):
            asked = call[call.index("--metrics") + 1].split(",")
            self.assertEqual(set(asked), {counter for of, counter in rows if of == source})
            self.assertNotIn("--record", call)
            self.assertEqual(call[call.index("--clock-control") + 1], "none")
            self.assertEqual(call[call.index("--cache-control") + 1], "none")
        self.assertEqual(small[-3:], ["v7", "--model", "cuda"])
        self.assertEqual(large[-5:], ["v7", "--model", "cuda", "--preset", "gpp214"])

    def test_the_recorder_leaves_software_counters_out_on_the_large_input(self):
        self.validate()
        self.assertEqual(self.calls("build", "tests", "harness", "one_call"),
                         ["v7 --model cuda --record".split(),
                          "v7 --model cuda --preset gpp214 --record --hardware".split()])

    def test_the_input_for_traffic_can_be_asked_for(self):
        for asked in ("--preset", "si510"), ("--input", "some.dat"):
            done, rows = self.validate(*asked, traffic=" ".join(asked))
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertEqual({source for source, _ in rows}, {"silicon8", asked[1]})
            self.assertIn(f"Traffic is compared on `{asked[1]}`",
                          self.text("out", "recorder-against-ncu.md"))
            self.assertEqual(rows[asked[1], DRAM]["recorder"], "1010")

    def test_one_operation_more_is_different(self):
        self.ours[DFMA] += 1
        done, rows = self.validate()
        self.assertEqual(done.returncode, 1)
        self.assertEqual(rows["silicon8", DFMA]["verdict"], "DIFFERENT")
        self.assertIn(f"on silicon8, {DFMA}", done.stdout)

    def test_one_tensor_operation_more_is_different(self):
        self.ours[TENSOR] += 1
        done, rows = self.validate()
        self.assertEqual(done.returncode, 1)
        self.assertEqual(rows["silicon8", TENSOR]["verdict"], "DIFFERENT")

    def test_bytes_may_differ_by_three_percent(self):
        self.ours_traffic[DRAM] = 1031
        done, rows = self.validate()
        self.assertEqual(done.returncode, 1)
        self.assertEqual(rows["gpp214", DRAM]["verdict"], "DIFFERENT")

    def test_a_counter_that_only_one_has_is_different(self):
        del self.ours_traffic[DRAM]
        done, rows = self.validate()
        self.assertEqual(done.returncode, 1)
        self.assertEqual(rows["gpp214", DRAM]["recorder"], "")

    def test_nothing_profiled_is_an_error(self):
        self.theirs = []
        done, _ = self.validate()
        # With only the header there is no kernel, so nothing is confirmed.
        self.assertEqual(done.returncode, 1)

    def test_one_part_lost_leaves_the_other(self):
        self.as_one_call_prints = lambda counters: (
            "no JSON" if counters is self.ours_traffic else json.dumps(
                {"counters": counters, "missing": {}, "defects": []}))
        done, rows = self.validate()
        self.assertEqual(done.returncode, 1)
        self.assertIn("not compared: cuda v7 on gpp214", done.stdout)
        self.assertEqual({source for source, _ in rows}, {"silicon8"})

    def test_the_summary_says_what_was_compared_where_and_why(self):
        self.validate()
        text = self.text("out", "recorder-against-ncu.md")
        for said in ("--clock-control none --cache-control none",
                     "Operations are compared on the bundled input `silicon8`",
                     "some hundred times as long",
                     "Traffic is compared on `gpp214`",
                     "lives in L2, where traffic depends on what was there before",
                     f"`{SECONDS}`",
                     f"| `{DFMA}` | silicon8 | 0% | +0.000% | cuda v7 | 0 |",
                     f"| `{INSTRUCTIONS}` | silicon8 | 3% | -1.961% | cuda v7 | 0 |",
                     f"| `{INSTRUCTIONS}` | gpp214 | 3% | +0.000% | cuda v7 | 0 |",
                     f"| `{DRAM}` | gpp214 | 3% | +1.000% | cuda v7 | 0 |",
                     "| Daxpy | fp64_flop | 2 | 2 | +0.0000% |"):
            self.assertIn(said, text)

    def test_nothing_where_nothing_was_predicted_is_exact(self):
        self.answers = ("known answer,Daxpy,fp32_flop,0,0,-nan%\n"
                        "known answer,Daxpy,fp16_flop,0,4,+inf%")
        self.validate()
        text = self.text("out", "recorder-against-ncu.md")
        self.assertIn("| Daxpy | fp32_flop | 0 | 0 | +0.0000% |", text)
        self.assertIn("| Daxpy | fp16_flop | 0 | 4 | +inf% |", text)
        self.assertIn("Daxpy,fp32_flop,0,0,+0.0000%\n",
                      self.text("out", "recorder-known-answers.csv"))

    def test_known_answers_must_have_been_counted(self):
        self.answers = "skipped"
        done, _ = self.validate()
        self.assertEqual(done.returncode, 1)
        self.assertIn("known answers", done.stdout)


if __name__ == "__main__":
    unittest.main()
