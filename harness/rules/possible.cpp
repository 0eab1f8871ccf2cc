#include "harness/rules/possible.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace gpp {
namespace {

bool is_positive(double value) { return std::isfinite(value) && value > 0; }

/// Of any hardware; 0 where the number of units is not known.
SpeedLimit any_hardware(const std::string& kind, int units) {
  if (units <= 0) return {};
  if (kind == "gpu")
    return {units * 3e9 * 512,
            fmt::format("{} multiprocessors at 3 GHz, 512 operations per cycle", units)};
  return {units * 6e9 * 32, fmt::format("{} cores at 6 GHz, 32 operations per cycle", units)};
}

/// The highest FP64 roof, measured or theoretical; 0 where there is none.
SpeedLimit highest_roof(const std::string& kind, const roofline::Ceilings& ceilings) {
  SpeedLimit limit;
  for (const roofline::Ceiling& ceiling : ceilings.list) {
    if (ceiling.kind != roofline::CeilingKind::compute || !ceiling.name.starts_with("fp64"))
      continue;
    const bool may_double = kind == "gpu" && ceilings.find("fp64_tensor") == nullptr;
    const double margin = may_double ? 2 * roof_margin : roof_margin;
    const double roof = std::max(ceiling.measured, ceiling.theoretical.value_or(0));
    if (!is_positive(roof) || margin * roof <= limit.flop_per_s) continue;
    limit = {margin * roof, fmt::format("{:.3g} x its roof of {:.3g} TFLOP/s ({})", margin,
                                        roof / 1e12, ceiling.label)};
  }
  return limit;
}

}  // namespace

SpeedLimit speed_limit(const std::string& kind, int units, const roofline::Ceilings* ceilings) {
  const SpeedLimit any = any_hardware(kind, units);
  if (ceilings == nullptr) return any;
  const SpeedLimit roof = highest_roof(kind, *ceilings);
  if (roof.flop_per_s == 0) return any;
  return any.flop_per_s > 0 && any.flop_per_s < roof.flop_per_s ? any : roof;
}

std::optional<std::string> impossible(double triples, double seconds, const SpeedLimit& limit) {
  if (limit.flop_per_s <= 0) return std::nullopt;
  const double flop = least_flop_per_triple * triples;
  if (flop <= limit.flop_per_s * seconds) return std::nullopt;
  return fmt::format(
      "{:.3g} s are impossible: {:.4g} triples of a band, a G' and a G vector need {:.3g} FP64 "
      "operations in any form, and so {:.3g} s at least with {}",
      seconds, triples, flop, flop / limit.flop_per_s, limit.source);
}

}  // namespace gpp
