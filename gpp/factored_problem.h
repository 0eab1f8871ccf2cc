// A problem with the additional data of the factored form (v11, v12).
#pragma once

#include "gpp/problem.h"

namespace gpp {

/// Adds the bands by class, each list ascending, and facts about all poles. It is prepared once for
/// each input on the host, and no time of a variant holds it: the record says how long it took
/// ("preparation_s").
struct FactoredProblem : Problem {
  Array1<const int> empty_bands;        ///< occ = 0: sch alone counts
  Array1<const int> occupied_bands;     ///< occ = 1 and wx >= 0 at every frequency: no cutoff
  Array1<const int> exceptional_bands;  ///< the rest: half occupied, or occupied with some wx < 0
  double highest_empty_wx = 0;          ///< the largest wx of an empty band at any frequency, eV
  bool real_poles = false;              ///< every wtilde is real: v12's algebra holds
  bool tiny_poles = false;              ///< some wtilde is tiny: is_tiny in forms/factored.h
  bool resonant_poles = false;          ///< some wtilde equals a wx of an occupied band exactly

  /// Whether the factored sums count every term rightly: there is no exceptional band, no tiny pole
  /// and no exact resonance.
  bool factored_sums_suffice() const {
    return exceptional_bands.size == 0 && !tiny_poles && !resonant_poles;
  }
};

/// The same with each array replaced by what `place` returns for it, as for a Problem.
template <class Place>
FactoredProblem relocate(const FactoredProblem& problem, Place&& place) {
  FactoredProblem moved = problem;
  static_cast<Problem&>(moved) = relocate(static_cast<const Problem&>(problem), place);
  moved.empty_bands = place("empty_bands", problem.empty_bands);
  moved.occupied_bands = place("occupied_bands", problem.occupied_bands);
  moved.exceptional_bands = place("exceptional_bands", problem.exceptional_bands);
  return moved;
}

}  // namespace gpp
