// The tables that likwid-perfctr prints with -O, as likwid.lua of version 5.2 makes them:
//   TABLE,Group 1 Raw,FLOPS_DP,12      then  Event,Counter,HWThread 0,HWThread 1,...
//   TABLE,Group 1 Metric,FLOPS_DP,10   then  Metric,HWThread 0,...
// Cells are never quoted. What the program itself prints may stand between.
#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "roofline/base/csv.h"
#include "roofline/base/error.h"
#include "roofline/base/visible.h"
#include "roofline/import/import.h"
#include "roofline/import/numbers.h"
#include "roofline/import/tables.h"
#include "roofline/likwid/session.h"

namespace roofline {
namespace {

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream text(line);
  for (std::string one; std::getline(text, one, ',');) cells.push_back(one);
  if (!cells.empty() && cells.back().ends_with('\r')) cells.back().pop_back();
  return cells;
}

/// Adds up the values of all hardware threads, row by row.
class LikwidTables {
 public:
  explicit LikwidTables(LikwidCounts& counts) : counts_(counts) {}

  void take(const std::string& file) {
    std::istringstream text(text_of_table(file));
    std::size_t number = 0;
    first_ = 0;
    for (std::string line; std::getline(text, line);) {
      ++number;
      if (line.starts_with("TABLE,") || line.starts_with("STRUCT,"))
        begin(cells_of(line));
      else if (!group_.empty())
        take_row(cells_of(line), file, number);
    }
    group_.clear();
  }

 private:
  /// Sums over threads, which LIKWID adds to its own tables, are left out: they are made here.
  void begin(const std::vector<std::string>& cells) {
    const std::size_t kind = cells.size() > 1 && cells[1].starts_with("Region ") ? 2 : 1;
    const bool is_table = cells.size() > kind + 1 && cells.front() == "TABLE" &&
                          (cells[kind].ends_with(" Raw") || cells[kind].ends_with(" Metric"));
    group_ = is_table ? cells[kind + 1] : "";
    threads_ = 0;
  }

  void take_row(const std::vector<std::string>& cells, const std::string& file, std::size_t line) {
    if (cells.size() < 2) return;
    if (cells[0] == "Event" || cells[0] == "Metric") {
      first_ = cells[0] == "Event" ? 2 : 1;
      threads_ = static_cast<std::size_t>(std::ranges::count_if(
          cells, [](const std::string& cell) { return cell.starts_with("HWThread "); }));
      return;
    }
    if (threads_ == 0 || cells.size() < first_ + threads_) return;
    double sum = 0, most = 0;
    const std::string name = likwid::counter_name(group_, cells[0]);
    for (std::size_t i = first_; i < first_ + threads_; ++i) {
      const auto value = number_in(cells[i], NumberStyle{});
      if (!value || *value < 0) {
        counts_.missing.push_back(
            {name, fmt::format("'{}' in line {} is no count", visible(cells[i]), line)});
        return;
      }
      sum += *value;
      most = std::max(most, *value);
    }
    const bool is_time = cells[0] == "Runtime (RDTSC) [s]";
    const std::string key = is_time ? group_ + ".seconds" : name;
    if (!counts_.counters.emplace(key, is_time ? most : sum).second)
      refuse_line(file, line, fmt::format("'{}' stands twice: which one counts?", visible(key)));
  }

  LikwidCounts& counts_;
  std::string group_;
  std::size_t threads_ = 0, first_ = 0;
};

}  // namespace

LikwidCounts likwid_counts_in(const std::vector<std::filesystem::path>& files) {
  LikwidCounts counts;
  LikwidTables tables(counts);
  for (const std::filesystem::path& file : files) {
    const std::size_t before = counts.counters.size();
    tables.take(file.string());
    if (counts.counters.size() == before && counts.missing.empty())
      throw InputError(fmt::format("{}: no table of LIKWID; likwid-perfctr -O prints them",
                                   visible(file.string())));
  }
  return counts;
}

}  // namespace roofline
