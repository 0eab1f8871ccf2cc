"""What docs/offload.md tells of machine code is what clang and nvcc of this machine write.

    machine_code_test.py CACHE [NVCC]
"""
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests"))
from division_test import code_of  # noqa: E402  it lies one folder up

CACHE, NVCC = "", ""
FP64, SEED, BRANCH = {0x028, 0x029, 0x02a, 0x02b}, 0x108, 0x147  # the lowest nine bits, on sm_90
FILES = {"v1": "v01_collapse3", "v2": "v02_collapse2", "v4": "v04_iw_outside", "v12": "v12_real_poles"}
IN_MEMORY = """#include "gpp/complex.h"
struct alignas(16) InMemory {
  double re = 0, im = 0;
  void operator+=(gpp::Complex z) {
    *static_cast<volatile double*>(&re) = *static_cast<volatile double*>(&re) + z.re;
    *static_cast<volatile double*>(&im) = *static_cast<volatile double*>(&im) + z.im;
  }
  operator gpp::Complex() const { return {re, im}; }
};
#pragma omp declare reduction(+ : InMemory : omp_out += omp_in) initializer(omp_priv = InMemory{})
"""


def with_sums_in_memory(text):
    return IN_MEMORY + text.replace("  Complex asx_1{}", "  InMemory asx_1{}")


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def table(first):
    """The rows of the page's table whose first cell of all is this one."""
    lines = read("docs/offload.md").split(f"\n| {first} |", 1)[1].split("\n\n", 1)[0].splitlines()[2:]
    rows = [[cell.strip(" `") for cell in line.strip("|").split("|")] for line in lines]
    return {row[0]: row[1:] for row in rows}


def by_clang(folder, step, change=lambda text: text):
    """What ptxas tells, the PTX and the cubin of a step, compiled as the build does."""
    source, out = os.path.join(folder, "step.cpp"), os.path.join(folder, "step.o")
    with open(source, "w", encoding="utf-8") as file:
        file.write(change(read(f"variants/omp/{FILES[step]}.cpp")))
    own = re.search(r"target_compile_options\(gpp_omp_gpu PRIVATE (.*?)\)",
                    read("variants/omp/gpu/CMakeLists.txt"), re.S)
    told = subprocess.run(
        ["clang++-19", "-O3", "-std=c++20", "-w", f"-I{ROOT}", "-fopenmp", "--offload-arch=sm_90",
         f"--cuda-path={CACHE}/cuda-11.8", "-Wno-unknown-cuda-version",
         "--libomptarget-nvptx-bc-path=/usr/lib/llvm-19/lib", *own[1].split(), "-DGPP_OMP_GPU", "-Domp=omp_gpu",
         "-fopenmp-offload-mandatory", "-Xcuda-ptxas", "-v", "-save-temps=obj", "-c", source, "-o", out],
        check=True, text=True, capture_output=True).stderr
    made = os.path.join(folder, "step-openmp-nvptx64-nvidia-cuda-sm_90.")
    with open(made + "s", encoding="utf-8") as ptx, open(made + "o", "rb") as cubin:
        return told, ptx.read(), cubin.read()


def by_nvcc(folder, step):
    out = os.path.join(folder, "step.cubin")
    told = subprocess.run([NVCC, "-arch=sm_90", "-cubin", "-std=c++20", "-O3", f"-I{ROOT}", "-Xptxas", "-v",
                           f"{ROOT}/variants/cuda/{FILES[step]}.cu", "-o", out],
                          check=True, text=True, capture_output=True).stderr
    with open(out, "rb") as cubin:
        return told, cubin.read()


def registers(told, kernel):
    return re.search(rf"properties for \S*{kernel}.*?Used (\d+) registers", told, re.S)[1]


