#include "roofline/import/import.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include "roofline/base/machine.h"
#include "roofline/base/text.h"
#include "roofline/import/tables.h"

namespace roofline {
namespace {

namespace fs = std::filesystem;

/// Everything that is read for one profile.
struct Parts {
  std::vector<ImportedTable> ncu, rocprof;
  std::optional<Ceilings> roofs;
  RocprofDevice device;
  std::vector<std::string> also_read;  ///< files found beside those named
};

/// Takes a table; false where the text is none.
bool take(const std::string& text, const std::string& file, Parts& parts) {
  const TableKind kind = kind_of(text);
  if (kind == TableKind::none) return false;
  if (kind == TableKind::roofs) {
    parts.roofs = read_rocprof_roofs(text, file);
  } else if (kind == TableKind::device) {
    RocprofDevice device = read_rocprof_device(text, file);
    if (!device.name.empty()) parts.device.name = device.name;
    parts.device.chips.merge(device.chips);
  } else {
    std::ranges::move(read_launches(text, file, kind),
                      std::back_inserter(kind == TableKind::ncu ? parts.ncu : parts.rocprof));
  }
  return true;
}

/// The other tables of the same run that lie beside one of counters.
void take_neighbours(const fs::path& file, std::set<std::string>& read, Parts& parts) {
  const std::string name = file.filename().string();
  const std::size_t end = std::min(name.find("pmc_perf"), name.find("counter_collection.csv"));
  if (end == name.npos) return;
  for (const char* other :
       {"timestamps.csv", "kernel_trace.csv", "roofline.csv", "sysinfo.csv", "agent_info.csv"}) {
    const fs::path neighbour = file.parent_path() / (name.substr(0, end) + other);
    std::error_code error;
    if (!fs::is_regular_file(neighbour, error) || !read.insert(neighbour.string()).second) continue;
    if (take(text_of_table(neighbour.string()), neighbour.string(), parts))
      parts.also_read.push_back(neighbour.filename().string());
  }
}

/// The files of folders, at any depth, as far as they may be tables; any other name as it is.
std::vector<fs::path> files_in(const std::vector<fs::path>& names) {
  constexpr std::size_t most = 1000;
  std::vector<fs::path> files;
  for (const fs::path& name : names) {
    std::error_code error;
    if (!fs::is_directory(name, error)) {
      files.push_back(name);
      continue;
    }
    std::set<fs::path> found;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(name))
      if (entry.is_regular_file(error) &&
          (entry.path().extension() == ".csv" || is_ncu_report(entry.path().string())))
        found.insert(entry.path());
    if (found.empty() || found.size() > most)
      refuse_file(name.string(), fmt::format("{} tables (.csv) and reports (.ncu-rep) are in this "
                                             "folder; name those of one run",
                                             found.size()));
    files.insert(files.end(), found.begin(), found.end());
  }
  return files;
}

/// The table of formulas for AMD's chip, as the files or somebody else name it.
const ModelTable& table_for(const Parts& parts, const std::string& asked) {
  const std::set<std::string>& named = parts.device.chips;
  if (asked.empty() ? named.size() > 1 : !named.empty() && !named.contains(asked))
    throw InputError(fmt::format("the files name {}: tell the chip that counted, as in --chip {}",
                                 fmt::join(named, ", "), *named.begin()));
  const std::string chip = !asked.empty() ? asked : named.empty() ? "gfx90a" : *named.begin();
  const ModelTable* table = table_of_chip(chip);
  if (table == nullptr)
    throw InputError(fmt::format("no formulas are known for counters of {}, but of {}",
                                 visible(chip), chips_with_tables));
  return *table;
}

constexpr const char* no_table =
    "neither a table of Nsight Compute (ncu --csv --page raw) nor one of rocprof, rocprofv3 or "
    "rocprof-compute: there is no header with a column of kernels and a counter that is known "
    "here; "
    "roofline counters --for ncu, or --for rocprof, names those";

Profile rocprof_profile(Parts parts, const std::string& chip) {
  Profile profile;
  profile.source = "rocprof";
  profile.kind = table_for(parts, chip).device;
  profile.device = parts.device.name.empty() ? "AMD GPU" : visible(parts.device.name);
  if (chip.empty() && parts.device.chips.empty())
    profile.device += ", which no file names: read as gfx90a (--chip tells another)";
  ImportedTable table = joined(std::move(parts.rocprof), profile.notes);
  profile.kernels = by_kernel(table, rocprof_counts);
  profile.ceilings = std::move(parts.roofs);
  if (profile.ceilings) {
    profile.ceilings->device = profile.device;
    profile.ceilings->kind = profile.kind;
  }
  if (!parts.also_read.empty())
    profile.notes.push_back(fmt::format("Read beside it: {}.", fmt::join(parts.also_read, ", ")));
  return profile;
}

Profile ncu_profile(Parts parts) {
  Profile profile;
  profile.source = "ncu";
  profile.kind = nvidia_table().device;
  ImportedTable table = joined(std::move(parts.ncu), profile.notes);
  if (table.devices.size() > 1)
    throw InputError(fmt::format(
        "the launches ran on different devices ({}), which have different roofs: import them one "
        "by one",
        fmt::join(table.devices, ", ")));
  if (!table.devices.empty()) profile.device = *table.devices.begin();
  profile.kernels = by_kernel(table, ncu_counts);
  if (std::ranges::any_of(profile.kernels, [](const KernelProfile& kernel) {
        return !metric_value(evaluate(kernel.counters), "cycles");
      }))
    profile.notes.emplace_back(
        "Times are those of the profiled run, whose clock ncu holds at the base clock unless it "
        "was told --clock-control none.");
  return profile;
}

}  // namespace

Profile import_profile(const std::vector<fs::path>& names, const std::string& chip) {
  Parts parts;
  std::set<std::string> read;
  std::vector<std::string> texts;
  for (const fs::path& name : names) {
    if (!read.insert(name.string()).second) refuse_file(name.string(), "named twice");
    const fs::path whole = fs::absolute(name).lexically_normal();
    texts.push_back(
        visible((whole.has_filename() ? whole : whole.parent_path()).filename().string()));
  }
  const std::vector<fs::path> files = files_in(names);
  const bool all_named = files.size() == names.size();
  for (const fs::path& file : files) read.insert(file.string());
  for (const fs::path& file : files) {
    const std::string text = text_of_table(file.string());
    if (take(text, file.string(), parts))
      take_neighbours(file, read, parts);
    else if (all_named)
      refuse_file(file.string(), no_table);
  }
  if (parts.ncu.empty() && std::ranges::all_of(parts.rocprof, &ImportedTable::times_only))
    throw InputError(
        "no table of counters is among the files: name pmc_perf.csv, or counter_collection.csv, "
        "too");
  if (!parts.ncu.empty() && !parts.rocprof.empty())
    throw InputError(
        "tables of Nsight Compute and of rocprof make no common profile: import them one by one");
  if (!chip.empty() && parts.rocprof.empty())
    throw InputError("--chip tells AMD's chip, and these are tables of Nsight Compute");
  Profile profile =
      parts.ncu.empty() ? rocprof_profile(std::move(parts), chip) : ncu_profile(std::move(parts));
  profile.program = fmt::format("{}", fmt::join(texts, ", "));
  profile.created = utc_now();
  // What nobody could read again is refused now.
  return read_profile(facts_json<Profile, nlohmann::json>(profile), profile.program);
}

}  // namespace roofline
