// The profiles of one program's ranks, stored in one folder.
#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "roofline/tool/kept.h"
#include "roofline/tool/profile_csv.h"

namespace roofline {

struct KeptRank {
  int rank = 0;
  KeptProfile kept;
};

/// The folders rank-0, rank-1, ... in this one, by number. Throws InputError if there are too many.
std::map<int, std::filesystem::path> rank_folders(const std::filesystem::path& folder);

/// Writes each rank's profile into its folder, and removes the files of an earlier record.
void write_ranks(const std::vector<KeptRank>& ranks, const std::filesystem::path& folder);

/// The profiles in the folders rank-0, rank-1, ... of this one, by number; none if it is no folder
/// or has a profile of its own. `roofs` is as for kept_profile. Throws InputError.
std::vector<KeptRank> kept_ranks(const std::string& folder, const std::string& roofs);

/// The longest time over the mean of all; empty if none is known.
std::optional<double> imbalance(const std::vector<double>& seconds);

/// A row for each rank, then a row with imbalance for each of the longest kernels or ranges.
/// Kernels are used if the ranks have no ranges.
std::string ranks_text(const std::vector<KeptRank>& ranks, By by = By::kernel);
/// {"ranks": [{"rank", "profile"}], "imbalance", "kernels": [{"name", "seconds", "imbalance"}]}
nlohmann::ordered_json ranks_json(const std::vector<KeptRank>& ranks);
std::string ranks_csv(const std::vector<KeptRank>& ranks, By by = By::kernel);

}  // namespace roofline
