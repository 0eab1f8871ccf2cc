// What was published about the same steps: the SC19 tutorial's V100 (results/published).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpp {

/// Terms of the input that it was measured with: 800 bands, 1385 G', 11075 G, two frequencies.
inline constexpr long long gpp214_terms = 2LL * 800 * 1385 * 11075;

/// One row of results/published/sc19-v100.csv.
struct PublishedStep {
  std::string version;  ///< "v7"
  std::string step;     ///< as it is called there: "divs"
  double tflop = 0;     ///< 10^12 operations counted
  double seconds = 0;   ///< all kernels
  double tflop_per_s = 0;
  std::optional<int> registers;  ///< per thread, where the slides tell
  std::string note;
};

/// The nine steps on one V100, OpenACC, gpp214 input.
const std::vector<PublishedStep>& published_v100();

/// One of them by its version, "v7"; nullptr for steps that the tutorial does not have.
const PublishedStep* published_v100_step(std::string_view id);

/// FP64 peak of that V100 with FMA, TFLOP/s: as the tutorial's rooflines draw it (document 000).
inline constexpr double published_v100_peak = 7.0689;

/// Time of v1 over time of the step `id` on the tutorial's V100, gpp214 input, OpenACC; empty for
/// steps it does not have.
std::optional<double> published_v100_speedup(std::string_view id);

}  // namespace gpp
