"""Finds the programs of kernels, such as `gpp`, and `roofline`, and asks them for values derived from a record.

The program is the one that its variable names (GPP_PROGRAM, ROOFLINE_PROGRAM), else the one in the
build folder beside this package, else the first on the PATH. No shell is used.
"""
import os
import shutil
import subprocess

from .outside import RecordError, json_in, visible

LONGEST_WAIT = 300  # seconds for the program to redraw a record
_CHECKOUT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


# Kernels of examples/. No other name in a record names a program.
_EXAMPLES = ("stream", "toys", "nbody", "transpose", "smith_waterman", "epsilon")


class ProgramMissing(RecordError):
    """The requested values need a program that is missing."""


def program_of(kernel):
    """The name of the program that shows a kernel's records."""
    return kernel if kernel in _EXAMPLES else "gpp"


def program(name):
    """The path of the program "gpp", "roofline" or of another kernel, or None if it is missing."""
    variable = os.environ.get(f"{name.upper()}_PROGRAM")
    if variable:
        return shutil.which(variable)
    built = os.path.join(_CHECKOUT, "build/gpp" if name == "gpp" else f"build/bin/{name}")
    return shutil.which(built) or shutil.which(name)


def required(name, purpose):
    """The path of the program. Raises ProgramMissing with the purpose and the searched places."""
    found = program(name)
    if found is None:
        raise ProgramMissing(
            f"{purpose} takes the program `{name}`, which is not here: build it (scripts/study), put it on the "
            f"PATH, or name it in the environment variable {name.upper()}_PROGRAM")
    return found


def told_by(name, words, source):
    """The program's JSON output as a Place. Status 1 only means that a variant failed."""
    command = [required(name, f"what follows from {visible(os.fspath(source))}"), *words]
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=LONGEST_WAIT,
                              check=False)
    except subprocess.TimeoutExpired:
        raise RecordError(f"{visible(os.fspath(source))}: {name} took longer than {LONGEST_WAIT} s") from None
    except OSError as error:
        raise RecordError(f"{visible(command[0])} cannot be started: {error.strerror}") from None
    output = done.stdout.decode("utf-8", "replace")
    if done.returncode not in (0, 1) or not output.startswith("{"):
        said = done.stderr.decode("utf-8", "replace").strip() or f"{name} ended with {done.returncode}"
        raise RecordError("\n".join(map(visible, said.splitlines())))
    return json_in(output, f"what {name} tells of {visible(os.fspath(source))}")
