#include "gpp/study/awkward.h"

#include "data/generate.h"
#include "gpp/study/shapes.h"

namespace gpp {
namespace {

/// Shapes with poles exactly at energies, where a plain formula divides by 0.
std::vector<Shape> exact_shapes() {
  // The sizes are odd, G' lie outside, and each case changes the sums by more than the tolerance.
  Shape everything{.name = "everything_real",
                   .meaning = "every case at once, all poles real",
                   .hint = "the input that fails beside it says more",
                   .ncouls = 67,
                   .ngpown = 29,
                   .nbands = 29,
                   .nstart = 1,
                   .occupied = 13,
                   .half_occupied = 3,
                   .at_wx = 0.05,
                   .tiny = 0.05,
                   .state = ShapeState::at_deep_band,
                   .map = ShapeMap::outside};
  std::vector<Shape> shapes = {
      {.name = "resonance",
       .meaning = "poles at exactly a wx of an occupied band",
       .hint = "0 / 0: the definition gives 0 there, a formula need not",
       .ncouls = 40,
       .poles = ShapePoles::complex,
       .at_wx = 0.05},
      {.name = "antiresonance",
       .meaning = "poles at exactly -wx of empty and occupied bands, wx < 0",
       .hint = "a number / 0, also times an occupation of 0: not a number, and 0 is due",
       .ncouls = 40,
       .poles = ShapePoles::complex,
       .at_minus_wx = 0.05,
       .state = ShapeState::deep},
      everything};
  everything.name = "everything_complex";
  everything.meaning = "every case at once, some poles complex";
  everything.poles = ShapePoles::complex;
  shapes.push_back(everything);
  return shapes;
}

/// A diagonal element with three G, whose imaginary parts cancel except for rounding.
Input cancelling() {
  constexpr int size = 3;
  Input input = random_input(
      {.name = "cancelling", .ncouls = size, .ngpown = size, .map = ShapeMap::identity}, 3);
  input.aqsmtemp = input.aqsntemp;
  for (int g = 0; g < size * size; ++g) {
    const auto at = static_cast<std::size_t>(g);
    const bool diagonal = g % size == g / size;
    input.I_eps_array[at] = {diagonal ? input.I_eps_array[at].re : 0.0, 0.0};
  }
  return input;
}

/// Bands as they are in seven of the eight ranks of a large calculation.
Input far_bands() {
  Preset preset = *find_preset("small");
  preset.ncouls = preset.ngpown = 27;
  preset.sig_ntband = 6397;
  preset.nvband = 428;
  preset.first_band = 800;
  preset.ntband_dist = 300;
  preset.offdiagonal = true;
  return generate(preset, 1, false);
}

}  // namespace

std::vector<AwkwardInput> awkward_inputs() {
  std::vector<Shape> shapes = odd_shapes();
  for (const Shape& shape : exact_shapes()) shapes.push_back(shape);
  std::vector<AwkwardInput> inputs;
  for (const Shape& shape : shapes)
    inputs.push_back(
        {shape.name, shape.meaning, shape.hint, [shape] { return random_input(shape, 1); }});
  inputs.push_back({"cancelling", "imaginary parts cancel but for rounding",
                    "sums that lose digits before they are added up", cancelling});
  inputs.push_back({"many_far_bands", "hundreds of empty bands far below the poles",
                    "bands that are summed together: which of them may be", far_bands});
  return inputs;
}

}  // namespace gpp
