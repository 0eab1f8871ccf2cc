// A real type that counts its operations. A form of gpp/forms/ that runs over it shows how many
// FP64 operations it needs for given values and the branches they take.
//
// Counts the arithmetic as the source writes it. Signs and selections are free, as in hardware. A
// division or a square root is one operation, however many instructions it takes. An absolute value
// is the root of a sum of squares. A compiler may do less, because it computes repeated values
// once. A fused multiply-add counts as two operations.
#pragma once

#include <cmath>

#include "gpp/complex.h"
#include "gpp/term.h"

namespace gpp {

/// FP64 operations by kind.
struct Operations {
  double additions = 0;  ///< includes subtractions
  double multiplications = 0;
  double divisions = 0;
  double square_roots = 0;
  double comparisons = 0;  ///< not floating-point operations in the roofline's sense

  double flop() const { return additions + multiplications + divisions + square_roots; }

  friend Operations operator+(const Operations& a, const Operations& b) {
    return {a.additions + b.additions, a.multiplications + b.multiplications,
            a.divisions + b.divisions, a.square_roots + b.square_roots,
            a.comparisons + b.comparisons};
  }
  friend Operations operator*(double times, const Operations& a) {
    return {times * a.additions, times * a.multiplications, times * a.divisions,
            times * a.square_roots, times * a.comparisons};
  }
  friend bool operator==(const Operations& a, const Operations& b) = default;
};

/// The result of a comparison that evaluates both sides of && and ||, as vector lanes do. The
/// alternative is bool, which skips the second side if the first decides.
struct BothSides {
  bool value;
  explicit operator bool() const { return value; }
  friend BothSides operator&&(BothSides a, BothSides b) { return {a.value && b.value}; }
  friend BothSides operator||(BothSides a, BothSides b) { return {a.value || b.value}; }
};

/// A double that counts the operations on it, per thread.
template <class Truth>
struct CountedReal {
  double value = 0;

  CountedReal() = default;
  CountedReal(double x) : value(x) {}  // NOLINT(google-explicit-constructor)

  /// The counts since the tally was last set to {}.
  static Operations& tally() {
    thread_local Operations operations;
    return operations;
  }

  friend CountedReal operator+(CountedReal a, CountedReal b) {
    return counted(tally().additions, a.value + b.value);
  }
  friend CountedReal operator-(CountedReal a, CountedReal b) {
    return counted(tally().additions, a.value - b.value);
  }
  friend CountedReal operator*(CountedReal a, CountedReal b) {
    return counted(tally().multiplications, a.value * b.value);
  }
  friend CountedReal operator/(CountedReal a, CountedReal b) {
    return counted(tally().divisions, a.value / b.value);
  }
  friend CountedReal operator-(CountedReal a) { return -a.value; }
  friend CountedReal& operator+=(CountedReal& a, CountedReal b) { return a = a + b; }
  friend CountedReal& operator-=(CountedReal& a, CountedReal b) { return a = a - b; }

  friend Truth operator<(CountedReal a, CountedReal b) { return compared(a.value < b.value); }
  friend Truth operator>(CountedReal a, CountedReal b) { return compared(a.value > b.value); }
  friend Truth operator<=(CountedReal a, CountedReal b) { return compared(a.value <= b.value); }

  friend CountedReal fabs(CountedReal a) { return std::fabs(a.value); }
  friend CountedReal sqrt(CountedReal a) {
    return counted(tally().square_roots, std::sqrt(a.value));
  }
  friend CountedReal hypot(CountedReal a, CountedReal b) { return sqrt(a * a + b * b); }

  friend CountedReal select(BothSides condition, CountedReal a, CountedReal b) {
    return condition.value ? a : b;
  }
  friend BasicComplex<CountedReal> select(BothSides condition, BasicComplex<CountedReal> a,
                                          BasicComplex<CountedReal> b) {
    return condition.value ? a : b;
  }

 private:
  static CountedReal counted(double& operations, double result) {
    ++operations;
    return result;
  }
  static Truth compared(bool truth) {
    ++tally().comparisons;
    return Truth{truth};
  }
};

template <class Truth>
BasicComplex<CountedReal<Truth>> counting(Complex z) {
  return {z.re, z.im};
}

template <class Truth>
BasicLimits<CountedReal<Truth>> counting(const Limits& limits) {
  return {limits.limitone, limits.limittwo, limits.sexcut};
}

// ---- One term on such a type: the input on which the operations of forms are counted

template <class Truth>
using CountedComplex = BasicComplex<CountedReal<Truth>>;

template <class Truth, class Body>
Operations count(const Body& body) {
  CountedReal<Truth>::tally() = {};
  body();
  return CountedReal<Truth>::tally();
}

/// The arguments of a term. Only wtilde and wx decide its branch.
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

/// The sums to which terms are added.
template <class Truth>
struct Totals {
  CountedComplex<Truth> asx{}, ach{};
};

template <class Truth>
CountedComplex<Truth> matrix_element(const Sample<Truth>& at) {
  return conj(at.m) * at.m;
}

}  // namespace gpp
