#include "gpp/reference.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "gpp/reference_lanes.h"
#include "roofline/base/machine.h"
#include "roofline/base/parallel.h"

namespace gpp {
namespace {

using namespace reference;

Mask tied(Lanes x, Lanes limit) {
  return (x >= (1 - tie_width) * limit) & (x <= (1 + tie_width) * limit);
}

// One term by its definition (gpp/forms/divide.h). Every lane computes both branches and selects
// the right one.
struct Definition {
  Limits limits;
  ComplexLanes w;
  ComplexLanes I_eps;
  ComplexLanes w2 = times(w, w);
  ComplexLanes Omega2 = times(w2, I_eps);

  struct Values {
    ComplexLanes sch;
    ComplexLanes ssx;
    Mask tied;  // rounding decides the branch, because a limit is so close
  };

  Values at(double wx, bool occupied) const {
    const ComplexLanes zero{};
    const ComplexLanes delw = over(w, wdiff(wx));
    const Lanes wdiffr = square(wdiff(wx));
    const Lanes delwr = square(delw);
    const Mask far = (wdiffr > limits.limittwo) & (delwr < limits.limitone);
    Mask tie = tied(wdiffr, all(limits.limittwo)) | tied(delwr, all(limits.limitone));
    const ComplexLanes sch = where(far, times(delw, I_eps), zero);
    if (!occupied) return {sch, zero, tie};  // occ = 0 removes ssx, as in BerkeleyGW

    const Mask near = delwr > all(TOL_Zero);
    tie |= tied(delwr, all(TOL_Zero));
    ComplexLanes ssx = where(far, far_ssx(wx), where(near, near_ssx(delw), zero));
    if (wx < 0.0) {
      const Lanes cutoff = (limits.sexcut * limits.sexcut) * square(I_eps);
      tie |= tied(square(ssx), cutoff) & (cutoff > 0.0);
      // At wx = -wtilde the quotient is NaN. |ssx| diverges there, so it is cut.
      ssx = where(square(ssx) <= cutoff, ssx, zero);
    }
    return {sch, ssx, tie};
  }

  // The results on both sides of every limit, for tied terms.
  Values ties_at(double wx, bool occupied) const {
    const ComplexLanes zero{};
    const ComplexLanes delw = over(w, wdiff(wx));
    const ComplexLanes far = occupied ? far_ssx(wx) : zero;
    const ComplexLanes near = occupied ? near_ssx(delw) : zero;
    const Mask tie = at(wx, occupied).tied;
    const Mask branches =
        tied(square(wdiff(wx)), all(limits.limittwo)) | tied(square(delw), all(limits.limitone));
    const ComplexLanes sch = where(branches, times(delw, I_eps), zero);
    const ComplexLanes ssx = {absolute(far.re) + absolute(near.re),
                              absolute(far.im) + absolute(near.im)};
    return {sch, where(tie, ssx, zero), tie};
  }

  ComplexLanes wdiff(double wx) const { return {wx - w.re, -w.im}; }
  ComplexLanes wdiff2(double wx) const { return {wx * wx - w2.re, -w2.im}; }
  ComplexLanes far_ssx(double wx) const { return over(Omega2, wdiff2(wx)); }
  ComplexLanes near_ssx(ComplexLanes delw) const {
    const ComplexLanes cden = times(scaled(4.0, w2), {delw.re + 0.5, delw.im});
    return over(scaled(-1.0, times(Omega2, delw)), cden);
  }
};

// Tests whether branch 1 holds in all lanes with no limit near, because every wx from `lowest` to
// `highest` is far from every pole. This is so for most terms.
class FarFrom {
 public:
  explicit FarFrom(const Definition& definition)
      : a_(definition.w.re), b2_(definition.w.im * definition.w.im) {
    const Limits& limits = definition.limits;
    const Lanes bound = square(definition.w) / limits.limitone;  // delwr = |w|^2 / wdiffr
    const Lanes limit = bound > limits.limittwo ? bound : all(limits.limittwo);
    limit_ = (1 + 4 * tie_width) * limit;
  }

  bool operator()(double lowest, double highest) const {
    const Lanes below = lowest - a_;
    const Lanes above = a_ - highest;
    const Lanes outside = below > above ? below : above;
    const Lanes distance = outside > 0.0 ? outside : Lanes{};
    return every(distance * distance + b2_ > limit_);
  }

 private:
  Lanes a_;
  Lanes b2_;
  Lanes limit_;
};

// The sums ach and asx. A term is m times sch or ssx, times a factor. In branch 1 it is a quotient
// with a numerator common to all frequencies: w I_eps m / wdiff, and Omega2 m / (wx^2 - w^2).
struct Ach {
  const Definition& definition;
  ComplexLanes numerator = scaled(0.5, times(definition.w, definition.I_eps));

