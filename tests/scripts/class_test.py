"""Tests that scripts/class removes everything beyond a step, and leaves a complete tree.

    class_test.py            for every step, the last one first
    class_test.py BUILD      builds the tree of v4 with BUILD's settings, and runs its commands
"""
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SETTINGS = re.compile(r"((?:GPP_(?:CUDA|CPU|FETCH\w*)|CMAKE_(?:PREFIX_PATH|CUDA_ARCHITECTURES|\w+_COMPILER(?:_LAUNCHER)?)):[A-Z]+=.+)")


def run(*arguments, folder, typed=None, status=0):
    done = subprocess.run(arguments, cwd=folder, input=typed, text=True, capture_output=True)
    if done.returncode != status:
        sys.exit(f"{' '.join(arguments)} ends with {done.returncode}:\n{done.stdout}\n{done.stderr}")
    return done.stdout


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def commit(clone):
    run("git", "add", "--all", folder=clone)
    run("git", "-c", "user.name=class", "-c", "user.email=class@localhost", "commit", "--quiet", "-m", "a class", folder=clone)


def cloned(folder):
    """A clone with all of git's files in their current state."""
    clone = os.path.join(folder, "clone")
    for path in run("git", "ls-files", "--cached", "--others", "--exclude-standard", folder=ROOT).splitlines():
        if os.path.exists(os.path.join(ROOT, path)):
            os.makedirs(os.path.dirname(os.path.join(clone, path)), exist_ok=True)
            shutil.copy2(os.path.join(ROOT, path), os.path.join(clone, path))
    run("git", "init", "--quiet", folder=clone)
    commit(clone)
    return clone


def leave(clone, step):
    run("scripts/class", str(step), folder=clone)
    os.chdir(clone)
    for path in glob.glob("variants/**", recursive=True) + glob.glob("lessons/*"):
        number = re.match(r"v(\d+)_", os.path.basename(path))
        assert not number or int(number[1]) <= step, path
    steps = {int(re.match(r".*/v(\d+)_", path)[1]) for path in glob.glob("lessons/v*")}
    assert steps == set(range(1, step + 1)), steps
    assert glob.glob("results/*/") == ["results/published/"]
    for path in glob.glob("gpp/**", recursive=True) + glob.glob("variants/**", recursive=True):
        if path.endswith((".h", ".cuh", ".cpp", ".cu")):
            for included in re.findall(r'^#include "([^"]+)"', read(path), re.M):
                assert not os.path.exists(os.path.join(ROOT, included)) or os.path.exists(included), (path, included)
    files = {re.sub(r"^v0*", "v", name).split("_")[0] if re.match(r"v\d", name) else name for name in
             (os.path.basename(path).split(".")[0] for path in glob.glob("variants/**", recursive=True))}
    rows = [line.split(",") for line in read("results/published/ladders.csv").splitlines() if line[0] != "#"][1:]
    files |= {f"{file}_{row[2].rsplit('_', 1)[-1]}" for file in files for row in rows}
    assert {row[2] for row in rows} <= files, {row[2] for row in rows} - files
    heads = re.findall(r'ladder\("(\w+)",', read("gpp/study/published.cpp"))
    assert set(heads) == {row[0] for row in rows}, heads


def test_every_step(clone):
    for step in range(14, 0, -1):
        leave(clone, step)
        run("scripts/class", str(step), folder=clone, status=1)  # not yet committed
        commit(clone)


def test_build(clone, build):
    settings = ["-D" + line for line in SETTINGS.findall(read(os.path.join(build, "CMakeCache.txt")))]
    leave(clone, 4)
    run("cmake", "-S", ".", "-B", "build", "-G", "Ninja", "-DGPP_TESTS=OFF", *settings, folder=clone)
    run("cmake", "--build", "build", "--target", "gpp", folder=clone)

    def gpp(*arguments, **more):
        return run("build/gpp", *arguments, folder=clone, **more)

    listed = gpp("list")
    assert "iw_outside" in listed and "swap" not in listed, listed
    gpp("explain", "v4")
    gpp("explain", "v5", status=2)
    gpp("explain", "sc19")
    gpp("explain", "sc20", status=2)
    gpp("check", "v4", "--model", "omp")
    gpp("learn", "--model", "omp", typed="q\n")
    gpp("study", "--model", "omp", "--preset", "tiny", "--repeat", "2", "--ceilings", "off", "-o", "study")
    gpp("report", "study", "-o", "page")
    gpp("judge", "v4", "--model", "omp", "--preset", "tiny", "--check-only", "--small-inputs", "0")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as temporary:
        if len(sys.argv) == 2:
            test_build(cloned(temporary), sys.argv[1])
        else:
            test_every_step(cloned(temporary))
