"""Tests of examples/conv2d with fake PyTorch and roofline: counts, files, sums."""
import csv
import json
import os
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FOLDER = os.path.join(ROOT, "examples", "conv2d")
sys.path.insert(0, FOLDER)
from shapes import Case, sweep  # noqa: E402
from table import OtherAlgorithm, counted_case, kind_of, row_of, short_name  # noqa: E402

# This fake logs all calls in order.
TORCH = '''
import sys
from types import SimpleNamespace as Space
LOG = open(__file__ + ".log", "w")
def say(*words):
    print(*words, file=LOG, flush=True)
def called(name, result=None):
    return lambda *a, **k: say(name, *a) or result
class Tensor:
    def to(self, memory_format): say("order", memory_format); return self
    def __truediv__(self, other): return self
class NoGrad:
    def __enter__(self): say("no_grad")
    def __exit__(self, *a): pass
float32, float16, channels_last, contiguous_format = "float32", "float16", "nhwc", "nchw"
__version__ = "9.9"
version = Space(cuda="13.0")
manual_seed = called("seed")
rand = lambda shape, dtype, device: say("rand", dtype, *shape) or Tensor()
full = lambda shape, value, dtype, device: say("full", dtype, *shape) or Tensor()
no_grad = NoGrad
conv2d = lambda images, filters, stride, padding: say("conv2d", stride, padding) or Tensor()
nn = Space(functional=Space(conv2d=conv2d))
ops = Space(aten=Space(convolution_backward=lambda *a: say("gradient", *a[4:6], a[-1])))
backends = Space(cudnn=Space(is_available=lambda: CUDNN, version=lambda: 91000, allow_tf32=True),
                 cuda=Space(matmul=Space(allow_tf32=True)))
cuda = Space(is_available=lambda: GPU, synchronize=called("synchronize"), empty_cache=called("empty"),
             cudart=lambda: Space(cudaProfilerStart=called("start"),
                                  cudaProfilerStop=called("stop")),
             nvtx=Space(range_push=called("push"), range_pop=called("pop")),
             get_device_name=lambda: "NVIDIA H200", OutOfMemoryError=MemoryError)
import atexit
atexit.register(lambda: say("cudnn", backends.cudnn.__dict__.get("benchmark"),
                            backends.cudnn.allow_tf32, backends.cuda.matmul.allow_tf32))
'''

# This fake answers `record` like the real program, but runs the program without counting. In a run
# with trials it returns another profile, if there is one.
ROOFLINE = '''#!/bin/bash
printf '%s\\n' "$*" >>"$FAKE_LOG"
while [[ $1 != -o ]]; do shift; done
folder=$2
while [[ $1 != -- ]]; do shift; done
shift
case $* in *"${FAKE_FAILS-nothing}"*) exit 3 ;; esac
"$@" || exit
mkdir -p "$folder"
cp "$FAKE_PROFILE" "$folder/profile.json"
case $* in *--no-trials*) exit 0 ;; esac
[[ ! -e $FAKE_PROFILE.trials ]] || cp "$FAKE_PROFILE.trials" "$folder/profile.json"
'''


ROOFS = {"fp32_fma": 60e12, "fp16_tensor": 600e12, "l1": 30e12, "shared": 30e12, "l2": 9e12, "dram": 4e12}
MOVED = {"l1": 8e9, "shared": 16e9, "l2": 4e9, "dram": 2e9}


def kernel(name, seconds, launches=2):
    return {"name": name, "launches": launches, "seconds": seconds}


GEMM = "sm90_xmma_fprop_implicit_gemm_f16f16_f16f32_f32_nhwckrsc_nhwc_tilesize128x64x64_cudnn"
ORDER = ("void cudnn::ops::nchwToNhwcKernel<__half, __half, float, false, true, "
         "(cudnnKernelDataType_t)0>(cudnn::ops::nchw2nhwc_params_t<float>, __half const*, __half*)")


def half_precision():
    """Two iterations in the form of counted_case()."""
    return {"kernels": [kernel(GEMM, 3e-3), kernel(ORDER, 1e-3)], "bytes": MOVED,
            "work": {"fp32": 1e6, "fp16": 2e6, "tensor_fp16": 6e11}}


