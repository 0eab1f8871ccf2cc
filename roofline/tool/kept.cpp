// Reads, stores and prints profiles: one, or those of a program's ranks in folders of their own.
#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>

#include "roofline/base/files.h"
#include "roofline/base/text.h"
#include "roofline/import/import.h"
#include "roofline/inject/protocol.h"
#include "roofline/tool/show.h"
#include "roofline/view/svg.h"

namespace roofline {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// A limit to save memory; programs have fewer ranks.
constexpr std::size_t most_ranks = 4096;

/// The folders rank-0, rank-1, ... in this one, by number.
std::map<int, fs::path> rank_folders(const fs::path& folder) {
  constexpr std::string_view prefix = "rank-";
  std::error_code error;
  std::map<int, fs::path> ranks;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(prefix)) continue;
    const auto rank = inject::rank_number(name.substr(prefix.size()));
    if (rank) ranks.emplace(*rank, entry.path());
    if (ranks.size() > most_ranks)
      throw InputError(fmt::format("{}: more than {} ranks", visible(folder.string()), most_ranks));
  }
  return ranks;
}

/// Removes the charts of an earlier profile, because the new one may have other charts.
void remove_charts(const fs::path& folder) {
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored))
    if (entry.path().filename().string().starts_with("roofline-") &&
        entry.path().extension() == ".svg")
      fs::remove(entry.path(), ignored);
}

std::string ranks_text(const Kept& ranks) {
  using enum Align;
  Table table = plain_table({{"rank", right},
                             {"device"},
                             {"kernels", right},
                             {"time", right},
                             {"most time"},
                             {"nearest roof", right},
                             {"of it", right}});
  for (const KeptProfile& one : ranks) {
    const Profile& profile = one.profile;
    const KernelProfile first = profile.kernels.empty() ? KernelProfile() : profile.kernels.front();
    const auto nearest = nearest_of(profile, first);
    table.add({std::to_string(*one.rank), profile.device, std::to_string(profile.kernels.size()),
               describe_seconds(profile.seconds()), short_name(first.name, 32),
               nearest ? roof_label(profile, *nearest) : unknown_text,
               nearest ? percent_text(nearest->percent) : unknown_text});
  }
  return terminal_text(table);
}

}  // namespace

KeptProfile kept_profile(const fs::path& record, const std::string& roofs) {
  std::error_code error;
  const bool is_folder = fs::is_directory(record, error);
  const fs::path file = is_folder ? record / "profile.json" : record;
  if (is_folder && !fs::exists(file, error))
    throw InputError(fmt::format(
        "{}: no profile.json in this folder; `roofline import FILE -o FOLDER` keeps one",
        visible(record.string())));
  const nlohmann::json json = json_in(text_of_outside_file(file), file.string(), "import it anew");
  KeptProfile kept{file.has_parent_path() ? file.parent_path() : fs::path("."),
                   read_profile(json, file.string())};
  if (!roofs.empty() || !kept.profile.ceilings) put_under_roofs(roofs, kept.profile);
  return kept;
}

Kept kept_profiles(const fs::path& record, const std::string& roofs) {
  std::error_code error;
  Kept ranks;
  if (!fs::exists(record / "profile.json", error))
    for (const auto& [rank, path] : rank_folders(record)) {
      ranks.push_back(kept_profile(path, roofs));
      ranks.back().rank = rank;
      if (ranks.front().profile.kind != ranks.back().profile.kind)
        throw InputError(visible(record.string()) +
                         ": the ranks ran on devices of different makers");
    }
  return ranks.empty() ? Kept{kept_profile(record, roofs)} : ranks;
}

void put_under_roofs(const std::string& roofs, Profile& profile) {
  if (!roofs.empty())
    profile.ceilings = roofs_called(roofs, profile.kind);
  else if (!profile.ceilings)
    profile.ceilings = published_roofs(published_name(profile.device, profile.kind));
  derive(profile);
}

void refuse_to_overwrite(const fs::path& folder, bool replace) {
  std::vector<fs::path> files = {folder / "profile.json"};
  for (const auto& [rank, path] : rank_folders(folder)) files.push_back(path / "profile.json");
  std::error_code error;
  for (const fs::path& file : files)
    if (fs::exists(fs::symlink_status(file, error)) && !replace)
      throw InputError(fmt::format("{} is there already; name another folder, or say --replace",
                                   visible(file.string())));
}

std::string write_profile(const Profile& profile, const fs::path& folder, bool replace) {
  refuse_to_overwrite(folder, replace);
  std::error_code error;
  fs::create_directories(folder, error);
  if (!fs::is_directory(folder, error))
    throw InputError(fmt::format("{}: this folder cannot be made", visible(folder.string())));
  const fs::path file = folder / "profile.json", report = folder / "report.html";
  if (fs::exists(file, error)) remove_charts(folder);
  write_whole(file, profile_json(profile).dump(1) + "\n");
  const WrittenCharts charts = write_charts(folder, profile_pictures(profile));
  write_whole(report, profile_page(profile, folder));
  return fmt::format("Recorded in {}\n{}{}Report: {}\n", visible(folder.string()), charts.note,
                     charts.note.empty() ? "" : "\n", visible(report.string()));
}

std::string write_profiles(const Kept& kept, const fs::path& folder, bool replace) {
  if (!kept.front().rank) return write_profile(kept.front().profile, folder, replace);
  std::map<int, fs::path> earlier = rank_folders(folder);
  for (const KeptProfile& one : kept) {
    write_profile(one.profile, one.folder, true);
    earlier.erase(*one.rank);
  }
  std::error_code ignored;
  fs::remove(folder / "profile.json", ignored);
  for (const auto& [rank, path] : earlier) fs::remove_all(path, ignored);
  return fmt::format("Recorded in {}/rank-*\n", visible(folder.string()));
}

void print_profiles(const Kept& kept, const Showing& showing) {
  const Profile& first = kept.front().profile;
  const bool ranks = kept.front().rank.has_value();
  if (showing.csv) {
    fmt::print("{}", profiles_csv(kept, showing.by));
  } else if (showing.json && ranks) {
    Json list = Json::array();
    for (const KeptProfile& one : kept)
      list.push_back({{"rank", *one.rank}, {"profile", profile_json(one.profile)}});
    fmt::print("{}\n", Json{{"ranks", list}}.dump(1));
  } else if (showing.json) {
    Json json = profile_json(first);
    add_charts(json, profile_pictures(first));
    fmt::print("{}\n", json.dump(1));
  } else {
    fmt::print("{}", ranks ? ranks_text(kept) : profile_text(first, showing.by, showing.details));
  }
}

std::string next_step(const Kept& kept, const fs::path& folder) {
  if (!kept.front().rank) return profile_learnt(kept.front().profile, folder);
  return fmt::format("Next: roofline show {}/rank-{}\n", visible(folder.string()),
                     *kept.front().rank);
}

}  // namespace roofline
