"""The cases of the conv2d study: their names, and what follows from their shapes alone."""
from dataclasses import asdict, dataclass, fields, replace

# Dense peaks of an H200 (NVIDIA's data sheet), FLOP/s, and its DRAM as `roofline ceilings` measured it
# (results/h200/gpp214/study.json), B/s.
PEAK = {"fp32": 67e12, "tf32": 494e12, "fp16": 989e12}
DRAM = 4.645e12
SIZE_OF = {"fp32": 4, "fp16": 2}
PASSES = ("forward", "backward")


@dataclass(frozen=True)
class Case:
    """A convolution of images [batch, channels, size, size] with filters [filters, channels,
    kernel, kernel], stride 1, and as many zeros around the images that they keep their size.

    forward: the convolution. backward: the convolution and the gradient of the filters, which is
    all that Yang et al. 2019 asked for: their images are random numbers and need no gradient.
    """
    direction: str = "forward"
    dtype: str = "fp32"
    batch: int = 16
    filters: int = 64
    kernel: int = 3
    size: int = 112
    channels: int = 64
    channels_last: bool = False
    tf32: bool = False

    @property
    def name(self):
        """"forward-fp32-b16-f64-k3", and what differs from the defaults behind it."""
        parts = [self.direction, self.dtype, f"b{self.batch}", f"f{self.filters}",
                 f"k{self.kernel}"]
        parts += [f"s{self.size}"] if self.size != Case.size else []
        parts += [f"c{self.channels}"] if self.channels != Case.channels else []
        parts += ["nhwc"] if self.channels_last else []
        parts += ["tf32"] if self.tf32 else []
        return "-".join(parts)

    @property
    def convolutions(self):
        """Each with the work of the forward pass."""
        return 1 if self.direction == "forward" else 2

    @property
    def flop(self):
        """Of the definition. Winograd and FFT need fewer, and the zeros at the border count."""
        return (self.convolutions * 2 * self.batch * self.size**2 * self.filters * self.channels *
                self.kernel**2)

    @property
    def least_bytes(self):
        """Each array of each convolution moved once: images, filters, results."""
        numbers = (self.batch * self.size**2 * (self.channels + self.filters) +
                   self.filters * self.channels * self.kernel**2)
        return self.convolutions * numbers * SIZE_OF[self.dtype]

    @property
    def intensity(self):
        """FLOP per byte of DRAM, if caches kept everything else."""
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

    @staticmethod
    def of_dict(values):
        return Case(**{field.name: values[field.name] for field in fields(Case)})


def sweep(**changes):
    """Batch, filters and size of the filters, one after the other from a case that all share; both
    passes, both precisions."""
    shapes = [{"batch": 16}, {"batch": 32}, {"batch": 64},
              {"filters": 128}, {"filters": 256}, {"filters": 512},
              {"kernel": 5}, {"kernel": 7}, {"kernel": 9}]
    return [replace(Case(direction=direction, dtype=dtype, **shape), **changes)
            for direction in PASSES for dtype in SIZE_OF for shape in shapes]


def prediction_table(cases):
    """Markdown: what the shapes alone say of an H200."""
    lines = ["| case | GFLOP | least MB | FLOP/B | arithmetic | DRAM | floor |",
             "| --- | ---: | ---: | ---: | ---: | ---: | --- |"]
    for case in cases:
        compute, dram = 1e6 * case.compute_seconds, 1e6 * case.dram_seconds
        lines.append(f"| {case.name} | {case.flop / 1e9:.1f} | {case.least_bytes / 1e6:.0f} | "
                     f"{case.intensity:.0f} | {compute:.0f} us | {dram:.0f} us | "
                     f"{'arithmetic' if compute > dram else 'DRAM'} |")
    return "\n".join(lines)
