"""The manual pages and the completion in shells hold what --help says, and their readers accept them.

    shell_test.py PROGRAM...
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

PROGRAMS = []


def said(*words, **more):
    return subprocess.run(words, text=True, capture_output=True, check=True, **more).stdout


def help_of(*words):
    """Without the examples at its end."""
    return re.split(r"\nExamples?:", said(*words, "--help"))[0]


def commands_of(program):
    return re.findall(r"^  ([a-z]\w*) ", help_of(program), re.M)


def options_of(program, command):
    """The names of a command's options, and its positionals."""
    told = help_of(program, command)
    names = re.findall(r"^  (-[^ ]+)", told, re.M)
    positionals = re.findall(r"^  (\w+)", told, re.M)
    return [name for one in names for name in one.split(",")], positionals


def completed(program, *words):
    """What bash offers for the last of these words."""
    name = os.path.basename(program)
    script = (f'source <("$0" completion bash); COMP_WORDS=({name} "$@"); COMP_CWORD=$#; _{name}; '
              'printf "%s\\n" "${COMPREPLY[@]}"')
    return said("bash", "--norc", "-c", script, program, *words).split()


class Shell(unittest.TestCase):
    def manual_in(self, folder, program):
        path = os.path.join(folder, os.path.basename(program) + ".1")
        with open(path, "w", encoding="utf-8") as file:
            file.write(said(program, "manual"))
        return path

    def test_manual_holds_every_command_and_option(self):
        for program in PROGRAMS:
            page = said(program, "manual").replace("\\-", "-")
            commands = commands_of(program)
            self.assertGreater(len(commands), 5)
            for command in commands:
                heading = f".SH {os.path.basename(program)} {command}\n"
                self.assertIn(heading, page)
                part = page.split(heading)[1].split(".SH ")[0]
                options, positionals = options_of(program, command)
                for name in options + positionals:
                    self.assertRegex(part, rf"\.TP\n\\fB([^\\]*, )?{re.escape(name)}(,[^\\]*)?\\fR")

    def test_manual_is_accepted(self):
        readers = [reader for reader in (["man", "--warnings", "-l"], ["mandoc", "-Tlint", "-Werror"],
                                         ["groff", "-ww", "-man", "-Tutf8"]) if shutil.which(reader[0])]
        if not readers:
            self.skipTest("no man, mandoc or groff")
        with tempfile.TemporaryDirectory() as folder:
            for program in PROGRAMS:
                for reader in readers:
                    read = subprocess.run([*reader, self.manual_in(folder, program)], text=True,
                                          capture_output=True,
                                          env={**os.environ, "LC_ALL": "C.UTF-8", "MANPAGER": "cat"})
                    if "minimized" in read.stdout:
                        continue  # what images of Ubuntu have in place of man
                    self.assertEqual((read.returncode, read.stderr), (0, ""), reader)
                    if reader[0] != "mandoc":
                        self.assertIn("completion", read.stdout)

    def test_bash_completes_commands_and_options(self):
        for program in PROGRAMS:
            commands = commands_of(program)
            self.assertEqual(completed(program, ""), commands)
            self.assertEqual(completed(program, commands[0][:-1]), [commands[0]])
            for command in commands:
                self.assertEqual(set(completed(program, command, "-")),
                                 set(options_of(program, command)[0]))
            self.assertEqual(completed(program, "compare", "--js"), ["--json"])

    def test_bash_completes_choices_and_leaves_the_rest_to_files(self):
        for program in PROGRAMS:
            self.assertEqual(completed(program, "completion", "z"), ["zsh"])
            self.assertEqual(completed(program, "report", ""), [])
            self.assertEqual(completed(program, "report", "-o", ""), [])
            self.assertEqual(completed(program, "report", "--", "-"), [])

    def test_other_shells_read_their_scripts(self):
        shells = [shell for shell in ("zsh", "fish") if shutil.which(shell)]
        if not shells:
            self.skipTest("no zsh or fish")
        for program in PROGRAMS:
            for shell in shells:
                said(shell, "-n", input=said(program, "completion", shell))

    def test_other_shells_are_refused(self):
        for program in PROGRAMS:
            refused = subprocess.run([program, "completion", "tcsh"], text=True, capture_output=True)
            self.assertEqual(refused.returncode, 2)
            self.assertIn("{bash,zsh,fish}", refused.stderr)


if __name__ == "__main__":
    PROGRAMS, sys.argv[1:] = sys.argv[1:], []
    unittest.main()
