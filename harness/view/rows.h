// The results of several studies as rows, in the order of tables and charts.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "harness/record/record.h"
#include "roofline/base/table.h"

namespace gpp {

inline constexpr std::size_t page_width = 100;  ///< terminal width in characters

/// A recorded study and its folder.
struct NamedStudy {
  std::string name;
  StudyRecord study;
};

/// The GPU or processor that ran a part of a study.
struct ShownMachine {
  std::string key;    ///< index of the study and kind of device: "0 gpu"
  std::string label;  ///< "NVIDIA H200"; with the study's name if that is ambiguous
  std::string kind, device;
  const NamedStudy* named = nullptr;
  const roofline::Ceilings* ceilings = nullptr;  ///< nullptr if the study has none
  bool alone = false;                            ///< the only machine: there is no choice of it
};

/// A result that ran, passed or failed (`result->timed()`), or one precision of it.
struct ShownRow {
  const ShownMachine* machine = nullptr;
  const Result* result = nullptr;
  std::string model;  ///< name for people: "omp gpu"
  /// Its place under the roofs, in the precision with most operations if no other is meant.
  const roofline::RooflinePoint* point = nullptr;

  const StudyRecord& study() const { return machine->named->study; }
  const roofline::Metrics& metrics() const { return result->counted.metrics; }
  std::string series() const { return machine->key + " " + model; }  ///< "0 gpu cuda"
  /// "NVIDIA H200, cuda"
  std::string series_label() const { return machine->label + ", " + model; }
  /// The tags for the page's switches: machine, if there are several, model, variant.
  roofline::Tags tags() const;
};

/// The rows of one model on one machine, by step.
struct StudySeries {
  std::size_t place = 0;  ///< index among all series, which selects the colour
  std::vector<ShownRow> rows = {};

  const ShownMachine& machine() const { return *rows.front().machine; }
  const StudyRecord& study() const { return rows.front().study(); }
  std::string label() const { return rows.front().series_label(); }
  roofline::Tags tags() const;  ///< of its machine and model
};

/// Rows sorted by machine, model and step; in each study, GPUs come before hosts. They point into
/// the studies, which must outlive this.
class ShownResults {
 public:
  explicit ShownResults(const std::vector<NamedStudy>& studies);
  ShownResults(const ShownResults&) = delete;
  ShownResults& operator=(const ShownResults&) = delete;

  const std::vector<ShownMachine>& machines() const { return machines_; }
  const std::vector<ShownRow>& rows() const { return rows_; }
  std::vector<StudySeries> series() const;
  /// The passed and timed rows; of one variant if its name is given.
  std::vector<ShownRow> timed(std::string_view variant = {}) const;
  /// A row for each shown precision of the timed rows.
  std::vector<ShownRow> places() const;
  /// All variants, sorted by step.
  std::vector<std::string> variants() const;
  /// The timed row of this variant's parent; else of the previous timed step; else nullptr.
  const ShownRow* before(const ShownRow& row) const;
  /// The kernel of all studies.
  const Kernel& kernel() const;

 private:
  bool comes_before(const std::string& a, const std::string& b) const;

  std::vector<ShownMachine> machines_;
  std::vector<ShownRow> rows_;
  std::map<std::string, std::size_t> places_;  ///< positions on the studied ladder
};

/// Shortens "Intel(R) Xeon(R) Processor" to "Intel Xeon".
std::string short_device(const std::string& name);

/// The step's name to show beside the variant's; empty if both are equal.
std::string own_step(const Result& result);

/// Returns "v7 reciprocal", or a single name if both are equal, such as "my_idea".
std::string full_name(const Result& result);

/// An input's name without its folders.
std::string input_name(const InputRecord& input);

}  // namespace gpp
