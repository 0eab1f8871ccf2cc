// The importers share this: launches as profilers wrote them, joining those of several tables, and
// adding launches up by kernel.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "roofline/base/csv.h"
#include "roofline/base/embedded.h"
#include "roofline/profile.h"

namespace roofline {

/// Texts by number, each once: launches have the same few names thousands of times.
class Names {
 public:
  std::size_t id(std::string_view text);
  const std::string& operator[](std::size_t id) const { return *texts_[id]; }

 private:
  std::map<std::string, std::size_t, std::less<>> ids_;
  std::vector<const std::string*> texts_;
};

/// One launch as a table tells it, or several of which a summary tells the averages.
struct ImportedLaunch {
  std::size_t kernel = 0, shape = 0;  ///< by Names; a shape may be empty
  double number = 0;                  ///< that the profiler gave it
  double launches = 1;
  std::optional<double> seconds;
  std::vector<std::pair<std::size_t, double>> values;  ///< by Names, in base units

  const double* find(std::size_t name) const;
};

/// Launches of one table, or of several of a file that count the same.
struct ImportedTable {
  std::string file;
  std::vector<ImportedLaunch> launches;
  bool times_only = false;        ///< of a run that counted nothing: they go before other times
  std::set<std::string> devices;  ///< their names, where it tells
  /// By kernel and counter: why there is no number, first come.
  std::map<std::pair<std::size_t, std::size_t>, std::string> bad;
};

/// Makes one of tables of the same launches, which are matched by kernel and shape: in their order
/// where there are as many, else by number. A counter that stands in several has the first one's
/// value; `notes` gets what they contradict each other in. Throws InputError where a table counts
/// nothing new and has other values.
ImportedTable joined(std::vector<ImportedTable> tables, const Names& names,
                     std::vector<std::string>& notes);

/// What is known of one launch, or of several.
struct LaunchCounts {
  Counters counters;             ///< sums, by the names of the models' table
  std::vector<Missing> missing;  ///< counters that stand in the file without a number, and why
  std::set<std::string> notes;   ///< what to know of the numbers
};

/// Adds the launches up. A counter that any launch of a kernel lacks is missing of the kernel, with
/// the first reason; so is the time.
std::vector<KernelProfile> by_kernel(
    ImportedTable& table, const Names& names,
    const std::function<LaunchCounts(ImportedLaunch& launch)>& counts_of);

/// A file's text in UTF-8, without a byte order mark; at most as long as any such file is. Throws
/// InputError, which names what else it is: compressed, a database.
std::string text_of_table(const std::string& file);

/// What separates the cells of a line: the one of , ; | and the tabulator that it has most of.
char separator_of(std::string_view line);

/// How many of them stand outside of quotes.
std::size_t separators_in(std::string_view line, char separator);

/// The place of each column. Throws InputError, which ends with the remedy, where a name stands
/// twice.
std::map<std::string, std::size_t> columns_of(const CsvRow& header, const std::string& file,
                                              std::string_view remedy);

/// Whether the file is a report that Nsight Compute wrote, by its name: FILE.ncu-rep.
bool is_ncu_report(const std::string& file);
/// The report as a table, which ncu itself makes of it. The environment variable NCU names ncu;
/// else it is looked up on the PATH and in /usr/local/cuda/bin. Throws InputError.
std::string text_of_ncu_report(const std::string& file, std::size_t most_bytes);

/// Whether the text holds a table that Nsight Compute wrote, and its tables: those with the same
/// columns are one.
bool is_ncu_table(std::string_view text);
std::vector<ImportedTable> read_ncu_tables(std::string_view text, const std::string& file,
                                           Names& names);
/// The column of a chip's compute capability.
inline constexpr const char* compute_capability = "CC";
/// Whether anything follows from a column of that name.
bool is_ncu_counter(const std::string& name);
std::vector<KernelProfile> ncu_kernels(ImportedTable& table, Names& names);

/// The kinds of table that rocprof, rocprofv3 and rocprof-compute write.
enum class RocprofTable { none, counters, times, roofs, system, agents };
RocprofTable rocprof_table(std::string_view text);
bool rocprof_dispatches(std::string_view text);  ///< whether it tells of dispatches at all
/// Counters or times.
ImportedTable read_rocprof_launches(std::string_view text, const std::string& file, Names& names);
std::vector<KernelProfile> rocprof_kernels(ImportedTable& table, const Names& names);
Ceilings read_rocprof_roofs(std::string_view text, const std::string& file);

/// The device in sysinfo.csv or agent_info.csv.
struct RocprofDevice {
  std::string name;             ///< "AMD MI200"; may be empty
  std::set<std::string> chips;  ///< "gfx90a"
};
RocprofDevice read_rocprof_device(std::string_view text, const std::string& file);

/// The roofs of each device in a record, a profile, what `roofline ceilings --json` printed or
/// roofline.csv. Throws InputError.
std::vector<Ceilings> read_roofs(const std::string& text, const std::string& file);

/// Records of cards that were measured, by their places in results/: "h100/a/study.json".
std::span<const EmbeddedText> embedded_roofs();

}  // namespace roofline
