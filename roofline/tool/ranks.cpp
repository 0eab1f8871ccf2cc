#include "roofline/tool/ranks.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>

#include "roofline/base/error.h"
#include "roofline/base/json_place.h"
#include "roofline/base/table.h"
#include "roofline/base/terminal.h"
#include "roofline/base/text.h"
#include "roofline/base/units.h"
#include "roofline/base/visible.h"
#include "roofline/inject/rank.h"
#include "roofline/tool/page_tables.h"
#include "roofline/tool/show.h"

namespace roofline {
namespace {

namespace fs = std::filesystem;

/// A limit to save memory; programs have fewer ranks.
constexpr std::size_t most_ranks = 4096;

/// One kernel or range in all ranks; 0 s for a rank without it.
struct PartOfRanks {
  std::string name;
  std::vector<double> seconds;

  double sum() const { return std::accumulate(seconds.begin(), seconds.end(), 0.0); }
  std::size_t slowest() const {
    return static_cast<std::size_t>(std::ranges::max_element(seconds) - seconds.begin());
  }
};

/// The kernels or ranges of a profile by name; ranges include nested ones.
std::vector<std::pair<std::string, const KernelProfile*>> parts_of(const Profile& profile, By by) {
  std::vector<std::pair<std::string, const KernelProfile*>> parts;
  if (by == By::range)
    for (std::size_t i = 0; i < profile.ranges.size(); ++i)
      parts.emplace_back(range_path(profile, static_cast<int>(i)), &profile.ranges[i].all);
  else
    for (const KernelProfile& part : profile.kernels) parts.emplace_back(part.name, &part);
  return parts;
}

/// Sorted by time, longest first.
std::vector<PartOfRanks> parts_of(const std::vector<KeptRank>& ranks, By by) {
  std::map<std::string, std::vector<double>> found;
  for (std::size_t i = 0; i < ranks.size(); ++i)
    for (const auto& [name, part] : parts_of(ranks[i].kept.profile, by)) {
      std::vector<double>& seconds = found[name];
      seconds.resize(ranks.size());
      seconds[i] += part->seconds.value_or(0);
    }
  std::vector<PartOfRanks> list;
  for (auto& [name, seconds] : found) list.push_back({name, std::move(seconds)});
  std::ranges::stable_sort(list, std::ranges::greater(), &PartOfRanks::sum);
  return list;
}

std::vector<double> seconds_of(const std::vector<KeptRank>& ranks) {
  std::vector<double> seconds;
  for (const KeptRank& one : ranks) seconds.push_back(one.kept.profile.seconds());
  return seconds;
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
    const KernelProfile* first = profile.kernels.empty() ? nullptr : &profile.kernels.front();
    const auto nearest = first != nullptr ? nearest_of(profile, *first) : std::nullopt;
    table.add({std::to_string(rank), profile.device, std::to_string(profile.kernels.size()),
               describe_seconds(profile.seconds()),
               first != nullptr ? short_name(first->name, 32) : unknown_text,
               nearest ? roof_label(profile, *nearest) : unknown_text,
               nearest ? share_of_roof(nearest->percent) : unknown_text});
  }
  return terminal_text(table);
}

/// The longest time over the mean of all; empty if none is known.
std::optional<double> imbalance(const std::vector<double>& seconds) {
  const double sum = std::accumulate(seconds.begin(), seconds.end(), 0.0);
  if (!(sum > 0)) return std::nullopt;
  return std::ranges::max(seconds) * static_cast<double>(seconds.size()) / sum;
}

/// A row for each rank, then a row with imbalance for each of the longest kernels or ranges.
/// Kernels are used if the ranks have no ranges.
std::string ranks_text(const std::vector<KeptRank>& ranks, By by) {
  using enum Align;
  std::string text = table_of_ranks(ranks) + "\n";
  std::vector<PartOfRanks> parts = parts_of(ranks, by);
  if (parts.empty()) parts = parts_of(ranks, by = By::kernel);
  Table table = plain_table({{by == By::range ? "range" : "kernel"},
                             {"all ranks", right},
                             {"imbalance", right},
                             {"slowest", right}});
  constexpr std::size_t longest_path = 60;
  for (const PartOfRanks& part : parts) {
    const auto uneven = imbalance(part.seconds);
    table.add(
        {by == By::kernel ? short_name(part.name) : shortened(visible(part.name), longest_path),
         describe_seconds(part.sum()), cell::times(uneven).text,
         uneven ? fmt::format("rank {}", ranks[part.slowest()].rank) : unknown_text});
  }
  text += shown_text(table);
  const std::vector<double> seconds = seconds_of(ranks);
  if (const auto uneven = imbalance(seconds)) {
    const auto slowest = std::ranges::max_element(seconds) - seconds.begin();
    text += fmt::format("Imbalance, the longest time over the mean: {}, of rank {}.\n",
                        times_text(*uneven), ranks[static_cast<std::size_t>(slowest)].rank);
  }
  return text;
}

nlohmann::ordered_json ranks_json(const std::vector<KeptRank>& ranks) {
  using Json = nlohmann::ordered_json;
  Json list = Json::array(), kernels = Json::array();
  for (const auto& [rank, kept] : ranks)
    list.push_back({{"rank", rank}, {"profile", profile_json(kept.profile)}});
  for (const PartOfRanks& kernel : parts_of(ranks, By::kernel))
    kernels.push_back({{"name", kernel.name},
                       {"seconds", kernel.seconds},
                       {"imbalance", json_number(imbalance(kernel.seconds))}});
  return {{"ranks", list},
          {"imbalance", json_number(imbalance(seconds_of(ranks)))},
          {"kernels", kernels}};
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
