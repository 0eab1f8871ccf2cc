// One term on a type that counts operations: the input on which the forms' operations are counted.
#pragma once

#include "gpp/complex.h"
#include "gpp/counted_real.h"
#include "gpp/term.h"

namespace gpp {

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
