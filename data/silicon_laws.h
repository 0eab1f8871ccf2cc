// The distributions that generated inputs are drawn from, measured in
// data/silicon/gpp_si8_medium.dat (BerkeleyGW's own numbers for eight displaced silicon atoms), as
// tables.
//
// Tables, and no function of the math library except the exact square root: its last bits differ
// between machines, and an input must be the same on all of them.
#pragma once

#include <array>

namespace gpp::silicon {

/// Energy of a band against the top of the valence band, eV. `filling` = (band - 1/2) / occupied
/// bands, so that cells of any size share one density of states; 0..15.
double band_energy(double filling);

/// Root mean square of |aqsn| of one band over the shells 0..1, 1..2, ... 7..8 Ry of |q+G|^2, in a
/// cell of 16 occupied bands. Sum rules make it fall as 1/sqrt(occupied bands).
using MatrixElements = std::array<double, 8>;

/// The matrix elements of a band, by its energy (as band_energy gives it).
MatrixElements matrix_elements(bool occupied, double energy);

/// Between the middles of the shells on straight lines.
double matrix_element(const MatrixElements& shells, double length2);

/// Quantile u of |aqsn| in units of its root mean square.
double matrix_element_shape(double u);

/// Diagonal of I_eps at |q+G|^2 (Ry).
double screening(double length2);

/// Diagonal of wtilde where I_eps is `screening`, eV: the sum rule of Hybertsen and Louie 1986
/// makes it plasmon energy / sqrt(screening).
double diagonal_pole(double screening);

/// Quantile u of |I_eps(G,G')| in units of sqrt(I_eps(G,G) I_eps(G',G')) |q+G'| / |q+G|.
double coupling(double u);

/// The largest off-diagonal |I_eps| that occurs.
inline constexpr double largest_screening = 0.18;

/// The noise of each element that keeps |q+G|^2 I_eps from being Hermitian: relative, in both
/// components.
inline constexpr double skewness = 0.0026;

/// Quantile u of the valid off-diagonal Re wtilde, eV.
double pole_energy(double u);

/// Share of off-diagonal wtilde that is exactly 0, and among them of I_eps that is 0 with it.
inline constexpr double zero_poles = 2e-4;
inline constexpr double zero_screening = 0.25;

}  // namespace gpp::silicon
