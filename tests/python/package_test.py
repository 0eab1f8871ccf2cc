"""Tests that pip builds and installs the package without a network, and that it imports and reads.

    package_test.py
"""
import os
import re
import shutil
import subprocess
import sys
import unittest

from place import PACKAGE, Folder, need, path

need("pip", "setuptools", "wheel")


class Package(Folder):
    def installed(self):
        """The folder of an installed copy of the sources, because building leaves files in them."""
        sources, target = os.path.join(self.folder, "sources"), os.path.join(self.folder, "target")
        shutil.copytree(PACKAGE, sources, ignore=shutil.ignore_patterns("__pycache__", "build", "*.egg-info"))
        done = subprocess.run([sys.executable, "-m", "pip", "install", "--no-index", "--no-build-isolation",
                               "--no-deps", "--quiet", "--target", target, sources], text=True, capture_output=True,
                              check=False, env={**os.environ, "PIP_DISABLE_PIP_VERSION_CHECK": "1"})
        self.assertEqual(done.returncode, 0, done.stderr)
        return target

    def test_is_installed_and_reads(self):
        target = self.installed()
        script = "import roofline, sys; print(roofline.__file__); print(len(roofline.read(sys.argv[1]).rows()))"
        done = self.run_python("-c", script, path("results", "h200", "toys"), PYTHONPATH=target)
        self.assertEqual(done.returncode, 0, done.stderr)
        file, rows = done.stdout.splitlines()
        self.assertTrue(file.startswith(target))
        self.assertGreater(int(rows), 1)
        modules = {name for name in os.listdir(os.path.join(PACKAGE, "roofline")) if name.endswith(".py")}
        self.assertLessEqual(modules, set(os.listdir(os.path.join(target, "roofline"))))

    def test_has_the_version_of_the_project(self):
        with open(path("CMakeLists.txt"), encoding="utf-8") as file:
            version = re.search(r"project\(gpp VERSION (\S+)", file.read())[1]
        with open(os.path.join(PACKAGE, "roofline", "__init__.py"), encoding="utf-8") as file:
            self.assertIn(f'__version__ = "{version}"', file.read())


if __name__ == "__main__":
    unittest.main()
