#include "gpp/reference.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <chrono>
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
  }
}

void collect(Component<double>& total, const Component<double>& part) {
  total.value.add(part.value.sum);
  total.value.add(part.value.error);
  total.magnitude += part.magnitude;
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

// One term as section 1 of the design defines it. Both branches are computed in every lane and
// the one that holds is taken.
struct Definition {
  ComplexLanes w;
  ComplexLanes I_eps;
  ComplexLanes w2 = times(w, w);
  ComplexLanes Omega2 = times(w2, I_eps);

  struct Values {
    ComplexLanes sch;
    ComplexLanes ssx;
  };

  Values at(double wx, bool occupied, const Limits& limits) const {
    const ComplexLanes zero{};
    const ComplexLanes wdiff{wx - w.re, -w.im};
    const ComplexLanes delw = over(w, wdiff);
    const Mask far = (square(wdiff) > limits.limittwo) & (square(delw) < limits.limitone);
    const ComplexLanes sch = where(far, times(delw, I_eps), zero);
    if (!occupied) return {sch, zero};  // occ = 0 removes ssx, as BerkeleyGW does

    const ComplexLanes far_ssx = over(Omega2, {wx * wx - w2.re, -w2.im});
    const ComplexLanes near_cden = times(scaled(4.0, w2), {delw.re + 0.5, delw.im});
    const ComplexLanes near_ssx = over(scaled(-1.0, times(Omega2, delw)), near_cden);
    const Mask near = square(delw) > all(TOL_Zero);
    ComplexLanes ssx = where(far, far_ssx, where(near, near_ssx, zero));
    if (wx < 0.0) {
      const Mask cut = square(ssx) > (limits.sexcut * limits.sexcut) * square(I_eps);
      ssx = where(cut, zero, ssx);
    }
    return {sch, ssx};
  }
};

using Frequencies = Partial<Lanes>[max_frequencies];

// All bands and frequencies at eight neighbouring G of one G'.
void sum_bands(const Problem& problem, int ig, int igp, Frequencies& partial) {
  const Definition definition{.w = load(problem.wtilde_array, ig, igp, {1.0, 0.0}),
                              .I_eps = load(problem.I_eps_array, ig, igp, {0.0, 0.0})};
  const double vcoul = problem.vcoul_loc(igp);
  for (int n1 = 0; n1 < problem.nbands; ++n1) {
    const Complex aqsm = problem.aqsmtemp_local(igp, n1);
    const ComplexLanes m =
        times({all(aqsm.re), all(-aqsm.im)}, load(problem.aqsntemp, ig, n1, {0.0, 0.0}));
    const double occ = problem.occ_array(n1);
    for (int iw = 0; iw < problem.nfreq; ++iw) {
      const auto [sch, ssx] = definition.at(problem.wx_array(iw, n1), occ != 0.0, problem.limits);
      const ComplexLanes ach = scaled(vcoul * 0.5, times(sch, m));
      add(partial[iw].ach_re, ach.re);
      add(partial[iw].ach_im, ach.im);
      if (occ == 0.0) continue;
      const ComplexLanes asx = scaled(-vcoul * occ, times(ssx, m));
      add(partial[iw].asx_re, asx.re);
      add(partial[iw].asx_im, asx.im);
    }
  }
}

using Column = std::vector<Partial<double>>;  // by frequency

Column sum_column(const Problem& problem, int igp) {
  Column column(static_cast<std::size_t>(problem.nfreq));
  for (int ig = 0; ig < problem.ncouls; ig += width) {
    Frequencies partial{};
    sum_bands(problem, ig, igp, partial);
    for (int iw = 0; iw < problem.nfreq; ++iw)
      collect(column[static_cast<std::size_t>(iw)], partial[iw]);
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

}  // namespace

Reference compute_reference(const Problem& problem, const Progress& progress) {
  const std::vector<Column> columns = sum_columns(problem, progress);
  Column total(static_cast<std::size_t>(problem.nfreq));
  for (const Column& column : columns)  // in order, so that every run gives the same bits
    for (std::size_t iw = 0; iw < total.size(); ++iw) collect(total[iw], column[iw]);

  Reference reference;
  for (std::size_t iw = 0; iw < total.size(); ++iw) {
    const Partial<double>& part = total[iw];
    reference.sums.asx[iw] = {value_of(part.asx_re), value_of(part.asx_im)};
    reference.sums.ach[iw] = {value_of(part.ach_re), value_of(part.ach_im)};
    reference.magnitude.asx[iw] = {part.asx_re.magnitude, part.asx_im.magnitude};
    reference.magnitude.ach[iw] = {part.ach_re.magnitude, part.ach_im.magnitude};
  }
  return reference;
}

}  // namespace gpp