def loops(code):
    """Of each innermost loop that has seeds of reciprocals: instructions, FP64, seeds, cycles."""
    words = list(struct.iter_unpack("<QQ", code))
    found = []
    for at, (low, high) in enumerate(words):
        if low & 0x1ff == BRANCH:  # its distance, in units of four bytes, lies in two fields
            distance = (low >> 34 | (high & 0x3ffff) << 30) << 8 | low >> 16 & 0xff
            first = at + 1 + (distance - (1 << 56 if distance >> 55 else 0)) // 4
            if 0 <= first <= at:
                found.append((first, at))
    inner = [one for one in found
             if not any(one != other and one[0] <= other[0] and other[1] <= one[1] for other in found)]
    counts = []
    for first, last in inner:
        kinds = [low & 0x1ff for low, _ in words[first:last + 1]]
        cycles = sum(high >> 41 & 0xf for _, high in words[first:last + 1])
        counts.append((len(kinds), sum(kind in FP64 for kind in kinds), kinds.count(SEED), cycles))
    return [one for one in counts if one[2]]


def per_term(code, fp64_a_seed, seeds_a_term):
    """Instructions, FP64 and cycles for each term of the largest loop with so many FP64 for a seed."""
    size, fp64, seeds, cycles = max(one for one in loops(code) if one[1] == fp64_a_seed * one[2])
    return [f"{value * seeds_a_term / seeds:.1f}" for value in (size, fp64, cycles)]


class MachineCode(unittest.TestCase):
    def setUp(self):
        if not shutil.which("clang++-19") or not os.access(f"{CACHE}/cuda-11.8/bin/ptxas", os.X_OK):
            self.skipTest("clang++-19 or CUDA 11.8 is not here; scripts/setup --offload installs them")
        words = {"clang++-19": "19.1.7", NVCC: "release 13."}
        for compiler, version in words.items():
            if not shutil.which(compiler) or version not in subprocess.run(
                    [compiler, "--version"], text=True, capture_output=True, check=True).stdout:
                self.skipTest(f"{compiler or 'nvcc'} is not the compiler that the page quotes: {version}")
        self.folder = self.enterContext(tempfile.TemporaryDirectory())

    def test_registers_and_divisions(self):
        rows = table("a kernel's")
        found = {name: [] for name in rows}
        for step in ("v1", "v2", "v4"):
            told, ptx, _ = by_clang(self.folder, step)
            found["registers"] += [registers(told, "offloading"), registers(by_nvcc(self.folder, step)[0], "kernel")]
            found["64-bit divisions an iteration"] += [str(len(re.findall(r"div\.[us]64", ptx.split(
                "// =>This Loop Header")[1]))), "0"]
            changed = by_clang(self.folder, step, with_sums_in_memory)[0] if step != "v4" else ""
            found["the same, sums of thread and team in memory"] += [
                registers(changed, "offloading") if changed else "", ""]
        self.assertEqual(found, rows)

    def test_inner_loops(self):
        rows = table("per term")
        omp = {step: by_clang(self.folder, step)[2] for step in ("v4", "v12")}
        cuda = {step: by_nvcc(self.folder, step)[1] for step in ("v4", "v12")}
        columns = []
        for cubin, kernel in ((omp["v4"], "iw_outside"), (cuda["v4"], "kernel")):
            (one,) = loops(code_of(cubin, kernel))
            columns.append([str(one[0]), str(one[1]), str(one[3])])
        of_omp = code_of(omp["v12"], "sum_shares_ofILi2ELb1E")
        columns += [per_term(of_omp, 7.5, 2), per_term(code_of(cuda["v12"], "kernelILi2ELb1E"), 7.5, 2),
                    per_term(of_omp, 9, 1), per_term(code_of(cuda["v12"], "kernelILi2ELb0E"), 9, 1)]
        self.assertEqual({name: [column[i] for column in columns] for i, name in enumerate(rows)}, rows)


if __name__ == "__main__":
    CACHE, NVCC = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else ""
    unittest.main(argv=sys.argv[:1])
