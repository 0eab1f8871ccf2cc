#include "roofline/base/units.h"

#include <fmt/format.h>

#include <array>
#include <utility>

namespace roofline {

std::string describe_seconds(double seconds) {
  if (seconds >= 1.0) return fmt::format("{:#.4g} s", seconds);
  if (seconds >= 1e-3) return fmt::format("{:#.4g} ms", 1e3 * seconds);
  return fmt::format("{:#.4g} us", 1e6 * seconds);
}

std::string describe_count(double count) { return fmt::format("{:.4g}", count); }

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

}  // namespace roofline
