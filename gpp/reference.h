// The reference every variant is checked against: the definition itself, on the CPU.
#pragma once

#include <functional>

#include "gpp/problem.h"
#include "gpp/sums.h"

namespace gpp {

/// The sums of a problem and the sum of the absolute values of their terms, component by component:
/// magnitude.asx[iw].re = sum |Re(term)|, and so on. The ratio tells how much cancelled.
struct Reference {
  Sums sums{};
  Sums magnitude{};
};

/// Called now and then from the calling thread with the share of the work done, 0..1.
using Progress = std::function<void(double)>;

/// Sums the problem (in host memory) on all cores, straight from the definition (design, section
/// 1). It shares no code with the arithmetic forms or the variants. Every term is evaluated in
/// double precision and added with compensation (Neumaier 1974), so that the order of the sum does
/// not matter to double precision.
Reference compute_reference(const Problem& problem, const Progress& progress = {});

}  // namespace gpp
