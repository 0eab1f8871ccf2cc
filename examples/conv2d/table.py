#!/usr/bin/env python3
"""Makes the table of a conv2d sweep: one row per case, summed over all its kernels.

    examples/conv2d/table.py results/my-gpu/conv2d

Reads FOLDER/cases.json, which sweep writes, writes FOLDER/conv2d.csv and FOLDER/conv2d.md and
prints the latter. All amounts are per iteration.
"""
import csv
import json
import os
import re
import sys

LEVELS = ("l1", "shared", "l2", "dram")
TITLES = {"l1": "L1", "shared": "shared", "l2": "L2", "dram": "DRAM"}
VECTOR_PEAKS = {"fp64": "fp64_fma", "fp32": "fp32_fma", "fp16": "fp16_fma"}
WORK_TITLES = {"fp64": "FP64", "fp32": "FP32", "fp16": "FP16"}

# Classifies kernels by the names that cuDNN and PyTorch give them; the first match holds. The
# matrix products inside Winograd and FFT are the convolution itself, not a transform.
KINDS = (
    ("winograd transform", r"winograd\w*?(data|filter|output|delta)|generatewinogradtiles"),
    ("winograd", r"winograd"),
    ("fft product", r"c(f32)?gemm"),
    ("fft transform", r"fft|flip_filter"),
    # "nhwc" alone is the data layout of a kernel; "nchwToNhwc" is a change of layout.
    ("layout", r"nchwtonhwc|nhwctonchw|nchw2nhwc|nhwc2nchw|transformtensor|tensor_?transform|"
               r"converttensor|reformat"),
    ("gemm", r"gemm|xmma|wgmma|cutlass|fprop|dgrad|wgrad|scudnn|nvjet|convolve|conv2d|conv_"),
    ("layout", r"convert|(?<!broad)cast|transpos|permut|copy|im2col|pad|fill|memset"),
)
TRANSFORMS = ("winograd transform", "fft transform", "layout")
ALGORITHMS = {"winograd transform": "Winograd", "winograd": "Winograd", "fft product": "FFT",
              "fft transform": "FFT", "gemm": "GEMM"}


SASS = "sm__sass_thread_inst_executed_op_{}_pred_on.sum"
TENSOR = ("fp64", "fp16", "tf32_dst_fp32", "bf16_dst_fp32")
BYTES = {"l1": (1, "l1tex__t_bytes.sum"), "shared": (128, "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum"),
         "l2": (32, "lts__t_sectors_srcunit_tex.sum"), "dram": (1, "dram__bytes.sum")}


class OtherAlgorithm(Exception):
    """Runs of a case differ: cuDNN chooses by time, and close calls may go either way."""


def counted_case(profile, name):
    """The results of `roofline record` for this NVTX range: its kernels' times, and its work and
    bytes (roofline/models/nvidia.txt has the formulas for single kernels)."""
    found = next((one for one in profile["ranges"] if one["name"] == name), None)
    if found is None:
        raise OtherAlgorithm("nothing was launched")
    counters = found["counters"]
    work = {}
    for kind, letter, lanes in (("fp64", "d", 1), ("fp32", "f", 1), ("fp16", "h", 2)):
        parts = [counters.get(SASS.format(letter + op)) for op in ("add", "mul", "fma")]
        if None not in parts:
            work[kind] = lanes * (parts[0] + parts[1] + 2 * parts[2])
    for kind in TENSOR:
        amount = counters.get(f"sm__ops_path_tensor_src_{kind}.sum")
        if amount is not None:
            work["tensor_" + kind.split("_")[0]] = amount
    moved = {level: factor * counters[counter] for level, (factor, counter) in BYTES.items() if counter in counters}
    needed = "fp32" if "-fp32-" in name else "tensor_fp16"
    if (any("in place of" in note or "scaled" in note for note in found["notes"]) or needed not in work
            or len(moved) < len(BYTES)):
        raise OtherAlgorithm("other kernels were timed than counted: cuDNN chose another algorithm")
    return {"kernels": found["kernels"], "work": work, "bytes": moved}


