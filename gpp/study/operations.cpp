#include "gpp/study/operations.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>
#include <vector>

#include "gpp/forms/divide.h"
#include "gpp/forms/factored.h"
#include "gpp/forms/integers.h"
#include "gpp/forms/moments.h"
#include "gpp/forms/power2.h"
#include "gpp/forms/real_poles.h"
#include "gpp/forms/reciprocal.h"
#include "gpp/forms/simplified.h"
#include "gpp/forms/without_division.h"
#include "gpp/forms/without_division_or_root.h"
#include "gpp/forms/without_root.h"
#include "gpp/integers.h"
#include "gpp/moments.h"
#include "gpp/sums.h"
#include "roofline/base/parallel.h"
#include "roofline/base/text.h"

namespace gpp {

// ---- The ways through a term --------------------------------------------------------------------

/// By branch, and whether wx < 0: nothing else decides about the operations of a term.
struct Ways {
  enum Branch { branch1, branch2, neither };

  /// How many terms go one way, and one of them.
  struct Way {
    double terms = 0;
    double example_wx = 0;
    Complex example_wtilde{};

    void add(const Way& other) {
      if (terms == 0) {
        example_wx = other.example_wx;
        example_wtilde = other.example_wtilde;
      }
      terms += other.terms;
    }
  };
  Way way[3][2];

  void add(const Ways& other) {
    for (int branch = 0; branch < 3; ++branch)
      for (int negative = 0; negative < 2; ++negative)
        way[branch][negative].add(other.way[branch][negative]);
  }
};

namespace {

template <class Truth>
using CountedComplex = BasicComplex<CountedReal<Truth>>;

template <class Truth, class Body>
Operations count(const Body& body) {
  CountedReal<Truth>::tally() = {};
  body();
  return CountedReal<Truth>::tally();
}

/// The branch of a term, t = |wx - wtilde|^2 (gpp/reference.h): without a division.
Ways::Branch branch_of(Complex wtilde, double wx, const Limits& limits) {
  const double t = norm(wx - wtilde);
  if (t > limits.limittwo && norm(wtilde) < limits.limitone * t) return Ways::branch1;
  return norm(wtilde) > TOL_Zero * t ? Ways::branch2 : Ways::neither;
}

/// Energies of one frequency in ascending order, all of one sign.
using Energies = std::vector<double>;

/// With growing distance from the pole a term is in branch 2, then in neither, then in branch 1:
/// two places to find on either side of it.
template <class Iterator>
void add_side(Ways& ways, Complex wtilde, Iterator nearest, Iterator end, const Limits& limits) {
  const auto is = [&](Ways::Branch branch) {
    return [&limits, wtilde, branch](double wx) { return branch_of(wtilde, wx, limits) == branch; };
  };
  if (nearest == end) return;
  const auto add = [&](Ways::Branch branch, Iterator from, Iterator to) {
    if (from == to) return;
    const double wx = *(from + (to - from) / 2);
    ways.way[branch][wx < 0.0].add({static_cast<double>(to - from), wx, wtilde});
  };
  if (is(Ways::branch1)(*nearest)) return add(Ways::branch1, nearest, end);
  const Iterator after2 = std::partition_point(nearest, end, is(Ways::branch2));
  const Iterator after = std::partition_point(after2, end, is(Ways::neither));
  add(Ways::branch2, nearest, after2);
  add(Ways::neither, after2, after);
  add(Ways::branch1, after, end);
}

void add_pole(Ways& ways, Complex wtilde, const Energies& energies, const Limits& limits) {
  const auto above = std::lower_bound(energies.begin(), energies.end(), wtilde.re);
  add_side(ways, wtilde, above, energies.end(), limits);
  add_side(ways, wtilde, std::make_reverse_iterator(above), energies.rend(), limits);
}

/// Every frequency gives two lists: negative energies and the others.
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
    Ways ways;
    for (const Energies& energies : lists)
      for (int ig = 0; ig < problem.ncouls; ++ig)
        add_pole(ways, problem.wtilde_array(ig, igp), energies, problem.limits);
    columns[static_cast<std::size_t>(igp)] = ways;
  });
  Ways total;
  for (const Ways& column : columns) total.add(column);
  return total;
}

// ---- Steps that compute term by term (v1 to v10, published ladders) -----------------------------

/// The arguments of a term. Only wtilde and wx decide about the way.
template <class Truth>
struct Sample {
  CountedComplex<Truth> wtilde, I_eps, m;
  CountedReal<Truth> wx, vcoul, occ;
  BasicLimits<CountedReal<Truth>> limits;
};

