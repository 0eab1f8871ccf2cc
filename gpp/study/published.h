// Published results of the same steps on a V100: Yang 2019 (results/published).
#pragma once

#include <map>
#include <string>
#include <vector>

#include "harness/kernel.h"

namespace gpp {

/// The terms of the input used there: 800 bands, 1385 G', 11075 G, two frequencies.
inline constexpr long long gpp214_terms = 2LL * 800 * 1385 * 11075;

/// The nine steps on one V100, OpenACC, gpp214 input: results/published/sc19-v100.csv.
const Published& published_v100();

/// The ladders of Sigma-GPP (results/published/ladders.csv). Each is a sequence of steps from a
/// baseline on: sc19, arxiv, sc20 and tutorial are published (Yang 2019, Yang 2020, Yang 2021 of
/// Del Ben et al. 2020, NERSC 2020: docs/sources.md); `between` has the single ideas between our
/// own steps, `tried` those that became none. The times of sc19 are in published_v100().
const std::vector<PublishedLadder>& published_ladders();

/// The rows of an embedded table of results/published/: cells by column. Lines that start with #
/// are comments; the first other line names the columns.
std::vector<std::map<std::string, std::string>> published_rows(const std::string& name);

}  // namespace gpp