  static double weight(double /*occ*/) { return 1.0; }
  static bool may_be_cut(double /*lowest_wx*/) { return false; }
  ComplexLanes denominator(double wx) const { return definition.wdiff(wx); }
  ComplexLanes over_m(double wx, Mask& any_tied) const {
    const Definition::Values term = definition.at(wx, false);
    any_tied |= term.tied;
    return scaled(0.5, term.sch);
  }
};

struct Asx {
  const Definition& definition;
  ComplexLanes numerator = scaled(-1.0, definition.Omega2);

  static double weight(double occ) { return occ; }
  static bool may_be_cut(double lowest_wx) { return lowest_wx < 0.0; }
  ComplexLanes denominator(double wx) const { return definition.wdiff2(wx); }
  ComplexLanes over_m(double wx, Mask& any_tied) const {
    const Definition::Values term = definition.at(wx, true);
    any_tied |= term.tied;
    return scaled(-1.0, term.ssx);
  }
};

// Neighbouring bands that are tested together.
struct Tile {
  static constexpr int most_bands = 32;
  int first = 0;
  int count = 0;
  double lowest[max_frequencies]{};  // lowest wx
  double highest[max_frequencies]{};
};

// The bands with a nonzero weight in one of the sums.
template <class Sum>
class Bands {
 public:
  explicit Bands(const Problem& problem) : problem_(problem) {
    for (int n1 = 0; n1 < problem.nbands; ++n1)
      if (Sum::weight(problem.occ_array(n1)) != 0.0) n1_.push_back(n1);
    for (int iw = 0; iw < problem.nfreq; ++iw)
      for (const int n1 : n1_) wx_.push_back(problem.wx_array(iw, n1));
    const int count = static_cast<int>(n1_.size());
    for (int first = 0; first < count; first += Tile::most_bands)
      tiles_.push_back(tile(first, std::min(Tile::most_bands, count - first)));
  }

  const std::vector<Tile>& tiles() const { return tiles_; }
  int n1(int i) const { return n1_[static_cast<std::size_t>(i)]; }
  const double* wx(int i, int iw) const {
    return wx_.data() + (n1_.size() * static_cast<std::size_t>(iw) + static_cast<std::size_t>(i));
  }

  // conj(aqsm) of one G', multiplied by its vcoul and the weights.
  std::vector<Complex> aqsm(int igp) const {
    std::vector<Complex> values;
    values.reserve(n1_.size());
    for (const int n1 : n1_)
      values.push_back(problem_.vcoul_loc(igp) * Sum::weight(problem_.occ_array(n1)) *
                       conj(problem_.aqsmtemp_local(igp, n1)));
    return values;
  }

 private:
  Tile tile(int first, int count) const {
    Tile tile{.first = first, .count = count};
    for (int iw = 0; iw < problem_.nfreq; ++iw) {
      const double* const begin = wx(first, iw);
      const auto [lowest, highest] = std::minmax_element(begin, begin + count);
      tile.lowest[iw] = *lowest;
      tile.highest[iw] = *highest;
    }
    return tile;
  }

  const Problem& problem_;
  std::vector<int> n1_;
  std::vector<double> wx_;  // (i, iw)
  std::vector<Tile> tiles_;
};

// aqsn of eight neighbouring G, for all bands.
using LanesOfBands = std::vector<ComplexLanes>;

void load_bands(const Problem& problem, int ig, LanesOfBands& aqsn) {
  const bool more = ig + 2 * width <= problem.ncouls;
  for (int n1 = 0; n1 < problem.nbands; ++n1) {
    aqsn[static_cast<std::size_t>(n1)] = load(problem.aqsntemp, ig, n1, {0.0, 0.0});
    if (!more) continue;
    // The next eight numbers lie on the same memory page.
    __builtin_prefetch(&problem.aqsntemp(ig + width, n1));
    __builtin_prefetch(&problem.aqsntemp(ig + width + width / 2, n1));
  }
}

// Adds up one of the sums for one G', eight neighbouring G at a time.
template <class Sum>
class ColumnSum {
 public:
  ColumnSum(const Bands<Sum>& bands, int nfreq, int igp)
      : bands_(&bands), nfreq_(nfreq), aqsm_(bands.aqsm(igp)) {}

  // Returns true if some term is tied.
  bool add(const Definition& definition, const LanesOfBands& aqsn) {
    const Sum sum{definition};
    const FarFrom is_far(definition);
    Mask any_tied{};
    for (const Tile& tile : bands_->tiles()) add_tile(sum, is_far, tile, aqsn, any_tied);
    return any(any_tied);
  }

