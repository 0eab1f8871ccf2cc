// A study's record, made by hand.
#pragma once

#include "harness/record/record.h"

namespace gpp::test {

/// Three results of model "omp": v1 passed in 2 s, v7 passed in 0.5 s, v8 failed; and cuda v9
/// unavailable. 1e9 terms at two frequencies.
StudyRecord sample_study();

/// Steps v1 to v12 of model "cuda", counted on a GPU, and v1 to v9, v11 and v12 of "omp", analytic
/// on a processor, with the ceilings of both.
StudyRecord roofline_study();

/// v1 and v11 of the recorded study of an H200, which has their kernels; without lines.
StudyRecord kernels_study();

}  // namespace gpp::test
