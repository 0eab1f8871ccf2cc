#!/usr/bin/env python3
"""One block of a transformer in PyTorch, forward and backward, for `roofline record`.

    build/bin/roofline record --profile-from-start off --by range -o results/block -- \\
        python3 examples/transformer/block.py --emit-nvtx

The first steps are warm-up; then cudaProfilerStart starts the counting. From there on, NVTX ranges
`forward` and `backward` are open in all threads, and each operator that PyTorch dispatches has a
range with its name (`aten::mm`). With --emit-nvtx, PyTorch's own emit_nvtx makes the operators'
ranges; roofline ignores the number at the end of each name: "aten::mm, seq = 12".

Exit status: 0; 2 for wrong arguments; 77, the code for skipped tests, if torch is missing or sees
no GPU.
"""
import argparse
import contextlib
import sys

SKIPPED = 77


def positive(text):
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text} is not 1 or more")
    return value


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, default, what in (("batch", 8, "sequences"), ("sequence", 1024, "words of each"),
                                ("width", 1024, "numbers for each word"), ("heads", 16, "of attention"),
                                ("warm-up", 3, "steps that are not counted"), ("iterations", 5, "steps that are")):
        parser.add_argument(f"--{name}", type=positive, default=default, metavar="N",
                            help=f"{what} (default: {default})")
    parser.add_argument("--dtype", choices=("bf16", "fp16", "fp32"), default="bf16")
    parser.add_argument("--emit-nvtx", action="store_true", help="operators as PyTorch itself names them")
    parser.add_argument("--list", action="store_true", help="print the names of the ranges, and count nothing")
    parser.add_argument("--check", action="store_true", help="only say whether it can run here")
    wanted = parser.parse_args()
    if wanted.width % wanted.heads:
        parser.error(f"--width {wanted.width} is no multiple of --heads {wanted.heads}")
    return wanted


def cannot(reason):
    print(f"block: {reason}", file=sys.stderr)
    sys.exit(SKIPPED)


def torch_with_gpu():
    try:
        import torch
    except ImportError as error:
        cannot(f"PyTorch is not here ({error}); install it with pip install torch")
    if not torch.cuda.is_available():
        cannot("PyTorch sees no GPU of NVIDIA's; nvidia-smi and torch.version.cuda tell why")
    return torch


def make_block(torch, width, heads):
    """x + attention(norm(x)), then x + mlp(norm(x)): Vaswani et al. 2017 with norms first."""
    nn, functional = torch.nn, torch.nn.functional

    class Block(nn.Module):
        def __init__(self):
            super().__init__()
            self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
            self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
            self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

        def attention(self, x):
            batch, sequence, _ = x.shape
            parts = self.qkv(x).view(batch, sequence, 3, heads, width // heads).permute(2, 0, 3, 1, 4)
            mixed = functional.scaled_dot_product_attention(*parts.unbind(0), is_causal=True)
            return self.out(mixed.transpose(1, 2).reshape(batch, sequence, width))

        def forward(self, x):
            x = x + self.attention(self.norm1(x))
            return x + self.down(functional.gelu(self.up(self.norm2(x))))

    return Block()


def named_operators(torch, seen):
    """A context in which each operator except views has a range with its name."""
    from torch.utils._python_dispatch import TorchDispatchMode

    class Named(TorchDispatchMode):
        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            if getattr(func, "is_view", False):
                return func(*args, **(kwargs or {}))
            name = func._schema.name
            seen[name] = None
            torch.cuda.nvtx.range_push(name)
            try:
                return func(*args, **(kwargs or {}))
            finally:
                torch.cuda.nvtx.range_pop()

    return Named()


@contextlib.contextmanager
def in_range(torch, name):
    """It covers all threads, because PyTorch launches backward kernels from another one."""
    handle = torch.cuda.nvtx.range_start(name)
    try:
        yield
    finally:
        torch.cuda.nvtx.range_end(handle)


def make_step(torch, wanted):
    """Runs one step, forward and backward."""
    dtype = {"bf16": torch.bfloat16, "fp16": torch.float16, "fp32": torch.float32}[wanted.dtype]
    torch.manual_seed(1)
    block = make_block(torch, wanted.width, wanted.heads).to("cuda", dtype)
    shape = (wanted.batch, wanted.sequence, wanted.width)
    x = torch.randn(shape, dtype=dtype, device="cuda", requires_grad=True)
    gradient = torch.full(shape, 2.0**-10, dtype=dtype, device="cuda")
    leaves = [x, *block.parameters()]

    def step():
        with in_range(torch, "forward"):
            y = block(x)
        with in_range(torch, "backward"):
            torch.autograd.grad(y, leaves, gradient)

    return step


def main():
    wanted = arguments()
    torch = torch_with_gpu()
    if wanted.check:
        return
    seen = {}
    operators = torch.autograd.profiler.emit_nvtx() if wanted.emit_nvtx else named_operators(torch, seen)
    try:
        step = make_step(torch, wanted)
        for _ in range(1 if wanted.list else wanted.warm_up):
            with operators if wanted.list else contextlib.nullcontext():
                step()
        torch.cuda.synchronize()
        if wanted.list:
            print("\n".join(["forward", "backward", *seen]))
            return
        torch.cuda.cudart().cudaProfilerStart()
        with operators:
            for _ in range(wanted.iterations):
                step()
        torch.cuda.synchronize()
        torch.cuda.cudart().cudaProfilerStop()
    except torch.cuda.OutOfMemoryError:
        sys.exit("block: it does not fit into the GPU's memory; ask for a smaller --batch")


if __name__ == "__main__":
    main()