  void add_ties(int iw, Lanes ties) {
    Parts<Lanes>& total = total_[static_cast<std::size_t>(iw)];
    total.re.ties += ties;
    total.im.ties += ties;
  }

  Parts<double> total(int iw) const { return sum_of_lanes(total_[static_cast<std::size_t>(iw)]); }

 private:
  void add_tile(const Sum& sum, const FarFrom& is_far, const Tile& tile, const LanesOfBands& aqsn,
                Mask& any_tied) {
    ComplexLanes numerators[Tile::most_bands];
    for (int i = 0; i < tile.count; ++i)
      numerators[i] = times(sum.numerator, m(tile.first + i, aqsn));
    const bool real = every(sum.definition.w.im == 0.0);
    for (int iw = 0; iw < nfreq_; ++iw) {
      const double* const wx = bands_->wx(tile.first, iw);
      Parts<Lanes>& parts = total_[static_cast<std::size_t>(iw)];
      if (Sum::may_be_cut(tile.lowest[iw]) || !is_far(tile.lowest[iw], tile.highest[iw]))
        add_near(sum, is_far, tile, wx, numerators, aqsn, parts, any_tied);
      else if (real)
        add_far<true>(sum, tile, wx, numerators, parts);
      else
        add_far<false>(sum, tile, wx, numerators, parts);
    }
  }

  // Adds a tile whose terms are all far from limits. Real poles have real denominators.
  template <bool real>
  [[gnu::noinline]] static void add_far(const Sum& sum, const Tile& tile, const double* wx,
                                        const ComplexLanes* numerators, Parts<Lanes>& total) {
    Parts<Lanes> parts = total;
    for (int i = 0; i < tile.count; ++i) {
      const ComplexLanes denominator = sum.denominator(wx[i]);
      parts.add(real ? over(numerators[i], denominator.re) : over(numerators[i], denominator));
    }
    total = parts;
  }

  // Adds a tile in which some terms are near a limit.
  [[gnu::noinline]] void add_near(const Sum& sum, const FarFrom& is_far, const Tile& tile,
                                  const double* wx, const ComplexLanes* numerators,
                                  const LanesOfBands& aqsn, Parts<Lanes>& total,
                                  Mask& any_tied) const {
    Parts<Lanes> parts = total;
    for (int i = 0; i < tile.count; ++i) {
      const bool far = !Sum::may_be_cut(wx[i]) && is_far(wx[i], wx[i]);
      parts.add(far ? over(numerators[i], sum.denominator(wx[i]))
                    : times(sum.over_m(wx[i], any_tied), m(tile.first + i, aqsn)));
    }
    total = parts;
  }

  ComplexLanes m(int i, const LanesOfBands& aqsn) const {
    return times(all(aqsm_[static_cast<std::size_t>(i)]),
                 aqsn[static_cast<std::size_t>(bands_->n1(i))]);
  }