def kind_of(name):
    name = without_arguments(name).lower()
    return next((kind for kind, form in KINDS if re.search(form, name)), "other")


def without_arguments(name):
    """A kernel's name up to its parameter list: the first "(" outside of template arguments."""
    depth = 0
    for place, letter in enumerate(name):
        depth += (letter == "<") - (letter == ">" and depth > 0)
        if letter == "(" and depth == 0 and place > 0 and not name.startswith("(anonymous", place):
            return name[:place]
    return name


def short_name(name, most=44):
    name = without_arguments(name).replace("(anonymous namespace)::", "")
    # CUTLASS calls every kernel "Kernel" and puts the actual name into a template argument.
    inner = re.search(r"\bKernel\d?<\s*([\w:]+)", name)
    if inner:
        name = inner[1]
    while re.search(r"<[^<>]*>", name):
        name = re.sub(r"<[^<>]*>", "", name)
    name = name.split("<")[0].strip().split(" ")[-1].split("::")[-1]
    return name if len(name) <= most else f"{name[:most - 17]}..{name[-15:]}"


def roof_of(kind):
    return VECTOR_PEAKS.get(kind) or kind.removeprefix("tensor_") + "_tensor"


def work_title(kind):
    return WORK_TITLES.get(kind) or kind.removeprefix("tensor_").upper() + " tensor"


def nearest_roof(work, moved, seconds, roofs):
    """Returns the roof that alone takes longest, and its share of the measured time. Each
    precision and each memory level has its own roof, since they can work at the same time."""
    floors = [(work[kind] / roofs[roof_of(kind)], work_title(kind)) for kind in work
              if work[kind] and roof_of(kind) in roofs]
    floors += [(moved[level] / roofs[level], TITLES[level]) for level in LEVELS
               if moved[level] and level in roofs]
    longest, title = max(floors, default=(None, ""))
    return title, None if longest is None else 100 * longest / seconds


def row_of(case):
    kernels, iterations = case["kernels"], case["iterations"]
    times = {}
    for kernel in kernels:
        kind = kind_of(kernel["name"])
        times[kind] = times.get(kind, 0.0) + kernel["seconds"]
    all_seconds = sum(times.values())
    seconds = all_seconds / iterations
    work = {kind: value / iterations for kind, value in case["work"].items()}
    moved = {level: case["bytes"][level] / iterations if level in case["bytes"] else None for level in LEVELS}
    main = max(work, key=work.get, default=None)
    flop = work.get(main)
    roof, percent = nearest_roof(work, moved, seconds, case["roofs"])
    longest = max(kernels, key=lambda kernel: kernel["seconds"])
    # Kernels with one percent of the time do not name an algorithm.
    algorithms = sorted({ALGORITHMS[kind] for kind, time in times.items()
                         if kind in ALGORITHMS and time >= 0.01 * all_seconds})
    row = {"case": case["name"], "pass": case["direction"], "dtype": case["dtype"],
           "batch": case["batch"], "filters": case["filters"], "kernel": case["kernel"],
           "iterations": iterations, "launches": sum(k["launches"] for k in kernels) / iterations,
           "seconds": seconds, "main_work": main and work_title(main), "flop": flop,
           "flop_by_definition": case["flop"],
           "flop_of_definition": None if flop is None else flop / case["flop"],
           "flop_per_s": None if flop is None else flop / seconds,
           "definition_flop_per_s": case["flop"] / seconds}
    for level in LEVELS:
        row[f"{level}_bytes"] = moved[level]
        row[f"{level}_intensity"] = flop / moved[level] if flop and moved[level] else None
    row["least_bytes"] = case["least_bytes"]
    for kind in sorted(work):
        row[f"work_{kind}"] = work[kind]
    row["transform_share"] = sum(times.get(kind, 0.0) for kind in TRANSFORMS) / all_seconds
    for kind in TRANSFORMS:
        row[f"{kind.replace(' ', '_')}_share"] = times.get(kind, 0.0) / all_seconds
    return {**row, "algorithm": " + ".join(algorithms) or "other",
            "chosen_by": "trials" if case["trials"] else "rules",
            "main_kernel": short_name(longest["name"]),
            "main_kernel_share": longest["seconds"] / all_seconds,
            "nearest_roof": roof, "percent_of_roof": percent,
            "device": case["device"], "torch": case["torch"], "cudnn": case["cudnn"]}