def profile(*names, notes=(), **counters):
    """A record with two iterations of each case."""
    sass = {f"sm__sass_thread_inst_executed_op_{kind}{op}_pred_on.sum": 1e6 for kind in "dfh"
            for op in ("add", "mul", "fma")}
    counted = {**sass, "sm__ops_path_tensor_src_fp16.sum": 6e11, "l1tex__t_bytes.sum": 8e9,
               "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum": 16e9 / 128,
               "lts__t_sectors_srcunit_tex.sum": 4e9 / 32, "dram__bytes.sum": 2e9, **counters}
    counted = {name: value for name, value in counted.items() if value is not None}
    return {"device": "NVIDIA H200", "created": "2026-11-22T00:00:00Z",
            "ceilings": {"gpu": {"list": [{"name": name, "measured": rate} for name, rate in ROOFS.items()]}},
            "ranges": [{"name": name, "notes": list(notes), "counters": counted,
                        "kernels": [kernel(GEMM, 3e-3), kernel(ORDER, 1e-3)]} for name in names]}


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def write(self, text, *names, mode=0o644):
        path = self.path(*names)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path, mode)
        return path

    def text(self, *names):
        with open(self.path(*names), encoding="utf-8") as file:
            return file.read()

    def run_script(self, script, *arguments, gpu=True, cudnn=True, torch=True, **environment):
        fake = f"GPU, CUDNN = {gpu}, {cudnn}\n{TORCH}"
        self.write(fake if torch else "raise ImportError('no torch')", "modules", "torch.py")
        return subprocess.run(
            [sys.executable, "-B", os.path.join(FOLDER, script), *arguments], text=True,
            capture_output=True, cwd=self.folder,
            env={**os.environ, "PYTHONPATH": self.path("modules"), "PYTHONDONTWRITEBYTECODE": "1",
                 **environment})


class Conv2d(Folder):
    def conv2d(self, *arguments, **how):
        done = self.run_script("conv2d.py", *arguments, **how)
        log = self.path("modules", "torch.py.log")
        return done, self.text(log).splitlines() if os.path.exists(log) else []

    def test_warm_up_comes_before_counting_and_counted_iterations_within(self):
        done, log = self.conv2d()
        self.assertEqual(done.returncode, 0, done.stderr)
        start, stop = log.index("start"), log.index("stop")
        iteration = "conv2d [2, 2] [1, 1]"
        self.assertEqual(log[:start].count(iteration), 5)
        self.assertEqual(log[start:stop].count(iteration), 20)
        self.assertEqual(log[stop:].count(iteration), 0)
        # Warm-up is over, everything counted is included, and trials' memory is freed.
        self.assertEqual(log[start - 1], "synchronize")
        self.assertEqual(log[start + 1], "push forward-fp32-b16-f64-k3")
        self.assertEqual(log[stop - 2:stop], ["synchronize", "pop"])
        self.assertEqual(log[log.index(iteration) + 2], "empty")
        self.assertEqual(log.count("no_grad"), 1)
        self.assertNotIn("gradient", log)

    def test_fp32_is_fp32_unless_tf32_is_asked_for(self):
        self.assertEqual(self.conv2d()[1][-1], "cudnn True False False")
        self.assertEqual(self.conv2d("forward-fp32-b16-f64-k3-tf32")[1][-1], "cudnn True True True")
        self.assertEqual(self.conv2d("--no-trials")[1][-1], "cudnn False False False")

    def test_backward_is_the_gradient_of_the_filters_alone(self):
        done, log = self.conv2d("backward-fp16-b4-f64-k5", "backward-fp16-b4-f64-k5-s1-nchw", "--warm-up", "2",
                                "--iterations", "3", "--about", self.path("about.json"))
        self.assertEqual(done.returncode, 0, done.stderr)
        for stride in 2, 1:
            self.assertEqual(log.count(f"gradient [{stride}, {stride}] [2, 2] [False, True, False]"), 5)
        self.assertNotIn("conv2d", " ".join(log))
        self.assertEqual(log.count("rand float16 4 64 112 112"), 2)
        self.assertIn("full float16 4 64 56 56", log)
        self.assertIn("full float16 4 64 112 112", log)
        self.assertEqual(log.count("order nhwc"), log.count("order nchw"))
        about = json.loads(self.text("about.json"))
        self.assertEqual((about["iterations"], about["trials"], about["cudnn"]), (3, True, 91000))

    def test_where_it_cannot_run_a_sentence_says_why(self):
        for how, words in (({"torch": False}, "PyTorch is not here (no torch)"),
                           ({"gpu": False}, "sees no GPU"), ({"cudnn": False}, "no cuDNN")):
            with self.subTest(words):
                done, _ = self.conv2d("--check", **how)
                self.assertEqual(done.returncode, 77)
                self.assertIn(words, done.stderr)
                self.assertEqual(len(done.stderr.splitlines()), 1)
        done, log = self.conv2d("--check")
        self.assertEqual((done.returncode, log.count("start")), (0, 0))

    def test_wrong_arguments_are_refused(self):
        for arguments in (["forward-fp32-b16-f64-k4"], ["forward-fp32-b0-f64-k3"], ["sideways"],
                          ["forward-fp16-b16-f64-k3-tf32"], ["--iterations", "0"]):
            self.assertEqual(self.conv2d(*arguments)[0].returncode, 2)