  const Bands<Sum>* bands_;
  int nfreq_;
  std::vector<Complex> aqsm_;
  std::array<Parts<Lanes>, max_frequencies> total_{};
};

// Bounds the results on both sides of a limit: |Re| + |Im| bounds each component of a product.
Lanes size_of(ComplexLanes a, ComplexLanes b) {
  return (absolute(a.re) + absolute(a.im)) * (absolute(b.re) + absolute(b.im));
}

struct ColumnSums {
  int igp;
  ColumnSum<Ach> ach;
  ColumnSum<Asx> asx;
  long long tied_terms = 0;
};

// Adds the ties among the terms of eight G. They are rare, so a second pass is cheap.
void add_ties(const Problem& problem, const Definition& definition, int ig,
              const LanesOfBands& aqsn, ColumnSums& sums) {
  const double vcoul = std::abs(problem.vcoul_loc(sums.igp));
  for (int n1 = 0; n1 < problem.nbands; ++n1) {
    const Complex aqsm = conj(problem.aqsmtemp_local(sums.igp, n1));
    const ComplexLanes m = times(all(aqsm), aqsn[static_cast<std::size_t>(n1)]);
    const double occ = problem.occ_array(n1);
    for (int iw = 0; iw < problem.nfreq; ++iw) {
      const auto [sch, ssx, tie] = definition.ties_at(problem.wx_array(iw, n1), occ != 0.0);
      for (int lane = 0; lane < width && ig + lane < problem.ncouls; ++lane)
        sums.tied_terms += tie[lane] != 0 ? 1 : 0;
      sums.ach.add_ties(iw, vcoul * 0.5 * size_of(sch, m));
      sums.asx.add_ties(iw, vcoul * occ * size_of(ssx, m));
    }
  }
}

// The sums of one G' at each frequency.
struct Column {
  Parts<double> asx[max_frequencies]{}, ach[max_frequencies]{};
  long long tied_terms = 0;
};

// Calls visit(sum of a Reference, sum of a Column, iw) for each sum.
template <class Visit>
void each_sum(const Visit& visit) {
  for (int iw = 0; iw < max_frequencies; ++iw) {
    visit(&Sums::asx, &Column::asx, iw);
    visit(&Sums::ach, &Column::ach, iw);
  }
}

// The data that all columns share.
struct Work {
  const Problem& problem;
  Bands<Ach> all_bands{problem};
  Bands<Asx> occupied_bands{problem};
};

// Sums neighbouring G' together, so that aqsn, the largest array, is read once for all of them.
void sum_columns(const Work& work, int first, int last, std::vector<Column>& columns) {
  const Problem& problem = work.problem;
  std::vector<ColumnSums> sums;
  for (int igp = first; igp < last; ++igp)
    sums.push_back({.igp = igp,
                    .ach = {work.all_bands, problem.nfreq, igp},
                    .asx = {work.occupied_bands, problem.nfreq, igp}});
  LanesOfBands aqsn(static_cast<std::size_t>(problem.nbands));
  for (int ig = 0; ig < problem.ncouls; ig += width) {
    load_bands(problem, ig, aqsn);
    for (ColumnSums& column : sums) {
      const Definition definition{.limits = problem.limits,
                                  .w = load(problem.wtilde_array, ig, column.igp, {1.0, 0.0}),
                                  .I_eps = load(problem.I_eps_array, ig, column.igp, {0.0, 0.0})};
      const bool tied_ach = column.ach.add(definition, aqsn);
      const bool tied_asx = column.asx.add(definition, aqsn);
      if (tied_ach || tied_asx) add_ties(problem, definition, ig, aqsn, column);
    }
  }
  for (const ColumnSums& of : sums) {
    Column& column = columns[static_cast<std::size_t>(of.igp)];
    column.tied_terms = of.tied_terms;
    for (int iw = 0; iw < max_frequencies; ++iw) {
      column.asx[iw] = of.asx.total(iw);
      column.ach[iw] = of.ach.total(iw);
    }
  }
}

// Cores take a few columns at a time; each result has its own place.
std::vector<Column> sum_columns(const Problem& problem, const Progress& progress) {
  const int together = std::clamp(problem.ngpown / (2 * roofline::available_cores()), 1, 16);
  const Work work{problem};
  std::vector<Column> columns(static_cast<std::size_t>(problem.ngpown));
  roofline::parallel_for((problem.ngpown + together - 1) / together,
                         [&](int piece) {
                           const int first = piece * together;
                           sum_columns(work, first, std::min(first + together, problem.ngpown),
                                       columns);
                         },
                         progress);
  return columns;
}

double value_of(const Component<double>& component) {
  return component.value.sum + component.value.error;
}

Reference reference_of(const Column& column) {
  Reference reference;
  reference.tied_terms = column.tied_terms;
  each_sum([&](auto sum, auto of_column, int iw) {
    const auto& [re, im] = (column.*of_column)[iw];
    (reference.sums.*sum)[iw] = {value_of(re), value_of(im)};
    (reference.magnitude.*sum)[iw] = {re.magnitude, im.magnitude};
    (reference.ties.*sum)[iw] = {re.ties, im.ties};
  });
  return reference;
}

}  // namespace

Reference compute_reference(const Problem& problem, const Progress& progress) {
  const std::vector<Column> columns = sum_columns(problem, progress);
  Column total;
  std::vector<Reference> of_own_g;
  for (const Column& column : columns) {  // in fixed order, so every run gives the same bits
    total.tied_terms += column.tied_terms;
    each_sum([&](auto, auto sum, int iw) { (total.*sum)[iw].add((column.*sum)[iw]); });
    of_own_g.push_back(reference_of(column));
  }
  Reference reference = reference_of(total);
  reference.of_own_g = std::move(of_own_g);
  return reference;
}

Reference reweighted(const Reference& reference, const std::vector<double>& factors) {
  Column total;
  for (std::size_t igp = 0; igp < factors.size(); ++igp) {
    const Reference& column = reference.of_own_g[igp];
    const double factor = factors[igp], size = std::abs(factor);
    total.tied_terms += column.tied_terms;
    each_sum([&](auto sum, auto of_total, int iw) {  // a column's sum was rounded once
      const Complex value = (column.sums.*sum)[iw], magnitude = (column.magnitude.*sum)[iw];
      const Complex ties = (column.ties.*sum)[iw];
      (total.*of_total)[iw].add(
          {.re = {{factor * value.re, 0.0}, size * magnitude.re, size * ties.re},
           .im = {{factor * value.im, 0.0}, size * magnitude.im, size * ties.im}});
    });
  }
  return reference_of(total);
}

}  // namespace gpp
