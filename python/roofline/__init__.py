"""Reads, draws and makes records of `gpp` and `roofline` from Python.

    import roofline
    study = roofline.read("results/h200/gpp214")
    study.frame()                                # a DataFrame; needs pandas
    study.draw("fp64")                           # a roofline; needs matplotlib
    profile = roofline.record(["./program"])     # counts a CUDA program

Files contain facts: what ran, where, and what was timed and counted (Record.facts). Only the
programs compute what follows from facts (medians, speeds, shares of roofs, charts): Record.derived,
Record.charts() and the columns of Record.rows() that are documented as such. If the program is
missing, these are None or raise ProgramMissing.
"""
from .charts import Chart, draw_roofline
from .outside import RecordError
from .programs import ProgramMissing, program
from .records import Profile, Record, Study, Trajectory, read
from .recording import load_ipython_extension, record

__version__ = "0.2.0"
__all__ = ["Chart", "Profile", "ProgramMissing", "Record", "RecordError", "Study", "Trajectory",
           "draw_roofline", "load_ipython_extension", "program", "read", "record"]
