// A profile by something else than kernels: by NVTX range, by stream, by single launch.
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "roofline/profile.h"
#include "roofline/tool/page_tables.h"

namespace CLI {
class App;
}

namespace roofline {

enum class By { kernel, range, launch, stream };

/// The precision that most operations were counted of, whether its roof is known or not.
struct MostWork {
  const Model* model = nullptr;
  double amount = 0;
};

/// Empty where none were counted.
std::optional<MostWork> most_work(const std::string& kind, const KernelProfile& part);

void add_by_option(CLI::App& command, By& by);

/// Why the profile has nothing of the kind, and how to have it; empty where it has.
std::string none_by(const Profile& profile, By by);

/// The rows of a profile by one kind.
struct RowsBy {
  By by = By::kernel;
  const Profile* from = nullptr;
  double all_seconds = 0;  ///< of the whole profile
  /// The rows stand where kernels did: its charts and tables of work are those of the rows. A range
  /// counts with the ranges in it.
  Profile profile;
  std::vector<int> ranges = {};                     ///< of each row, in the profile it was made of
  std::vector<const LaunchProfile*> launches = {};  ///< of each row, in that profile

  const LaunchProfile& launch(std::size_t row) const { return *launches[row]; }
  const RangeProfile& range(std::size_t row) const {
    return from->ranges[static_cast<std::size_t>(ranges[row])];
  }
};

/// Ranges come in the order of their tree, within one range most time first: those with most time
/// of all are the first `most_shown`, the rest follow. Launches come slowest first, at most so
/// many; streams most time first. Throws InputError with none_by(). The result points into the
/// profile.
RowsBy rows_by(const Profile& profile, By by,
               std::size_t most = std::numeric_limits<std::size_t>::max());

std::vector<PartRow> part_rows(const RowsBy& rows);

/// For people: a row for each, those beyond `most_shown` with the switch "all".
ViewTable by_table(const RowsBy& rows);

/// How long the single launches of each kernel took, slowest kernel first.
ViewTable spread_table(const Profile& profile);

/// The profile as text; with details all tables and charts of work.
std::string profile_text(const Profile& profile, By by, bool details);

}  // namespace roofline
