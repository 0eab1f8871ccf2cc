// The ladders of Sigma-GPP (results/published/ladders.csv): each an order of steps of its own, from
// a baseline on. Four are published; `between` is ours: the ideas between our steps, one by one.
// Sources: Yang 2019, Yang 2020, Yang 2021 of Del Ben et al. 2020, NERSC 2020 (docs/sources.md).
#pragma once

#include <vector>

#include "harness/kernel.h"

namespace gpp {

/// sc19, arxiv, sc20, tutorial, between. The times of sc19 are those of published_v100().
const std::vector<PublishedLadder>& published_ladders();

}  // namespace gpp
