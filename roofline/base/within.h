// The limit of --within, with which both programs' `compare` fail where two values differ by more.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace roofline {

struct Within {
  double percent = 0;
  std::size_t compared = 0;
  std::vector<std::string> beyond = {};

  /// Compares by the ratio of two values, if both are known.
  void look_at(const std::string& what, std::optional<double> ratio) {
    if (!ratio || !(*ratio > 0)) return;
    ++compared;
    const double difference = 100 * (std::max(*ratio, 1 / *ratio) - 1);
    if (difference > percent) beyond.push_back(fmt::format("{} by {:.1f}%", what, difference));
  }
  /// False also if nothing was compared.
  bool passes() const { return compared > 0 && beyond.empty(); }
  std::string text(const std::string& what) const {
    return fmt::format("{} of {} {} are within {}%{}{}\n", compared - beyond.size(), compared, what,
                       percent, beyond.empty() ? "" : "; beyond it: ", fmt::join(beyond, ", "));
  }
};

}  // namespace roofline