class Shapes(unittest.TestCase):
    def test_the_base_case_by_hand(self):
        # The study counted 3,703,504,896 in the FP32 gradient, which includes a few additions.
        self.assertEqual(Case().flop, 2 * 16 * 56 * 56 * 64 * 64 * 9)
        # Images 16 x 64 x 112 x 112, results 16 x 64 x 56 x 56, 64 x 64 filters of 9, in floats.
        self.assertEqual(Case().least_bytes, 4 * (12_845_056 + 3_211_264 + 36_864))
        self.assertEqual(Case(direction="backward").flop, Case().flop)
        self.assertEqual(Case(stride=1).flop, 4 * Case().flop)
        self.assertEqual(Case(dtype="fp16").least_bytes * 2, Case().least_bytes)

    def test_a_name_tells_the_case(self):
        for case in sweep() + sweep(stride=1, nchw=True) + [Case(tf32=True)]:
            self.assertEqual(Case.of_name(case.name), case)

    def test_the_sweep_shares_its_base_and_repeats_nothing(self):
        names = [case.name for case in sweep()]
        self.assertEqual(len(names), 36)
        self.assertEqual(len(set(names)), 36)
        for direction in "forward", "backward":
            for dtype in "fp32", "fp16":
                self.assertIn(f"{direction}-{dtype}-b16-f64-k3", names)


