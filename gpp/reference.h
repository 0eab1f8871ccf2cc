// The reference every variant is checked against: the definition itself, on the CPU.
#pragma once

#include <functional>
#include <vector>

#include "gpp/problem.h"
#include "gpp/sums.h"

namespace gpp {

/// The sums of a problem, and the sizes that other sums are judged by.
struct Reference {
  Sums sums{};
  /// The sum of the absolute values of the terms, component by component: magnitude.asx[iw].re =
  /// sum |Re(term)|, and so on. Its ratio to the sums tells how much cancelled.
  Sums magnitude{};
  /// The magnitude of the terms that lie on a limit of the definition to within tie_width: rounding
  /// decides which side they fall on, so right sums may differ by this much.
  Sums ties{};
  long long tied_terms = 0;
  /// The reference of each igp alone, in order; empty where it was not kept.
  std::vector<Reference> of_own_g = {};
};

/// Rounding decides where a squared modulus comes this close to a limit, relative to it. The
/// forms of a term differ by some 1e-15, times at most sexcut where ssx is compared with it.
inline constexpr double tie_width = 1e-12;

/// Counts the changes of compute_reference that changed a bit of some result: references that were
/// kept (data/kept_reference.h) are of one definition.
inline constexpr int reference_definition = 3;

/// The reference of the same problem with vcoul_loc(igp) times factors[igp]: nothing is summed anew
/// but the columns. Needs of_own_g.
Reference reweighted(const Reference& reference, const std::vector<double>& factors);

/// Called now and then from the calling thread with the share of the work done, 0..1.
using Progress = std::function<void(double)>;

/// Sums the problem (in host memory) on all cores, straight from the definition (Deslippe
/// et al. 2012). It shares no code with the arithmetic forms or the variants. Every term is
/// evaluated in double precision and added with compensation (Dekker 1971, Knuth 1969), so that the
/// order of the sum does not matter to double precision. The result is the same bit for bit on
/// every machine, with every compiler and number of cores.
Reference compute_reference(const Problem& problem, const Progress& progress = {});

}  // namespace gpp
