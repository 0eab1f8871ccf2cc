// The problem as variants see it: a view of arrays in the memory where the variant runs.
#pragma once

#include <concepts>

#include "gpp/array.h"
#include "gpp/complex.h"
#include "gpp/markers.h"
#include "gpp/term.h"
#include "runtimes/registration.h"

namespace gpp {

/// A complete problem. Trivially copyable, so a kernel takes it by value; the arrays lie in the
/// memory of the device that the problem was placed on (gpp/placed_problem.h). All indices count
/// from 0, iw from nstart. Arrays have the paper's names; prepare.h defines them.
struct Problem {
  int nbands = 0;  ///< n1: bands summed over
  int ngpown = 0;  ///< igp: own G' vectors
  int ncouls = 0;  ///< ig: G vectors
  int nfreq = 0;   ///< iw: frequencies, 1..3
  Limits limits{};

  Array2<const Complex> wtilde_array;      ///< (ig, igp) plasmon-pole energy, eV
  Array2<const Complex> I_eps_array;       ///< (ig, igp) inverse dielectric matrix less unity
  Array2<const Complex> aqsntemp;          ///< (ig, n1)
  Array2<const Complex> aqsmtemp_local;    ///< (igp, n1) gathered through indinv
  Array2<const Complex> aqsmtemp_local_t;  ///< (n1, igp) transposed copy (step v5)
  Array2<const double> wx_array;    ///< (iw, n1) E - ekq, eV; never closer to 0 than TOL_Zero
  Array2<const double> wx_array_t;  ///< (n1, iw) transposed copy (step v5)
  Array1<const double> vcoul_loc;   ///< (igp) Coulomb interaction, Ry
  Array1<const double> occ_array;   ///< (n1) occupation: 0, 1/2 or 1

  /// Returns the number of terms (n1, igp, ig, iw).
  long long terms() const { return 1LL * nbands * ngpown * ncouls * nfreq; }
};

/// Replaces each array of a problem by the result of `place` for it. Every function that copies a
/// problem uses this list of arrays. `place` takes an array's name and an Array1 or Array2, and
/// returns such an array.
template <class Place>
Problem relocate(const Problem& problem, Place&& place) {
  Problem moved = problem;
  moved.wtilde_array = place("wtilde_array", problem.wtilde_array);
  moved.I_eps_array = place("I_eps_array", problem.I_eps_array);
  moved.aqsntemp = place("aqsntemp", problem.aqsntemp);
  moved.aqsmtemp_local = place("aqsmtemp_local", problem.aqsmtemp_local);
  moved.aqsmtemp_local_t = place("aqsmtemp_local_t", problem.aqsmtemp_local_t);
  moved.wx_array = place("wx_array", problem.wx_array);
  moved.wx_array_t = place("wx_array_t", problem.wx_array_t);
  moved.vcoul_loc = place("vcoul_loc", problem.vcoul_loc);
  moved.occ_array = place("occ_array", problem.occ_array);
  return moved;
}

/// The same list for a Relocation (runtimes/registration.h).
void each_array(std::derived_from<Problem> auto& problem, auto&& visit) {
  problem = relocate(problem, [&visit](const char* /*name*/, auto array) {
    visit(array.data);
    return array;
  });
}

}  // namespace gpp
