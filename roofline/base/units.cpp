#include "roofline/base/units.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <utility>

namespace roofline {
namespace {

struct Prefixed {
  double mantissa;  ///< digits of the value, from 1 to 1000
  const char* prefix;
};

Prefixed prefixed(double value) {
  static constexpr std::array<const char*, 12> prefixes = {"f", "p", "n", "u", "m", "",
                                                           "k", "M", "G", "T", "P", "E"};
  // The value is rounded first, so that 999.9 becomes 1.00 k and not 1000.
  const double rounded = std::strtod(fmt::format("{:.2e}", value).c_str(), nullptr);
  const double exact = std::floor(std::log10(std::abs(rounded)) / 3);
  const int thousand = std::isnan(exact) ? 0 : static_cast<int>(std::clamp(exact, -5.0, 6.0));
  return {rounded / std::pow(1000.0, thousand), prefixes[static_cast<std::size_t>(thousand + 5)]};
}

}  // namespace

std::string describe_seconds(double seconds) {
  if (seconds >= 1.0) return fmt::format("{:#.4g} s", seconds);
  if (seconds >= 1e-3) return fmt::format("{:#.4g} ms", 1e3 * seconds);
  return fmt::format("{:#.4g} us", 1e6 * seconds);
}

std::string describe_rate(double rate, std::string_view unit) {
  for (const auto& [scale, prefix] : {std::pair{1e12, "T"}, {1e9, "G"}, {1e6, "M"}})
    if (rate >= scale) return fmt::format("{:#.4g} {}{}", rate / scale, prefix, unit);
  return fmt::format("{:.4g} {}", rate, unit);
}

std::string describe_working_set(double bytes) {
  constexpr double kib = 1024;
  for (const auto& [scale, unit] :
       {std::pair{kib * kib * kib, "GiB"}, {kib * kib, "MiB"}, {kib, "KiB"}})
    if (bytes >= scale) return fmt::format("{:.3g} {}", bytes / scale, unit);
  return fmt::format("{:.0f} B", bytes);
}

std::string describe_cores(int cores) {
  return fmt::format("{} {}", cores, cores == 1 ? "core" : "cores");
}

std::string describe_bytes(std::int64_t bytes) {
  constexpr std::array<const char*, 7> units = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};
  auto size = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; size >= 999.5 && unit + 1 < units.size(); ++unit) size /= 1000;
  if (unit == 0) return fmt::format("{} B", bytes);
  return size < 9.95 ? fmt::format("{:.1f} {}", size, units[unit])
                     : fmt::format("{:.0f} {}", size, units[unit]);
}

std::string with_prefix(double value, std::string_view unit) {
  if (!std::isfinite(value) || value == 0) return fmt::format("{} {}", value, unit);
  const Prefixed number = prefixed(value);
  const double size = std::abs(number.mantissa);
  const int digits = size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2;
  return fmt::format("{:.{}f} {}{}", number.mantissa, digits, number.prefix, unit);
}

std::string round_with_prefix(double value, std::string_view unit) {
  const Prefixed number = prefixed(value);
  return fmt::format("{:g} {}{}", number.mantissa, number.prefix, unit);
}

std::string percent_text(double percent, int decimals) {
  return fmt::format("{:.{}f}%", percent, decimals);
}

std::string times_text(double factor) { return fmt::format("{:.2f}x", factor); }

std::string short_number(double value) { return fmt::format("{:.3g}", value); }

std::string with_commas(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, 1, ',');
  return text;
}

}  // namespace roofline