class Tables(unittest.TestCase):
    def row(self, **case):
        return row_of({**Case(dtype="fp16").as_dict(), "iterations": 2, "torch": "9", "cudnn": 1, "trials": True,
                       "device": "NVIDIA H200", "roofs": ROOFS, **half_precision(), **case})

    def test_a_case_is_the_sum_of_its_kernels_for_one_iteration(self):
        row = self.row(flop=6e11)
        self.assertEqual(row["seconds"], 2e-3)
        self.assertEqual(row["launches"], 2)
        self.assertEqual((row["main_work"], row["flop"]), ("FP16 tensor", 3e11))
        self.assertEqual(row["flop_of_definition"], 0.5)
        self.assertEqual(row["flop_per_s"], 1.5e14)
        self.assertEqual(row["dram_bytes"], 1e9)
        self.assertEqual(row["dram_intensity"], 300)
        self.assertEqual(row["transform_share"], 0.25)
        self.assertEqual(row["algorithm"], "GEMM")
        self.assertEqual(row["main_kernel_share"], 0.75)

    def test_the_nearest_roof_is_the_one_that_takes_longest(self):
        # 3e11 FLOP at 600e12: 0.5 ms; 8e9 B of shared memory at 30e12: 0.27 ms; DRAM: 0.25 ms.
        row = self.row()
        self.assertEqual((row["nearest_roof"], row["percent_of_roof"]), ("FP16 tensor", 25))
        row = self.row(work={"tensor_fp16": 1e9})
        self.assertEqual(row["nearest_roof"], "shared")
        self.assertAlmostEqual(row["percent_of_roof"], 100 * 8e9 / 30e12 / 2e-3)

    def test_a_range_of_a_record_is_a_case(self):
        name = "forward-fp16-b16-f64-k3"
        case = counted_case(profile("another", name), name)
        self.assertEqual(case["kernels"], half_precision()["kernels"])
        self.assertEqual(case["bytes"], MOVED)
        self.assertEqual(case["work"], {"fp64": 4e6, "fp32": 4e6, "fp16": 8e6, "tensor_fp16": 6e11})

    def test_what_was_not_counted_is_no_case(self):
        name = "forward-fp16-b16-f64-k3"
        for bad in (profile("another"), profile(name, notes=["its counts are scaled to 2"]),
                    profile(name, notes=["Counted in place of a kernel that was timed in it: x"]),
                    profile(name, **{"dram__bytes.sum": None}),
                    profile(name, **{"sm__ops_path_tensor_src_fp16.sum": None})):
            self.assertRaises(OtherAlgorithm, counted_case, bad, name)

    def test_kernels_are_told_by_their_names(self):
        for name, kind in (
                (ORDER, "layout"), (GEMM, "gemm"),
                ("void cudnn::winograd_nonfused::winogradForwardData4x4<float, float>(x)",
                 "winograd transform"),
                ("void cudnn::winograd_nonfused::winogradWgradDelta4x4<float, float>(x)",
                 "winograd transform"),
                ("void cudnn::cnn::winograd::generateWinogradTilesKernel<0, float, float>(x)",
                 "winograd transform"),
                ("ampere_scudnn_winograd_128x128_ldg1_ldg4_relu_tile148t_nt_v1", "winograd"),
                ("void fft2d_r2c_32x32<float, false, 1u, false>(float2*)", "fft transform"),
                ("void DSE::regular_fft_pad<0, 1, 256, 16, 16, 1, float>(x)", "fft transform"),
                ("ampere_gcgemm_32x32_nt", "fft product"),
                ("void cutlass__5x_cudnn::Kernel<cutlass_tensorop_f16_s16816wgrad_optimized>(P)",
                 "gemm"),
                ("void cudnn::cnn::wgrad_alg0_engine<float, 128, 5, 5, 3>(int)", "gemm"),
                ("void at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<float>>"
                 "(x)", "layout"),
                ("void cudnn::ops::scalePackedTensor_kernel<float, float>(long)", "other")):
            with self.subTest(name):
                self.assertEqual(kind_of(name), kind)

    def test_names_are_short(self):
        self.assertEqual(short_name(ORDER), "nchwToNhwcKernel")
        self.assertEqual(short_name("void cutlass__5x_cudnn::Kernel<cutlass_tensorop_s1688>(P)"),
                         "cutlass_tensorop_s1688")
        self.assertEqual(short_name("void (anonymous namespace)::softmax<float>(float*)"),
                         "softmax")
        self.assertLessEqual(len(short_name(GEMM)), 44)


