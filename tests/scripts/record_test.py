"""Tests of scripts/record with a fake gpp: what is recorded, kept, refused, left and packed."""
import importlib.machinery
import importlib.util
import json
import os
import signal
import subprocess
import tarfile
import tempfile
import time
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SCRIPT = os.path.join(ROOT, "scripts", "record")
# The fake writes a record into the folder of -o; $FAKE makes a kernel fail or take long. Programs of
# other kernels are the same file in the folder bin/.
GPP = r"""#!/bin/bash
printf '%s\n' "${0##*/} $*" >>"$FAKE_CALLS"
kernel=${0##*/}
case $1 in
  --version) echo "$FAKE_VERSION" ;;
  list) echo '[{"model": "omp", "variant": "v1", "runs_on": ["host"]},
               {"model": "thrust", "variant": "v1", "runs_on": ["host"]},
               {"model": "omp", "variant": "v14", "runs_on": []}]' ;;
  compare) [[ $kernel != stream ]] ;;
  *)
    while [[ $1 != -o ]]; do shift; done
    mkdir -p "$2" && echo half >"$2/study.json"
    case $kernel in *"${FAKE_FAILS-none}"*) echo wrong sums; exit 1 ;; esac
    case $kernel in *"${FAKE_SLOW-none}"*) sleep 100 & wait ;; esac
    echo "{\"kernel\": \"$kernel\"}" >"$2/study.json" ;;
esac
"""


