// The profiles of the ranks of one program, which lie side by side in one folder.
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

/// The folders rank-0, rank-1, ... in this one, by number. Throws InputError where there are too
/// many.
std::map<int, std::filesystem::path> rank_folders(const std::filesystem::path& folder);

/// Writes each into its folder. What else of a profile or of ranks lies there is of an earlier
/// record, which these replace.
void write_ranks(const std::vector<KeptRank>& ranks, const std::filesystem::path& folder);

/// Those in the folders rank-0, rank-1, ... of this one, by number; none where the name is no
/// folder or has a profile of its own. `roofs` as for kept_profile. Throws InputError.
std::vector<KeptRank> kept_ranks(const std::string& folder, const std::string& roofs);

/// The longest time over the mean of all; empty where none is known.
std::optional<double> imbalance(const std::vector<double>& seconds);

/// A row for each rank, then a row for each kernel, range or stream that takes most time, with its
/// imbalance. For launches, and where the ranks have nothing of the kind, kernels stand there.
std::string ranks_text(const std::vector<KeptRank>& ranks, By by = By::kernel);
/// {"ranks": [{"rank", "profile"}], "imbalance", "kernels": [{"name", "seconds", "imbalance"}]}
nlohmann::ordered_json ranks_json(const std::vector<KeptRank>& ranks);
std::string ranks_csv(const std::vector<KeptRank>& ranks, By by = By::kernel);

}  // namespace roofline
