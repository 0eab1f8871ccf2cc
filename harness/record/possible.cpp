#include "harness/record/possible.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace gpp {
namespace {

bool is_positive(double value) { return std::isfinite(value) && value > 0; }

/// Of any hardware; 0 where the number of units is not known.
SpeedLimit any_hardware(const std::string& kind, int units, const std::string& precision) {
  if (units <= 0) return {};
  const int times = precision == "fp64" ? 1 : precision == "fp32" ? 2 : 64;
  const int per_cycle = times * (kind == "gpu" ? 512 : 32);
  const int gigahertz = kind == "gpu" ? 3 : 6;
  return {1e9 * units * gigahertz * per_cycle,
          fmt::format("{} {} at {} GHz, {} operations per cycle", units,
                      kind == "gpu" ? "multiprocessors" : "cores", gigahertz, per_cycle)};
}

/// The highest roof of that precision, measured or theoretical; 0 where there is none.
SpeedLimit highest_roof(const std::string& kind, const roofline::Ceilings& ceilings,
                        const std::string& precision) {
  SpeedLimit limit;
  for (const roofline::Ceiling& ceiling : ceilings.list) {
    if (ceiling.kind != roofline::CeilingKind::compute || !ceiling.name.starts_with(precision))
      continue;
    const bool may_double = kind == "gpu" && ceilings.find(precision + "_tensor") == nullptr;
    const double margin = may_double ? 2 * roof_margin : roof_margin;
    const double roof = std::max(ceiling.measured, ceiling.theoretical.value_or(0));
    if (!is_positive(roof) || margin * roof <= limit.flop_per_s) continue;
    limit = {margin * roof, fmt::format("{:.3g} x its roof of {:.3g} TFLOP/s ({})", margin,
                                        roof / 1e12, ceiling.label)};
  }
  return limit;
}

}  // namespace

SpeedLimit speed_limit(const std::string& kind, int units, const roofline::Ceilings* ceilings,
                       const std::string& precision) {
  const SpeedLimit any = any_hardware(kind, units, precision);
  if (ceilings == nullptr) return any;
  const SpeedLimit roof = highest_roof(kind, *ceilings, precision);
  if (roof.flop_per_s == 0) return any;
  return any.flop_per_s > 0 && any.flop_per_s < roof.flop_per_s ? any : roof;
}

std::optional<std::string> impossible(const LeastWork& least, double seconds,
                                      const SpeedLimit& limit) {
  if (limit.flop_per_s <= 0 || least.operations <= limit.flop_per_s * seconds) return std::nullopt;
  return fmt::format("{:.3g} s are impossible: {}, and so {:.3g} s at least with {}", seconds,
                     least.why, least.operations / limit.flop_per_s, limit.source);
}

}  // namespace gpp
