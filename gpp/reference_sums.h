// The reference's compensated sums. They are as accurate as sums in twice the precision.
#pragma once

#include <algorithm>
#include <limits>

#include "gpp/reference_lanes.h"

namespace gpp::reference {

/// A running sum together with the sum of its rounding errors (TwoSum: Knuth 1969). `Number` is
/// double or Lanes.
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

/// One real component of a sum, with its magnitude and ties.
template <class Number>
struct Component {
  Compensated<Number> value;
  Number magnitude{};
  Number ties{};

  void add(const Component& part) {
    value.add(part.value.sum);
    value.add(part.value.error);
    magnitude += part.magnitude;
    ties += part.ties;
  }
};

/// The real and imaginary parts of a sum.
template <class Number>
struct Parts {
  Component<Number> re, im;

  void add(const Parts& part) {
    re.add(part.re);
    im.add(part.im);
  }
};

/// The sum over the lanes, in order.
inline Parts<double> sum_of_lanes(const Parts<Lanes>& lanes) {
  const auto one = [](const Component<Lanes>& component, int lane) {
    return Component<double>{{component.value.sum[lane], component.value.error[lane]},
                             component.magnitude[lane],
                             component.ties[lane]};
  };
  Parts<double> sum;
  for (int lane = 0; lane < width; ++lane) sum.add({one(lanes.re, lane), one(lanes.im, lane)});
  return sum;
}

/// One component for eight G, summed over all bands. It is the innermost sum, so its compensation
/// must be cheap. It starts at a ballast larger than everything added to it. Then no term exceeds
/// the running sum, and an addition's exact rounding error takes three operations instead of six
/// (FastTwoSum: Dekker 1971). Subtracting the ballast at the end is exact (Sterbenz 1974).
///
/// The right ballast is known only after the terms were added. `balance` asks for a repetition if
/// it was smaller than the terms, or so large that second-order errors matter. With n bands these
/// stay below n^2 2^-106 ballast.
struct BallastedComponent {
  double ballast = 0;
  Compensated<Lanes> value;
  Lanes magnitude{};

  void start() {
    value.sum = all(ballast);
    value.error = magnitude = Lanes{};
  }

  void add(Lanes term) {
    const Lanes total = value.sum + term;
    value.error += term - (total - value.sum);
    value.sum = total;
    magnitude += absolute(term);
  }

  /// Returns whether the ballast was right; otherwise chooses the right one.
  bool balance() {
    double largest = 0;
    for (int lane = 0; lane < width; ++lane) largest = std::max(largest, magnitude[lane]);
    const bool right = 4 * largest <= ballast && ballast <= 0x1p20 * largest;
    if (right || largest == 0 || !(largest < std::numeric_limits<double>::infinity())) return true;
    ballast = 0x1p11 * largest;
    return false;
  }

  Component<Lanes> without_ballast() const {
    return {{value.sum - ballast, value.error}, magnitude, Lanes{}};
  }
};

/// The real and imaginary parts.
struct PartsOfBlock {
  BallastedComponent re, im;

  void start() {
    re.start();
    im.start();
  }

  void add(ComplexLanes term) {
    re.add(term.re);
    im.add(term.im);
  }

  bool balance() {
    const bool balanced = re.balance();
    return im.balance() && balanced;
  }

  Parts<Lanes> without_ballast() const { return {re.without_ballast(), im.without_ballast()}; }
};

}  // namespace gpp::reference
