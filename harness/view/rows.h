// The results of several studies as rows, in the order of tables and charts.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/record/record.h"
#include "harness/view/series.h"
#include "roofline/view/table.h"

namespace gpp {

inline constexpr std::size_t page_width = 100;  ///< terminal width in characters

/// The GPU or processor that ran a part of a study.
struct ShownMachine {
  std::string key;    ///< index of the study and kind of device: "0 gpu"
  std::string label;  ///< "NVIDIA H200"; with the study's name if that is ambiguous
  std::string kind, device;
  const NamedStudy* named = nullptr;
  const roofline::Ceilings* ceilings = nullptr;  ///< nullptr if the study has none
  bool alone = false;                            ///< the only machine: there is no choice of it
};

/// A result that ran, passed or failed: see `result->timed()`.
struct ShownRow {
  const ShownMachine* machine = nullptr;
  const Result* result = nullptr;
  std::string model;  ///< name for people: "omp gpu"

  const StudyRecord& study() const { return machine->named->study; }
  std::string series() const { return machine->key + " " + model; }  ///< "0 gpu cuda"
  std::string series_label() const {
    return machine->label + ", " + model;
  }  ///< "NVIDIA H200, cuda"
  /// The tags for the page's switches: machine, if there are several, model, variant.
  roofline::Tags tags() const;
};

/// Rows sorted by machine, model and step. They point into the studies, which must outlive this.
class ShownResults {
 public:
  explicit ShownResults(const std::vector<NamedStudy>& studies);
  ShownResults(const ShownResults&) = delete;
  ShownResults& operator=(const ShownResults&) = delete;

  const std::vector<ShownMachine>& machines() const { return machines_; }
  const std::vector<ShownRow>& rows() const { return rows_; }
  /// The passed and timed rows of one variant.
  std::vector<const ShownRow*> timed(std::string_view variant) const;
  /// All variants, sorted by step.
  std::vector<std::string> variants() const;
  /// The timed row of this variant's parent; else of the previous timed step; else nullptr.
  const ShownRow* before(const ShownRow& row) const;
  /// True for a study of a published ladder: speedups then refer to its first step, else to v1.
  bool of_a_ladder() const { return !places_.empty(); }
  std::string baseline() const { return of_a_ladder() ? "the first step" : "v1"; }

 private:
  bool comes_before(const std::string& a, const std::string& b) const;

  std::vector<ShownMachine> machines_;
  std::vector<ShownRow> rows_;
  std::map<std::string, std::size_t> places_;  ///< positions on the studied ladder
};

/// The step's name to show beside the variant's; empty if both are equal.
std::string own_step(const Result& result);

/// The launches that do the work, largest first: those with at least a hundredth of the largest
/// one's threads, so not the final single block that adds up partial results.
std::vector<Launch> large_launches(const Result& result);

}  // namespace gpp
