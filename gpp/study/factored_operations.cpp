#include "gpp/study/factored_operations.h"

#include "gpp/forms/factored.h"
#include "gpp/forms/integers.h"
#include "gpp/forms/moments.h"
#include "gpp/forms/real_poles.h"
#include "gpp/integers.h"
#include "gpp/moments.h"
#include "gpp/study/counted_sample.h"

namespace gpp {
namespace {

// ---- Three classes of bands, no branch (v11 and later) ------------------------------------------

using Lane = CountedReal<BothSides>;

/// The number of poles whose occupied bands are summed term by term.
double tiny_poles(const FactoredProblem& problem) {
  double tiny = 0;
  for (int igp = 0; igp < problem.ngpown; ++igp)
    for (int ig = 0; ig < problem.ncouls; ++ig)
      tiny += is_tiny(problem.wtilde_array(ig, igp), problem.limits);
  return tiny;
}

/// Adds one band that is exceptional or at a tiny pole, with its weights.
void add_factored_term(const Sample<BothSides>& at, Totals<BothSides>& to) {
  const auto term = factored(at.wtilde, at.I_eps, at.wx, at.limits);
  to.ach += term.sch * at.m;
  to.asx += at.occ * term.ssx * at.m;
}

/// The numbers of parts that make up a factored step.
struct FactoredParts {
  Operations prepare, resonant, antiresonant, exceptional, finish_sch, finish_ssx, weigh;
};

template <class BandSums, class MakePole, class FinishSch, class FinishSsx>
FactoredParts factored_parts(const Limits& limits, MakePole make, FinishSch sch, FinishSsx ssx) {
  const auto at = sample_at<BothSides>({1.0, 0.0}, 1.0, limits);
  const auto pole = make(at.wtilde, at.limits);
  BandSums bands{};
  Totals<BothSides> to;
  const auto count_lane = [](const auto& body) { return count<BothSides>(body); };
  FactoredParts parts;
  parts.prepare = count_lane([&] {
    make(at.wtilde, at.limits);
    is_tiny(at.wtilde, at.limits);
  });
  parts.resonant = count_lane([&] { add_resonant(bands, pole, at.m, at.wx); });
  parts.antiresonant = count_lane([&] { add_antiresonant(bands, pole, at.m, at.wx); });
  parts.exceptional = count_lane([&] { add_factored_term(at, to); });
  parts.finish_sch = count_lane([&] { to.ach += sch(at.wtilde, at.I_eps, bands); });
  parts.finish_ssx = count_lane([&] { to.asx += ssx(at.wtilde, at.I_eps, bands); });
  parts.weigh = count_lane([&] {
    to.asx -= at.vcoul * to.asx;
    to.ach += at.vcoul * Lane(0.5) * to.ach;
  });
  return parts;
}

Operations add_up(const FactoredParts& parts, bool m_at_every_frequency,
                  const FactoredProblem& problem) {
  const double poles = 1.0 * problem.ncouls * problem.ngpown;
  const double tiny = tiny_poles(problem);
  const double empty = problem.empty_bands.size;
  const double occupied = problem.occupied_bands.size;
  const double exceptional = problem.exceptional_bands.size;
  const auto any = sample_at<BothSides>({1.0, 0.0}, 1.0, problem.limits);
  const Operations m = count<BothSides>([&] { matrix_element(any); });
  const Operations per_frequency =
      poles * (parts.prepare + parts.finish_sch + parts.weigh + empty * parts.resonant +
               exceptional * parts.exceptional) +
      (poles - tiny) *
          (parts.finish_sch + parts.finish_ssx + occupied * (parts.resonant + parts.antiresonant)) +
      tiny * occupied * parts.exceptional;
  return problem.nfreq * per_frequency +
         (m_at_every_frequency ? problem.nfreq : 1) * poles * problem.nbands * m;
}

Operations factored_step(bool m_at_every_frequency, const FactoredProblem& problem) {
  const auto parts = factored_parts<FactoredSums<Lane>>(problem.limits, make_factored_pole<Lane>,
                                                        factored_sch<Lane>, factored_ssx<Lane>);
  return add_up(parts, m_at_every_frequency, problem);
}

Operations real_poles_step(bool m_at_every_frequency, const FactoredProblem& problem) {
  if (!problem.real_poles) return factored_step(m_at_every_frequency, problem);
  const auto parts = factored_parts<RealPoleSums<Lane>>(problem.limits, make_real_pole<Lane>,
                                                        real_pole_sch<Lane>, real_pole_ssx<Lane>);
  return add_up(parts, m_at_every_frequency, problem);
}

// ---- Moments (v13): groups of empty bands, the rest as in v12 -----------------------------------

/// The operations of a group's series at one pair of G and G'.
template <int rank>
Operations operations_of_series(int nfreq) {
  return count<BothSides>([nfreq] {
    MomentSeries<Lane, rank> series;
    for (BasicComplex<Lane>& M : series.M) M = from_products<Lane>(1.0, 1.0, 1.0);
    series.economise(1.0);
    BasicComplex<Lane> sum{};
    for (int iw = 0; iw < nfreq; ++iw) series.add_to(sum, 2.0, 1.0);
  });
}

Operations operations_of_series(int rank, int nfreq) {
  switch (rank) {
    case 4:
      return operations_of_series<4>(nfreq);
    case 5:
      return operations_of_series<5>(nfreq);
    default:
      return operations_of_series<6>(nfreq);
  }
}

/// The operations of the moments of `grouped` bands and of their series at one pair of G and G'.
/// The powers t^k are left out, because the schedule decides how often they multiply aqsm.
Operations operations_of_moments(int rank, int grouped, int groups, int nfreq) {
  Lane number = 1.0, product = 1.0;
  const Operations multiply_add = count<BothSides>([&] { product += number * number; });
  return 1.0 * grouped * rank * product_parts * multiply_add +
         1.0 * groups * operations_of_series(rank, nfreq);
}

/// The operations that add one pair's sum at one frequency to ach.
Operations operations_of_ach(const FactoredProblem& problem) {
  const auto at = sample_at<BothSides>({1.0, 0.0}, 1.0, problem.limits);
  BasicComplex<Lane> ach{};
  return count<BothSides>(
      [&] { ach += Lane(0.5) * at.vcoul * moments_sch(at.wtilde, at.I_eps, at.m); });
}

/// The problem with only the given empty bands.
FactoredProblem with_empty_bands(FactoredProblem problem, Array1<const int> others) {
  problem.nbands -= problem.empty_bands.size - others.size;
  problem.empty_bands = others;
  return problem;
}

Operations moments_step(bool m_at_every_frequency, const FactoredProblem& problem) {
  if (problem.moment_rank == 0) return real_poles_step(m_at_every_frequency, problem);
  const FactoredProblem others = with_empty_bands(problem, problem.other_empty_bands);
  const double poles = 1.0 * problem.ncouls * problem.ngpown;
  return real_poles_step(m_at_every_frequency, others) +
         poles * operations_of_moments(problem.moment_rank, problem.nbands - others.nbands,
                                       problem.moment_groups.size, problem.nfreq) +
         poles * problem.nfreq * operations_of_ach(problem);
}

// ---- Integers (v14): the operations of FP64 alone -----------------------------------------------

/// The operations of a group's series at one pair of G and G', after its moments were joined.
Operations operations_of_integer_series(int nfreq) {
  return count<BothSides>([nfreq] {
    const Lane scale = Lane(1.0) * Lane(1.0);
    const BasicComplex<Lane> moment{1.0, 1.0};
    BasicComplex<Lane> sum{};
    for (int iw = 0; iw < nfreq; ++iw) {
      const PoleSeries<Lane> series(2.0, 1.0, 0.5);
      BasicComplex<Lane> terms = moment;
      for (int k = integer_moments - 2; k >= 0; --k) terms = moment + series.s * terms;
      sum += (series.weight * scale) * terms;
    }
  });
}

Operations integers_step(bool m_at_every_frequency, const FactoredProblem& problem) {
  if (problem.integer_groups.size == 0) return moments_step(m_at_every_frequency, problem);
  const FactoredProblem others = with_empty_bands(problem, problem.other_integer_bands);
  const double heavy = 1.0 * problem.ncouls * heavy_igp;
  const double light = 1.0 * problem.ncouls * (problem.ngpown - heavy_igp);
  return real_poles_step(m_at_every_frequency, others) +
         heavy * operations_of_moments(highest_moment_rank, problem.nbands - others.nbands,
                                       problem.integer_groups.size, problem.nfreq) +
         light * problem.integer_groups.size * operations_of_integer_series(problem.nfreq) +
         (heavy + light) * problem.nfreq * operations_of_ach(problem);
}

}  // namespace

const std::map<std::string, WholeStep, std::less<>>& whole_steps() {
  static const std::map<std::string, WholeStep, std::less<>> steps = {
      {"real_poles", real_poles_step},
      {"moments", moments_step},
      {"integers", integers_step},
      {"factored", factored_step}};
  return steps;
}

}  // namespace gpp
