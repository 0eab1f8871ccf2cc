#include "gpp/study/operations.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "gpp/forms/divide.h"
#include "gpp/forms/factored.h"
#include "gpp/forms/integers.h"
#include "gpp/forms/moments.h"
#include "gpp/forms/pole.h"
#include "gpp/forms/power2.h"
#include "gpp/forms/real_poles.h"
#include "gpp/forms/reciprocal.h"
#include "gpp/forms/sign_first.h"
#include "gpp/forms/simplified.h"
#include "gpp/forms/without_division.h"
#include "gpp/forms/without_division_or_root.h"
#include "gpp/forms/without_root.h"
#include "gpp/integers.h"
#include "gpp/sums.h"
#include "roofline/base/parallel.h"
#include "roofline/base/text.h"

namespace gpp {
namespace {

// ---- The ways through a term --------------------------------------------------------------------

enum Branch { branch1, branch2, neither };

/// The branch of a term, with t = |wx - wtilde|^2 (gpp/reference.h), found without a division.
Branch branch_of(Complex wtilde, double wx, const Limits& limits) {
  const double t = norm(wx - wtilde);
  if (t > limits.limittwo && norm(wtilde) < limits.limitone * t) return branch1;
  return norm(wtilde) > TOL_Zero * t ? branch2 : neither;
}

/// A term that goes this way.
Sample<bool> example_of(Branch branch, bool negative, const Limits& limits) {
  const double sign = negative ? -1.0 : 1.0, gamma = std::sqrt(limits.limittwo);
  switch (branch) {
    case branch1:
      return sample_at<bool>({sign, 0.0}, sign * (2.0 + gamma), limits);
    case branch2:
      return sample_at<bool>({sign, 0.0}, sign * (1.0 + 1e-4), limits);
    default:
      return sample_at<bool>({sign * 1e-7 * gamma, 0.0}, sign * 0.5 * gamma, limits);
  }
}

/// Energies of one frequency in ascending order, all with the same sign.
using Energies = std::vector<double>;

/// With growing distance from the pole a term is in branch 2, then in neither, then in branch 1. So
/// two boundaries are searched on each side of the pole.
template <class Iterator>
void add_side(Ways& ways, Complex wtilde, Iterator nearest, Iterator end, const Limits& limits) {
  if (nearest == end) return;
  const auto is = [&limits, wtilde](Branch branch) {
    return [&limits, wtilde, branch](double wx) { return branch_of(wtilde, wx, limits) == branch; };
  };
  const bool all = is(branch1)(*nearest);
  const Iterator after2 = all ? nearest : std::partition_point(nearest, end, is(branch2));
  const Iterator after = all ? nearest : std::partition_point(after2, end, is(neither));
  const bool negative = *nearest < 0.0;
  ways[branch2][negative] += static_cast<double>(after2 - nearest);
  ways[neither][negative] += static_cast<double>(after - after2);
  ways[branch1][negative] += static_cast<double>(end - after);
}

/// Each frequency gives two lists: negative energies and all others.
std::vector<Energies> energies_of(const Problem& problem) {
  std::vector<Energies> lists;
  for (int iw = 0; iw < problem.nfreq; ++iw) {
    Energies all;
    for (int n1 = 0; n1 < problem.nbands; ++n1) all.push_back(problem.wx_array(iw, n1));
    std::sort(all.begin(), all.end());
    const auto zero = std::lower_bound(all.begin(), all.end(), 0.0);
    lists.emplace_back(all.begin(), zero);
    lists.emplace_back(zero, all.end());
  }
  return lists;
}

Ways ways_of(const Problem& problem) {
  const std::vector<Energies> lists = energies_of(problem);
  std::vector<Ways> columns(static_cast<std::size_t>(problem.ngpown));
  roofline::parallel_for(problem.ngpown, [&](int igp) {
    Ways ways{};
    for (const Energies& energies : lists)
      for (int ig = 0; ig < problem.ncouls; ++ig) {
        const Complex wtilde = problem.wtilde_array(ig, igp);
        const auto above = std::lower_bound(energies.begin(), energies.end(), wtilde.re);
        add_side(ways, wtilde, above, energies.end(), problem.limits);
        add_side(ways, wtilde, std::make_reverse_iterator(above), energies.rend(), problem.limits);
      }
    columns[static_cast<std::size_t>(igp)] = ways;
  });
  Ways total{};
  for (const Ways& column : columns)
    for (std::size_t branch = 0; branch < total.size(); ++branch)
      for (std::size_t sign = 0; sign < 2; ++sign) total[branch][sign] += column[branch][sign];
  return total;
}

// ---- Steps that compute term by term (v1 to v10, published ladders) -----------------------------

using Scalar = Sample<bool>;
using Number = CountedReal<bool>;
using ComplexNumber = CountedComplex<bool>;
using NumberLimits = BasicLimits<Number>;

/// v1 to v8 and the published ladders apply weights to every term.
void add_weighted_term(const Scalar& at, const Term<Number>& term, Totals<bool>& to) {
  to.asx -= at.vcoul * at.occ * term.ssx * at.m;
  to.ach += at.vcoul * Number(0.5) * term.sch * at.m;
}

/// v9 and later apply the occupation to every term, and vcoul to the sum over bands.
void add_term(const Scalar& at, const Term<Number>& term, Totals<bool>& to) {
  to.asx += at.occ * term.ssx * at.m;
  to.ach += term.sch * at.m;
}
void weigh_bands(const Scalar& at, Totals<bool>& to) {
  Totals<bool> sum;
  to.asx -= at.vcoul * sum.asx;
  to.ach += at.vcoul * Number(0.5) * sum.ach;
}

using WholeForm = Term<Number> (*)(ComplexNumber, ComplexNumber, Number, const NumberLimits&);
using PoleMaker = Pole<Number> (*)(ComplexNumber, ComplexNumber, const NumberLimits&);
using FormOfPole = Term<Number> (*)(const Pole<Number>&, Number, const NumberLimits&);

/// A form that computes one term.
struct TermByTerm {
  WholeForm whole;
  PoleMaker make_pole = nullptr;  ///< null unless the form takes a pole
  FormOfPole of_pole = nullptr;
};

/// The operations done once per pole for all its bands.
Operations operations_of_pole(const TermByTerm& form, const Arithmetic& arithmetic,
                              const Scalar& at) {
  if (form.make_pole == nullptr || arithmetic.pole_at_every_term) return {};
  Totals<bool> to;
  return count<bool>([&] {
    form.make_pole(at.wtilde, at.I_eps, at.limits);
    if (arithmetic.weights_after_bands) weigh_bands(at, to);
  });
}

Operations operations_of_term(const TermByTerm& form, const Arithmetic& arithmetic,
                              const Scalar& at) {
  const auto add = arithmetic.weights_after_bands ? add_term : add_weighted_term;
  Totals<bool> to;
  if (form.whole != nullptr)
    return count<bool>([&] { add(at, form.whole(at.wtilde, at.I_eps, at.wx, at.limits), to); });
  const auto make_pole = [&] { return form.make_pole(at.wtilde, at.I_eps, at.limits); };
  const auto pole = make_pole();
  return count<bool>([&] {
    if (arithmetic.pole_at_every_term) make_pole();
    add(at, form.of_pole(pole, at.wx, at.limits), to);
  });
}

Operations term_by_term(const TermByTerm& form, const Arithmetic& arithmetic,
                        const Problem& problem, const Ways& ways) {
  const double poles = 1.0 * problem.ncouls * problem.ngpown;
  const double triples = poles * problem.nbands;
  const Scalar any = example_of(branch1, false, problem.limits);
  Operations total = (arithmetic.m_at_every_frequency ? problem.nfreq * triples : triples) *
                     count<bool>([&] { matrix_element(any); });
  total = total + poles * problem.nfreq * operations_of_pole(form, arithmetic, any);
  for (const Branch branch : {branch1, branch2, neither})
    for (const bool negative : {false, true})
      if (const double terms = ways[branch][negative]; terms > 0)
        total = total + terms * operations_of_term(form, arithmetic,
                                                   example_of(branch, negative, problem.limits));
  return total;
}

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

/// The parts of a step, each counted once and taken as often as the problem has it.
template <class BandSums, class MakePole, class FinishSch, class FinishSsx>
Operations whole_step(MakePole make, FinishSch sch, FinishSsx ssx, bool m_at_every_frequency,
                      const FactoredProblem& problem) {
  const auto at = sample_at<BothSides>({1.0, 0.0}, 1.0, problem.limits);
  const auto pole = make(at.wtilde, at.limits);
  BandSums bands{};
  Totals<BothSides> to;
  const auto part = [](const auto& body) { return count<BothSides>(body); };
  const Operations prepare = part([&] {
    make(at.wtilde, at.limits);
    is_tiny(at.wtilde, at.limits);
  });
  const Operations resonant = part([&] { add_resonant(bands, pole, at.m, at.wx); });
  const Operations antiresonant = part([&] { add_antiresonant(bands, pole, at.m, at.wx); });
  // A band that is exceptional or at a tiny pole, with its weights.
  const Operations exceptional = part([&] {
    const auto term = factored(at.wtilde, at.I_eps, at.wx, at.limits);
    to.ach += term.sch * at.m;
    to.asx += at.occ * term.ssx * at.m;
  });
  const Operations finish_sch = part([&] { to.ach += sch(at.wtilde, at.I_eps, bands); });
  const Operations finish_ssx = part([&] { to.asx += ssx(at.wtilde, at.I_eps, bands); });
  const Operations weigh = part([&] {
    to.asx -= at.vcoul * to.asx;
    to.ach += at.vcoul * Lane(0.5) * to.ach;
  });
  const Operations m = part([&] { matrix_element(at); });
  const double poles = 1.0 * problem.ncouls * problem.ngpown, tiny = tiny_poles(problem);
  const double occupied = problem.occupied_bands.size;
  const Operations per_frequency =
      poles * (prepare + finish_sch + weigh + 1.0 * problem.empty_bands.size * resonant +
               1.0 * problem.exceptional_bands.size * exceptional) +
      (poles - tiny) * (finish_sch + finish_ssx + occupied * (resonant + antiresonant)) +
      tiny * occupied * exceptional;
  return problem.nfreq * per_frequency +
         (m_at_every_frequency ? problem.nfreq : 1) * poles * problem.nbands * m;
}

Operations factored_step(bool m_at_every_frequency, const FactoredProblem& problem) {
  return whole_step<FactoredSums<Lane>>(make_factored_pole<Lane>, factored_sch<Lane>,
                                        factored_ssx<Lane>, m_at_every_frequency, problem);
}

Operations real_poles_step(bool m_at_every_frequency, const FactoredProblem& problem) {
  if (!problem.real_poles) return factored_step(m_at_every_frequency, problem);
  return whole_step<RealPoleSums<Lane>>(make_real_pole<Lane>, real_pole_sch<Lane>,
                                        real_pole_ssx<Lane>, m_at_every_frequency, problem);
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

/// The operations of the moments of `grouped` bands and of their series at one pair of G and G'.
/// The powers t^k are left out, because the schedule decides how often they multiply aqsm.
Operations operations_of_moments(int rank, int grouped, int groups, int nfreq) {
  Lane number = 1.0, product = 1.0;
  const Operations multiply_add = count<BothSides>([&] { product += number * number; });
  const auto series = rank == 4   ? operations_of_series<4>
                      : rank == 5 ? operations_of_series<5>
                                  : operations_of_series<6>;
  return 1.0 * grouped * rank * product_parts * multiply_add + 1.0 * groups * series(nfreq);
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

// ---- Which form is which ------------------------------------------------------------------------

const std::map<std::string, TermByTerm, std::less<>>& terms_by_form() {
  static const std::map<std::string, TermByTerm, std::less<>> forms = {
      {"simplified", {nullptr, make_pole<Number>, simplified<Number>}},
      {"reciprocal", {nullptr, make_pole<Number>, reciprocal<Number>}},
      {"power2", {nullptr, make_squared_pole<Number>, power2<Number>}},
      {"sign_first", {nullptr, make_squared_pole<Number>, sign_first<Number>}},
      {"without_division", {without_division<Number>}},
      {"without_division_or_root", {without_division_or_root<Number>}},
      {"without_root", {nullptr, make_squared_pole<Number>, without_root<Number>}},
      {"divide", {divide<Number>}}};
  return forms;
}

/// A whole step, whose terms have no branch.
using WholeStep = Operations (*)(bool m_at_every_frequency, const FactoredProblem& problem);

const std::map<std::string, WholeStep, std::less<>>& whole_steps() {
  static const std::map<std::string, WholeStep, std::less<>> steps = {
      {"real_poles", real_poles_step},
      {"moments", moments_step},
      {"integers", integers_step},
      {"factored", factored_step}};
  return steps;
}

}  // namespace

std::optional<Arithmetic> parse_arithmetic(const std::string& line) {
  static const roofline::Pattern grammar(
      "(\\w+)(, pole at every term)?(, weights after the bands)?; m (once|at every frequency)");
  const auto found = grammar.whole(line);
  if (!found) return std::nullopt;
  const Arithmetic arithmetic{(*found)[1], (*found)[4] != "once", !(*found)[2].empty(),
                              !(*found)[3].empty()};
  const auto terms = terms_by_form().find(arithmetic.form);
  const bool takes_pole = terms != terms_by_form().end() && terms->second.make_pole != nullptr;
  if (arithmetic.pole_at_every_term || arithmetic.weights_after_bands)
    return takes_pole ? std::optional(arithmetic) : std::nullopt;
  const bool known = terms != terms_by_form().end() || whole_steps().contains(arithmetic.form);
  return known ? std::optional(arithmetic) : std::nullopt;
}

Operations StepCounter::operations(const Arithmetic& arithmetic) {
  if (const auto step = whole_steps().find(arithmetic.form); step != whole_steps().end())
    return step->second(arithmetic.m_at_every_frequency, problem_);
  if (!ways_) ways_ = ways_of(problem_);
  return term_by_term(terms_by_form().at(arithmetic.form), arithmetic, problem_, *ways_);
}

double StepCounter::divisions(const Arithmetic& arithmetic) {
  return terms_by_form().contains(arithmetic.form) ? operations(arithmetic).divisions : 0;
}

double StepCounter::compulsory_bytes() const {
  const auto bytes = [](const auto&... arrays) {
    return (static_cast<double>(arrays.count() * sizeof(*arrays.data)) + ...);
  };
  const double sums = 2.0 * problem_.nfreq * sizeof(Complex);
  return sums + bytes(problem_.wtilde_array, problem_.I_eps_array, problem_.aqsntemp,
                      problem_.aqsmtemp_local, problem_.wx_array, problem_.vcoul_loc,
                      problem_.occ_array);
}

double StepCounter::loaded_bytes(const Arithmetic& arithmetic) const {
  constexpr double real = sizeof(double), two_complex = 2 * sizeof(Complex);
  const double triples = 1.0 * problem_.ncouls * problem_.ngpown * problem_.nbands;
  const double terms = problem_.nfreq * triples, poles = terms / problem_.nbands;
  const double times_m = arithmetic.m_at_every_frequency ? terms : triples;
  const double loaded = times_m * two_complex + terms * real;
  const auto form = terms_by_form().find(arithmetic.form);
  if (form == terms_by_form().end()) return loaded + poles * (two_complex + real);
  if (form->second.make_pole != nullptr && !arithmetic.pole_at_every_term)
    return loaded + poles * (two_complex + real) + terms * real;  // occupation factor in each term
  // If m is kept for all frequencies, they are the innermost loop; else the bands are.
  return loaded + (arithmetic.m_at_every_frequency ? poles : terms) * two_complex +
         times_m * 2 * real;
}

}  // namespace gpp
