// The limit of --within, with which both programs' `compare` fail where two values differ by more.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace roofline {

struct Within {
  double percent = 0;
  std::size_t compared = 0;
  std::vector<std::string> beyond = {};

  /// Compares by the ratio of two values, if both are known.
  void look_at(const std::string& what, std::optional<double> ratio);
  /// False also if nothing was compared.
  bool passes() const { return compared > 0 && beyond.empty(); }
  std::string text(const std::string& what) const;
};

}  // namespace roofline
