"""Checks that the README, the document index, the changelog and the workflows agree with the tree.

    docs_test.py GPP     GPP: the program, whose commands the texts name
"""
import functools
import glob
import graphlib
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import unittest

try:
    import yaml
except ImportError:
    yaml = None

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PROGRAM = ""
MOST_LINES = 150
TEXTS = ("README.md", "docs/README.md", "docs/commands.md", "docs/kernels.md")
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
WORKFLOWS = ".github/workflows"


def text_of(name):
    with open(os.path.join(ROOT, name), encoding="utf-8") as file:
        return file.read()


def exists(name):
    return os.path.exists(os.path.join(ROOT, name))


def numbers_and_words(text):
    """The numbers in a text, and the text between them."""
    parts = re.split(r"(\d+(?:\.\d+)?)", text)
    return [float(part) for part in parts[1::2]], parts[::2]


def anchors_of(text):
    """Valid link targets after '#': headings in the code host's form, and explicit ids."""
    headings = re.findall(r"^#+ (.*)$", text, re.M)
    plain = [re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings]
    return set(plain) | set(re.findall(r'<a id="([^"]+)"', text))


def code_of(text):
    """The lines of code blocks, and the commands in the first cells of tables."""
    blocks = re.findall(r"^```\w*\n(.*?)^```$", text, re.M | re.S)
    cells = re.findall(r"^\| `([^`]+)`(?:, `([^`]+)`)* \|", text, re.M)
    return [line for block in blocks for line in block.splitlines()] + [
        part for cell in cells for part in cell if part]


@functools.cache
def help_of(*command, program="build/gpp"):
    path = os.path.join(os.path.dirname(PROGRAM), os.path.relpath(program, "build"))
    return subprocess.run([path, *command, "--help"], text=True, capture_output=True)


def complaint_about(line):
    """The reason why a line of code does not work here; empty if it does."""
    words = shlex.split(line)
    if words[:2] == ["mpirun", "-n"]:
        words = words[3:]
    if words and words[0].startswith("scripts/"):
        return "" if os.access(os.path.join(ROOT, words[0]), os.X_OK) else "no such script"
    if not words or not re.fullmatch(r"build/(gpp|bin/(?!roofline)\w+)", words[0]):
        return ""
    if len(words) < 2:
        return "no command"
    shown = help_of(words[1], program=words[0])
    if shown.returncode != 0:
        return "no such command"
    for word in words[2:]:
        option = word.split("=")[0]
        if option.startswith("-") and not re.search(rf"(?<![\w-]){re.escape(option)}(?![\w-])",
                                                    shown.stdout):
            return f"{words[1]} has no {option}"
    return ""


class Readme(unittest.TestCase):
    text = text_of("README.md")

    def test_is_short(self):
        self.assertLessEqual(self.text.count("\n"), MOST_LINES)

    def test_sends_learners_away_before_it_tells_a_result(self):
        title, purpose, rest = self.text.split("\n\n", 2)
        self.assertTrue(title.startswith("# gpp"))
        self.assertEqual(re.findall(r"\d", purpose), [])
        self.assertEqual(LINK.search(rest)[1], "docs/README.md")
        self.assertIsNone(re.search(r"\d", rest[:LINK.search(rest).end()]))

    def test_has_one_picture_which_is_there(self):
        pictures = re.findall(r"!\[[^\]]+\]\(([^)]+)\)", self.text)
        self.assertEqual(len(pictures), 1)
        self.assertTrue(exists(pictures[0]))

    def test_picture_is_what_the_program_draws_of_its_record(self):
        picture = re.search(r"!\[[^\]]+\]\(([^)]+)\)", self.text)[1]
        record, name = os.path.split(picture)
        with tempfile.TemporaryDirectory() as folder:
            drawn = os.path.join(folder, "drawn")
            subprocess.run([PROGRAM, "report", os.path.join(ROOT, record), "-o", drawn], check=True,
                           capture_output=True)
            with open(os.path.join(drawn, name), encoding="utf-8") as file:
                now = numbers_and_words(file.read())
        kept = numbers_and_words(text_of(picture))
        remedy = f"draw it anew: build/gpp report {record} -o {record}"
        self.assertEqual(kept[1], now[1], remedy)
        # Compilers differ in the last digit of a picture's coordinates.
        self.assertLess(max(abs(a - b) for a, b in zip(kept[0], now[0])), 0.02, remedy)


