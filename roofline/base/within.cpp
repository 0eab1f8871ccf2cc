#include "roofline/base/within.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace roofline {

void Within::look_at(const std::string& what, std::optional<double> ratio) {
  if (!ratio || !(*ratio > 0)) return;
  ++compared;
  const double difference = 100 * (std::max(*ratio, 1 / *ratio) - 1);
  if (difference > percent) beyond.push_back(fmt::format("{} by {:.1f}%", what, difference));
}

std::string Within::text(const std::string& what) const {
  return fmt::format("{} of {} {} are within {}%{}{}\n", compared - beyond.size(), compared, what,
                     percent, beyond.empty() ? "" : "; beyond it: ", fmt::join(beyond, ", "));
}

}  // namespace roofline
