// Another problem of the same sizes and the same work, drawn from a secret number.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "gpp/factored_problem.h"

namespace gpp {

/// A problem in host memory no term of which is what it was, so that no sum kept from another
/// problem helps:
///
///   aqsntemp(ig, n1) gets a phase of its band and one of its G, |u| = 1
///   vcoul_loc(igp)   gets a weight of its G'
///   wx(iw, n1)       is shifted by one energy, so that none of an occupied band changes its sign
///
/// Phases and weights stay so near to 1 that the sums cancel as before. What was prepared of the
/// bands is shifted with them. All else is the original's, which outlives this.
class DrawnProblem {
 public:
  DrawnProblem(const FactoredProblem& problem, std::uint64_t secret);
  DrawnProblem(const DrawnProblem&) = delete;
  DrawnProblem& operator=(const DrawnProblem&) = delete;

  const FactoredProblem& view() const { return view_; }

 private:
  std::unique_ptr<Complex[]> aqsntemp_;
  std::vector<double> vcoul_loc_, wx_array_;
  std::vector<double> wx_array_t_;
  std::vector<MomentGroup> moment_groups_;
  std::vector<MomentGroup> integer_groups_;
  FactoredProblem view_;
};

}  // namespace gpp
