#include "gpp/reference.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <chrono>
#include <cmath>
#include <thread>
#include <vector>

namespace gpp {
namespace {

// Eight G vectors side by side. A fixed width, lowered by the compiler to what the processor has,
// makes the result the same bit for bit on every machine.
constexpr int width = 8;
using Lanes = double __attribute__((vector_size(width * sizeof(double))));
using Mask = long long __attribute__((vector_size(width * sizeof(double))));

struct ComplexLanes {
  Lanes re;
  Lanes im;
};

// A plain double takes part in lane arithmetic as if it stood in every lane.
Lanes all(double value) { return value - Lanes{}; }
Lanes square(ComplexLanes z) { return z.re * z.re + z.im * z.im; }
ComplexLanes times(ComplexLanes a, ComplexLanes b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
ComplexLanes over(ComplexLanes a, ComplexLanes b) {
  const Lanes size = square(b);
  return {(a.re * b.re + a.im * b.im) / size, (a.im * b.re - a.re * b.im) / size};
}
ComplexLanes scaled(double factor, ComplexLanes z) { return {factor * z.re, factor * z.im}; }
ComplexLanes where(Mask condition, ComplexLanes a, ComplexLanes b) {
  return {condition ? a.re : b.re, condition ? a.im : b.im};
}
Lanes absolute(Lanes x) { return x < 0.0 ? -x : x; }
Mask tied(Lanes x, Lanes limit) {
  return (x >= (1 - tie_width) * limit) & (x <= (1 + tie_width) * limit);
}

// A running sum whose rounding errors are summed beside it.
template <class Number>
struct Compensated {
  Number sum{};
  Number error{};

  void add(Number x) {
    const Number total = sum + x;
    const Number kept = total - sum;
    error += (sum - (total - kept)) + (x - kept);
    sum = total;
  }
};

template <class Number>
struct Component {
  Compensated<Number> value;
  Number magnitude{};
  Number ties{};
};

// asx and ach of one frequency, real and imaginary part.
template <class Number>
struct Partial {
  Component<Number> asx_re, asx_im, ach_re, ach_im;
};

void add(Component<Lanes>& component, Lanes term) {
  component.value.add(term);
  component.magnitude += absolute(term);
}

void collect(Component<double>& total, const Component<Lanes>& lanes) {
  for (int lane = 0; lane < width; ++lane) {
    total.value.add(lanes.value.sum[lane]);
    total.value.add(lanes.value.error[lane]);
    total.magnitude += lanes.magnitude[lane];
    total.ties += lanes.ties[lane];
  }
}

void collect(Component<double>& total, const Component<double>& part) {
  total.value.add(part.value.sum);
  total.value.add(part.value.error);
  total.magnitude += part.magnitude;
  total.ties += part.ties;
}

template <class Number>
void collect(Partial<double>& total, const Partial<Number>& part) {
  collect(total.asx_re, part.asx_re);
  collect(total.asx_im, part.asx_im);
  collect(total.ach_re, part.ach_re);
  collect(total.ach_im, part.ach_im);
}

// Eight neighbours of a column; lanes beyond its end hold `filler`.
ComplexLanes load(const Array2<const Complex>& array, int first, int column, Complex filler) {
  std::array<double, width> re;
  std::array<double, width> im;
  for (int lane = 0; lane < width; ++lane) {
    const Complex z = first + lane < array.rows ? array(first + lane, column) : filler;
    re[static_cast<std::size_t>(lane)] = z.re;
    im[static_cast<std::size_t>(lane)] = z.im;
  }
  return {std::bit_cast<Lanes>(re), std::bit_cast<Lanes>(im)};
}

// One term as the definition has it (gpp/forms/divide.h). Both branches are computed in every
// lane and the one that holds is taken.
struct Definition {
  ComplexLanes w;
  ComplexLanes I_eps;
  ComplexLanes w2 = times(w, w);
  ComplexLanes Omega2 = times(w2, I_eps);

  struct Values {
    ComplexLanes sch;
    ComplexLanes ssx;
    Mask tied;  // a limit of the term lies so close that rounding decides
  };

  // Both sides of every limit, for terms that are tied.
  struct Ties {
    ComplexLanes sch;
    ComplexLanes ssx;
    Mask tied;
  };

  Values at(double wx, bool occupied, const Limits& limits) const {
    const ComplexLanes zero{};
    const ComplexLanes wdiff{wx - w.re, -w.im};
    const ComplexLanes delw = over(w, wdiff);
    const Lanes wdiffr = square(wdiff);
    const Lanes delwr = square(delw);
    const Mask far = (wdiffr > limits.limittwo) & (delwr < limits.limitone);
    Mask tie = tied(wdiffr, all(limits.limittwo)) | tied(delwr, all(limits.limitone));
    const ComplexLanes sch = where(far, times(delw, I_eps), zero);
    if (!occupied) return {sch, zero, tie};  // occ = 0 removes ssx, as BerkeleyGW does

    const Mask near = delwr > all(TOL_Zero);
    tie |= tied(delwr, all(TOL_Zero));
    ComplexLanes ssx = where(far, far_ssx(wx), where(near, near_ssx(delw), zero));
    if (wx < 0.0) {
      const Lanes cutoff = (limits.sexcut * limits.sexcut) * square(I_eps);
      tie |= tied(square(ssx), cutoff) & (cutoff > 0.0);
      ssx = where(square(ssx) > cutoff, zero, ssx);
    }
    return {sch, ssx, tie};
  }

  Ties ties_at(double wx, bool occupied, const Limits& limits) const {
    const ComplexLanes zero{};
    const ComplexLanes wdiff{wx - w.re, -w.im};
    const ComplexLanes delw = over(w, wdiff);
    const ComplexLanes far = occupied ? far_ssx(wx) : zero;
    const ComplexLanes near = occupied ? near_ssx(delw) : zero;
    const Mask tie = at(wx, occupied, limits).tied;
    const Mask branches =
        tied(square(wdiff), all(limits.limittwo)) | tied(square(delw), all(limits.limitone));
    const ComplexLanes sch = where(branches, times(delw, I_eps), zero);
    const ComplexLanes ssx = {absolute(far.re) + absolute(near.re),
                              absolute(far.im) + absolute(near.im)};
    return {sch, where(tie, ssx, zero), tie};
  }

  ComplexLanes far_ssx(double wx) const { return over(Omega2, {wx * wx - w2.re, -w2.im}); }
  ComplexLanes near_ssx(ComplexLanes delw) const {
    const ComplexLanes cden = times(scaled(4.0, w2), {delw.re + 0.5, delw.im});
    return over(scaled(-1.0, times(Omega2, delw)), cden);
  }
};

using Frequencies = Partial<Lanes>[max_frequencies];

// m of eight neighbouring G.
ComplexLanes matrix_element(const Problem& problem, int ig, int igp, int n1) {
  const Complex aqsm = problem.aqsmtemp_local(igp, n1);
  return times({all(aqsm.re), all(-aqsm.im)}, load(problem.aqsntemp, ig, n1, {0.0, 0.0}));
}

// All bands and frequencies at eight neighbouring G of one G'. True where some term is tied.
bool sum_bands(const Problem& problem, const Definition& definition, int ig, int igp,
               Frequencies& partial) {
  const double vcoul = problem.vcoul_loc(igp);
  Mask any_tied{};
  for (int n1 = 0; n1 < problem.nbands; ++n1) {
    const ComplexLanes m = matrix_element(problem, ig, igp, n1);
    const double occ = problem.occ_array(n1);
    for (int iw = 0; iw < problem.nfreq; ++iw) {
      const auto [sch, ssx, tie] =
          definition.at(problem.wx_array(iw, n1), occ != 0.0, problem.limits);
      any_tied |= tie;
      const ComplexLanes ach = scaled(vcoul * 0.5, times(sch, m));
      add(partial[iw].ach_re, ach.re);
      add(partial[iw].ach_im, ach.im);
      if (occ == 0.0) continue;
      const ComplexLanes asx = scaled(-vcoul * occ, times(ssx, m));
      add(partial[iw].asx_re, asx.re);
      add(partial[iw].asx_im, asx.im);
    }
  }
  long long some = 0;
  for (int lane = 0; lane < width; ++lane) some |= any_tied[lane];
  return some != 0;
}

// The size of what both sides of a limit may give: |Re| + |Im| bounds each component of a product.
Lanes size_of(ComplexLanes a, ComplexLanes b) {
  return (absolute(a.re) + absolute(a.im)) * (absolute(b.re) + absolute(b.im));
}

// The ties among the same terms; returns how many there are. Rare, so a second look costs nothing.
long long sum_ties(const Problem& problem, const Definition& definition, int ig, int igp,
                   Frequencies& partial) {
  const double vcoul = std::abs(problem.vcoul_loc(igp));
  long long count = 0;
  for (int n1 = 0; n1 < problem.nbands; ++n1) {
    const ComplexLanes m = matrix_element(problem, ig, igp, n1);
    const double occ = problem.occ_array(n1);
    for (int iw = 0; iw < problem.nfreq; ++iw) {
      const auto [sch, ssx, tie] =
          definition.ties_at(problem.wx_array(iw, n1), occ != 0.0, problem.limits);
      for (int lane = 0; lane < width && ig + lane < problem.ncouls; ++lane)
        count += tie[lane] != 0 ? 1 : 0;
      const Lanes ach = vcoul * 0.5 * size_of(sch, m);
      const Lanes asx = vcoul * occ * size_of(ssx, m);
      partial[iw].ach_re.ties += ach;
      partial[iw].ach_im.ties += ach;
      partial[iw].asx_re.ties += asx;
      partial[iw].asx_im.ties += asx;
    }
  }
  return count;
}

// One G' by frequency.
struct Column {
  std::vector<Partial<double>> partial;
  long long tied_terms = 0;
};

Column sum_column(const Problem& problem, int igp) {
  Column column{.partial = std::vector<Partial<double>>(static_cast<std::size_t>(problem.nfreq))};
  for (int ig = 0; ig < problem.ncouls; ig += width) {
    const Definition definition{.w = load(problem.wtilde_array, ig, igp, {1.0, 0.0}),
                                .I_eps = load(problem.I_eps_array, ig, igp, {0.0, 0.0})};
    Frequencies partial{};
    if (sum_bands(problem, definition, ig, igp, partial))
      column.tied_terms += sum_ties(problem, definition, ig, igp, partial);
    for (int iw = 0; iw < problem.nfreq; ++iw)
      collect(column.partial[static_cast<std::size_t>(iw)], partial[iw]);
  }
  return column;
}

// Columns are dealt to the cores one by one; each lands in its own place.
std::vector<Column> sum_columns(const Problem& problem, const Progress& progress) {
  std::vector<Column> columns(static_cast<std::size_t>(problem.ngpown));
  std::atomic<int> next{0};
  std::atomic<int> running{0};
  const auto work = [&] {
    for (int igp = next++; igp < problem.ngpown; igp = next++)
      columns[static_cast<std::size_t>(igp)] = sum_column(problem, igp);
    --running;
  };
  const int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  running = cores;
  std::vector<std::jthread> threads;
  threads.reserve(static_cast<std::size_t>(cores));
  for (int core = 0; core < cores; ++core) threads.emplace_back(work);
  while (running > 0 && progress) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    progress(std::min(1.0, static_cast<double>(next) / problem.ngpown));
  }
  return columns;
}

double value_of(const Component<double>& component) {
  return component.value.sum + component.value.error;
}

Reference reference_of(const Column& column) {
  Reference reference;
  reference.tied_terms = column.tied_terms;
  for (std::size_t iw = 0; iw < column.partial.size(); ++iw) {
    const Partial<double>& part = column.partial[iw];
    reference.sums.asx[iw] = {value_of(part.asx_re), value_of(part.asx_im)};
    reference.sums.ach[iw] = {value_of(part.ach_re), value_of(part.ach_im)};
    reference.magnitude.asx[iw] = {part.asx_re.magnitude, part.asx_im.magnitude};
    reference.magnitude.ach[iw] = {part.ach_re.magnitude, part.ach_im.magnitude};
    reference.ties.asx[iw] = {part.asx_re.ties, part.asx_im.ties};
    reference.ties.ach[iw] = {part.ach_re.ties, part.ach_im.ties};
  }
  return reference;
}

// Adds `factor` times one component of a column, which has been rounded once.
void collect(Component<double>& total, double factor, double sum, double magnitude, double ties) {
  total.value.add(factor * sum);
  total.magnitude += std::abs(factor) * magnitude;
  total.ties += std::abs(factor) * ties;
}

void collect(Column& total, double factor, const Reference& column) {
  const Sums& sums = column.sums;
  const Sums& magnitude = column.magnitude;
  const Sums& ties = column.ties;
  total.tied_terms += column.tied_terms;
  for (std::size_t iw = 0; iw < total.partial.size(); ++iw) {
    Partial<double>& part = total.partial[iw];
    collect(part.asx_re, factor, sums.asx[iw].re, magnitude.asx[iw].re, ties.asx[iw].re);
    collect(part.asx_im, factor, sums.asx[iw].im, magnitude.asx[iw].im, ties.asx[iw].im);
    collect(part.ach_re, factor, sums.ach[iw].re, magnitude.ach[iw].re, ties.ach[iw].re);
    collect(part.ach_im, factor, sums.ach[iw].im, magnitude.ach[iw].im, ties.ach[iw].im);
  }
}

}  // namespace

Reference compute_reference(const Problem& problem, const Progress& progress) {
  const std::vector<Column> columns = sum_columns(problem, progress);
  Column total{.partial = std::vector<Partial<double>>(static_cast<std::size_t>(problem.nfreq))};
  for (const Column& column : columns) {  // in order, so that every run gives the same bits
    total.tied_terms += column.tied_terms;
    for (std::size_t iw = 0; iw < total.partial.size(); ++iw)
      collect(total.partial[iw], column.partial[iw]);
  }
  Reference reference = reference_of(total);
  for (const Column& column : columns) reference.of_own_g.push_back(reference_of(column));
  return reference;
}

Reference reweighted(const Reference& reference, const std::vector<double>& factors) {
  Column total{.partial = std::vector<Partial<double>>(max_frequencies)};
  for (std::size_t igp = 0; igp < factors.size(); ++igp)
    collect(total, factors[igp], reference.of_own_g[igp]);
  return reference_of(total);
}

}  // namespace gpp
