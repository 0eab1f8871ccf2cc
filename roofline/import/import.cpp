#include "roofline/import/import.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>

#include "roofline/base/error.h"
#include "roofline/base/json_place.h"
#include "roofline/base/machine.h"
#include "roofline/base/outside.h"
#include "roofline/base/text.h"
#include "roofline/base/visible.h"
#include "roofline/import/tables.h"
#include "roofline/record/facts.h"

namespace roofline {
namespace {

namespace fs = std::filesystem;

/// A table of more bytes is refused: export fewer launches.
constexpr std::uintmax_t most_bytes = std::uintmax_t{1} << 28;

void append(std::vector<ImportedLaunch> more, std::vector<ImportedLaunch>& launches) {
  std::ranges::move(more, std::back_inserter(launches));
}

/// The tables of rocprof that make one profile.
struct RocprofParts {
  std::vector<ImportedLaunch> launches;
  std::map<long long, double> times;
  std::optional<Ceilings> roofs;
  std::string device;
  std::vector<std::string> also_read;  ///< files found beside the one named
};

void take_rocprof(RocprofTable kind, const std::string& text, const std::string& file,
                  RocprofParts& parts) {
  switch (kind) {
    case RocprofTable::counters:
      append(read_rocprof_counters(text, file), parts.launches);
      break;
    case RocprofTable::times:
      parts.times = read_rocprof_times(text, file);
      break;
    case RocprofTable::roofs:
      parts.roofs = read_rocprof_roofs(text, file);
      break;
    case RocprofTable::system:
      parts.device = read_rocprof_device(text, file);
      break;
    case RocprofTable::none:
      refuse_file(file,
                  "neither a table of Nsight Compute (ncu --csv --page raw) nor one of rocprof or "
                  "rocprof-compute: no header with a column of kernels and counters was found");
  }
}

/// The other tables of the same run that lie beside pmc_perf.csv.
void take_neighbours(const fs::path& file, const std::set<std::string>& named,
                     RocprofParts& parts) {
  constexpr std::string_view counters = "pmc_perf.csv";
  const std::string name = file.filename().string();
  if (!name.ends_with(counters)) return;
  const std::string prefix = name.substr(0, name.size() - counters.size());
  for (const char* other : {"timestamps.csv", "roofline.csv", "sysinfo.csv"}) {
    const fs::path neighbour = file.parent_path() / (prefix + other);
    std::error_code error;
    if (!fs::is_regular_file(neighbour, error) || named.contains(neighbour.string())) continue;
    const std::string text = text_of_table(neighbour.string());
    const RocprofTable kind = rocprof_table(text);
    if (kind == RocprofTable::none || kind == RocprofTable::counters) continue;
    take_rocprof(kind, text, neighbour.string(), parts);
    parts.also_read.push_back(neighbour.filename().string());
  }
}

/// Dispatches are numbered from 0 in the order of the table.
void add_times(RocprofParts& parts) {
  for (std::size_t i = 0; i < parts.launches.size(); ++i)
    if (const auto time = parts.times.find(static_cast<long long>(i)); time != parts.times.end())
      parts.launches[i].seconds = time->second;
}

Profile rocprof_profile(RocprofParts parts) {
  if (parts.launches.empty())
    throw InputError("no table of counters is among the files: name pmc_perf.csv, too");
  add_times(parts);
  Profile profile;
  profile.source = "rocprof";
  profile.kind = amd_table().device;
  profile.device = parts.device.empty() ? "AMD GPU" : visible(parts.device);
  profile.kernels = by_kernel(parts.launches);
  profile.ceilings = std::move(parts.roofs);
  if (profile.ceilings) profile.ceilings->device = profile.device;
  if (!parts.also_read.empty())
    profile.notes.push_back(fmt::format("Read beside it: {}.", fmt::join(parts.also_read, ", ")));
  return profile;
}

Profile ncu_profile(const std::vector<ImportedLaunch>& launches) {
  Profile profile;
  profile.source = "ncu";
  profile.kind = nvidia_table().device;
  std::set<std::string> devices;
  for (const ImportedLaunch& launch : launches)
    if (!launch.device.empty()) devices.insert(visible(launch.device));
  if (devices.size() > 1)
    throw InputError(fmt::format(
        "the launches ran on different devices ({}), which have different roofs: import them one "
        "by one",
        fmt::join(devices, ", ")));
  if (!devices.empty()) profile.device = *devices.begin();
  profile.kernels = by_kernel(launches);
  profile.notes.emplace_back(
      "Times are those of the profiled run, whose clock ncu holds at the base clock unless it was "
      "told --clock-control none.");
  return profile;
}

/// The file with roofs in a folder; any other name as it is. Throws InputError.
std::string file_with_roofs(const std::string& name) {
  std::error_code error;
  if (!fs::is_directory(name, error)) return name;
  const std::vector<std::string> files = {"study.json", "profile.json", "ceilings.json"};
  std::vector<std::string> found;
  std::ranges::copy_if(files, std::back_inserter(found), [&](const std::string& file) {
    return fs::exists(fs::path(name) / file, error);
  });
  if (found.size() == 1) return (fs::path(name) / found.front()).string();
  if (found.empty())
    refuse_file(name,
                fmt::format("none of {} is in this folder; name that of one study or profile, or "
                            "a file with roofs",
                            fmt::join(files, ", ")));
  refuse_file(name, fmt::format("{} are in this folder; name one of these files",
                                fmt::join(found, " and ")));
}

std::vector<Ceilings> find_roofs(const std::string& name) {
  if (std::optional<Ceilings> published = published_roofs(in_lower_case(name)))
    return {*std::move(published)};
  std::error_code error;
  if (!fs::exists(name, error))
    throw InputError(fmt::format(
        "--roofs: {} A file or its folder may be named, too: a study, a profile, what 'roofline "
        "ceilings --json' prints, or roofline.csv",
        unknown_name("device", name, published_names())));
  const std::string file = file_with_roofs(name);
  return read_roofs(text_of_table(file), file);
}

}  // namespace

std::string text_of_table(const std::string& file) {
  if (is_ncu_report(file)) return text_of_ncu_report(file, most_bytes);
  std::string text = text_of_outside_file(file, most_bytes);
  if (text.find('\0') != std::string::npos)
    refuse_file(file, "not a text; the name of a report of ncu must end with .ncu-rep");
  return text;
}

std::map<std::string, std::size_t> columns_of(const CsvRow& header, const std::string& file,
                                              std::string_view remedy) {
  std::map<std::string, std::size_t> columns;
  for (std::size_t i = 0; i < header.cells.size(); ++i)
    if (const auto [at, is_new] = columns.emplace(header.cells[i], i); !is_new)
      refuse_line(file, header.line,
                  fmt::format("column '{}' stands twice, as number {} and {}: which one counts? {}",
                              visible(header.cells[i]), at->second + 1, i + 1, remedy));
  return columns;
}

std::vector<KernelProfile> by_kernel(const std::vector<ImportedLaunch>& launches) {
  std::vector<KernelProfile> kernels;
  std::map<std::string, std::size_t> places;
  for (const ImportedLaunch& launch : launches) {
    const auto [at, is_new] = places.emplace(visible(launch.kernel), kernels.size());
    if (is_new)
      kernels.push_back(
          {at->first, 0, {}, {}, {}, {launch.notes.begin(), launch.notes.end()}, {}, {}});
    KernelProfile& kernel = kernels[at->second];
    add_part({at->first, 1, launch.seconds, launch.counters, launch.missing, {}, {}, {}}, kernel);
  }
  return kernels;
}

Profile import_profile(const std::vector<fs::path>& files) {
  std::vector<ImportedLaunch> ncu;
  RocprofParts rocprof;
  std::set<std::string> named;
  for (const fs::path& file : files)
    if (!named.insert(file.string()).second) refuse_file(file.string(), "named twice");
  bool any_rocprof = false;
  for (const fs::path& file : files) {
    const std::string text = text_of_table(file.string());
    if (is_ncu_table(text)) {
      append(read_ncu_table(text, file.string()), ncu);
      continue;
    }
    take_rocprof(rocprof_table(text), text, file.string(), rocprof);
    take_neighbours(file, named, rocprof);
    any_rocprof = true;
  }
  if (any_rocprof && !ncu.empty())
    throw InputError(
        "tables of Nsight Compute and of rocprof make no common profile: import them "
        "one by one");
  Profile profile = any_rocprof ? rocprof_profile(std::move(rocprof)) : ncu_profile(ncu);
  std::vector<std::string> names;
  for (const fs::path& file : files) names.push_back(visible(file.filename().string()));
  profile.program = fmt::format("{}", fmt::join(names, ", "));
  profile.created = utc_now();
  // What nobody could read again is refused now.
  return read_profile(facts_json<Profile, nlohmann::json>(profile), profile.program);
}

std::vector<Ceilings> read_roofs(const std::string& text, const std::string& file) {
  std::vector<Ceilings> all;
  if (rocprof_table(text) == RocprofTable::roofs) {
    all.push_back(read_rocprof_roofs(text, file));
  } else {
    constexpr const char* no_roofs =
        "holds no roofs: neither JSON nor rocprof-compute's roofline.csv";
    nlohmann::json json = json_in(text, file, no_roofs);
    if (!json.is_object()) refuse_file(file, no_roofs);
    const bool inside = json.contains("ceilings");
    const nlohmann::json whole =
        inside ? std::move(json) : nlohmann::json{{"ceilings", std::move(json)}};
    read(JsonPlace(whole, "", file), [&](Fields& field) { ceilings_field(field, all); });
  }
  for (Ceilings& ceilings : all) ceilings.from = visible(file);
  return all;
}

Ceilings roofs_called(const std::string& name_or_file, const std::string& kind) {
  std::vector<std::string> others;
  for (Ceilings& roofs : find_roofs(name_or_file)) {
    if (roofs.kind == kind && !roofs.list.empty()) return std::move(roofs);
    if (!roofs.list.empty()) others.push_back(visible(roofs.device));
  }
  refuse_file(
      "--roofs " + name_or_file,
      fmt::format("{}; name a study of this profile's device, or what 'roofline ceilings --json' "
                  "prints there",
                  others.empty() ? "no roofs are in it"
                                 : fmt::format("the roofs of another maker's device, {}",
                                               fmt::join(others, ", "))));
}

std::string roofs_to_call() {
  return fmt::format("{}, or a file or folder with roofs", fmt::join(published_names(), ", "));
}

}  // namespace roofline
