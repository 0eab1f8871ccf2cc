// Numbers of recorded studies, published steps and named documents, looked up by name: what the
// lists of numbers in documents (tools/fill_in/marks.h) are filled in and checked with.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "harness/record/record.h"

namespace gpp {

/// A number and how it is written.
struct Quantity {
  std::optional<double> value;  ///< empty where it has not been counted yet
  std::string text;             ///< "237.1 ms", "72", "25%", "not counted yet"
};

/// FLOP per byte as tables and texts write it: "9.8", "241".
std::string intensity_text(double flop_per_byte);

/// Stands for a number that the record does not hold.
inline constexpr std::string_view not_counted = "not counted yet";

/// Looks numbers up in a repository.
class Evidence {
 public:
  /// `repository`: its root; studies are read from its results/ when they are first asked for.
  explicit Evidence(std::filesystem::path repository) : repository_(std::move(repository)) {}

  /// The quantity of that name, as lists of numbers give it:
  ///
  ///   [V100 | STUDY] [MODEL] STEP WHAT
  ///
  /// as in "v7 time", "V100 v7 tflop" or "xeon-2-cores/silicon8 omp v8 gain". Without a study it is
  /// results/h200/gpp214, without a model cuda; V100 is the SC19 tutorial's. WHAT is
  ///   time; speedup (over v1); gain (over the step before, in the model); terms/s; registers,
  ///   threads, occupancy, warps (of a multiprocessor), spills (of the launch); throttled (timed
  ///   runs), clock (their median, MHz), "speedup in cycles" (of times and clocks); watts, joules
  ///   (of 1e9 terms), "joules saved" (% of those of the step before); tflop, flop/term, tflop/s,
  ///   peak (% of the FP64 peak with FMA), mix (% of the FMA-mix ceiling), speed (FLOP/s), of a
  ///   host as computed from the source; "intensity LEVEL" (FLOP per byte there) and "share LEVEL"
  ///   (% of that roof's bandwidth); "line ROLE STALL" (% of the samples of the lines that
  ///   lessons/guide.txt marks so); "at LINE samples" (% of all samples that fell on that line of
  ///   the variant's file), "at LINE STALL" (% of the line's); error (the largest of the check);
  ///   "metric NAME" for a metric of roofline/metrics.h, "counter NAME" for a raw counter; "roof
  ///   NAME" for a ceiling of its device; "code KIND" for the instructions of that kind
  ///   (roofline/machine_code/instruction_mix.h).
  /// Throws std::runtime_error for a name that means nothing, or a step that was not timed.
  Quantity quantity(std::string_view name) const;

  /// Throws std::runtime_error where `claim`, "A < B" or "A > B" of quantities and numbers, is not
  /// true.
  void require(std::string_view claim) const;

  /// The text with every number and table (tools/fill_in/marks.h) filled in, all else checked. A
  /// source is
  ///   a quantity's name    the text of it
  ///   in FILE              the number, or words with it, stand in that file of the repository
  ///   in FILE: WORDS       WORDS stand there, and the number is one of them
  ///   in FILE "WORDS"      the first line that holds these words in this order has the number, or
  ///                        one that it is rounded from
  ///   in FILE "WORDS" 197 / 103   so do the numbers of that arithmetic; its value is the number
  ///   computed: 2 * {v1 time}   the number is that, rounded; quantities stand in braces
  ///   told: REASON         no record holds it
  /// Throws std::runtime_error for what cannot be filled in, does not stand where it says, or does
  /// not hold.
  std::string fill_in(std::string_view text) const;

  /// The folder of all records.
  std::filesystem::path results() const { return repository_ / "results"; }

  /// Whether there is a record in results/<name>.
  bool has_study(const std::string& name) const;

  /// The study in results/<name>. Throws InputError.
  const StudyRecord& study(const std::string& name) const;

 private:
  double value_of(std::string_view name) const;
  std::string file_text(const std::string& file) const;
  void require_quotation(const std::string& file, std::string_view words,
                         std::string_view number) const;
  std::string line_with(const std::string& file, std::string_view words) const;
  void require_in_line(const std::string& line, std::string_view expression,
                       std::string_view old) const;
  std::string sourced(std::string_view source, std::string_view old) const;

  std::filesystem::path repository_;
  mutable std::map<std::string, StudyRecord> studies_;
};

}  // namespace gpp
