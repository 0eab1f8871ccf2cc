// Operations and bytes of a step, computed from its source and the input, for machines whose
// hardware counters are unavailable.
//
// FLOPs are those of the step's formulas as written (gpp/counted_real.h defines what counts), for
// every term of the actual input in its branch. The forms of gpp/forms/ run on a counting type,
// once per branch, and the terms of each branch are counted. The loops around a term add their
// work: the matrix element m, weights, sums, and the preparation of one (ig, igp). Work that only
// the schedule causes is left out: repetitions in blocks, threads' sums, lanes beyond the end of an
// array.
//
// Memory bytes are compulsory: each needed array is read once, and the sums are written.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "gpp/counted_real.h"
#include "gpp/factored_problem.h"

namespace gpp {

/// The numbers of terms by branch and by the sign of wx, which alone decide a term's operations.
using Ways = std::array<std::array<double, 2>, 3>;

/// The arithmetic of a variant. Its source states it in a line of its own:
///
///   // Operations: divide; m at every frequency.
///
/// The first word is the form of gpp/forms/. Then follows whether the matrix element m is computed
/// "once" per band, G' and G, or "at every frequency".
struct Arithmetic {
  std::string form = {};  ///< name of the form's file: "divide", ...
  bool m_at_every_frequency = false;
  /// A form that takes a pole normally makes it once for all bands. "simplified, pole at every
  /// term" makes it for every term.
  bool pole_at_every_term = false;
  /// Normally vcoul and 1/2 multiply every term. "sign_first, weights after the bands" applies them
  /// to the sum over bands.
  bool weights_after_bands = false;
};

/// Parses that line ("power2; m at every frequency"). Returns nothing for other texts.
std::optional<Arithmetic> parse_arithmetic(const std::string& line);

/// Counts the operations of steps on one problem in host memory, which must outlive this. The first
/// request examines all terms, which takes seconds for the largest inputs.
class StepCounter {
 public:
  explicit StepCounter(const FactoredProblem& problem) : problem_(problem) {}

  /// The operations of a variant with this arithmetic. A term whose |wdiff|^2 or |delw|^2 nearly
  /// equals a branch limit may be counted on either side.
  Operations operations(const Arithmetic& arithmetic);

  /// The divisions on a host's divider. Whole steps have none; they iterate for reciprocals.
  double divisions(const Arithmetic& arithmetic);

  /// The bytes that every step must read from memory and write.
  double compulsory_bytes() const;

  /// The bytes that a step's loops load from arrays on a host: m's factors where m is computed, an
  /// energy per term, and all values that no inner loop keeps in registers.
  double loaded_bytes(const Arithmetic& arithmetic) const;

 private:
  const FactoredProblem& problem_;
  std::optional<Ways> ways_;
};

}  // namespace gpp
