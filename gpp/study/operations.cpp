#include "gpp/study/operations.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>
#include <vector>

#include "gpp/forms/divide.h"
#include "gpp/forms/pole.h"
#include "gpp/forms/power2.h"
#include "gpp/forms/reciprocal.h"
#include "gpp/forms/sign_first.h"
#include "gpp/forms/simplified.h"
#include "gpp/forms/without_division.h"
#include "gpp/forms/without_division_or_root.h"
#include "gpp/forms/without_root.h"
#include "gpp/study/counted_sample.h"
#include "gpp/study/factored_operations.h"
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

/// v1 to v8 and the published ladders apply weights to every term.
void add_weighted_term(const Scalar& at, const Term<CountedReal<bool>>& term, Totals<bool>& to) {
  to.asx -= at.vcoul * at.occ * term.ssx * at.m;
  to.ach += at.vcoul * CountedReal<bool>(0.5) * term.sch * at.m;
}

/// v9 and later apply the occupation to every term, and vcoul to the sum over bands.
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

// ---- Which form is which ------------------------------------------------------------------------

const std::map<std::string, TermByTerm, std::less<>>& terms_by_form() {
  using Number = CountedReal<bool>;
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

}  // namespace

std::optional<Arithmetic> parse_arithmetic(std::string_view line, std::string& problem) {
  std::vector<std::string> known;
  for (const auto& [name, terms] : terms_by_form()) known.push_back(name);
  for (const auto& [name, step] : whole_steps()) known.push_back(name);
  const std::size_t end = line.find("; m ");
  std::string form(line.substr(0, end));
  const std::string_view m = end == line.npos ? "" : line.substr(end + 4);
  const auto ends_with = [&form](std::string_view words) {
    const bool found = form.ends_with(words);
    if (found) form.resize(form.size() - words.size());
    return found;
  };
  Arithmetic arithmetic{.m_at_every_frequency = m != "once"};
  arithmetic.weights_after_bands = ends_with(", weights after the bands");
  arithmetic.pole_at_every_term = ends_with(", pole at every term");
  arithmetic.form = form;
  if (std::find(known.begin(), known.end(), form) == known.end()) {
    problem = roofline::unknown_name("form", form, known);
    return std::nullopt;
  }
  if (m != "once" && m != "at every frequency") {
    problem = "after the form '; m once' or '; m at every frequency' is missing";
    return std::nullopt;
  }
  const auto terms = terms_by_form().find(form);
  if ((arithmetic.pole_at_every_term || arithmetic.weights_after_bands) &&
      (terms == terms_by_form().end() || terms->second.make_pole == nullptr)) {
    problem = fmt::format("the form '{}' takes no pole and weighs every term", form);
    return std::nullopt;
  }
  return arithmetic;
}

StepCounter::StepCounter(const FactoredProblem& problem) : problem_(problem) {}

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