template <class Truth>
Sample<Truth> sample_at(Complex wtilde, double wx, const Limits& limits) {
  return {counting<Truth>(wtilde), {0.5, 0.5}, {0.5, 0.5}, wx, 1.0, 1.0, counting<Truth>(limits)};
}

/// Sums to add to.
template <class Truth>
struct Totals {
  CountedComplex<Truth> asx{}, ach{};
};

template <class Truth>
CountedComplex<Truth> matrix_element(const Sample<Truth>& at) {
  return conj(at.m) * at.m;
}

using Scalar = Sample<bool>;

/// v1 to v5 and most steps of published ladders: weights on every term.
void add_weighted_term(const Scalar& at, const Term<CountedReal<bool>>& term, Totals<bool>& to) {
  to.asx -= at.vcoul * at.occ * term.ssx * at.m;
  to.ach += at.vcoul * CountedReal<bool>(0.5) * term.sch * at.m;
}

/// v6 and later: the occupation on every term, vcoul on the sum over bands.
void add_term(const Scalar& at, const Term<CountedReal<bool>>& term, Totals<bool>& to) {
  to.asx += at.occ * term.ssx * at.m;
  to.ach += term.sch * at.m;
}
void weigh_bands(const Scalar& at, Totals<bool>& to) {
  Totals<bool> sum;
  to.asx -= at.vcoul * sum.asx;
  to.ach += at.vcoul * CountedReal<bool>(0.5) * sum.ach;
}

using WholeForm = Term<CountedReal<bool>> (*)(CountedComplex<bool>, CountedComplex<bool>,
                                              CountedReal<bool>,
                                              const BasicLimits<CountedReal<bool>>&);
using PoleMaker = Pole<CountedReal<bool>> (*)(CountedComplex<bool>, CountedComplex<bool>,
                                              const BasicLimits<CountedReal<bool>>&);
using FormOfPole = Term<CountedReal<bool>> (*)(const Pole<CountedReal<bool>>&, CountedReal<bool>,
                                               const BasicLimits<CountedReal<bool>>&);

/// A form: of wtilde and I_eps, or of a pole made of them.
struct TermByTerm {
  WholeForm whole;
  PoleMaker make_pole = nullptr;
  FormOfPole of_pole = nullptr;
};

Operations operations_of_term(const TermByTerm& form, const Arithmetic& arithmetic,
                              const Scalar& at) {
  Totals<bool> to;
  if (form.whole != nullptr)
    return count<bool>(
        [&] { add_weighted_term(at, form.whole(at.wtilde, at.I_eps, at.wx, at.limits), to); });
  if (arithmetic.pole_at_every_term)
    return count<bool>([&] {
      const auto pole = form.make_pole(at.wtilde, at.I_eps, at.limits);
      add_weighted_term(at, form.of_pole(pole, at.wx, at.limits), to);
    });
  const auto pole = form.make_pole(at.wtilde, at.I_eps, at.limits);
  return count<bool>([&] { add_term(at, form.of_pole(pole, at.wx, at.limits), to); });
}

/// The operations done once for the bands of a pole.
Operations operations_of_pole(const TermByTerm& form, const Arithmetic& arithmetic,
                              const Scalar& at) {
  if (form.make_pole == nullptr || arithmetic.pole_at_every_term) return {};
  Totals<bool> to;
  return count<bool>([&] {
    form.make_pole(at.wtilde, at.I_eps, at.limits);
    weigh_bands(at, to);
  });
}

Operations term_by_term(const TermByTerm& form, const Arithmetic& arithmetic,
                        const Problem& problem, const Ways& ways) {
  const double poles = 1.0 * problem.ncouls * problem.ngpown;
  const double triples = poles * problem.nbands;
  const Scalar any = sample_at<bool>({1.0, 0.0}, 1.0, problem.limits);
  Operations total = (arithmetic.m_at_every_frequency ? problem.nfreq * triples : triples) *
                     count<bool>([&] { matrix_element(any); });
  total = total + poles * problem.nfreq * operations_of_pole(form, arithmetic, any);
  for (const auto& branch : ways.way)
    for (const Ways::Way& way : branch)
      if (way.terms > 0)
        total =
            total + way.terms * operations_of_term(form, arithmetic,
                                                   sample_at<bool>(way.example_wtilde,
                                                                   way.example_wx, problem.limits));
  return total;
}

// ---- Factored steps (v11, v12): no branch, but three classes of bands ---------------------------

using Lane = CountedReal<BothSides>;

