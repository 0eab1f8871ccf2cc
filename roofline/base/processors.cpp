#include "roofline/base/processors.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fstream>
#include <sstream>

#include "roofline/base/text.h"
#include "roofline/ceilings/host/clock.h"

namespace roofline {
namespace {

namespace fs = std::filesystem;

constexpr int most_processors = 65536;

/// The text without the line break at its end.
/// The number behind a key in lines of "key number".
std::optional<long long> keyed_number(const std::string& text, std::string_view key) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (line.size() > key.size() && line.starts_with(key) && line[key.size()] == ' ')
      return whole_number(std::string_view(line).substr(key.size() + 1));
  return std::nullopt;
}

/// The group's path, in which nothing leads out of its hierarchy.
fs::path within(const std::string& path) {
  const fs::path relative = fs::path(path).relative_path();
  for (const fs::path& part : relative)
    if (part == "..") return {};
  return relative;
}

/// A group's folder and those above it, up to the hierarchy's own.
void add_groups(const fs::path& hierarchy, fs::path relative, std::vector<fs::path>& groups) {
  std::error_code error;
  if (!fs::is_directory(hierarchy, error)) return;
  for (;; relative = relative.parent_path()) {
    const fs::path group = relative.empty() ? hierarchy : hierarchy / relative;
    if (fs::exists(group / "cpu.stat", error)) groups.push_back(group);
    if (relative.empty()) return;
  }
}

/// Quota over period, both in microseconds.
std::optional<double> quotient(std::optional<long long> quota, std::optional<long long> period) {
  if (!quota || !period || *quota <= 0 || *period <= 0) return std::nullopt;
  return static_cast<double>(*quota) / static_cast<double>(*period);
}

std::optional<double> quota_of(const fs::path& group) {
  std::istringstream both(kernel_file(group / "cpu.max"));  // "max 100000" where there is none
  std::string quota, period;
  if (both >> quota >> period) return quotient(whole_number(quota), whole_number(period));
  return quotient(whole_number(trimmed(kernel_file(group / "cpu.cfs_quota_us"))),
                  whole_number(trimmed(kernel_file(group / "cpu.cfs_period_us"))));
}

}  // namespace

std::string kernel_file(const fs::path& path) {
  constexpr std::size_t most = 1 << 20;
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return {};
  std::ifstream file(path, std::ios::binary);
  std::string text;
  std::array<char, 4096> part{};  // little, so that a variant's caches stay as they are
  while (file && text.size() < most) {
    file.read(part.data(), part.size());
    text.append(part.data(), static_cast<std::size_t>(file.gcount()));
  }
  return text;
}

std::optional<long long> whole_number(std::string_view text) {
  long long value = 0;
  const char* end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stopped != end || value < 0) return std::nullopt;
  return value;
}

std::vector<int> parse_processors(std::string_view list) {
  std::vector<int> processors;
  std::istringstream ranges{std::string(list)};
  for (std::string range; std::getline(ranges, range, ',');) {
    const std::size_t dash = range.find('-');
    const auto first = whole_number(range.substr(0, dash));
    const auto last = dash == std::string::npos ? first : whole_number(range.substr(dash + 1));
    if (!first || !last || *last < *first || *last >= most_processors) return {};
    if (!processors.empty() && *first <= processors.back()) return {};
    for (long long one = *first; one <= *last; ++one) processors.push_back(static_cast<int>(one));
  }
  return processors;
}

std::string allowed_processors(const fs::path& root) {
  constexpr std::string_view key = "Cpus_allowed_list:";
  std::istringstream lines(kernel_file(root / "proc/self/status"));
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(key)) continue;
    const std::string list(trimmed(std::string_view(line).substr(key.size())));
    return parse_processors(list).empty() ? "" : list;
  }
  return {};
}

int online_processors(const fs::path& root) {
  return static_cast<int>(
      parse_processors(trimmed(kernel_file(root / "sys/devices/system/cpu/online"))).size());
}

std::optional<double> load_average(const fs::path& root) {
  const std::string text = kernel_file(root / "proc/loadavg");
  double value = 0;
  const auto [stopped, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || !std::isfinite(value) || value < 0 || value > 1e9)
    return std::nullopt;
  return value;
}

std::string clock_governor(const std::vector<int>& processors, const fs::path& root) {
  std::string common;
  for (const int processor : processors) {
    const fs::path folder = "sys/devices/system/cpu/cpu" + std::to_string(processor) + "/cpufreq";
    const std::string governor(trimmed(kernel_file(root / folder / "scaling_governor")));
    const bool word =
        !governor.empty() && governor.size() <= 32 &&
        governor.find_first_not_of("abcdefghijklmnopqrstuvwxyz_") == std::string::npos;
    if (!word) return {};
    if (!common.empty() && governor != common) return "mixed";
    common = governor;
  }
  return common;
}

std::vector<fs::path> cpu_groups(const fs::path& root) {
  const fs::path mount = root / "sys/fs/cgroup";
  std::vector<fs::path> groups;
  std::istringstream lines(kernel_file(root / "proc/self/cgroup"));
  for (std::string line; std::getline(lines, line);) {  // "4:cpu,cpuacct:/path", "0::/path"
    const std::size_t first = line.find(':');
    const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const fs::path path = within(line.substr(second + 1));
    if (controllers.empty()) add_groups(mount, path, groups);
    if (("," + controllers + ",").find(",cpu,") == std::string::npos) continue;
    std::error_code error;
    for (const std::string& name : {std::string("cpu"), std::string("cpu,cpuacct")})
      if (fs::is_directory(mount / name, error)) {
        add_groups(mount / name, path, groups);
        break;  // the one is a link to the other
      }
  }
  return groups;
}

std::optional<double> cpu_quota(const std::vector<fs::path>& groups) {
  std::optional<double> least;
  for (const fs::path& group : groups)
    if (const auto quota = quota_of(group)) least = std::min(least.value_or(*quota), *quota);
  return least;
}

std::optional<double> throttled_seconds(const std::vector<fs::path>& groups) {
  std::optional<double> sum;
  for (const fs::path& group : groups) {
    const std::string text = kernel_file(group / "cpu.stat");
    if (const auto microseconds = keyed_number(text, "throttled_usec"))
      sum = sum.value_or(0.0) + 1e-6 * static_cast<double>(*microseconds);
    else if (const auto nanoseconds = keyed_number(text, "throttled_time"))
      sum = sum.value_or(0.0) + 1e-9 * static_cast<double>(*nanoseconds);
  }
  return sum;
}

double measured_clock_mhz() {
  double highest = 0;
  for (int reading = 0; reading < 3; ++reading) highest = std::max(highest, host::core_clock_mhz());
  return highest;
}

}  // namespace roofline
