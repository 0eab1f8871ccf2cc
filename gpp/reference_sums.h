// The reference's compensated sums. They are as accurate as sums in twice the precision.
#pragma once

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

  void add(Number term) {
    value.add(term);
    magnitude += absolute(term);
  }
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

  void add(ComplexLanes term) {
    re.add(term.re);
    im.add(term.im);
  }
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

}  // namespace gpp::reference
