// A problem in the memory where variants run.
#pragma once

#include <string>
#include <vector>

#include "gpp/prepare.h"
#include "runtimes/memory.h"

namespace gpp {

/// A copy of each array of the problem for variants. `problem` and `memory` must outlive it.
class PlacedProblem {
 public:
  PlacedProblem(const PreparedProblem& problem, const DeviceMemory& memory);

  /// The view that variants are called with.
  const FactoredProblem& view() const { return view_; }

  /// Changes the problem in place: multiplies vcoul_loc(igp) by factors[igp]. Powers of two keep
  /// products exact. reweighted() in gpp/reference.h gives the new sums.
  void reweight(const std::vector<double>& factors);

  /// Changes the problem in place to `other`, which has the same sizes. `other` must outlive this
  /// object, or the end of the next call, which finds changed arrays by their addresses.
  void become(const FactoredProblem& other);

  /// Restores arrays that a variant changed: PlacedArrays::repair().
  std::string repair() { return arrays_.repair(); }

 private:
  /// Calls copy(name, source, bytes) for each array of the problem.
  template <class Copy>
  void place(const FactoredProblem& problem, const Copy& copy);

  Array1<const double> vcoul_loc_;  // the problem's original weights
  std::vector<double> vcoul_;       // the weights as last placed
  PlacedArrays arrays_;
  FactoredProblem view_;
};

/// The bytes of all arrays of a problem, which a device with its own memory needs.
long long bytes_of(const FactoredProblem& problem);

}  // namespace gpp
