// Hand-made records: studies, evidence per source line, a trajectory.
#pragma once

#include "harness/record/record.h"
#include "harness/record/trajectory.h"
#include "roofline/record/lines.h"

namespace gpp::test {

/// Three results of model "omp": v1 passed in 2 s, v7 passed in 0.5 s, v8 failed; and cuda v9 is
/// unavailable. 1e9 terms at two frequencies.
StudyRecord sample_study();

/// Steps v1 to v12 of model "cuda", counted on a GPU, and v1 to v9, v11 and v12 of "omp", computed
/// on a processor, with the ceilings of both.
StudyRecord roofline_study();

/// v8 of model "cuda" in that study, far from its roofs, waiting for memory.
StudyRecord study_of_v8();

/// v1 and v11 of a recorded study of an H200 with their kernels, without lines.
StudyRecord kernels_study();

using roofline::LinesRecord;

/// Samples of CUDA's v8: its load of aqsn, the term with the inlined test of the cutoff, and code
/// without a line. Of 1000 samples, 600 are at the load, 540 of them long_scoreboard; 300 at the
/// term, 40 of them at the cutoff; 100 elsewhere.
LinesRecord sample_lines();

/// v1 and v11 of cuda on 8, 66 and 132 multiprocessors, one size. Both scale without loss. v11's
/// bytes beyond L1 are counted only on all 132. v1 moves twice the DRAM bytes on 132 than on fewer,
/// and comes near DRAM's roof there.
Trajectory sample_trajectory();

}  // namespace gpp::test
