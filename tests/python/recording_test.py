"""Tests of `roofline record` from Python and notebooks, and of examples/transformer, with fakes
of roofline and PyTorch."""
import os
import tempfile
import unittest

from place import Folder, path
import roofline

PROFILE = path("results", "h100", "transformer", "forward", "profile.json")
# This fake answers `record` like the real program, but counts nothing.
ROOFLINE = f'''#!/bin/bash
printf '%s\\n' "$*" >>"$FAKE_LOG"
[[ $1 != show ]] || exec cat '{PROFILE}'
case $* in *aten::relu*) echo 'none of the 3 launches was chosen by --kernel, --nvtx' >&2; exit 1 ;; esac
while [[ $1 != -o ]]; do shift; done
folder=$2
shift 3
"$@"
status=$?
mkdir -p "$folder"
cp '{PROFILE}' "$folder/profile.json"
exit $status
'''
# This fake logs all calls in order. The block calls its operators.
TORCH = '''
from unittest import mock
from types import SimpleNamespace as Space
import sys
LOG = open(__file__ + ".log", "w")
modes = []
def say(*words):
    print(*words, file=LOG, flush=True)
def operator(name, is_view=False):
    def run(*a, **k): say("run", name)
    func = Space(is_view=is_view, _schema=Space(name=name))
    called = type("F", (), {"__call__": run, **vars(func)})()
    return modes[-1].__torch_dispatch__(called, ()) if modes else run()
class Mode:
    def __enter__(self): modes.append(self)
    def __exit__(self, *a): modes.pop()
class Module:
    def to(self, *a): return self
    def parameters(self): return []
    def __call__(self, x): operator("aten::view", True); operator("aten::mm"); operator("aten::relu"); return x
nn = mock.MagicMock(Module=Module)
utils = mock.MagicMock()
sys.modules["torch.utils"] = utils
sys.modules["torch.utils._python_dispatch"] = Space(TorchDispatchMode=Mode)
randn = full = mock.MagicMock()
bfloat16 = float16 = float32 = None
manual_seed = lambda seed: None
autograd = mock.MagicMock()
autograd.grad = lambda *a: operator("aten::mm")
cuda = Space(is_available=lambda: True, synchronize=lambda: say("synchronize"), OutOfMemoryError=MemoryError,
             cudart=lambda: Space(cudaProfilerStart=lambda: say("start"), cudaProfilerStop=lambda: say("stop")),
             nvtx=Space(range_push=lambda name: say("push", name), range_pop=lambda: say("pop"),
                        range_start=lambda name: say("open", name), range_end=lambda handle: say("close")))
'''


class Fakes(Folder):
    def setUp(self):
        super().setUp()
        tempfile.tempdir = self.folder  # records without a given folder go here
        self.addCleanup(setattr, tempfile, "tempdir", None)
        self.log = os.path.join(self.folder, "log")
        os.environ.update(FAKE_LOG=self.log, ROOFLINE_PROGRAM=self.write("roofline", ROOFLINE, 0o755))

    def asked(self):
        with open(self.log, encoding="utf-8") as file:
            return file.read().splitlines()


