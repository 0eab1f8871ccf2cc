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

/// How the lines of a table are written.
struct LineForm {
  std::string prefix;  ///< of its header: "0: ", "[1,3]<stdout>:"
  char separator = ',';
  bool quoted = false;    ///< the cells of its header
  bool in_a_log = false;  ///< other lines may stand between its rows
  std::size_t cells = 0;
};

/// A header, and the table below it.
struct TableHeader {
  std::size_t table = 0;  ///< from 0, in the order of the file
  LineForm form;
  CsvRow row;
  std::map<std::string, std::size_t> columns;

  /// The cell below the first of these columns that is there; nullptr where none is.
  const std::string* find(const CsvRow& of, std::initializer_list<const char*> names) const;
};

/// The names of the columns of the first table in a text; none where there is no table.
std::set<std::string> columns_in(std::string_view text);

/// Calls visit(header, row) for each row of each table of the text. Throws InputError, which ends
/// with the remedy, where a column stands twice or a row is shorter or longer than its header.
void for_each_row(std::string_view text, const std::string& file, std::string_view remedy,
                  const std::function<void(const TableHeader&, const CsvRow&)>& visit);

/// Whether the file is a report that Nsight Compute wrote, by its name: FILE.ncu-rep.
bool is_ncu_report(const std::string& file);
/// The tables that Nsight Compute wrote: those that count the same are one.
std::vector<ImportedTable> read_ncu_tables(std::string_view text, const std::string& file,
                                           Names& names);
/// The column of a chip's compute capability.
inline constexpr const char* compute_capability = "CC";
/// Whether anything follows from a column of that name.
bool is_ncu_counter(const std::string& name);
std::vector<KernelProfile> ncu_kernels(ImportedTable& table, Names& names);

/// The kinds of table, by their columns. `unknown`: of dispatches, without a counter or a time.
enum class TableKind { none, ncu, counters, times, roofs, device, unknown };
TableKind kind_of(const std::set<std::string>& columns);
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
