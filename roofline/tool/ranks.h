// The profiles of one program's ranks, stored in one folder.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "roofline/tool/show.h"

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

/// Prints a row for each rank, then the imbalance of the longest kernels or ranges; or the JSON
/// {"ranks": [{"rank", "profile"}], "imbalance", "kernels": [{"name", "seconds", "imbalance"}]}.
void print_ranks(const std::vector<KeptRank>& ranks, const Showing& showing);

}  // namespace roofline
