// Makes the kernel's arrays from the records of a file.
#pragma once

#include <memory>
#include <vector>

#include "gpp/factored_problem.h"
#include "gpp/input.h"
#include "gpp/integers.h"
#include "gpp/moments.h"

namespace gpp {

/// A view of the whole vector.
template <class T>
Array1<const T> view_of(const std::vector<T>& values) {
  return {values.data(), static_cast<int>(values.size())};
}

/// The arrays that depend only on the bands' energies.
class PreparedBands {
 public:
  /// Prepares the input's records 2 to 5 and 9: bands and frequencies.
  explicit PreparedBands(const Input& input);

  /// Lets `problem` point to this object's arrays, which it keeps owning.
  void show_in(FactoredProblem& problem) const;

  /// Plans the groups of bands that become moments. `problem` must know the distribution of its
  /// poles and whether they are real.
  void plan_groups_in(FactoredProblem& problem);

 private:
  void sort_into_classes();

  int nbands_;
  int nfreq_;
  std::vector<double> wx_array_;
  std::vector<double> wx_array_t_;
  std::vector<double> occ_array_;
  std::vector<int> empty_bands_;
  std::vector<int> occupied_bands_;
  std::vector<int> exceptional_bands_;
  MomentPlan moments_;
  IntegerPlan integers_;
  double highest_empty_wx_ = 0;
};

/// True if some pole equals a wx of an occupied band exactly. All data lie in host memory.
bool has_exact_resonance(const FactoredProblem& problem);

/// The index of the G vector of each own G', from 0; -1 if the map leads outside 1..ncouls.
std::vector<int> own_vectors(const Input& input);

/// A problem in host memory with its arrays. The input's large arrays are not copied; this object
/// keeps the Input alive.
///
/// Definitions (BerkeleyGW's Sigma module, Deslippe et al. 2012, as in gpp.f90, NERSC 2020):
///   wx(iw,n1) = e_lk + sig_dw (iw - 2) - ekq(indext(n1)), and TOL_Zero where |wx| < TOL_Zero;
///   occ(n1)   = 1 for bands up to nvband, 1/2 among them where |ekq - efermi| < tol, else 0;
///   aqsm(igp,n1) = aqsmtemp(g,n1) and vcoul_loc(igp) = vcoul(g) with g =
///   indinv(inv_igp_index(igp)), both 0 where g lies outside 1..ncouls.
class PreparedProblem {
 public:
  /// `input` must be consistent, as the reader and the generator guarantee: dimensions match
  /// arrays, and indices are in range (data/validate.h).
  explicit PreparedProblem(std::shared_ptr<const Input> input);
  explicit PreparedProblem(Input&& input);

  PreparedProblem(const PreparedProblem&) = delete;
  PreparedProblem& operator=(const PreparedProblem&) = delete;

  const FactoredProblem& view() const { return view_; }
  /// The time to prepare data that only factored steps use.
  double factored_seconds() const { return factored_seconds_; }
  const Input& input() const { return *input_; }

 private:
  void gather(const std::vector<int>& own_vectors);

  std::shared_ptr<const Input> input_;
  std::vector<Complex> aqsmtemp_local_;
  std::vector<Complex> aqsmtemp_local_t_;
  std::vector<double> vcoul_loc_;
  PreparedBands bands_;
  FactoredProblem view_;
  double factored_seconds_ = 0;
};

}  // namespace gpp
