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

/// The rows of an embedded table of results/published/: cells by column. Lines that start with #
/// are comments; the first other line names the columns.
std::vector<std::map<std::string, std::string>> published_rows(const std::string& name);

}  // namespace gpp
