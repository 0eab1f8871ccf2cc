"""Counts a CUDA program with `roofline record`, from Python or from a cell of a notebook.

    profile = roofline.record(["./program", "input"], kernel="gemm")

    %load_ext roofline
    %%roofline --nvtx block -o results/block
    import torch
    ...

Each cell runs in separate processes, as many as needed, without the notebook's variables.
"""
import os
import shlex
import signal
import subprocess
import sys
import tempfile
import threading

from .outside import RecordError, visible
from .programs import required
from .records import read

PATIENCE = 5  # seconds between asking a program to end and killing it
_PURPOSE = "counting a program"
_OPTIONS = set("by counters kernel launch nvtx profile_from_start roofs wait".split())


def record(command, output=None, *, replace=False, timeout=None, quiet=False, **options):
    """Runs `roofline record` on a program with arguments, given as a list, and returns its Profile.

    output: the folder for the record, else a temporary one that the system clears later;
    replace: overwrite an existing record; timeout: seconds; quiet: hide the program's output.
    Others are options of `roofline record`, with _ for -: kernel, nvtx, counters, launch,
    profile_from_start, by, roofs, wait. Raises RecordError with the program's
    message if nothing was recorded."""
    unknown = sorted(set(options) - _OPTIONS)
    if unknown:
        raise TypeError(f"record() has no option {', '.join(unknown)}; there are {', '.join(sorted(_OPTIONS))}")
    words = [f"--{name.replace('_', '-')}={value}" for name, value in options.items() if value is not None]
    return _recorded(words + ["--replace"] * bool(replace), command, output, timeout, quiet)


def _recorded(words, command, output, timeout, quiet=False):
    if isinstance(command, (str, bytes)) or not command:
        raise TypeError("the program and its arguments are a list of words: ['./program', 'input']")
    words = [required("roofline", _PURPOSE), "record", *words]
    if output is None:
        output = os.path.join(tempfile.mkdtemp(prefix="roofline-"), "record")
    words += ["-o", os.fspath(output), "--", *map(os.fspath, command)]
    path = os.path.join(output, "profile.json")
    before = _changed(path)
    status, said = _run(words, timeout, quiet)
    if status == 0 and os.path.exists(path):
        return read(path)
    what = f"roofline record ended with status {status}"
    if _changed(path) != before:
        what += f"; what was seen is kept in {visible(os.fspath(output))}"
    raise RecordError("\n".join([what, *map(visible, said)]))


def _changed(path):
    """The file's modification time, or None if it is missing."""
    try:
        return os.stat(path).st_mtime_ns
    except OSError:
        return None


def _run(words, timeout, quiet):
    """Returns the status and the last lines of output. Lines are printed as they arrive."""
    try:
        # A new process group, so that the program ends together with the tool.
        process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                   start_new_session=True)
    except OSError as error:
        raise RecordError(f"{visible(words[0])} cannot be started: {error.strerror}") from None
    late = threading.Event()
    timer = threading.Timer(timeout or 0, lambda: (late.set(), _end(process)))
    if timeout is not None:
        timer.start()
    said = []
    try:
        for line in process.stdout:
            text = line.decode("utf-8", "replace").rstrip("\r\n")
            said = [*said[-19:], text]
            if not quiet:
                print(visible(text), flush=True)
        process.wait()
    finally:
        timer.cancel()
        if process.poll() is None:  # the run was interrupted by the user
            _end(process)
        process.stdout.close()
    if late.is_set():
        raise RecordError(f"roofline record was ended after {timeout} s")
    return process.returncode, said


def _end(process):
    """Asks the process and its children to end, and then kills them."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, number)
            process.wait(timeout=PATIENCE)
        except (ProcessLookupError, subprocess.TimeoutExpired):
            continue


def _cell(line, cell):
    """Measures the cell as a program. Options are those of `roofline record`."""
    import argparse
    parser = argparse.ArgumentParser(prog="%%roofline", add_help=False, exit_on_error=False)
    parser.add_argument("-o", "--output")
    try:
        known, words = parser.parse_known_args(shlex.split(line))
    except (ValueError, argparse.ArgumentError) as error:
        raise RecordError(f"%%roofline: {error}") from None
    if "--" in words:
        raise RecordError("%%roofline: the cell is the program; what follows -- has no place here")
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "cell.py")
        with open(program, "w", encoding="utf-8") as file:
            file.write(cell)
        return _recorded(words, [sys.executable, program], known.output, None)


def load_ipython_extension(shell):
    """`%load_ext roofline` calls this function, which defines %%roofline."""
    shell.register_magic_function(_cell, "cell", "roofline")
