#include "roofline/tool/show.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>

#include "roofline/base/error.h"
#include "roofline/base/json_place.h"
#include "roofline/base/table.h"
#include "roofline/base/text.h"
#include "roofline/base/units.h"
#include "roofline/base/visible.h"
#include "roofline/inject/rank.h"

namespace roofline {
namespace {

namespace fs = std::filesystem;

/// A limit to save memory; programs have fewer ranks.
constexpr std::size_t most_ranks = 4096;

/// One kernel or range in all ranks, or all of them; 0 s for a rank without it.
struct PartOfRanks {
  std::string name;
  std::vector<double> seconds;

  double sum() const { return std::accumulate(seconds.begin(), seconds.end(), 0.0); }
  std::size_t slowest() const {
    return static_cast<std::size_t>(std::ranges::max_element(seconds) - seconds.begin());
  }
  /// The longest time over the mean of all; empty if none is known.
  std::optional<double> imbalance() const {
    if (!(sum() > 0)) return std::nullopt;
    return seconds[slowest()] * static_cast<double>(seconds.size()) / sum();
  }
};

/// All kernels together, then each kernel or range by its whole name, longest first; ranges include
/// nested ones.
std::vector<PartOfRanks> parts_of(const std::vector<KeptRank>& ranks, By by) {
  std::map<std::string, std::vector<double>> found;
  PartOfRanks all{"all", {}};
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    const Profile& profile = ranks[i].kept.profile;
    const auto add = [&](const std::string& name, const KernelProfile& part) {
      std::vector<double>& seconds = found[name];
      seconds.resize(ranks.size());
      seconds[i] += part.seconds.value_or(0);
    };
    if (by == By::range)
      for (std::size_t range = 0; range < profile.ranges.size(); ++range)
        add(range_path(profile, static_cast<int>(range)), profile.ranges[range].all);
    else
      for (const KernelProfile& part : profile.kernels) add(part.name, part);
    all.seconds.push_back(profile.seconds());
  }
  std::vector<PartOfRanks> list = {all};
  for (auto& [name, seconds] : found) list.push_back({name, std::move(seconds)});
  std::ranges::stable_sort(list.begin() + 1, list.end(), std::ranges::greater(), &PartOfRanks::sum);
  return list;
}

std::string table_of_ranks(const std::vector<KeptRank>& ranks) {
  using enum Align;
  Table table = plain_table({{"rank", right},
                             {"device"},
                             {"kernels", right},
                             {"time", right},
                             {"most time"},
                             {"nearest roof", right},
                             {"of it", right}});
  for (const auto& [rank, kept] : ranks) {
    const Profile& profile = kept.profile;
    const KernelProfile none;
    const KernelProfile& first = profile.kernels.empty() ? none : profile.kernels.front();
    const auto nearest = nearest_of(profile, first);
    table.add({std::to_string(rank), profile.device, std::to_string(profile.kernels.size()),
               describe_seconds(profile.seconds()), short_name(first.name, 32),
               nearest ? roof_label(profile, *nearest) : unknown_text,
               nearest ? percent_text(nearest->percent) : unknown_text});
  }
  return terminal_text(table);
}

/// A row for each rank, then a row with imbalance for each of the longest kernels or ranges.
/// Kernels are used if the ranks have no ranges.
std::string ranks_text(const std::vector<KeptRank>& ranks, By by) {
  using enum Align;
  std::vector<PartOfRanks> parts = parts_of(ranks, by);
  if (parts.size() == 1) parts = parts_of(ranks, by = By::kernel);
  Table table = plain_table({{by == By::range ? "range" : "kernel"},
                             {"all ranks", right},
                             {"imbalance", right},
                             {"slowest", right}});
  constexpr std::size_t longest_path = 60;
  for (const PartOfRanks& part : parts) {
    const auto uneven = part.imbalance();
    table.add(
        {by == By::kernel ? short_name(part.name) : shortened(visible(part.name), longest_path),
         describe_seconds(part.sum()), cell::times(uneven).text,
         uneven ? fmt::format("rank {}", ranks[part.slowest()].rank) : unknown_text});
  }
  return table_of_ranks(ranks) + "\n" + shown_text(table) +
         "Imbalance: the longest time over the mean.\n";
}

nlohmann::ordered_json ranks_json(const std::vector<KeptRank>& ranks) {
  using Json = nlohmann::ordered_json;
  Json list = Json::array(), kernels = Json::array();
  for (const auto& [rank, kept] : ranks)
    list.push_back({{"rank", rank}, {"profile", profile_json(kept.profile)}});
  const std::vector<PartOfRanks> parts = parts_of(ranks, By::kernel);
  for (std::size_t i = 1; i < parts.size(); ++i)
    kernels.push_back({{"name", parts[i].name},
                       {"seconds", parts[i].seconds},
                       {"imbalance", json_number(parts[i].imbalance())}});
  return {
      {"ranks", list}, {"imbalance", json_number(parts.front().imbalance())}, {"kernels", kernels}};
}

}  // namespace

std::map<int, fs::path> rank_folders(const fs::path& folder) {
  std::error_code error;
  std::map<int, fs::path> ranks;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    constexpr std::string_view prefix = "rank-";
    if (!name.starts_with(prefix)) continue;
    const auto rank = inject::rank_number(name.substr(prefix.size()));
    if (rank) ranks.emplace(*rank, entry.path());
    if (ranks.size() > most_ranks)
      throw InputError(fmt::format("{}: more than {} ranks", visible(folder.string()), most_ranks));
  }
  return ranks;
}

std::vector<KeptRank> kept_ranks(const std::string& folder, const std::string& roofs) {
  std::error_code error;
  std::vector<KeptRank> ranks;
  if (fs::exists(fs::path(folder) / "profile.json", error)) return ranks;
  for (const auto& [rank, path] : rank_folders(folder)) {
    ranks.push_back({rank, kept_profile(path.string(), roofs)});
    if (ranks.front().kept.profile.kind != ranks.back().kept.profile.kind)
      throw InputError(visible(folder) + ": the ranks ran on devices of different makers");
  }
  return ranks;
}

void write_ranks(const std::vector<KeptRank>& ranks, const fs::path& folder) {
  std::map<int, fs::path> earlier = rank_folders(folder);
  for (const KeptRank& rank : ranks) {
    write_profile(rank.kept.profile, rank.kept.folder, true);
    earlier.erase(rank.rank);
  }
  std::error_code ignored;
  fs::remove(folder / "profile.json", ignored);
  for (const auto& [rank, path] : earlier) fs::remove_all(path, ignored);
}

void print_ranks(const std::vector<KeptRank>& ranks, const Showing& showing) {
  if (showing.json) {
    fmt::print("{}\n", ranks_json(ranks).dump(1));
  } else if (showing.csv) {
    RankedProfiles profiles;
    for (const auto& [rank, kept] : ranks) profiles.emplace_back(rank, &kept.profile);
    fmt::print("{}", profiles_csv(profiles, showing.by));
  } else {
    fmt::print("{}", ranks_text(ranks, showing.by));
  }
}

}  // namespace roofline