class Tables(unittest.TestCase):
    def tables(self, *words):
        return subprocess.run([os.path.join(ROOT, "scripts/tables"), "--program", PROGRAM, *words], text=True,
                              capture_output=True)

    def test_are_those_of_the_records(self):
        checked = self.tables("--check")
        self.assertEqual((checked.returncode, checked.stderr), (0, ""))

    def test_an_old_number_is_found_and_filled_in(self):
        text = text_of("README.md")
        number = re.search(r"^\| v8 \|.* (\d+\.\d+) ms ", text, re.M)[1]
        with tempfile.TemporaryDirectory() as folder:
            copy = os.path.join(folder, "copy.md")

            def write(changed):
                self.assertNotEqual(changed, text)
                with open(copy, "w", encoding="utf-8") as file:
                    file.write(changed)

            write(text.replace(f"{number} ms", "1.0 ms"))
            self.assertEqual(self.tables("--check", copy).returncode, 1)
            self.assertIn(copy, self.tables("--check", copy).stderr)
            self.assertEqual(self.tables(copy).returncode, 0)
            self.assertEqual(text_of(copy), text)
            for good, bad, told in (("| v8 |", "| v99 |", "no time of 'v99'"),
                                    ("{cuda.speedup:", "{cuda.speed:", "has {cuda.speed:"),
                                    ("table: h100/gpp214", "table: nowhere", "nowhere")):
                write(text.replace(good, bad))
                wrong = self.tables(copy)
                self.assertEqual(wrong.returncode, 1)
                self.assertIn(told, wrong.stderr)
                self.assertEqual(text_of(copy), text.replace(good, bad), "nothing is written")

    def test_have_an_end(self):
        for name in ("README.md", *(name for texts in ("docs/*.md", "lessons/*.md", "examples/*/*.md")
                                    for name in glob.glob(texts, root_dir=ROOT))):
            marks = re.findall("<!-- (?:table:|end)", text_of(name))
            self.assertEqual(marks, ["<!-- table:", "<!-- end"] * (len(marks) // 2), name)


class Texts(unittest.TestCase):
    def test_links_lead_somewhere(self):
        for name in TEXTS:
            links = [link for link in LINK.findall(text_of(name)) if "://" not in link]
            self.assertTrue(links, name)
            for link in links:
                path, _, anchor = link.partition("#")
                target = os.path.normpath(os.path.join(os.path.dirname(name), path))
                self.assertTrue(exists(target), f"{name}: {link}")
                if anchor:
                    self.assertIn(anchor, anchors_of(text_of(target)), f"{name}: {link}")

    def test_commands_are_the_programs(self):
        for name in TEXTS:
            for line in code_of(text_of(name)):
                self.assertEqual(complaint_about(line), "", f"{name}: {line}")
        for line in ("build/gpp stduy", "build/gpp run v9 --presets small", "scripts/tests", "build/gpp"):
            self.assertNotEqual(complaint_about(line), "", line)
        told = {line.split()[1] for line in code_of(text_of("docs/commands.md"))
                if line.startswith("build/gpp ")}
        listed = re.findall(r"^  (\w+)  ", help_of().stdout.split("\nLearn:")[1], re.M)
        self.assertEqual(set(listed) - told - {"gpp"}, {"scale"})  # documented after mpirun

    def test_index_names_every_page(self):
        index = text_of("docs/README.md")
        pages = [name for name in os.listdir(os.path.join(ROOT, "docs")) if name.endswith(".md")]
        for page in set(pages) - {"README.md"}:
            self.assertIn(f"({page})", index, "a page that docs/README.md does not name")

    def test_rooms_use_what_the_picture_says(self):
        picture = re.search(r"```mermaid\n(.*?)```", text_of("CONTRIBUTING.md"), re.S)[1]
        folders = dict(re.findall(r'(\w+)\["([\w/]+): ', picture))
        uses = {row[0].rstrip("/"): row[1] for row in
                re.findall(r"^\| `([\w/]+)` \|.*\| ([^|]*) \|$", text_of("CONTRIBUTING.md"), re.M)}
        arrows = re.findall(r'^ *(\w+)(?:\["[^"]*"\])? (-->|-\. \w+ \.->) (\w+)', picture, re.M)
        self.assertEqual(len(arrows), len(picture.strip().splitlines()) - 1)
        order = graphlib.TopologicalSorter()
        for user, arrow, used in arrows:
            order.add(used, user)
            self.assertTrue(exists(folders[used]))
            if arrow == "-->":
                self.assertIn(f"`{folders[used]}`", uses[folders[user]], folders[user])
        order.prepare()  # refuses cycles
        for room in ("gpp", "variants", "data", "harness", "roofline", "cli", "results"):
            self.assertIn(room, folders.values())

    def test_one_version_of_the_toolkit_is_named(self):
        listed = subprocess.run(["git", "-C", ROOT, "ls-files"], text=True, capture_output=True,
                                check=True).stdout.splitlines()
        minimum = re.compile(r"(?:CUDA|[Tt]oolkit)\s+(\d+\.\d+) or later")
        named = [(version, name) for name in listed if not name.startswith("results/")
                 and name.endswith((".md", ".cpp", ".cu", ".h", ".cmake", ".txt")) and exists(name)
                 for version in minimum.findall(text_of(name))]
        self.assertIn("README.md", [name for _, name in named])
        self.assertEqual([one for one in named if one[0] != "12.6"], [])

    def test_one_version_of_the_project_is_named(self):
        version = re.search(r"project\(gpp VERSION (\S+)", text_of("CMakeLists.txt"))[1]
        self.assertEqual(re.findall(r"^## \[(\d\S+)\] - \d{4}-\d\d-\d\d$", text_of("CHANGELOG.md"),
                                    re.M)[0], version)
        self.assertIn(f"\nversion: {version}\n", text_of("CITATION.cff"))


@unittest.skipIf(yaml is None, "python3 has no yaml (Debian: python3-yaml)")
class Workflows(unittest.TestCase):
    def setUp(self):
        self.all = {name: yaml.safe_load(text_of(f"{WORKFLOWS}/{name}"))
                    for name in os.listdir(os.path.join(ROOT, WORKFLOWS))}

    def jobs(self):
        return [(name, job) for name, flow in self.all.items() for job in flow["jobs"].values()]

    def commands(self):
        return [(name, step["run"]) for name, job in self.jobs()
                for step in job["steps"] if "run" in step]

    def test_are_those_that_contributing_names(self):
        self.assertEqual(set(self.all), {"test.yml", "tidy.yml", "weekly.yml"})
        for name, flow in self.all.items():
            self.assertTrue(flow[True], name)  # YAML reads the key `on` as true
        systems = self.all["test.yml"]["jobs"]["test"]["strategy"]["matrix"]["system"]
        self.assertEqual(systems, ["debian:12", "ubuntu:24.04"])

    def test_jobs_end_and_check_out_a_clone(self):
        for name, job in self.jobs():
            self.assertIn("timeout-minutes", job, name)
            self.assertIn("actions/checkout@v4", [step.get("uses") for step in job["steps"]], name)

    def test_commands_are_the_trees(self):
        presets = json.loads(text_of("CMakePresets.json"))
        kinds = {"": "configurePresets", "--build": "buildPresets", "--workflow": "workflowPresets"}
        matrix = self.all["weekly.yml"]["jobs"]["sanitizers"]["strategy"]["matrix"]["preset"]
        for name, command in self.commands():
            self.assertEqual(subprocess.run(["bash", "-n", "-c", re.sub(r"\$\{\{.*?\}\}", "x", command)],
                                            check=False).returncode, 0, command)
            for script in re.findall(r"scripts/\S+", command):
                self.assertTrue(os.access(os.path.join(ROOT, script), os.X_OK), command)
            for kind, preset in re.findall(r"cmake (--build|--workflow|) ?--preset (\w+|\$\{\{.*?\}\})",
                                           command):
                known = [one["name"] for one in presets[kinds[kind]]]
                for one in matrix if preset.startswith("$") else [preset]:
                    self.assertIn(one, known, f"{name}: {command}")
        told = "\n".join(command for _, command in self.commands())
        tidy = re.search(r"`(run-clang-tidy[^`]*)`", text_of("CONTRIBUTING.md"))[1]
        for command in ("scripts/test\n", "scripts/test --slow", "cmake --workflow --preset ", tidy):
            self.assertIn(command, told)

    def test_hooks_start_what_is_there(self):
        hooks = [hook for repo in yaml.safe_load(text_of(".pre-commit-config.yaml"))["repos"]
                 for hook in repo["hooks"]]
        self.assertEqual([hook["id"] for hook in hooks], ["clang-format", "format"])
        formatter = text_of("scripts/format")
        for hook in hooks:
            program = hook["entry"].split()[0]
            self.assertTrue(f" {program} " in formatter or exists(program), program)
            self.assertTrue(re.search(hook["files"], "gpp/problem.h"), hook["id"])


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    unittest.main()
