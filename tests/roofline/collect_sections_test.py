"""Tests of scripts/collect-sections with a fake ncu: its arguments, files and messages."""
import os
import subprocess
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SCRIPT = os.path.join(ROOT, "scripts", "collect-sections")
SECTIONS = os.path.join(ROOT, "roofline", "sections")
TABLE = '==PROF== Connected\n"ID","Kernel Name","dram__bytes.sum"\n"","","byte"\n"0","k","32"\n'
# The fake logs its arguments by line, writes --log-file's given text, and runs the program.
FAKE = """#!/bin/bash
printf '%s\\n' "$@" >"$FAKE_ARGUMENTS"
[[ -z ${FAKE_SAYS_NOTHING-} ]] || exit 9
while [[ $# -gt 0 && $1 != --log-file ]]; do shift; done
printf '%s' "$FAKE_LOG" >"$2"
shift 2
"$@" || exit
exit "${FAKE_STATUS-0}"
"""


class CollectSections(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.table = self.path("out", "k.csv")
        os.mkdir(self.path("bin"))
        with open(self.path("bin", "ncu"), "w", encoding="utf-8") as file:
            file.write(FAKE)
        os.chmod(self.path("bin", "ncu"), 0o755)

    def path(self, *names):
        return os.path.join(self.folder, *names)

    @staticmethod
    def text(path):
        with open(path, encoding="utf-8") as file:
            return file.read()

    def collect(self, *arguments, output=True, program=("--", "echo", "the program"), **fake):
        environment = {"PATH": self.path("bin") + ":/usr/bin:/bin", "FAKE_LOG": TABLE,
                       "FAKE_ARGUMENTS": self.path("arguments"), **fake}
        named = ["-o", self.table] if output else []
        return subprocess.run([SCRIPT, *named, *arguments, *program], env=environment,
                              capture_output=True, text=True)

    def asked(self):
        return self.text(self.path("arguments")).splitlines()

    def refused(self, done, *words):
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        for word in words:
            self.assertIn(word, done.stderr)
        self.assertNotIn("is written", done.stdout)

    def test_everything_is_collected_unless_sections_are_named(self):
        done = self.collect()
        self.assertEqual(done.returncode, 0, done.stderr)
        asked = self.asked()
        self.assertEqual(asked[asked.index("--section-folder") + 1], SECTIONS)
        self.assertEqual([asked[at + 1] for at, word in enumerate(asked) if word == "--section"],
                         ["RooflineHierarchical"])
        for option, value in (("--clock-control", "none"), ("--cache-control", "none"),
                              ("--target-processes", "all"), ("--page", "raw"),
                              ("--print-units", "base")):
            self.assertEqual(asked[asked.index(option) + 1], value)
        self.assertIn("--csv", asked)

    def test_named_sections_are_asked_for_and_are_there(self):
        self.collect("--sections", "double,single,half,tensor,hierarchical")
        asked = self.asked()
        names = [asked[at + 1] for at, word in enumerate(asked) if word == "--section"]
        self.assertEqual(len(names), 5)
        for name in names:
            self.assertTrue(os.path.exists(os.path.join(SECTIONS, name + ".section")), name)

    def test_the_table_is_kept_and_the_next_command_is_told(self):
        done = self.collect()
        self.assertEqual(self.text(self.table), TABLE)
        self.assertIn(f"next: build/bin/roofline import {self.table}", done.stdout)
        self.assertIn("the program\n", done.stdout)
        self.assertEqual(os.listdir(self.path("out")), ["k.csv"])

    def test_options_of_ncu_and_arguments_pass_as_they_are(self):
        words = ["printf", "%s|", "a b", "$(touch oops)", "--", "-o", "*"]
        done = self.collect("--kernel", "a|b c", "--launches", "3", "--profile-from-start", "off",
                            "--replay", "application", program=("--", *words))
        asked = self.asked()
        self.assertEqual(asked[-len(words):], words)
        self.assertEqual(asked[asked.index("--kernel-name") + 1], "regex:a|b c")
        self.assertEqual(asked[asked.index("--launch-count") + 1], "3")
        self.assertEqual(asked[asked.index("--profile-from-start") + 1], "off")
        self.assertEqual(asked[asked.index("--replay-mode") + 1], "application")
        self.assertIn("a b|$(touch oops)|--|-o|*|", done.stdout)

    def test_a_table_that_is_there_is_kept_without_replace(self):
        self.collect()
        self.refused(self.collect(FAKE_LOG="other"), "is there already", "--replace")
        self.assertEqual(self.text(self.table), TABLE)
        done = self.collect("--replace", FAKE_LOG=TABLE + '"1","k","64"\n')
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn('"64"', self.text(self.table))

    def test_without_ncu_it_says_what_to_install(self):
        os.remove(self.path("bin", "ncu"))
        if os.path.exists("/usr/bin/ncu"):
            self.skipTest("ncu is installed beside the shell")
        self.refused(self.collect(NCU="/nowhere/ncu"), "ncu is not here", "Nsight Compute")

    def test_without_permission_it_says_who_can_give_it(self):
        done = self.collect(FAKE_LOG="==ERROR== ERR_NVGPUCTRPERM - The user does not have "
                                     "permission", FAKE_STATUS="1")
        self.refused(done, "administrators", "NVreg_RestrictProfilingToAdminUsers=0")
        self.assertFalse(os.path.exists(self.table))

    def test_another_profiler_is_named(self):
        done = self.collect(FAKE_LOG="==ERROR== Profiling failed because a driver resource was "
                                     "unavailable.", FAKE_STATUS="1")
        self.refused(done, "another profiler", "dcgmi")

    def test_a_section_that_does_not_load_is_shown(self):
        done = self.collect(FAKE_LOG="==ERROR== Failed to parse file X.section\n", FAKE_STATUS="1")
        self.refused(done, "X.section", "status 1")

    def test_a_table_of_a_run_that_failed_is_not_kept(self):
        self.refused(self.collect(program=("--", "false")), "status 1")
        self.assertEqual(os.listdir(self.path("out")), [])
        self.refused(self.collect(FAKE_SAYS_NOTHING="1"), "status 9")

    def test_a_warning_is_shown_and_the_table_kept(self):
        done = self.collect(FAKE_LOG="==WARNING== no such metric\n" + TABLE)
        self.assertEqual(done.returncode, 0)
        self.assertIn("no such metric", done.stderr)

    def test_no_kernel_is_an_error(self):
        self.refused(self.collect(FAKE_LOG="==WARNING== No kernels were profiled.\n"),
                     "saw no kernel")

    def test_arguments_that_cannot_be_right_are_refused(self):
        for arguments, word in ((["--sections", "dobule"], "'dobule'"), (["--launches", "0"], "0"),
                                (["--profile-from-start", "no"], "'no'"), (["--page"], "'--page'"),
                                (["--replay", "range"], "'range'"),
                                (["--kernel"], "--kernel needs a value")):
            with self.subTest(arguments):
                self.refused(self.collect(*arguments), word)
        self.refused(self.collect(output=False), "no table to write")
        self.refused(self.collect(program=()), "no program is named")
        self.refused(self.collect(program=("--", "no_such_program")), "no_such_program")
        self.table = self.path("bin")
        self.refused(self.collect(), "is a folder")

    def test_help_tells_the_options(self):
        done = self.collect("--help")
        self.assertEqual(done.returncode, 0)
        self.assertIn("--sections", done.stdout)
        self.assertNotIn("set -euo", done.stdout)


if __name__ == "__main__":
    unittest.main()
