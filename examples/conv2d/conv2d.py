#!/usr/bin/env python3
"""Convolutions of a neural network in PyTorch, for measurement by `roofline record`.

    build/bin/roofline record --profile-from-start off --by range -o results/conv2d/base -- \\
        python3 examples/conv2d/conv2d.py forward-fp16-b16-f128-k3 backward-fp16-b16-f128-k3

The first iterations of a case are warm-up, in which cuDNN tries its algorithms and keeps the
fastest. Then cudaProfilerStart starts the counting, and the counted iterations form one NVTX range
with the case's name. Without a profiler the script just runs.

Exit status: 0; 2 for wrong arguments; 77, the code for skipped tests, if torch is missing or has no
GPU or no cuDNN.
"""
import argparse
import json
import sys

from shapes import CHANNELS, SIZE, Case

SKIPPED = 77


def positive(text):
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text} is not 1 or more")
    return value


def case(text):
    try:
        return Case.of_name(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(error) from None


def arguments():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases", nargs="*", type=case, default=[Case()], metavar="CASE",
                        help="pass, precision, batch, filters, size of the filters, and -s1 for a stride of 1 instead "
                        f"of 2, -nchw for that order of the images, -tf32 (default: {Case().name})")
    parser.add_argument("--no-trials", dest="trials", action="store_false",
                        help="cuDNN chooses its algorithms by rules, not by their time")
    parser.add_argument("--warm-up", type=positive, default=5, metavar="N",
                        help="iterations that are not counted (default: 5)")
    parser.add_argument("--iterations", type=positive, default=20, metavar="N",
                        help="iterations that are counted (default: 20)")
    parser.add_argument("--about", metavar="FILE", help="write the versions as JSON")
    parser.add_argument("--check", action="store_true", help="only say whether it can run here")
    return parser.parse_args()


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
    """Returns the operation of one iteration."""
    # Tries algorithms at the first call of each shape. PyTorch tries at most ten.
    torch.backends.cudnn.benchmark = trials
    # PyTorch lets FP32 convolutions use TF32 by default. They would count as tensor work with 10
    # bits of mantissa, and the V100, to which results are compared, has no TF32.
    torch.backends.cudnn.allow_tf32 = case.tf32
    torch.backends.cuda.matmul.allow_tf32 = case.tf32

    dtype = {"fp32": torch.float32, "fp16": torch.float16}[case.dtype]
    order = torch.contiguous_format if case.nchw else torch.channels_last
    torch.manual_seed(1)

    def random(*shape):
        return torch.rand(shape, dtype=dtype, device="cuda").to(memory_format=order)

    images = random(case.batch, CHANNELS, SIZE, SIZE)
    filters = random(case.filters, CHANNELS, case.kernel, case.kernel)
    # Filters are small, so that sums in FP16 stay finite.
    filters = (filters / (CHANNELS * case.kernel**2)).to(memory_format=order)
    stride, padding = [case.stride] * 2, [case.kernel // 2] * 2

    def forward():
        torch.nn.functional.conv2d(images, filters, stride=stride, padding=padding)

    if case.direction == "forward":
        return forward
    # Made once, because a sum over the result would add kernels outside of the convolution.
    gradient = torch.full((case.batch, case.filters, case.result_size, case.result_size), 2.0**-10, dtype=dtype,
                          device="cuda").to(memory_format=order)

    def backward():
        torch.ops.aten.convolution_backward(gradient, images, filters, None, stride, padding, [1, 1], False, [0, 0], 1,
                                            [False, True, False])  # gradient of the filters only

    return backward


def count(torch, iterate, name, warm_up, iterations):
    for number in range(warm_up):
        iterate()
        if number == 0:  # Trials' memory would be saved and restored for each counted kernel.
            torch.cuda.synchronize()
            torch.cuda.empty_cache()
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
    about = {"warm_up": wanted.warm_up, "iterations": wanted.iterations, "trials": wanted.trials,
             "torch": str(torch.__version__), "cuda": torch.version.cuda, "cudnn": torch.backends.cudnn.version()}
    for one in wanted.cases:
        try:
            with torch.no_grad():
                count(torch, prepare(torch, one, wanted.trials), one.name, wanted.warm_up, wanted.iterations)
        except torch.cuda.OutOfMemoryError:
            sys.exit(f"conv2d: {one.name} does not fit into the GPU's memory; ask for a smaller batch")
        torch.cuda.empty_cache()
        print(f"{one.name}: {wanted.warm_up} iterations of warm-up, {wanted.iterations} counted, "
              f"{one.flop / 1e9:.1f} GFLOP each by definition", flush=True)
    if wanted.about:
        with open(wanted.about, "w", encoding="utf-8") as file:
            json.dump(about, file)


if __name__ == "__main__":
    main()
