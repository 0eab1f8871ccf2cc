// A problem in the memory where variants run.
#pragma once

#include <string>
#include <vector>

#include "gpp/prepare.h"
#include "runtimes/memory.h"

namespace gpp {

/// The problem as variants get it: a copy of each array. `problem` and `memory` outlive it.
class PlacedProblem {
 public:
  PlacedProblem(const PreparedProblem& problem, const DeviceMemory& memory);

  /// The view to call a variant with.
  const FactoredProblem& view() const { return view_; }

  /// Makes it another problem in the same memory: vcoul_loc(igp) times factors[igp]. Powers of two
  /// keep the products exact. See reweighted() in gpp/reference.h for its sums.
  void reweight(const std::vector<double>& factors);

  /// Makes it that problem, which has the same sizes, in the same memory; `other` outlives this or
  /// the end of the next call, which tells by addresses which arrays differ.
  void become(const FactoredProblem& other);

  /// Restores arrays that are not as they were placed: PlacedArrays::repair().
  std::string repair() { return arrays_.repair(); }

 private:
  /// Copies each array of the problem by copy(name, source, bytes).
  template <class Copy>
  void place(const FactoredProblem& problem, const Copy& copy);

  Array1<const double> vcoul_loc_;  // the problem's own
  std::vector<double> vcoul_;       // as placed last
  PlacedArrays arrays_;
  FactoredProblem view_;
};

/// Bytes of all arrays of a problem: what a placement on a device of its own takes.
long long bytes_of(const FactoredProblem& problem);

}  // namespace gpp