def read_cases(folder):
    """Returns the counted cases by name, or none without a file."""
    try:
        with open(os.path.join(folder, "cases.json"), encoding="utf-8") as file:
            return json.load(file)
    except FileNotFoundError:
        return {}


def read_rows(folder):
    return sorted(map(row_of, read_cases(folder).values()),
                  key=lambda row: (row["pass"] != "forward", row["dtype"] != "fp32", row["kernel"], row["filters"],
                                   row["batch"], row["case"]))


def number(value, form="", scale=1.0):
    """Formats three digits, or more if the integer part has more."""
    if value is None:
        return "-"
    value /= scale
    return (form or ("{:.0f}" if abs(value) >= 100 else "{:.3g}")).format(value)


def markdown(rows):
    devices = sorted({f"{row['device']}, torch {row['torch']}, cuDNN {row['cudnn']}"
                      for row in rows})
    lines = [f"conv2d on {'; '.join(devices) or 'nothing'}. Each row is one iteration, the sum "
             "over its kernels. Work is that of the precision with most of it; *of definition* is "
             "below 1 where the algorithm needs fewer operations than the definition. cuDNN chose the "
             "algorithm by trials, or by its rules where that is said.", "",
             "| case | work | GFLOP | of definition | time | TFLOP/s | transforms | algorithm | "
             "longest kernel | its share | nearest roof | of it |",
             "| --- | --- | ---: | ---: | ---: | ---: | ---: | --- | --- | ---: | --- | ---: |"]
    for row in rows:
        lines.append(
            f"| {row['case']} | {row['main_work'] or '-'} | {number(row['flop'], scale=1e9)} | "
            f"{number(row['flop_of_definition'], '{:.2f}')} | {1e6 * row['seconds']:.0f} us | "
            f"{number(row['flop_per_s'], scale=1e12)} | {100 * row['transform_share']:.0f}% | "
            f"{row['algorithm']}{'' if row['chosen_by'] == 'trials' else ' (rules)'} | "
            f"`{row['main_kernel']}` | "
            f"{100 * row['main_kernel_share']:.0f}% | {row['nearest_roof'] or '-'} | "
            f"{number(row['percent_of_roof'], '{:.0f}%')} |")
    titles = [TITLES[level] for level in LEVELS]
    lines += ["", "| case | " + " | ".join(f"MB {title}" for title in titles) + " | least MB | " +
              " | ".join(f"FLOP/B {title}" for title in titles) + " |",
              "| --- |" + " ---: |" * (2 * len(titles) + 1)]
    for row in rows:
        moved = [number(row[f"{level}_bytes"], scale=1e6) for level in LEVELS]
        intensities = [number(row[f"{level}_intensity"]) for level in LEVELS]
        cells = [row["case"], *moved, number(row["least_bytes"], scale=1e6), *intensities]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def write_tables(folder):
    """Writes both files and returns the text of conv2d.md."""
    rows = read_rows(folder)
    text = markdown(rows)
    columns = list(dict.fromkeys(key for row in rows for key in row))
    with open(os.path.join(folder, "conv2d.csv"), "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, columns, restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    with open(os.path.join(folder, "conv2d.md"), "w", encoding="utf-8") as file:
        file.write(text)
    return text


def main():
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        asked = len(sys.argv) == 2 and sys.argv[1] in ("-h", "--help")
        print(__doc__.strip(), file=sys.stdout if asked else sys.stderr)
        sys.exit(0 if asked else 2)
    if not os.path.isdir(sys.argv[1]):
        sys.exit(f"table.py: there is no folder {sys.argv[1]}")
    print(write_tables(sys.argv[1]), end="")


if __name__ == "__main__":
    main()
