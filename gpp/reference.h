// The reference that checks every variant: the definition itself, on the CPU.
#pragma once

#include <cstring>
#include <functional>
#include <vector>

#include "gpp/problem.h"
#include "gpp/sums.h"

namespace gpp {

/// True if all numbers have the same bits.
inline bool operator==(const Sums& a, const Sums& b) {
  return std::memcmp(&a, &b, sizeof(Sums)) == 0;
}

/// The sums of a problem, and the scales for errors of other sums.
struct Reference {
  Sums sums{};
  /// The sum of the terms' absolute values by component: magnitude.asx[iw].re = sum |Re(term)|, and
  /// so on. Its ratio to the sums shows the cancellation.
  Sums magnitude{};
  /// The magnitude of terms within tie_width of a limit of the definition. Rounding decides their
  /// branch, so correct sums may differ by this much.
  Sums ties{};
  long long tied_terms = 0;
  /// The reference of each igp separately, in order; empty if not kept.
  std::vector<Reference> of_own_g = {};

  bool operator==(const Reference& other) const = default;
};

/// Rounding decides the branch if a squared modulus is this close to a limit, relative to it. Forms
/// of a term differ by about 1e-15, times at most sexcut in the comparison of ssx.
inline constexpr double tie_width = 1e-12;

/// The version of compute_reference, increased whenever some result changes by a bit. Stored
/// references (data/kept_reference.h) belong to one version.
inline constexpr int reference_definition = 4;

/// The reference of the same problem with vcoul_loc(igp) multiplied by factors[igp]. It only adds
/// up columns again, and needs of_own_g.
Reference reweighted(const Reference& reference, const std::vector<double>& factors);

/// A callback in the calling thread that gets the finished share of the work, 0..1.
using Progress = std::function<void(double)>;

/// Sums the problem (in host memory) on all cores, directly by the definition (Deslippe et al.
/// 2012). It shares no code with the arithmetic forms or the variants. Every term is evaluated in
/// double precision and added with compensation (Knuth 1969), so the order of the sum
/// does not matter in double precision. The result has the same bits on every machine, with every
/// compiler and number of cores.
Reference compute_reference(const Problem& problem, const Progress& progress = {});

}  // namespace gpp
