// What a step computes and moves, from its source and the input: for machines whose hardware does
// not count.
//
// FLOPs are those of the step's formulae as they are written (gpp/counter.h says what counts), for
// every term of the actual input on the way that its values take: the forms of gpp/forms/ are run
// on a type that counts, once for each way there is, and the ways are counted over all terms. Added
// is what the loops do around a term: the matrix element m, weights, sums, and what a step prepares
// for the bands of one (ig, igp). Left out is what belongs to a schedule alone: what blocks repeat,
// the sums of threads, the lanes beyond the end of an array.
//
// Bytes are compulsory: every array that the sums need crosses from memory once, the sums go back.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "gpp/counter.h"
#include "gpp/problem.h"

namespace gpp {

struct Ways;

/// Counts steps on one problem, which lies in host memory and outlives this. Looks at its terms
/// when the first step asks for it: seconds for the largest inputs.
class StepCounter {
 public:
  explicit StepCounter(const Problem& problem);

  /// The operations of a step of a model: ("reciprocal", "omp"). Empty where the arithmetic of a
  /// step of that name is not known. A term whose |wdiff|^2 or |delw|^2 equals a limit of its
  /// branch to the last bits may be counted on either side of it.
  std::optional<Operations> operations(const std::string& step, const std::string& model);

  /// Bytes that must cross from memory and back at least, whatever the step.
  double compulsory_bytes() const;

 private:
  const Ways& ways();

  const Problem& problem_;
  std::shared_ptr<const Ways> ways_;
};

}  // namespace gpp
