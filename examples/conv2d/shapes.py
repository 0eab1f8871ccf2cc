"""The cases of the conv2d study: their names, and the values that follow from their shapes."""
import re
from dataclasses import asdict, dataclass, replace

# Dense peaks of an H200 (NVIDIA's data sheet), FLOP/s, and its DRAM as `roofline ceilings` measured it
# (results/h200/gpp214/study.json), B/s.
PEAK = {"fp32": 67e12, "tf32": 494e12, "fp16": 989e12}
DRAM = 4.645e12
SIZE_OF = {"fp32": 4, "fp16": 2}
PASSES = ("forward", "backward")
SIZE, CHANNELS = 112, 64  # published size of the images


@dataclass(frozen=True)
class Case:
    """A convolution of images [batch, 112, 112, 64] with filters of kernel x kernel. Zeros around
    the images give a result for every `stride`-th pixel.

    forward: the convolution. backward: the gradient of its filters (Yang et al. 2019).
    """
    direction: str = "forward"
    dtype: str = "fp32"
    batch: int = 16
    filters: int = 64
    kernel: int = 3
    stride: int = 2
    nchw: bool = False
    tf32: bool = False

    @property
    def name(self):
        """The name, such as "forward-fp32-b16-f64-k3", with deviations from published shapes."""
        parts = [self.direction, self.dtype, f"b{self.batch}", f"f{self.filters}",
                 f"k{self.kernel}"]
        parts += [f"s{self.stride}"] if self.stride != Case.stride else []
        parts += ["nchw"] if self.nchw else []
        parts += ["tf32"] if self.tf32 else []
        return "-".join(parts)

    @staticmethod
    def of_name(name):
        """Returns the case with this name. Raises ValueError for other names."""
        found = re.fullmatch(r"(forward|backward)-(fp32|fp16)-b(\d+)-f(\d+)-k(\d+)(?:-s(\d+))?(-nchw)?(-tf32)?", name)
        if not found:
            raise ValueError(f"{name} is no case, as forward-fp16-b16-f64-k3 is")
        direction, dtype, *numbers, nchw, tf32 = found.groups()
        batch, filters, kernel, stride = (int(number) for number in numbers[:3] + [numbers[3] or Case.stride])
        case = Case(direction, dtype, batch, filters, kernel, stride, bool(nchw), bool(tf32))
        if min(batch, filters, kernel, stride) < 1 or kernel % 2 == 0 or (tf32 and dtype != "fp32"):
            raise ValueError(f"{name}: numbers are 1 or more, kernels are odd, and TF32 computes FP32")
        return case

    @property
    def result_size(self):
        return (SIZE - 1) // self.stride + 1

    @property
    def flop(self):
        """FLOP by definition, with zeros at the border. Winograd and FFT need fewer."""
        return 2 * self.batch * self.result_size**2 * self.filters * CHANNELS * self.kernel**2

    @property
    def least_bytes(self):
        """Bytes if each array moves once: images, filters, results, or their gradients."""
        numbers = (self.batch * (SIZE**2 * CHANNELS + self.result_size**2 * self.filters) +
                   self.filters * CHANNELS * self.kernel**2)
        return numbers * SIZE_OF[self.dtype]

    @property
    def intensity(self):
        """FLOP per byte of DRAM if caches keep everything else."""
        return self.flop / self.least_bytes

    @property
    def peak(self):
        return PEAK["tf32" if self.tf32 else self.dtype]

    @property
    def compute_seconds(self):
        return self.flop / self.peak

    @property
    def dram_seconds(self):
        return self.least_bytes / DRAM

    def as_dict(self):
        return {**asdict(self), "name": self.name, "flop": self.flop,
                "least_bytes": self.least_bytes}


def sweep(**changes):
    """Varies batch, number of filters and filter size, each from one common case, in both passes
    and precisions."""
    shapes = [{"batch": 16}, {"batch": 32}, {"batch": 64},
              {"filters": 128}, {"filters": 256}, {"filters": 512},
              {"kernel": 5}, {"kernel": 7}, {"kernel": 9}]
    return [replace(Case(direction=direction, dtype=dtype, **shape), **changes)
            for direction in PASSES for dtype in SIZE_OF for shape in shapes]


def prediction_table(cases):
    """Returns a Markdown table of what the shapes alone predict for an H200."""
    lines = ["| case | GFLOP | least MB | FLOP/B | arithmetic | DRAM | floor |",
             "| --- | ---: | ---: | ---: | ---: | ---: | --- |"]
    for case in cases:
        compute, dram = 1e6 * case.compute_seconds, 1e6 * case.dram_seconds
        lines.append(f"| {case.name} | {case.flop / 1e9:.1f} | {case.least_bytes / 1e6:.0f} | "
                     f"{case.intensity:.0f} | {compute:.0f} us | {dram:.0f} us | "
                     f"{'arithmetic' if compute > dram else 'DRAM'} |")
    return "\n".join(lines)
