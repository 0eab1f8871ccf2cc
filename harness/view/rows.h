// The results of several studies as rows, in the order in which tables and charts show them.
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

inline constexpr std::size_t page_width = 100;  ///< of a terminal, in characters

/// The GPU or the processor that ran a part of a study.
struct ShownMachine {
  std::string key;    ///< the study's place and the kind of device: "0 gpu"
  std::string label;  ///< "NVIDIA H200"; with the study's name where two are called so
  std::string kind, device;
  const NamedStudy* named = nullptr;
  const roofline::Ceilings* ceilings = nullptr;  ///< nullptr where the study has none
};

/// A result that ran. Failed ones are among them: `result->timed()`.
struct ShownRow {
  const ShownMachine* machine = nullptr;
  const Result* result = nullptr;
  std::string model;  ///< for people: "omp gpu"

  const StudyRecord& study() const { return machine->named->study; }
  std::string series() const { return machine->key + " " + model; }  ///< "0 gpu cuda"
  std::string series_label() const {
    return machine->label + ", " + model;
  }  ///< "NVIDIA H200, cuda"
  /// The choices of the page's switches that show it: machine, model, variant.
  roofline::Tags tags() const;
};

/// Rows in the order of machines, models and steps. It points into the studies, which outlive it.
class ShownResults {
 public:
  explicit ShownResults(const std::vector<NamedStudy>& studies);
  ShownResults(const ShownResults&) = delete;
  ShownResults& operator=(const ShownResults&) = delete;

  const std::vector<ShownMachine>& machines() const { return machines_; }
  const std::vector<ShownRow>& rows() const { return rows_; }
  /// Those of one variant, which passed and were timed.
  std::vector<const ShownRow*> timed(std::string_view variant) const;
  /// All variants, in the order of the steps.
  std::vector<std::string> variants() const;
  /// The row that this one's variant was made from, where it was timed; else the timed step before
  /// it; nullptr where there is neither.
  const ShownRow* before(const ShownRow& row) const;
  /// Whether a study went up a published ladder: speedups are over its first step, else over v1.
  bool of_a_ladder() const { return !places_.empty(); }
  std::string baseline() const { return of_a_ladder() ? "the first step" : "v1"; }

 private:
  bool comes_before(const std::string& a, const std::string& b) const;

  std::vector<ShownMachine> machines_;
  std::vector<ShownRow> rows_;
  std::map<std::string, std::size_t> places_;  ///< of variants on the ladder that was studied
};

/// The name of a step beside its variant's: empty where one name stands for both.
std::string own_step(const Result& result);

/// The launches that do the work, largest first: those with at least a hundredth of the threads of
/// the largest, not the one block that adds up what they leave.
std::vector<Launch> large_launches(const Result& result);

}  // namespace gpp
