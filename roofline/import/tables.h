// The importers share this: one launch as a profiler wrote it, and adding launches up by kernel.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "roofline/base/csv.h"
#include "roofline/base/embedded.h"
#include "roofline/profile.h"

namespace roofline {

struct ImportedLaunch {
  std::string kernel;
  std::string device;  ///< may be empty
  std::optional<double> seconds;
  Counters counters;             ///< sums of this launch, by the names of the models' table
  std::vector<Missing> missing;  ///< counters that stand in the file without a number, and why
  std::set<std::string> notes;   ///< what to know of its numbers
};

/// Adds the launches up. A counter that any launch of a kernel lacks is missing of the kernel, with
/// the first reason; so is the time.
std::vector<KernelProfile> by_kernel(const std::vector<ImportedLaunch>& launches);

/// A file's text; at most as long as any such file is. Throws InputError.
std::string text_of_table(const std::string& file);

/// The place of each column. Throws InputError, which ends with the remedy, where a name stands
/// twice.
std::map<std::string, std::size_t> columns_of(const CsvRow& header, const std::string& file,
                                              std::string_view remedy);

/// Whether the file is a report that Nsight Compute wrote, by its name: FILE.ncu-rep.
bool is_ncu_report(const std::string& file);
/// The report as a table, which ncu itself makes of it. The environment variable NCU names ncu;
/// else it is looked up on the PATH and in /usr/local/cuda/bin. Throws InputError.
std::string text_of_ncu_report(const std::string& file, std::size_t most_bytes);

/// Whether the text holds a table that Nsight Compute wrote, and its launches.
bool is_ncu_table(std::string_view text);
std::vector<ImportedLaunch> read_ncu_table(std::string_view text, const std::string& file);

/// The kinds of table that rocprof and rocprof-compute write.
enum class RocprofTable { none, counters, times, roofs, system };
RocprofTable rocprof_table(std::string_view text);
std::vector<ImportedLaunch> read_rocprof_counters(std::string_view text, const std::string& file);
/// Seconds of each dispatch, by its number.
std::map<long long, double> read_rocprof_times(std::string_view text, const std::string& file);
Ceilings read_rocprof_roofs(std::string_view text, const std::string& file);
/// The name of the device in sysinfo.csv: "MI200".
std::string read_rocprof_device(std::string_view text, const std::string& file);

/// The roofs of each device in a record, a profile, what `roofline ceilings --json` printed or
/// roofline.csv. Throws InputError.
std::vector<Ceilings> read_roofs(const std::string& text, const std::string& file);

/// Records of cards that were measured, by their places in results/: "h100/a/study.json".
std::span<const EmbeddedText> embedded_roofs();

}  // namespace roofline
