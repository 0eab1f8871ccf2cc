#include "data/silicon_laws.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <span>

namespace gpp::silicon {
namespace {

struct Point {
  double x;
  double y;
};

// Interpolates linearly between the points, and is constant outside them.
double interpolate(std::span<const Point> table, double x) {
  std::size_t right = 0;
  while (right < table.size() && table[right].x <= x) ++right;
  if (right == 0) return table.front().y;
  if (right == table.size()) return table.back().y;
  const Point a = table[right - 1];
  const Point b = table[right];
  return a.y + (b.y - a.y) * ((x - a.x) / (b.x - a.x));
}

constexpr Point valence_bands[] = {
    {0.0, -11.2},    {0.031, -10.591}, {0.094, -9.762}, {0.156, -7.449}, {0.219, -7.082},
    {0.344, -6.225}, {0.406, -2.910},  {0.594, -2.486}, {0.719, -2.050}, {0.781, -0.907},
    {0.906, -0.071}, {0.969, 0.0},     {1.0, 0.03}};

// Beyond 11.97 these are the energies of free electrons at silicon's density.
constexpr Point conduction_bands[] = {
    {1.0, 2.85},      {1.031, 2.951},   {1.094, 3.263},  {1.156, 5.058},  {1.281, 6.118},
    {1.531, 7.038},   {2.031, 10.102},  {3.031, 16.178}, {4.031, 21.420}, {5.031, 28.031},
    {6.031, 31.592},  {7.031, 39.177},  {8.031, 41.605}, {9.031, 44.895}, {10.031, 48.679},
    {11.031, 53.063}, {11.969, 55.178}, {15.0, 65.9}};

constexpr MatrixElements occupied_elements = {0.1600, 0.1164, 0.0897, 0.0671,
                                              0.0305, 0.0165, 0.0153, 0.0075};

struct EnergyRow {
  double energy;
  MatrixElements elements;
};

constexpr EnergyRow empty_elements[] = {
    {5.29, {0.0881, 0.0753, 0.0775, 0.0645, 0.0508, 0.0217, 0.0188, 0.0108}},
    {10.07, {0.0994, 0.0900, 0.0709, 0.0665, 0.0632, 0.0454, 0.0237, 0.0137}},
    {18.08, {0.0765, 0.0655, 0.0518, 0.0596, 0.0525, 0.0442, 0.0383, 0.0171}},
    {27.22, {0.0626, 0.0643, 0.0657, 0.0509, 0.0544, 0.0531, 0.0402, 0.0419}},
    {37.06, {0.0508, 0.0557, 0.0570, 0.0536, 0.0426, 0.0414, 0.0506, 0.0422}},
    {45.04, {0.0243, 0.0542, 0.0514, 0.0454, 0.0453, 0.0468, 0.0457, 0.0313}},
    {52.12, {0.0072, 0.0469, 0.0382, 0.0487, 0.0432, 0.0421, 0.0381, 0.0385}}};

double empty_element(double energy, std::size_t shell) {
  std::array<Point, std::size(empty_elements)> column;
  std::transform(std::begin(empty_elements), std::end(empty_elements), column.begin(),
                 [shell](const EnergyRow& row) {
                   return Point{row.energy, row.elements[shell]};
                 });
  return interpolate(column, energy);
}

constexpr Point element_quantiles[] = {
    {0.0, 0.0019},  {0.001, 0.0098}, {0.01, 0.0362},  {0.03, 0.0678},  {0.06, 0.1009},
    {0.1, 0.1360},  {0.2, 0.2152},   {0.3, 0.2927},   {0.4, 0.3777},   {0.5, 0.4786},
    {0.6, 0.6057},  {0.7, 0.7877},   {0.8, 1.0694},   {0.9, 1.5957},   {0.95, 2.1503},
    {0.98, 2.8798}, {0.99, 3.4406},  {0.995, 3.9537}, {0.998, 4.5701}, {0.999, 5.0411},
    {1.0, 7.9077}};

constexpr Point diagonal_screening[] = {
    {0.0, 0.865},  {0.1, 0.8116}, {0.461, 0.6044}, {0.85, 0.4633}, {1.2, 0.3762}, {1.6, 0.3078},
    {2.0, 0.2567}, {2.7, 0.1759}, {3.5, 0.1172},   {4.2, 0.0754},  {5.0, 0.0464}, {5.7, 0.0283},
    {6.4, 0.0173}, {7.2, 0.0101}, {7.6, 0.0077},   {8.0, 0.0059},  {9.0, 0.0031}};

constexpr double plasmon_energy = 16.58;  // silicon's plasmon energy in eV

constexpr Point coupling_quantiles[] = {
    {0.0, 2e-5},     {0.001, 0.00011}, {0.01, 0.0003},   {0.03, 0.00055},  {0.1, 0.00111},
    {0.2, 0.00181},  {0.3, 0.00266},   {0.4, 0.00368},   {0.5, 0.00503},   {0.6, 0.00702},
    {0.7, 0.01042},  {0.8, 0.01571},   {0.9, 0.03021},   {0.95, 0.07148},  {0.98, 0.13263},
    {0.99, 0.24781}, {0.995, 0.30410}, {0.998, 0.32508}, {0.999, 0.33627}, {1.0, 0.35336}};

constexpr Point pole_quantiles[] = {
    {0.0, 1.791},      {0.001, 2.959},  {0.01, 5.300},    {0.03, 7.465},    {0.06, 9.893},
    {0.1, 12.356},     {0.2, 17.332},   {0.3, 22.385},    {0.4, 27.546},    {0.5, 33.095},
    {0.6, 39.279},     {0.7, 46.683},   {0.8, 55.543},    {0.9, 69.876},    {0.95, 87.725},
    {0.98, 115.368},   {0.99, 145.044}, {0.995, 192.263}, {0.998, 320.423}, {0.999, 475.028},
    {0.9995, 605.003}, {1.0, 1578.951}};

}  // namespace

double band_energy(double filling) {
  if (filling < 1.0) return interpolate(valence_bands, filling);
  return interpolate(conduction_bands, filling);
}

MatrixElements matrix_elements(bool occupied, double energy) {
  if (occupied) return occupied_elements;
  MatrixElements elements;
  for (std::size_t shell = 0; shell < elements.size(); ++shell)
    elements[shell] = empty_element(energy, shell);
  return elements;
}

double matrix_element(const MatrixElements& shells, double length2) {
  const double position = length2 - 0.5;  // position in shells, from the middle of the first shell
  if (position <= 0.0) return shells.front();
  const auto left = static_cast<std::size_t>(position);
  if (left + 1 >= shells.size()) return shells.back();
  return shells[left] + (shells[left + 1] - shells[left]) * (position - static_cast<double>(left));
}

double matrix_element_shape(double u) { return interpolate(element_quantiles, u); }
double screening(double length2) { return interpolate(diagonal_screening, length2); }
double diagonal_pole(double screening) { return plasmon_energy / std::sqrt(screening); }
double coupling(double u) { return interpolate(coupling_quantiles, u); }
double pole_energy(double u) { return interpolate(pole_quantiles, u); }

}  // namespace gpp::silicon
