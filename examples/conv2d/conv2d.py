#!/usr/bin/env python3
"""One convolution of a neural network in PyTorch, to be counted by `roofline record`.

    build/bin/roofline record --profile-from-start off -o results/conv2d/base -- \\
        python3 examples/conv2d/conv2d.py --pass forward --dtype fp16 --filters 128

The first iterations are warm-up: cuDNN tries its algorithms there and keeps the fastest. Counting
starts behind them with cudaProfilerStart, and the counted iterations are one NVTX range with the
name of the case. Without a profiler the script just runs.

Exit status: 0; 2 for arguments that are none; 77 where nothing can be run here, because torch is
missing, sees no GPU or has no cuDNN (77 is what test programs call skipped).
"""
import argparse
import json
import sys

from shapes import PASSES, SIZE_OF, Case

SKIPPED = 77


def positive(text):
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text} is not 1 or more")
    return value


def odd(text):
    value = positive(text)
    if value % 2 == 0:
        raise argparse.ArgumentTypeError(f"{text} is even: the images would not keep their size")
    return value


def arguments():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pass", dest="direction", choices=PASSES, default=Case.direction,
                        help="backward: the convolution and the gradient of its filters")
    parser.add_argument("--dtype", choices=tuple(SIZE_OF), default=Case.dtype)
    for name, form in (("batch", positive), ("filters", positive), ("kernel", odd),
                       ("size", positive), ("channels", positive)):
        parser.add_argument(f"--{name}", type=form, default=getattr(Case, name), metavar="N",
                            help=f"default: {getattr(Case, name)}")
    parser.add_argument("--channels-last", action="store_true",
                        help="images as NHWC, the order of TensorFlow, instead of NCHW")
    parser.add_argument("--tf32", action="store_true",
                        help="let FP32 use the tensor cores with 10 bits of mantissa")
    parser.add_argument("--no-trials", dest="trials", action="store_false",
                        help="cuDNN chooses its algorithms by rules, not by their time")
    parser.add_argument("--warm-up", type=positive, default=5, metavar="N",
                        help="iterations that are not counted (default: 5)")
    parser.add_argument("--iterations", type=positive, default=20, metavar="N",
                        help="iterations that are counted (default: 20)")
    parser.add_argument("--about", metavar="FILE",
                        help="write the case, its FLOP and the versions as JSON")
    parser.add_argument("--check", action="store_true", help="only say whether it can run here")
    wanted = parser.parse_args()
    if wanted.tf32 and wanted.dtype != "fp32":
        parser.error("--tf32 is a way to compute fp32")
    return wanted


def cannot(reason):
    print(f"conv2d: {reason}", file=sys.stderr)
    sys.exit(SKIPPED)


def torch_with_gpu():
    try:
        import torch
    except ImportError as error:
        cannot(f"PyTorch is not here ({error}); install it with pip install torch")
    if not torch.cuda.is_available():
        cannot("PyTorch sees no GPU of NVIDIA's; nvidia-smi and torch.version.cuda tell why")
    if not torch.backends.cudnn.is_available():
        cannot("this PyTorch has no cuDNN, whose convolutions are studied here")
    return torch


def prepare(torch, case, trials):
    """What one iteration calls."""
    # Tries the algorithms at the first call of each shape. PyTorch tries ten of them at most.
    torch.backends.cudnn.benchmark = trials
    # PyTorch lets FP32 convolutions use TF32 unless it is told not to. They would be counted as
    # tensor work with 10 bits of mantissa, and V100, which is compared with, has no TF32.
    torch.backends.cudnn.allow_tf32 = case.tf32
    torch.backends.cuda.matmul.allow_tf32 = case.tf32

    dtype = {"fp32": torch.float32, "fp16": torch.float16}[case.dtype]
    order = torch.channels_last if case.channels_last else torch.contiguous_format
    torch.manual_seed(1)

    def random(*shape):
        return torch.rand(shape, dtype=dtype, device="cuda").to(memory_format=order)

    images = random(case.batch, case.channels, case.size, case.size)
    filters = random(case.filters, case.channels, case.kernel, case.kernel)
    # Small, so that sums in FP16 stay finite.
    filters = filters / (case.channels * case.kernel**2)

    def convolution():
        return torch.nn.functional.conv2d(images, filters, padding=case.kernel // 2)

    def forward():
        with torch.no_grad():
            convolution()

    if case.direction == "forward":
        return forward
    filters.requires_grad_()
    # Made once: a sum over the result would add kernels that are no part of the convolution.
    gradient = torch.full((case.batch, case.filters, case.size, case.size), 2.0**-10, dtype=dtype,
                          device="cuda").to(memory_format=order)

    def backward():
        torch.autograd.grad(convolution(), filters, gradient)

    return backward


def count(torch, iterate, name, warm_up, iterations):
    for _ in range(warm_up):
        iterate()
    torch.cuda.synchronize()
    torch.cuda.cudart().cudaProfilerStart()
    torch.cuda.nvtx.range_push(name)
    for _ in range(iterations):
        iterate()
    torch.cuda.synchronize()
    torch.cuda.nvtx.range_pop()
    torch.cuda.cudart().cudaProfilerStop()


def main():
    wanted = arguments()
    torch = torch_with_gpu()
    if wanted.check:
        return
    case = Case(**{name: getattr(wanted, name) for name in Case.__dataclass_fields__})
    try:
        count(torch, prepare(torch, case, wanted.trials), case.name, wanted.warm_up,
              wanted.iterations)
    except torch.cuda.OutOfMemoryError:
        sys.exit(f"conv2d: {case.name} does not fit into the GPU's memory; ask for a smaller "
                 "--batch")
    about = {**case.as_dict(), "warm_up": wanted.warm_up, "iterations": wanted.iterations,
             "trials": wanted.trials, "device": torch.cuda.get_device_name(),
             "torch": str(torch.__version__), "cuda": torch.version.cuda,
             "cudnn": torch.backends.cudnn.version()}
    if wanted.about:
        with open(wanted.about, "w", encoding="utf-8") as file:
            json.dump(about, file, indent=1)
            file.write("\n")
    print(f"{case.name}: {wanted.warm_up} iterations of warm-up, {wanted.iterations} counted, "
          f"{case.flop / 1e9:.1f} GFLOP each by definition; {about['device']}, torch "
          f"{about['torch']}, cuDNN {about['cudnn']}")


if __name__ == "__main__":
    main()
