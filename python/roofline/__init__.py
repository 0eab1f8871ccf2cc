"""Records of `gpp` and `roofline` for Python: read them, draw them, make them.

    import roofline
    study = roofline.read("results/h200/gpp214")
    study.frame()                                # a DataFrame: pandas is needed for this alone
    study.draw("roofline")                       # matplotlib is needed for this alone
    profile = roofline.record(["./program"])     # counts a CUDA program

What is read from files are facts: what ran, where, what was timed and counted (Record.facts). What follows from facts
(medians, speeds, shares of roofs, charts) is computed by the programs alone and told by them: Record.derived,
Record.charts() and the columns of Record.rows() whose documentation says so. Where the program is not found they are
None, or raise ProgramMissing.
"""
from .charts import Chart, draw_csv
from .outside import RecordError
from .programs import ProgramMissing, program
from .records import Profile, Record, Study, Trajectory, read
from .recording import load_ipython_extension, record

__version__ = "0.2.0"
__all__ = ["Chart", "Profile", "ProgramMissing", "Record", "RecordError", "Study", "Trajectory", "draw_csv",
           "load_ipython_extension", "program", "read", "record"]
