// The ladders of Sigma-GPP (results/published/ladders.csv). Each is a sequence of steps from a
// baseline on. Four are published; `between` is ours and has the single ideas between our steps.
// Sources: Yang 2019, Yang 2020, Yang 2021 of Del Ben et al. 2020, NERSC 2020 (docs/sources.md).
#pragma once

#include <vector>

#include "harness/kernel.h"

namespace gpp {

/// The ladders sc19, arxiv, sc20, tutorial, between. The times of sc19 are in published_v100().
const std::vector<PublishedLadder>& published_ladders();

}  // namespace gpp
