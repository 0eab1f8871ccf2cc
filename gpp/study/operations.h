// Operations and bytes of a step, computed from its source and the input, for machines whose
// hardware does not count.
//
// FLOPs are those of the step's formulae as they are written (gpp/counted_real.h says what counts),
// for every term of the actual input on the branch that it takes: the forms of gpp/forms/ are run
// on a type that counts, once for each branch, and the terms of each branch are counted. The work
// of the loops around a term is added: the matrix element m, weights, sums, and the preparation of
// one (ig, igp). The work of a schedule alone is left out: repetitions in blocks, the sums of
// threads, the lanes beyond the end of an array.
//
// Bytes of memory are compulsory: every array that the sums need crosses once, the sums go back.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "gpp/counted_real.h"
#include "gpp/factored_problem.h"

namespace gpp {

struct Ways;

/// The arithmetic of a variant. Its source says so, in a line of its own:
///
///   // Operations: divide; m at every frequency.
///
/// First the form of gpp/forms/, then whether the matrix element m is formed "once" for each band,
/// G' and G, or "at every frequency".
struct Arithmetic {
  std::string form;  ///< the name of its file: "divide", ...
  bool m_at_every_frequency = false;
  /// A form that takes a pole is given it for all bands. "simplified, pole at every term" makes it
  /// at every term.
  bool pole_at_every_term = false;
  /// vcoul and 1/2 weigh every term. "sign_first, weights after the bands" leaves them to the sum
  /// over bands.
  bool weights_after_bands = false;
};

/// Reads that line ("power2; m at every frequency"). Empty for anything else; `problem` gets the
/// mistake.
std::optional<Arithmetic> parse_arithmetic(std::string_view line, std::string& problem);

/// Counts steps on one problem, which lies in host memory and outlives this. Looks at its terms
/// when the first step asks for it: seconds for the largest inputs.
class StepCounter {
 public:
  explicit StepCounter(const FactoredProblem& problem);

  /// The operations of a variant of that arithmetic. A term whose |wdiff|^2 or |delw|^2 equals a
  /// limit of its branch to the last bits may be counted on either side of it.
  Operations operations(const Arithmetic& arithmetic);

  /// Those of a host's divider. Whole steps have none: their lanes make reciprocals of a seed.
  double divisions(const Arithmetic& arithmetic);

  /// Bytes that must cross from memory and back at least, whatever the step.
  double compulsory_bytes() const;

  /// Bytes that the loops of a step load from the arrays, as a host's do: m's factors where m is
  /// formed, an energy at each term, the rest where no inner loop keeps it in registers.
  double loaded_bytes(const Arithmetic& arithmetic) const;

 private:
  const Ways& ways();

  const FactoredProblem& problem_;
  std::shared_ptr<const Ways> ways_;
};

}  // namespace gpp
