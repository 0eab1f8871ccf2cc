// The tables of profiles: their rows, the columns that several have, and those of kernels, their
// work and their instructions.
#pragma once

#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "roofline/tool/kept.h"
#include "roofline/view/table.h"

namespace roofline {

/// The roof that is nearest to a kernel: of most of its work, or of its memory where it has none.
struct Nearest {
  std::string roof;
  double percent = 0;
  std::string by = {};  ///< "by formula" where nobody counted it
};

/// That roof as people know it: "DRAM, by formula".
std::string roof_label(const Profile& profile, const Nearest& nearest);

/// The nearest roof of the kernel's counted work, else of its stated work.
std::optional<Nearest> nearest_of(const Profile& profile, const KernelProfile& kernel);

/// Kernels that are faster than a roof allows, a line each: "kernel 1: 1086% of DRAM: ...".
std::vector<std::string> above_roofs(const Profile& profile);

/// Says that the roofs are not of the device that ran, and how to have its own; empty where they
/// are.
std::string foreign_roofs(const Profile& profile);

/// The source of the roofs: "NVIDIA H200 (results/h200/a/study.json, 2026-11-23)", and
/// foreign_roofs().
std::string whose_roofs(const Profile& profile);

/// "./program on NVIDIA H200: 3 kernels, 1.2 ms".
std::string profile_headline(const Profile& profile);

/// A share of a roof for people: "62.2%", and with a mark where no roof allows it: "1086.0% !".
std::string share_of_roof(double percent);

TableCell share_cell(const KernelProfile& part, double all_seconds);

struct RowsBy;  // by.h

/// A row of a table: a kernel or what stands in its place, and perhaps an amount of its work.
struct PartRow {
  const Profile* profile = nullptr;  ///< whose kernels the rows are
  std::size_t index = 0;
  const Model* model = nullptr;        ///< a precision of its work
  const Level* level = nullptr;        ///< or a level of memory
  const StatedWork* stated = nullptr;  ///< where nobody counted it
  const RowsBy* rows = nullptr;        ///< where ranges, streams or launches stand for kernels
  std::optional<int> rank = {};

  const KernelProfile& part() const { return profile->kernels[index]; }
  std::optional<double> counted(const std::string& metric) const {
    return metric_value(part().metrics, metric);
  }
  double work() const { return counted(model->work).value_or(0); }
  /// Operations per byte moved at a level.
  std::optional<double> intensity(const Level& at) const;
  /// Of the precision, or where there is none of all its work (nearest_of).
  std::optional<Nearest> nearest() const;
  std::optional<BusiestLevel> busiest() const {
    return busiest_level(*profile, part(), part().metrics);
  }
  /// An amount over the time.
  TableCell speed(double amount, const std::string& unit) const;
};

using PartColumn = ColumnOf<PartRow>;
using PartCell = std::function<TableCell(const PartRow&)>;

std::vector<PartColumn> joined(std::initializer_list<std::vector<PartColumn>> groups);

std::vector<PartRow> part_rows(const Profile& profile, std::size_t most);

/// Without empty columns; rows beyond the first `most_shown` parts have the switch "all".
ViewTable part_table(const std::vector<PartColumn>& columns, const std::vector<PartRow>& rows,
                     const std::string& name, const std::string& caption);

PartColumn number_column(const std::string& name, const std::string& title, const std::string& note,
                         PartCell cell);
PartColumn text_column(const std::string& name, const std::string& title, const std::string& note,
                       PartCell cell);
PartColumn index_column(const std::string& title = "#");
PartColumn name_column(std::size_t longest);
PartColumn launches_column();
PartColumn time_column(const std::string& note);
PartColumn share_column();
PartColumn bytes_column(const Level& level);
/// PartRow::nearest(), and the share of it that was reached.
std::vector<PartColumn> roof_columns(const std::string& name, const std::string& note,
                                     const std::string& share, const std::string& title_of_share);
std::vector<PartColumn> nearest_columns();

/// The work of a row's precision, its intensities, its speed and its roof; without a precision what
/// its busiest level of memory does.
std::vector<PartColumn> work_columns(const Profile& profile);

ViewTable kernels_table(const Profile& profile);
/// One row for each precision of each kernel that did such work.
ViewTable work_table(const Profile& profile);
/// The kernels whose instructions were counted.
ViewTable instructions_table(const Profile& profile);

}  // namespace roofline
