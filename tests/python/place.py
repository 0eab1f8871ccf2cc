"""Common code of the package's tests."""
import importlib.util
import os
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PACKAGE = os.path.join(ROOT, "python")
SKIPPED = 77  # exit code for skipped tests in ctest
sys.path.insert(0, PACKAGE)


def need(*modules):
    """Ends the program as skipped, with the reason, if one of the given modules is missing."""
    for name in modules:
        if importlib.util.find_spec(name) is None:
            print(f"Skipped: {sys.executable} has no {name}; Debian has it as python3-{name}")
            sys.exit(SKIPPED)


def path(*names):
    return os.path.join(ROOT, *names)


class Folder(unittest.TestCase):
    """A test case with its own folder and programs chosen by the test."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        before = dict(os.environ)
        self.addCleanup(lambda: (os.environ.clear(), os.environ.update(before)))

    def write(self, name, content, mode=0o644):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb" if isinstance(content, bytes) else "w") as file:
            file.write(content)
        os.chmod(path, mode)
        return path

    def report(self, study):
        """Writes the report of a study with its charts and tables. Returns its folder."""
        folder = os.path.join(self.folder, "report")
        subprocess.run([os.environ["GPP_PROGRAM"], "report", study, "-o", folder], check=True, capture_output=True)
        return folder

    def hide_programs(self):
        os.environ.update(GPP_PROGRAM="/no/gpp", ROOFLINE_PROGRAM="/no/roofline")

    def run_python(self, *words, **environment):
        return subprocess.run([sys.executable, "-B", *words], text=True, capture_output=True, cwd=self.folder,
                              stdin=subprocess.DEVNULL, env={**os.environ, **environment}, check=False)