class Sweep(Folder):
    CASES = ("forward-fp16-b16-f64-k3", "forward-fp16-b16-f64-k5")

    def setUp(self):
        super().setUp()
        self.roofline = self.write(ROOFLINE, "bin", "roofline", mode=0o755)
        self.profile = self.write(json.dumps(profile(*self.CASES)), "profile.json")
        self.log = self.path("log")

    def sweep(self, *arguments, only="forward-fp16-b16-f64-k[35]", **how):
        return self.run_script(
            "sweep", "-o", "out", "--only", only, "--roofline", self.roofline, "--python",
            sys.executable, *arguments, FAKE_LOG=self.log, FAKE_PROFILE=self.profile, **how)

    def calls(self):
        return self.text("log").splitlines() if os.path.exists(self.log) else []

    def test_cases_are_counted_and_become_a_table(self):
        done = self.sweep("--iterations", "2")
        self.assertEqual(done.returncode, 0, done.stderr)
        call, = self.calls()
        self.assertTrue(call.startswith("record --by range --profile-from-start off -o "), call)
        self.assertIn("conv2d.py --iterations 2", call)
        self.assertTrue(call.endswith(" ".join(self.CASES)), call)
        with open(self.path("out", "conv2d.csv"), encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual([row["case"] for row in rows], list(self.CASES))
        self.assertEqual(float(rows[0]["seconds"]), 2e-3)
        self.assertIn("| forward-fp16-b16-f64-k3 | FP16 tensor | 300 |", done.stdout)
        self.assertIn(self.text("out", "conv2d.md"), done.stdout)
        panels = self.text("out", "panels.svg")
        self.assertEqual(panels.count("forward,"), 3)
        for label in (">16<", ">64<", ">3, 5<"):
            self.assertEqual(panels.count(label), 1, label)

    def test_what_is_there_is_kept_and_what_was_lost_is_tried_again(self):
        self.assertEqual(self.sweep("--iterations", "2", only="*-fp16-b16-f64-k3", FAKE_FAILS="backward").returncode, 1)
        done = self.sweep("--iterations", "2", only=self.CASES[0])
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.sweep("--iterations", "2").returncode, 0)
        self.assertTrue(self.calls()[-1].endswith("about.json " + self.CASES[1]), self.calls()[-1])
        before = len(self.calls())
        self.assertEqual(self.sweep("--iterations", "2").returncode, 0)
        self.assertEqual(len(self.calls()), before)
        self.assertEqual(self.sweep("--iterations", "2", "--replace").returncode, 0)
        self.assertTrue(self.calls()[-1].endswith(" ".join(self.CASES)))

    def test_trials_that_differ_end_with_rules(self):
        other = profile(*self.CASES)
        other["ranges"][1]["notes"] = ["Counted in place of a kernel that was timed in it: winograd"]
        self.write(json.dumps(other), "profile.json.trials")
        done = self.sweep("--iterations", "2")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("cuDNN chose another algorithm", done.stderr)
        self.assertEqual(["--no-trials" in call for call in self.calls()], [False, True])
        self.assertTrue(self.calls()[1].endswith("--no-trials " + self.CASES[1]))
        self.assertIn("| GEMM (rules) |", done.stdout)
        self.assertEqual(self.sweep("--replace", "--no-trials").returncode, 0)
        self.assertEqual(len(self.calls()), 3)

    def test_a_case_whose_runs_never_agreed_is_tried_again_by_the_next_sweep(self):
        self.write(json.dumps(profile(self.CASES[0])), "profile.json")
        done = self.sweep("--iterations", "2")
        self.assertEqual(done.returncode, 1)
        self.assertIn("1 of 2 cases were not counted: forward-fp16-b16-f64-k5", done.stderr)
        self.assertIn("| forward-fp16-b16-f64-k3 |", done.stdout)
        self.write(json.dumps(profile(*self.CASES)), "profile.json")
        self.assertEqual(self.sweep("--iterations", "2").returncode, 0)

    def test_without_pytorch_nothing_is_counted(self):
        done = self.sweep(torch=False)
        self.assertEqual(done.returncode, 77)
        self.assertEqual(self.calls(), [])

    def test_what_stands_in_the_way_is_said(self):
        self.assertIn("no case is called x", self.sweep(only="x").stderr)
        done = self.run_script("sweep", "-o", "out", "--roofline", "/nowhere/roofline")
        self.assertIn("no program /nowhere/roofline", done.stderr)
        self.assertEqual(self.run_script("sweep").returncode, 2)
        self.assertEqual(self.run_script("table.py", "nowhere").returncode, 1)

    def test_the_list_predicts_without_anything_there(self):
        done = self.run_script("sweep", "--list", torch=False)
        self.assertEqual(done.returncode, 0)
        self.assertIn("| forward-fp16-b16-f64-k3 | 3.7 | 32 | 115 | 4 us | 7 us | DRAM |",
                      done.stdout)


if __name__ == "__main__":
    unittest.main()
