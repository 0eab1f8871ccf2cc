"""Checks that this machine's compilers produce the divisions that the lesson of v7 describes.

    division_test.py CXX [NVCC]
"""
import collections
import os
import platform
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
CXX, NVCC = "", ""
HOST = ["-O3", "-march=x86-64-v3"]
VARIANT = ["-std=c++20", f"-I{ROOT}", "-DGPP_KIND=\"host\""]
# The lowest nine bits of sm_90 instructions, undocumented, as nvcc 13.0 writes them.
NAMES = {0x108: "MUFU", 0x02b: "DFMA", 0x028: "DMUL", 0x023: "FFMA", 0x00b: "FSETP", 0x144: "CALL"}
SEEDS = {6: ".RCP64H", 7: ".RSQ64H"}

with open(os.path.join(ROOT, "lessons/v07_reciprocal.md"), encoding="utf-8") as page:
    QUOTED = dict(re.findall(r"^\| (v\d) \| (\d+) \|", page.read(), re.M))  # seed counts by step
KERNELS = """
extern "C" __global__ void divided(const double* a, const double* b, double* c) {
  c[threadIdx.x] = a[threadIdx.x] / b[threadIdx.x];
}
extern "C" __global__ void inverted(const double* b, double* c) {
  c[threadIdx.x] = 1 / b[threadIdx.x];
}
"""
LOOPS = """
void divided(const double* __restrict a, const double* __restrict b, double* __restrict c, int n) {
  for (int i = 0; i < n; ++i) c[i] = a[i] / b[i];
}
void inverted(const double* __restrict b, double* __restrict c, int n) {
  for (int i = 0; i < n; ++i) c[i] = 1 / b[i];
}
"""


def compiled(compiler, *options, file="", text="", ending=".cpp"):
    """The bytes that a compiler makes from a repository file or a text."""
    with tempfile.TemporaryDirectory() as folder:
        source, out = os.path.join(folder, "source" + ending), os.path.join(folder, "out")
        with open(source, "w", encoding="utf-8") as stream:
            stream.write(text)
        subprocess.run([compiler, *options, "-o", out, os.path.join(ROOT, file) if file else source],
                       check=True, capture_output=True)
        with open(out, "rb") as stream:
            return stream.read()


def require(test, compiler, words):
    """Skips the test for a compiler other than the lesson's."""
    if not shutil.which(compiler):
        test.skipTest(f"there is no {compiler or 'nvcc'}")
    version = subprocess.run([compiler, "--version"], text=True, capture_output=True, check=True).stdout
    if words not in version:
        test.skipTest(f"{compiler} is not the compiler that the lesson quotes: {words}")


def code_of(cubin, kernel):
    """The bytes of a kernel's section, including helpers behind it (ELF-64)."""
    (start,) = struct.unpack_from("<Q", cubin, 0x28)
    count, names = struct.unpack_from("<HH", cubin, 0x3c)
    sections = [struct.unpack_from("<IIQQQQIIQQ", cubin, start + 64 * i) for i in range(count)]
    for name, kind, _, _, offset, size, *_ in sections:
        label = cubin[sections[names][4] + name:].split(b"\0", 1)[0].decode()
        if kind == 1 and label.startswith(".text.") and kernel in label:
            return cubin[offset:offset + size]
    raise AssertionError(f"no kernel {kernel}")


def sass_of(cubin, kernel):
    """The instructions' names in NAMES, in order."""
    found = []
    for low, high in struct.iter_unpack("<QQ", code_of(cubin, kernel)):
        name = NAMES.get(low & 0x1ff)
        if name == "MUFU":
            name += SEEDS.get(high >> 10 & 0xf, "")
        if name:
            found.append(name)
    return found


class OnAGpu(unittest.TestCase):
    def setUp(self):
        require(self, NVCC, "release 13.")

    def test_ptx_has_an_instruction_for_each(self):
        ptx = compiled(NVCC, "-arch=compute_90", "-ptx", text=KERNELS, ending=".cu").decode()
        self.assertEqual(re.findall(r"\b(?:div|rcp)\.\S+", ptx), ["div.rn.f64", "rcp.rn.f64"])

    def test_a_reciprocal_is_five_steps_behind_its_seed_and_a_quotient_eight(self):
        cubin = compiled(NVCC, "-arch=sm_90", "-cubin", text=KERNELS, ending=".cu")
        for kernel, steps in (("inverted", ["DFMA"] * 5), ("divided", ["DFMA"] * 5 + ["DMUL", "DFMA", "DFMA"])):
            sass = sass_of(cubin, kernel)
            inline = [name for name in sass[:sass.index("CALL")] if name in ("MUFU.RCP64H", "DFMA", "DMUL")]
            self.assertEqual(inline, ["MUFU.RCP64H", *steps])

    def test_steps_have_as_many_sequences_as_quoted(self):
        for step, file in (("v6", "v06_simplify"), ("v7", "v07_reciprocal")):
            cubin = compiled(NVCC, "-arch=sm_90", "-cubin", "-O3", *VARIANT, file=f"variants/cuda/{file}.cu")
            found = sass_of(cubin, "kernel")
            # The last call goes to the helper, whose own seeds follow it.
            found = found[:len(found) - found[::-1].index("CALL")]
            self.assertEqual([found.count("MUFU.RCP64H"), found.count("CALL")], [int(QUOTED[step])] * 2, step)


@unittest.skipUnless(platform.machine() == "x86_64", "no x86-64 processor")
class OnAProcessor(unittest.TestCase):
    def test_both_loops_divide(self):
        code = compiled(CXX, *HOST, "-S", text=LOOPS).decode()
        for function in ("divided", "inverted"):
            own = re.search(rf"^_Z\d+{function}\w+:(.*?)^\s+\.size", code, re.M | re.S)[1]
            self.assertIn("vdivpd", own.split())

    def test_the_call_keeps_the_divisions_of_v7_scalar(self):
        require(self, CXX, "Free Software Foundation")
        code = {}
        for file in ("v07_reciprocal", "v08_power2"):
            code[file] = collections.Counter(compiled(
                CXX, *HOST, *VARIANT, "-fopenmp", "-fno-math-errno", "-fno-trapping-math", "-S", "-w",
                file=f"variants/omp/{file}.cpp").decode().split())
        self.assertGreater(code["v07_reciprocal"]["vdivsd"], 0)
        self.assertEqual(code["v07_reciprocal"]["vdivpd"], 0)
        self.assertGreater(code["v08_power2"]["vdivpd"], 0)


if __name__ == "__main__":
    CXX, NVCC = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else ""
    unittest.main(argv=sys.argv[:1])
