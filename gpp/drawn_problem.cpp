#include "gpp/drawn_problem.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "gpp/prepare.h"
#include "roofline/base/parallel.h"

namespace gpp {
namespace {

constexpr double largest_angle = 0.25;   // largest phase, rad
constexpr double largest_change = 0.25;  // largest relative change of a weight
constexpr double largest_shift = 0.05;   // largest energy shift, eV

using Engine = std::mt19937_64;

double between(double low, double high, Engine& engine) {
  return std::uniform_real_distribution<double>(low, high)(engine);
}

std::vector<Complex> phases(int count, Engine& engine) {
  std::vector<Complex> drawn(static_cast<std::size_t>(count));
  for (Complex& phase : drawn) {
    const double angle = between(-largest_angle, largest_angle, engine);
    phase = {std::cos(angle), std::sin(angle)};
  }
  return drawn;
}

std::unique_ptr<Complex[]> with_phases(const Array2<const Complex>& aqsntemp, Engine& engine) {
  const std::vector<Complex> of_g = phases(aqsntemp.rows, engine);
  const std::vector<Complex> of_band = phases(aqsntemp.columns, engine);
  auto drawn = std::make_unique_for_overwrite<Complex[]>(aqsntemp.count());
  // All cores touch its pages first, so that they lie in the memory near them.
  roofline::parallel_for(aqsntemp.columns, [&](int n1) {
    const std::size_t column = static_cast<std::size_t>(n1) * of_g.size();
    for (std::size_t ig = 0; ig < of_g.size(); ++ig)
      drawn[column + ig] = aqsntemp.data[column + ig] * of_g[ig] * of_band[n1];
  });
  return drawn;
}

/// An energy by which all wx of occupied bands can be shifted without changing their signs.
double shift_within_signs(const FactoredProblem& problem, Engine& engine) {
  double low = -largest_shift, high = largest_shift;
  for (int n1 = 0; n1 < problem.nbands; ++n1)
    for (int iw = 0; iw < problem.nfreq && problem.occ_array(n1) != 0.0; ++iw) {
      const double half = problem.wx_array(iw, n1) / 2;
      if (half >= 0)
        low = std::max(low, -half);
      else
        high = std::min(high, -half);
    }
  return between(low, high, engine);
}

template <class Wx>
std::vector<double> shifted(const Wx& wx, double shift) {
  std::vector<double> moved(wx.data, wx.data + wx.count());
  for (double& value : moved) value += shift;
  return moved;
}

std::vector<MomentGroup> shifted(const Array1<const MomentGroup>& groups, double shift) {
  std::vector<MomentGroup> moved(groups.data, groups.data + groups.size);
  for (MomentGroup& group : moved)
    for (double& centre : group.centre) centre += shift;
  return moved;
}

}  // namespace

DrawnProblem::DrawnProblem(const FactoredProblem& problem, std::uint64_t secret) : view_(problem) {
  Engine engine(secret);
  const double shift = shift_within_signs(problem, engine);
  aqsntemp_ = with_phases(problem.aqsntemp, engine);
  vcoul_loc_.assign(problem.vcoul_loc.data, problem.vcoul_loc.data + problem.vcoul_loc.size);
  for (double& vcoul : vcoul_loc_) vcoul *= 1 + between(-largest_change, largest_change, engine);
  wx_array_ = shifted(problem.wx_array, shift);
  wx_array_t_ = shifted(problem.wx_array_t, shift);
  moment_groups_ = shifted(problem.moment_groups, shift);
  integer_groups_ = shifted(problem.integer_groups, shift);

  view_.aqsntemp.data = aqsntemp_.get();
  view_.vcoul_loc.data = vcoul_loc_.data();
  view_.wx_array.data = wx_array_.data();
  view_.wx_array_t.data = wx_array_t_.data();
  view_.moment_groups.data = moment_groups_.data();
  view_.integer_groups.data = integer_groups_.data();
  view_.highest_empty_wx += shift;
  view_.resonant_poles = has_exact_resonance(view_);
}

}  // namespace gpp
