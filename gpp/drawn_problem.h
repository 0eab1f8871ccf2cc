// Draws another problem of the same sizes and the same work from a secret number.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "gpp/factored_problem.h"

namespace gpp {

/// A problem in host memory in which every term differs from the original, so that sums kept from
/// another problem are useless:
///
///   aqsntemp(ig, n1) gets a phase of its band and one of its G, |u| = 1
///   vcoul_loc(igp)   gets a weight of its G'
///   wx(iw, n1)       is shifted by one energy that changes no sign of an occupied band
///
/// Phases and weights stay close to 1, so the sums cancel as before. Prepared data of bands are
/// shifted too. All other data belong to the original, which must outlive this.
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