class Record(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        with open(self.path("gpp"), "w", encoding="utf-8") as file:
            file.write(GPP)
        os.chmod(self.path("gpp"), 0o755)
        os.mkdir(self.path("bin"))
        for kernel in ("toys", "stream", "nbody", "epsilon"):
            os.symlink(self.path("gpp"), self.path("bin", kernel))

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def command(self, *words):
        return [SCRIPT, "--program", self.path("gpp"), "--device", "host", *words]

    def environment(self, **changes):
        return {**os.environ, "FAKE_CALLS": self.path("calls"), "FAKE_VERSION": "gpp 1", **changes}

    def record(self, *words, **changes):
        return subprocess.run(self.command("-o", self.path("out"), *words), text=True,
                              capture_output=True, env=self.environment(**changes))

    def calls(self):
        with open(self.path("calls"), encoding="utf-8") as file:
            return [line.split() for line in file if line.split()[1] in ("study", "scale", "trajectory")]

    def text(self, *names):
        with open(self.path(*names), encoding="utf-8") as file:
            return file.read().strip()

    def test_a_part_that_is_there_is_kept(self):
        done = self.record("toys", "stream")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("gpp 1 on host: 2 parts, about 150 s", done.stdout)
        self.assertEqual(self.text("out", "toys", "study.json"), '{"kernel": "toys"}')
        again = self.record("toys", "nbody")
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertIn("done before", again.stdout)
        self.assertEqual([call[0] for call in self.calls()], ["toys", "stream", "nbody"])

    def test_what_runs_on_the_device_is_asked_for(self):
        self.record("gpp214", "epsilon")
        first, second = self.calls()
        self.assertEqual(first[first.index("--model") + 1], "omp,thrust")
        self.assertIn("--energy", first)
        self.assertEqual(second[second.index("--model") + 1], "omp")
        self.assertEqual(self.text("out", "gpp214", "study.json"), '{"kernel": "gpp"}')

    def test_times_alone_count_nothing(self):
        self.record("--times", "gpp214", "silicon8", "whole")
        for call in self.calls():
            self.assertEqual(call[1], "study")
            self.assertEqual(call.count("--counters"), 1)
            self.assertEqual(call[call.index("--counters") + 1], "off")
            self.assertFalse({"--energy", "--lines", "all"} & set(call))

    def test_a_part_that_fails_is_tried_anew_and_others_go_on(self):
        done = self.record("toys", "stream", FAKE_FAILS="toys")
        self.assertEqual(done.returncode, 1)
        self.assertIn("failed with status 1", done.stdout)
        self.assertFalse(os.path.exists(self.path("out", "toys")))
        self.assertIn("wrong sums", self.text("out", "logs", "toys.txt"))
        self.assertTrue(os.path.exists(self.path("out", "stream")))
        self.assertEqual(self.record("toys", "stream").returncode, 0)
        self.assertEqual(self.text("out", "toys", "study.json"), '{"kernel": "toys"}')

    def test_another_program_or_other_files_are_refused(self):
        self.record("toys")
        other = self.record("stream", FAKE_VERSION="gpp 2")
        self.assertEqual(other.returncode, 1)
        self.assertIn("records of another program, gpp 1, and this is gpp 2", other.stderr)
        times = self.record("--times", "stream")
        self.assertIn("another kind, all, and this is times", times.stderr)
        os.remove(self.path("out", "parts.json"))
        self.assertIn("did not record", self.record("stream").stderr)
        self.assertEqual(len(self.calls()), 1)

    def test_a_part_that_would_not_end_in_time_is_left(self):
        done = self.record("--time", "60", "gpp214", "toys")
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertEqual([call[0] for call in self.calls()], ["toys"])
        self.assertIn("left: it would not end in time", done.stdout)

    def test_what_takes_too_long_is_stopped(self):
        loader = importlib.machinery.SourceFileLoader("record", SCRIPT)
        script = importlib.util.module_from_spec(importlib.util.spec_from_loader("record", loader))
        loader.exec_module(script)
        begin = time.monotonic()
        self.assertIsNone(script.run_command(["sleep", "100"], self.path("log"), 0.1))
        self.assertLess(time.monotonic() - begin, 50)
        self.assertEqual(script.run_command(["false"], self.path("log"), 100), 1)

    def test_an_interrupted_part_is_not_there_and_starts_anew(self):
        with subprocess.Popen(self.command("-o", self.path("out"), "toys", "stream"), text=True,
                              stdout=subprocess.PIPE,
                              env=self.environment(FAKE_SLOW="toys")) as process:
            while not os.path.exists(self.path("out", "unfinished", "toys", "study.json")):
                time.sleep(0.01)
            process.send_signal(signal.SIGINT)
            said = process.communicate()[0]
        self.assertEqual(process.returncode, 3)
        self.assertIn("left: interrupted", said)
        self.assertFalse(os.path.exists(self.path("out", "toys")))
        self.assertEqual(self.record("toys").returncode, 0)
        self.assertEqual(self.text("out", "toys", "study.json"), '{"kernel": "toys"}')

    def test_the_file_holds_what_is_done(self):
        self.record("toys", "stream", "--tar", self.path("x.tar.gz"), FAKE_FAILS="stream")
        with tarfile.open(self.path("x.tar.gz")) as tar:
            names = tar.getnames()
        self.assertIn("out/toys/study.json", names)
        self.assertIn("out/parts.json", names)
        self.assertFalse([name for name in names if "unfinished" in name or "stream/" in name])
        self.assertEqual(list(json.loads(self.text("out", "parts.json"))["parts"]), ["toys"])

    def test_two_folders_are_compared_record_by_record(self):
        self.record("toys", "stream")
        subprocess.run(self.command("-o", self.path("again"), "--times", "toys", "stream"),
                       env=self.environment(), check=True, capture_output=True)
        done = subprocess.run(self.command("--compare", self.path("out"), self.path("again")),
                              text=True, capture_output=True, env=self.environment())
        self.assertEqual(done.returncode, 1, "the fake's stream differs")
        self.assertIn("== stream\n", done.stdout)
        self.assertIn("== toys\n", done.stdout)

    def test_unknown_names_and_missing_programs_are_told(self):
        self.assertIn("no part is called toy;", self.record("toy").stderr)
        missing = subprocess.run([SCRIPT, "-o", self.path("out"), "--program", self.path("none")],
                                 text=True, capture_output=True)
        self.assertIn("does not start", missing.stderr)
        self.assertFalse(os.path.exists(self.path("out")))


if __name__ == "__main__":
    unittest.main()
