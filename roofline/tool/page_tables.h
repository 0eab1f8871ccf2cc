// The tables of profiles: rows, common columns, and tables of kernels, their work, their launches
// and their instructions.
#pragma once

#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "roofline/base/table.h"
#include "roofline/profile.h"

namespace roofline {

/// A kernel's nearest roof: that of most of its work, or of its memory if it has no work.
struct Nearest {
  std::string roof;
  double percent = 0;
  std::string by = {};  ///< "by formula" if it was not counted
};

/// The roof's name for people: "DRAM, by formula".
std::string roof_label(const Profile& profile, const Nearest& nearest);

/// The nearest roof for the kernel's counted work, or else for its stated work.
std::optional<Nearest> nearest_of(const Profile& profile, const KernelProfile& kernel);

/// Names kernels that exceed a roof: "above what a roof allows: kernel 1 (1086% of DRAM); ...";
/// else empty.
std::string above_roofs(const Profile& profile);

/// A warning that the roofs belong to another device, and how to get the right ones; else empty.
std::string foreign_roofs(const Profile& profile);

/// The origin of the roofs: "NVIDIA H200 (results/h200/a/study.json, 2026-11-23)", and
/// foreign_roofs().
std::string whose_roofs(const Profile& profile);

/// The device's name, or that it has none.
std::string device_text(const Profile& profile);

/// Returns "./program on NVIDIA H200: 3 kernels, 1.2 ms".
std::string profile_headline(const Profile& profile);

/// A share of a roof: "62.2%", with a mark if it exceeds the roof: "1086.0% !".
std::string share_of_roof(double percent);

TableCell share_cell(std::optional<double> seconds, double all_seconds);

struct RowsBy;  // defined in by.h

/// A table row: a kernel or range, optionally with one amount of its work.
struct PartRow {
  const Profile* profile = nullptr;  ///< the profile that has the rows
  std::size_t index = 0;
  const Model* model = nullptr;        ///< precision of the amount
  const Level* level = nullptr;        ///< or its memory level
  const StatedWork* stated = nullptr;  ///< formula's work, if uncounted
  const RowsBy* rows = nullptr;        ///< null if rows are kernels
  std::optional<int> rank = {};

  const KernelProfile& part() const { return profile->kernels[index]; }
  std::optional<double> counted(const std::string& metric) const {
    return metric_value(part().metrics, metric);
  }
  double work() const { return counted(model->work).value_or(0); }
  /// The operations per byte moved at a level.
  std::optional<double> intensity(const Level& at) const;
  /// The roof of the row's precision; without one, that of all its work (nearest_of).
  std::optional<Nearest> nearest() const;
  std::optional<BusiestLevel> busiest() const {
    return busiest_level(*profile, part(), part().metrics);
  }
  /// The amount divided by the time.
  TableCell speed(double amount, const std::string& unit) const;
};

using PartColumn = ColumnOf<PartRow>;
using PartCell = std::function<TableCell(const PartRow&)>;

std::vector<PartColumn> joined(std::initializer_list<std::vector<PartColumn>> groups);

std::vector<PartRow> part_rows(const Profile& profile, std::size_t most);

/// A table without empty columns; rows beyond the first `most_shown` parts have the switch "all".
Table part_table(const std::vector<PartColumn>& columns, const std::vector<PartRow>& rows,
                 const std::string& name, const std::string& caption);

PartColumn number_column(const std::string& name, const std::string& title, const std::string& note,
                         PartCell cell);
PartColumn text_column(const std::string& name, const std::string& title, const std::string& note,
                       PartCell cell);
PartColumn index_column();
PartColumn name_column(std::size_t longest);
PartColumn launches_column();
PartColumn time_column(const std::string& note);
PartColumn share_column();
PartColumn bytes_column(const Level& level);
/// A column about the nearest roof, unknown where there is none.
PartColumn nearest_column(const TableColumn& head,
                          const std::function<TableCell(const PartRow&, const Nearest&)>& cell);
/// Columns for the nearest roof (PartRow::nearest()) and the reached share of it.
std::vector<PartColumn> roof_columns(const std::string& name, const std::string& note,
                                     const std::string& share, const std::string& title_of_share);
std::vector<PartColumn> nearest_columns();

/// The work in a row's precision, its intensities, speed and roof; for a row without a precision,
/// the data of its busiest memory level.
std::vector<PartColumn> work_columns(const Profile& profile);

Table kernels_table(const Profile& profile);
/// A row for each precision in which a kernel has work; without work, one of its busiest memory.
Table work_table(const Profile& profile);
/// The form of a row's launches that took most time, and its occupancy.
std::vector<PartColumn> form_columns();
/// The longest form of each kernel's launches, with its occupancy; no rows if no form is known.
Table launches_table(const Profile& profile);
/// A row for each amount from a formula, with the counted one.
Table stated_table(const Profile& profile);
/// The kernels with counted instructions.
Table instructions_table(const Profile& profile);

}  // namespace roofline