class Records(Fakes):
    def test_a_program_is_counted(self):
        folder = os.path.join(self.folder, "a b;c")
        profile = roofline.record(["echo", "$HOME;", "x y"], folder, nvtx="my range", launch="4:", replace=True)
        self.assertIsInstance(profile, roofline.Profile)
        self.assertEqual(self.asked(), [f"record --nvtx=my range --launch=4: --replace -o {folder} -- "
                                        "echo $HOME; x y"])
        self.assertTrue(os.path.exists(roofline.record(["true"]).path))

    def test_what_fails_is_told_with_what_was_said(self):
        with self.assertRaisesRegex(roofline.RecordError, r"status 3; what was seen is kept in .*\nalas\\x1b"):
            roofline.record(["sh", "-c", "printf 'alas\\033\\n'; exit 3"], quiet=True)
        with self.assertRaisesRegex(roofline.RecordError, "was ended after 0.1 s"):
            roofline.record(["sh", "-c", "exec sleep 600"], timeout=0.1, quiet=True)
        # An earlier record must not be taken for the new one.
        folder = os.path.join(self.folder, "before")
        roofline.record(["true"], folder, wait=3, quiet=True)
        os.environ["ROOFLINE_PROGRAM"] = self.write("refusing", "#!/bin/sh\necho taken\nexit 2\n", 0o755)
        with self.assertRaisesRegex(roofline.RecordError, r"^roofline record ended with status 2\ntaken$"):
            roofline.record(["true"], folder, quiet=True)
        for wrong in ("echo a", [], b"x"):
            with self.assertRaisesRegex(TypeError, "a list of words"):
                roofline.record(wrong)
        with self.assertRaisesRegex(TypeError, "no option output_file"):
            roofline.record(["true"], output_file="x")
        self.hide_programs()
        with self.assertRaisesRegex(roofline.ProgramMissing, "ROOFLINE_PROGRAM"):
            roofline.record(["true"])

    def test_a_cell_is_a_program_of_its_own(self):
        magics = {}

        class Shell:
            def register_magic_function(self, function, kind, name):
                magics[kind, name] = function

        roofline.load_ipython_extension(Shell())
        cell = magics["cell", "roofline"]
        folder = os.path.join(self.folder, "out")
        made = os.path.join(self.folder, "made")
        profile = cell(f"--kernel 'a b' -o {folder}", f"open({made!r}, 'w').write('x')")
        self.assertEqual(profile.path, os.path.join(folder, "profile.json"))
        self.assertTrue(os.path.exists(made))
        self.assertIn("record --kernel a b -o", self.asked()[0])
        for line in ("-o", "'", "-- sh"):
            with self.assertRaisesRegex(roofline.RecordError, "%%roofline"):
                cell(line, "")


class Transformer(Fakes):
    def script(self, name, *words):
        self.write("modules/torch.py", TORCH)
        return self.run_python(path("examples", "transformer", name), *words,
                               PYTHONPATH=os.path.join(self.folder, "modules"))

    def test_counting_begins_behind_the_warm_up_and_every_operator_has_its_range(self):
        done = self.script("block.py", "--warm-up", "2", "--iterations", "1")
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(os.path.join(self.folder, "modules", "torch.py.log"), encoding="utf-8") as file:
            log = file.read().splitlines()
        start = log.index("start")
        self.assertEqual(log[start - 1], "synchronize")
        self.assertEqual(log[:start].count("open forward"), 2)
        self.assertNotIn("push aten::mm", log[:start])
        self.assertEqual(log[start + 1:], [
            "open forward", "run aten::view", "push aten::mm", "run aten::mm", "pop", "push aten::relu",
            "run aten::relu", "pop", "close", "open backward", "push aten::mm", "run aten::mm", "pop", "close",
            "synchronize", "stop"])

    def test_each_range_becomes_a_record(self):
        folder = os.path.join(self.folder, "block")
        done = self.script("by_range", "-o", folder, "--", "--batch", "2")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(sorted(os.listdir(folder)), ["aten-mm", "backward", "forward"])
        self.assertIn("aten::relu: launches no kernel", done.stdout)
        self.assertIn("cudnn", done.stdout)
        asked = [line for line in self.asked() if line.startswith("record")]
        self.assertEqual(len(asked), 4)
        self.assertIn("--nvtx=forward --profile-from-start=off --counters=full", asked[0])
        self.assertTrue(asked[0].endswith("block.py --batch 2"))

    def test_where_it_cannot_run_a_sentence_says_why(self):
        self.write("modules/torch.py", "raise ImportError('no torch')")
        for words in (["block.py", "--check"], ["by_range", "-o", "x"]):
            done = self.run_python(path("examples", "transformer", words[0]), *words[1:],
                                   PYTHONPATH=os.path.join(self.folder, "modules"))
            self.assertEqual((done.returncode, len(done.stderr.splitlines())), (77, 1), done.stderr)
            self.assertIn("PyTorch is not here", done.stderr)


if __name__ == "__main__":
    unittest.main()