/// Poles whose occupied bands are summed term by term.
double tiny_poles(const FactoredProblem& problem) {
  double tiny = 0;
  for (int igp = 0; igp < problem.ngpown; ++igp)
    for (int ig = 0; ig < problem.ncouls; ++ig)
      tiny += is_tiny(problem.wtilde_array(ig, igp), problem.limits);
  return tiny;
}

/// One band of an exceptional class or at a tiny pole, with its weights.
void add_factored_term(const Sample<BothSides>& at, Totals<BothSides>& to) {
  const auto term = factored(at.wtilde, at.I_eps, at.wx, at.limits);
  to.ach += term.sch * at.m;
  to.asx += at.occ * term.ssx * at.m;
}

/// The parts of a factored step: `Sums` are FactoredSums or RealPoleSums.
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

/// The operations of a group at one pair of G and G'.
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

/// The moments of `grouped` bands and their series in so many groups at a pair of G and G'. The
/// powers t^k are left out: how often they weigh aqsm is an affair of the schedule.
Operations operations_of_moments(int rank, int grouped, int groups, int nfreq) {
  Lane number = 1.0, product = 1.0;
  const Operations multiply_add = count<BothSides>([&] { product += number * number; });
  return 1.0 * grouped * rank * product_parts * multiply_add +
         1.0 * groups * operations_of_series(rank, nfreq);
}

/// What makes ach of a pair's sum at a frequency.
Operations operations_of_ach(const FactoredProblem& problem) {
  const auto at = sample_at<BothSides>({1.0, 0.0}, 1.0, problem.limits);
  BasicComplex<Lane> ach{};
  return count<BothSides>(
      [&] { ach += Lane(0.5) * at.vcoul * moments_sch(at.wtilde, at.I_eps, at.m); });
}

/// The problem with these empty bands alone.
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

/// The operations of a group's series at one pair of G and G', whose moments were joined.
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
  using Number = CountedReal<bool>;
  static const std::map<std::string, TermByTerm, std::less<>> forms = {
      {"divide", {divide<Number>}},
      {"without_division", {without_division<Number>}},
      {"without_division_or_root", {without_division_or_root<Number>}},
      {"simplified", {nullptr, make_pole<Number>, simplified<Number>}},
      {"without_root", {nullptr, make_squared_pole<Number>, without_root<Number>}},
      {"reciprocal", {nullptr, make_pole<Number>, reciprocal<Number>}},
      {"power2", {nullptr, make_squared_pole<Number>, power2<Number>}}};
  return forms;
}

}  // namespace

std::optional<Arithmetic> parse_arithmetic(std::string_view line, std::string& problem) {
  std::vector<std::string> known = {"factored", "real_poles", "moments", "integers"};
  for (const auto& [name, terms] : terms_by_form()) known.push_back(name);
  constexpr std::string_view at_every_term = ", pole at every term";
  const std::size_t end = line.find("; m ");
  std::string form(line.substr(0, end));
  const std::string_view m = end == line.npos ? "" : line.substr(end + 4);
  const bool pole_at_every_term = form.ends_with(at_every_term);
  if (pole_at_every_term) form.resize(form.size() - at_every_term.size());
  if (std::find(known.begin(), known.end(), form) == known.end()) {
    problem = roofline::unknown_name("form", form, known);
    return std::nullopt;
  }
  if (m != "once" && m != "at every frequency") {
    problem = "after the form '; m once' or '; m at every frequency' is missing";
    return std::nullopt;
  }
  const auto terms = terms_by_form().find(form);
  if (pole_at_every_term &&
      (terms == terms_by_form().end() || terms->second.make_pole == nullptr)) {
    problem = fmt::format("the form '{}' has no pole to be made at every term", form);
    return std::nullopt;
  }
  return Arithmetic{form, m != "once", pole_at_every_term};
}

StepCounter::StepCounter(const FactoredProblem& problem) : problem_(problem) {}

const Ways& StepCounter::ways() {
  if (!ways_) ways_ = std::make_shared<const Ways>(ways_of(problem_));
  return *ways_;
}

Operations StepCounter::operations(const Arithmetic& arithmetic) {
  const bool m_at_every_frequency = arithmetic.m_at_every_frequency;
  const auto form = terms_by_form().find(arithmetic.form);
  if (form != terms_by_form().end())
    return term_by_term(form->second, arithmetic, problem_, ways());
  if (arithmetic.form == "moments") return moments_step(m_at_every_frequency, problem_);
  if (arithmetic.form == "integers") return integers_step(m_at_every_frequency, problem_);
  return arithmetic.form == "real_poles" ? real_poles_step(m_at_every_frequency, problem_)
                                         : factored_step(m_at_every_frequency, problem_);
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

}  // namespace gpp
