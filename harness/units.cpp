#include "harness/units.h"

#include <fmt/format.h>

namespace gpp {

std::string describe_seconds(double seconds) {
  if (seconds >= 1.0) return fmt::format("{:#.4g} s", seconds);
  if (seconds >= 1e-3) return fmt::format("{:#.4g} ms", 1e3 * seconds);
  return fmt::format("{:#.4g} us", 1e6 * seconds);
}

std::string describe_count(double count) { return fmt::format("{:.4g}", count); }

}  // namespace gpp
