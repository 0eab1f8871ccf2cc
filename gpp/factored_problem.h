// A problem with the additional data of the factored forms (v11 and later).
#pragma once

#include <algorithm>
#include <cmath>

#include "gpp/problem.h"
#include "gpp/sums.h"

namespace gpp {

/// The weights of a problem's poles by energy. They decide whether an approximation of 1/(x -
/// wtilde) is accurate enough (gpp/moments.h).
struct PoleDistribution {
  static constexpr int bins = 32;

  double lowest = 0;         ///< the lowest Re wtilde, eV
  double weight[bins] = {};  ///< sum of |vcoul I_eps| over the poles of a bin
  double square[bins] = {};  ///< sum of its square, without heavy G' (gpp/integers.h)

  /// The lower edge of a bin, eV. The first is 0, then come three per octave from 1/4. The last bin
  /// has no upper end.
  static double lower_edge(int bin) { return bin == 0 ? 0.0 : 0.25 * std::exp2((bin - 1) / 3.0); }

  /// The energy of a bin's poles for weighting a term, never 0.
  static double energy(int bin) { return lower_edge(std::max(bin, 1)); }

  void add(double energy, double share, [[maybe_unused]] bool heavy = false) {
    lowest = std::min(lowest, energy);
    const double place = energy < 0.25 ? 0.0 : 1.0 + std::floor(3.0 * std::log2(4.0 * energy));
    const int bin = static_cast<int>(std::min(place, bins - 1.0));
    weight[bin] += share;
    if (!heavy) square[bin] += share * share;
  }
  void add(const PoleDistribution& other) {
    lowest = std::min(lowest, other.lowest);
    for (int bin = 0; bin < bins; ++bin) {
      weight[bin] += other.weight[bin];
      square[bin] += other.square[bin];
    }
  }
};

/// Neighbouring empty bands that share a series (gpp/forms/moments.h).
struct MomentGroup {
  double centre[max_frequencies];  ///< centre c at each frequency, eV
  double half_width;               ///< half width h, eV, equal at all frequencies
  int bands;                       ///< number of bands, padded to a multiple of moment_step
};

/// A band of a group. Padding is not a band and contributes nothing.
struct alignas(16) MomentBand {
  int n1 = -1;
  double t = 0;  ///< x minus the group's centre, eV
};

/// Adds the bands of each class, in ascending lists, and facts about all poles. The host prepares
/// it once per input. The time is not part of any variant's time; the record reports it
/// ("preparation_s").
struct FactoredProblem : Problem {
  Array1<const int> empty_bands;        ///< occ = 0: contribute only to sch
  Array1<const int> occupied_bands;     ///< occ = 1 and wx >= 0 at every frequency: no cutoff
  Array1<const int> exceptional_bands;  ///< all others: half occupied, or occupied with some wx < 0
  Array1<const MomentGroup> moment_groups;   ///< groups of bands with moments: gpp/moments.h
  Array1<const MomentBand> moment_bands;     ///< the bands of all groups in order
  Array1<const int> other_empty_bands;       ///< empty bands outside groups, ascending
  Array1<const MomentGroup> integer_groups;  ///< the groups for integer moments: gpp/integers.h
  Array1<const MomentBand> integer_bands;
  Array1<const int> other_integer_bands;
  double highest_empty_wx = 0;  ///< largest wx of an empty band at any frequency, eV
  PoleDistribution poles;       ///< the distribution of pole energies
  int moment_rank = 0;          ///< number of moments per group; 0 without groups
  bool real_poles = false;      ///< every wtilde is real, so v12's algebra holds
  bool tiny_poles = false;      ///< some wtilde is tiny: is_tiny in forms/factored.h
  bool resonant_poles = false;  ///< some wtilde equals a wx of an occupied band exactly

  /// True if the factored sums count every term correctly: no exceptional band, no tiny pole and no
  /// exact resonance.
  bool factored_sums_suffice() const {
    return exceptional_bands.size == 0 && !tiny_poles && !resonant_poles;
  }
};

/// Replaces each array by the result of `place` for it, as for a Problem.
template <class Place>
FactoredProblem relocate(const FactoredProblem& problem, Place&& place) {
  FactoredProblem moved = problem;
  static_cast<Problem&>(moved) = relocate(static_cast<const Problem&>(problem), place);
  moved.empty_bands = place("empty_bands", problem.empty_bands);
  moved.occupied_bands = place("occupied_bands", problem.occupied_bands);
  moved.exceptional_bands = place("exceptional_bands", problem.exceptional_bands);
  moved.moment_groups = place("moment_groups", problem.moment_groups);
  moved.moment_bands = place("moment_bands", problem.moment_bands);
  moved.other_empty_bands = place("other_empty_bands", problem.other_empty_bands);
  moved.integer_groups = place("integer_groups", problem.integer_groups);
  moved.integer_bands = place("integer_bands", problem.integer_bands);
  moved.other_integer_bands = place("other_integer_bands", problem.other_integer_bands);
  return moved;
}

}  // namespace gpp
