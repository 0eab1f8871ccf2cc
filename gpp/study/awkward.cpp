#include "gpp/study/awkward.h"

#include "data/generate.h"
#include "gpp/prepare.h"
#include "gpp/study/every_case.h"
#include "gpp/study/shapes.h"

namespace gpp {
namespace {

/// Some poles equal a wx of an occupied band exactly.
Input resonance() {
  const Shape shape{.name = "resonance", .ncouls = 40, .poles = ShapePoles::complex};
  Input input = random_input(shape, 1);
  const PreparedProblem prepared{Input(input)};
  const Problem& problem = prepared.view();
  std::size_t at = 17;
  for (int n1 = 0; n1 < problem.nbands; ++n1) {
    if (problem.occ_array(n1) != 1.0) continue;
    input.wtilde_array[at] = {problem.wx_array(1, n1), 0.0};
    input.I_eps_array[at] = {3.0, 1.0};
    at += 40;
  }
  return input;
}

/// Some poles equal -wx of an empty or an occupied band exactly, where ssx has no finite value.
Input antiresonance(bool occupied) {
  const Shape shape{.name = "antiresonance",
                    .ncouls = 40,
                    .poles = ShapePoles::complex,
                    .state = ShapeState::deep};
  Input input = random_input(shape, 1);
  const PreparedProblem prepared{Input(input)};
  const Problem& problem = prepared.view();
  std::size_t at = 17;
  for (int n1 = 0; n1 < problem.nbands && at < input.wtilde_array.size(); ++n1) {
    const double wx = problem.wx_array(1, n1);
    if ((problem.occ_array(n1) == 1.0) != occupied || wx >= 0.0) continue;
    input.wtilde_array[at] = {-wx, 0.0};
    input.I_eps_array[at] = {3.0, 1.0};
    at += 40;
  }
  return input;
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
  std::vector<AwkwardInput> inputs;
  for (const Shape& shape : odd_shapes())
    inputs.push_back(
        {shape.name, shape.meaning, shape.hint, [shape] { return random_input(shape, 1); }});
  inputs.push_back({"resonance", "poles at exactly a wx of an occupied band",
                    "0 / 0: the definition gives 0 there, a formula need not", resonance});
  inputs.push_back({"antiresonance_empty", "poles at exactly -wx of an empty band",
                    "a number / 0 times an occupation of 0: not a number, and 0 is due",
                    [] { return antiresonance(false); }});
  inputs.push_back({"antiresonance_occupied", "poles at exactly -wx of an occupied band, wx < 0",
                    "a number / 0 is above every cutoff, but not a number is not",
                    [] { return antiresonance(true); }});
  inputs.push_back({"cancelling", "imaginary parts cancel but for rounding",
                    "sums that lose digits before they are added up", cancelling});
  inputs.push_back({"many_far_bands", "hundreds of empty bands far below the poles",
                    "bands that are summed together: which of them may be", far_bands});
  for (const bool real : {true, false})
    inputs.push_back(
        {real ? "everything_real" : "everything_complex",
         real ? "every case at once, all poles real" : "every case at once, some poles complex",
         "the input that fails beside it says more",
         [real] { return std::move(every_case()[real ? 0 : 1]); }});
  return inputs;
}

}  // namespace gpp
