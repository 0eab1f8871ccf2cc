"""What a class may see holds nothing of later steps.

    class_test.py tree             scripts/class-tree, for every fourth step
    class_test.py trees            for every step; takes a minute and a half
    class_test.py bundle FOLDER    scripts/bundle --class, of the build in that folder; takes minutes
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LAST = 14
# Step names that are words of their own as well. They tell nothing but where they stand for the step.
PLAIN = {"simplify", "reciprocal", "shared_memory", "moments", "integers"}
# Types and arrays that only later steps need, and the first of these steps.
LATER_NAMES = {"aqsmtemp_local_t": 5, "wx_array_t": 5, "make_pole": 6, "make_squared_pole": 8, "FactoredProblem": 11,
               "exceptional_bands": 11, "RealPoleSums": 12, "MomentGroup": 13, "IntegerPlan": 14, "published_ladders": LAST}


def fail(*what):
    sys.exit(" ".join(str(one) for one in what))


def read(path):
    with open(path, "rb") as file:
        return file.read()


def plain_text(data):
    """What `strings` prints of a file, on one line."""
    return " ".join(b" ".join(re.findall(rb"[\x20-\x7e\t\r\n]{4,}", data)).decode().split())


def lessons():
    """{4: ("iw_outside", the text of the lesson)}"""
    found = {}
    for name in os.listdir(os.path.join(ROOT, "lessons")):
        if match := re.fullmatch(r"v(\d+)_(\w+)\.md", name):
            found[int(match[1])] = (match[2], plain_text(read(os.path.join(ROOT, "lessons", name))))
    return found


def pieces(text):
    """Sentences, and parts of them, that are long enough to occur once."""
    return {one.strip() for one in re.split(r"(?<=[.?!:]) |\|", text) if len(one.strip()) >= 35}


def numbers(text):
    """Times and gains."""
    return set(re.findall(r"(?<![\d.])\d+\.\d+ (?:ms|us|s)(?!\w)|(?<![\d.])\d+\.\d\dx", text))


class Later:
    """What must not be in the files of a class."""

    def __init__(self, reached):
        all_lessons = lessons()
        if sorted(all_lessons) != list(range(1, LAST + 1)):
            fail("the lessons are not those of v1 to v14:", sorted(all_lessons))
        seen = " ".join(text for number, (_, text) in all_lessons.items() if number <= reached)
        seen += plain_text(read(os.path.join(ROOT, "docs/kernel.md")))
        self.sentences, self.numbers, self.names = set(), set(), []
        for number, (name, text) in all_lessons.items():
            if number <= reached:
                continue
            self.sentences |= {one for one in pieces(text) if one not in seen}
            self.numbers |= numbers(text) - numbers(seen)
            self.names += [rf"v{number:02}_", rf"(?:omp|cuda|serial)(?:::|\d+){name}(?![a-z])"]
            if name not in PLAIN:
                self.names.append(rf"(?<![A-Za-z_]){name.replace('_', '[_ ]')}(?![a-z_])")
        numbers_of_steps = "|".join(str(number) for number in all_lessons if number > reached)
        self.ids = re.compile(rf"(?<![\w.])(?<!::)v(?:{numbers_of_steps})(?![\w.])(?!::)")  # but for fmt::v9
        self.names += [name for name, first in LATER_NAMES.items() if first > reached]
        self.any_name = re.compile("|".join(self.names))

    def found_in(self, data, measured=False):
        """What of it is in the bytes of a file. Numbers that were just measured may be any."""
        text = plain_text(data)
        found = [one for one in self.sentences if one in text]
        if not measured:
            found += sorted(numbers(text) & self.numbers)
        found += self.any_name.findall(text)
        if b"\0" in data:  # machine code holds any two letters; a text has words around
            found += [match[0] for match in re.finditer(r"(?:\b[A-Za-z]{3,} ){2}[^\0]{0,20}", text)
                      if self.ids.search(match[0])]
        else:
            found += self.ids.findall(text)
        return found

    def refuse(self, folder):
        files = 0
        for place, _, names in os.walk(folder):
            for path in (os.path.join(place, name) for name in names):
                files += 1
                if found := self.found_in(read(path)):
                    fail(f"{os.path.relpath(path, folder)} tells of later steps:", *found[:5])
        if files < 50:
            fail(f"{folder} holds {files} files")


def test_trees(steps):
    """What is left compiles as far as one can see: every file that is named is there."""
    for reached in steps:
        with tempfile.TemporaryDirectory() as folder:
            tree = os.path.join(folder, "tree")
            subprocess.run([os.path.join(ROOT, "scripts/class-tree"), f"v{reached}", tree], check=True)
            print(f"v{reached}")
            shutil.rmtree(os.path.join(tree, "cmake"))  # of which nothing is installed
            Later(reached).refuse(tree)
            require_named_files(tree)
            if not Later(reached - 1).found_in(read(lesson_of(tree, reached))):
                fail(f"the search finds nothing in the lesson of v{reached}")


def lesson_of(tree, number):
    return os.path.join(tree, "lessons", f"v{number:02}_{lessons()[number][0]}.md")


def require_named_files(tree):
    for place, _, names in os.walk(tree):
        for path in (os.path.join(place, name) for name in names if name.endswith((".cpp", ".h", ".cu", ".cuh"))):
            for included in re.findall(r'^#include "([^"]+)"', read(path).decode(), re.M):
                if os.path.exists(os.path.join(ROOT, included)) and not os.path.exists(os.path.join(tree, included)):
                    fail(f"{path} includes {included}, which is not there")


def test_bundle(build):
    reached = 4
    with tempfile.TemporaryDirectory() as folder:
        archive = os.path.join(folder, "class.tar")
        subprocess.run([os.path.join(ROOT, "scripts/bundle"), build, "--class", f"v{reached}", "-o", archive], check=True)
        subprocess.run(["tar", "-C", folder, "-xf", archive], check=True)
        bundle = os.path.join(folder, "gpp-bundle")
        later = Later(reached)
        later.refuse(bundle)

        def gpp(*arguments, status=0, typed=""):
            done = subprocess.run([os.path.join(bundle, "gpp"), *arguments], cwd=folder, input=typed, text=True,
                                  env={"HOME": folder, "PATH": "/usr/bin:/bin"}, capture_output=True)
            if done.returncode != status:
                fail("gpp", *arguments, "ends with", done.returncode, done.stdout, done.stderr)
            if found := later.found_in(done.stdout.encode(), measured=arguments[0] not in ("list", "explain")):
                fail("gpp", *arguments, "tells of later steps:", *found)
            return done.stdout

        listed = gpp("list")
        if "iw_outside" not in listed or "swap" in listed:
            fail("not the steps of the class:", listed)
        gpp("explain", "v4")
        gpp("explain", "kernel")
        gpp("explain", "v5", status=2)
        gpp("explain", "moment", status=2)
        gpp("check", "v4", "--model", "omp")
        gpp("learn", "--model", "omp", typed="q\n")
        gpp("study", "--model", "omp", "--preset", "tiny", "--repeat", "2", "--ceilings", "off", "-o", "study")
        gpp("report", "study", "-o", "page")
        gpp("new", "my_idea", "--from", "v4", "--model", "omp")
        gpp("run", "my_idea/", "--preset", "tiny", "--repeat", "1", "--ceilings", "off")
        gpp("judge", "v4", "--model", "omp", "--preset", "tiny", "--check-only", "--small-inputs", "0")


if __name__ == "__main__":
    if sys.argv[1:] in (["tree"], ["trees"]):
        test_trees(range(1, LAST, 4 if sys.argv[1] == "tree" else 1))
    elif len(sys.argv) == 3 and sys.argv[1] == "bundle":
        test_bundle(sys.argv[2])
    else:
        sys.exit(__doc__)
