// The distributions of generated inputs, as tables measured in data/silicon/gpp_si8_medium.dat
// (BerkeleyGW's numbers for eight displaced silicon atoms).
//
// The exact square root is the only math function used. Last bits of others differ between
// machines, and an input must be the same everywhere.
#pragma once

#include <array>

namespace gpp::silicon {

/// The energy of a band above the top of the valence band, eV. `filling` = (band - 1/2) / occupied
/// bands, 0..15, so that cells of any size share one density of states.
double band_energy(double filling);

/// The root mean square of |aqsn| of one band in the shells 0..1, 1..2, ... 7..8 Ry of |q+G|^2, in
/// a cell with 16 occupied bands. By sum rules it falls as 1/sqrt(occupied bands).
using MatrixElements = std::array<double, 8>;

/// The matrix elements of a band with this energy (as from band_energy).
MatrixElements matrix_elements(bool occupied, double energy);

/// Interpolates linearly between the middles of the shells.
double matrix_element(const MatrixElements& shells, double length2);

/// The quantile u of |aqsn| in units of its root mean square.
double matrix_element_shape(double u);

/// The diagonal of I_eps at |q+G|^2 (Ry).
double screening(double length2);

/// The diagonal wtilde for a diagonal I_eps of `screening`, eV. The sum rule of Hybertsen and Louie
/// 1986 gives plasmon energy / sqrt(screening).
double diagonal_pole(double screening);

/// The quantile u of |I_eps(G,G')| in units of sqrt(I_eps(G,G) I_eps(G',G')) |q+G'| / |q+G|.
double coupling(double u);

/// The largest off-diagonal |I_eps| that occurs.
inline constexpr double largest_screening = 0.18;

/// The relative noise of both components of each element, by which |q+G|^2 I_eps is not exactly
/// Hermitian.
inline constexpr double skewness = 0.0026;

/// The quantile u of the valid off-diagonal Re wtilde, eV.
double pole_energy(double u);

/// The shares of off-diagonal wtilde that are exactly 0, and of those whose I_eps is 0 too.
inline constexpr double zero_poles = 2e-4;
inline constexpr double zero_screening = 0.25;

}  // namespace gpp::silicon
