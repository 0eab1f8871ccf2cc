// What was published about the same steps: the SC19 tutorial's V100 (results/published).
#pragma once

#include <optional>
#include <string_view>

namespace gpp {

/// Time of v1 over time of the step `id` on the tutorial's V100, gpp214 input, OpenACC; empty for
/// steps it does not have.
std::optional<double> published_v100_speedup(std::string_view id);

}  // namespace gpp
