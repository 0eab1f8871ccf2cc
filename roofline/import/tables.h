// The importers share this: rows of tables, numbers in any locale, launches as profilers wrote
// them, joining those of several tables, and adding launches up by kernel.
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
#include "roofline/base/text.h"
#include "roofline/profile.h"

namespace roofline {

/// A file's text in UTF-8, without a byte order mark; a report FILE.ncu-rep as the table that ncu
/// makes of it. Throws InputError, which names what else it is: compressed, a database.
std::string text_of_table(const std::string& file);
bool is_ncu_report(const std::string& file);

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
  std::string text(const CsvRow& of, std::initializer_list<const char*> names) const;
};

/// Calls visit(header, row) for each row of each table of the text. Throws InputError, which ends
/// with the remedy, where a column stands twice or a row is shorter or longer than its header.
void for_each_row(std::string_view text, const std::string& file, std::string_view remedy,
                  const std::function<void(const TableHeader&, const CsvRow&)>& visit);

/// The mark before the decimals, '.' or ',', that a number's cell tells: it has both marks, or one
/// that is not followed by groups of three digits. 0 where it says nothing.
char decimal_of(std::string_view cell);

/// A finite number; empty for "", "n/a", "nan", "inf" and whatever else is none.
std::optional<double> number_in(std::string_view cell, char decimal = '.');

/// The factor by which a value in that unit becomes bytes, seconds, hertz, instructions, ...:
/// 1e-9 of "ns", 1e6 of "Mbyte", 1e9 of "cycle/nsecond", 0.01 of nothing: "%" is 1. Empty for a
/// unit that is not known.
std::optional<double> unit_factor(std::string_view unit);

/// The kinds of table, by the columns of the first one in a text: Nsight Compute's; AMD's of
/// counters, of times alone, of roofs and of the device.
enum class TableKind { none, ncu, counters, times, roofs, device };
TableKind kind_of(std::string_view text);

/// One launch as a table tells it, or several of which a summary tells the averages.
struct ImportedLaunch {
  std::string kernel, shape;  ///< a shape may be empty
  double launches = 1;
  std::optional<double> seconds;
  /// By known_counter(), in base units.
  std::vector<std::pair<std::string_view, double>> values;

  const double* find(std::string_view name) const;
};

/// Launches of one table, or of several of a file that count the same.
struct ImportedTable {
  std::string file;
  std::vector<ImportedLaunch> launches;
  bool times_only = false;        ///< of a run that counted nothing: they go before other times
  std::set<std::string> devices;  ///< their names, where it tells
  /// By kernel and counter: why there is no number, first come.
  std::map<std::pair<std::string, std::string_view>, std::string> bad;
};

/// The tables of launches in a text of that kind. Throws InputError.
std::vector<ImportedTable> read_launches(std::string_view text, const std::string& file,
                                         TableKind kind);

/// Makes one of tables of the same launches, which are matched by kernel and shape in their order.
/// A counter that stands in several has the first one's value; `notes` gets what they contradict
/// each other in. Throws InputError where a table counts nothing new and has other values.
ImportedTable joined(std::vector<ImportedTable> tables, std::vector<std::string>& notes);

/// What is known of one launch, or of several: counters by the names of the models' table, those
/// that stand in the file without a number, and what to know of the numbers.
KernelProfile ncu_counts(ImportedLaunch& launch, const ImportedTable& table);
KernelProfile rocprof_counts(ImportedLaunch& launch, const ImportedTable& table);

/// Adds the launches up. A counter that any launch of a kernel lacks is missing of the kernel, with
/// the first reason; so is the time.
std::vector<KernelProfile> by_kernel(ImportedTable& table, decltype(ncu_counts)& counts_of);

/// The column of a chip's compute capability.
inline constexpr const char* compute_capability = "CC";
/// The counter of that name, as long as the program runs; empty where nothing follows from it.
std::string_view known_counter(const std::string& name, bool of_ncu);

/// The roofs in rocprof-compute's roofline.csv; of several devices the first counts.
Ceilings read_rocprof_roofs(std::string_view text, const std::string& file);

/// Records of cards that were measured, by their places in results/: "h100/a/study.json".
std::span<const EmbeddedText> embedded_roofs();

/// The device in sysinfo.csv or agent_info.csv.
struct RocprofDevice {
  std::string name;             ///< "AMD MI200"; may be empty
  std::set<std::string> chips;  ///< "gfx90a"
};
RocprofDevice read_rocprof_device(std::string_view text, const std::string& file);

}  // namespace roofline
