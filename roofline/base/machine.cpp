#include "roofline/base/machine.h"

#include <fmt/chrono.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <fstream>
#include <limits>
#include <sstream>

#include "roofline/base/error.h"
#include "roofline/base/text.h"
#include "roofline/base/units.h"
#include "roofline/ceilings/host/team.h"

namespace roofline {
namespace {

namespace fs = std::filesystem;

constexpr int most_processors = 65536;

/// The number that follows `key` in a file of "key value" lines.
std::optional<long long> value_in(const fs::path& file, std::string_view key) {
  std::istringstream words(kernel_file(file));
  for (std::string word; words >> word;)
    if (long long value = 0; word == key && words >> value && value >= 0) return value;
  return std::nullopt;
}

/// The memory that a control group leaves: its limit minus its use without the page cache. Nothing
/// without a limit, for which the file holds "max".
std::optional<std::int64_t> left_in_group(const fs::path& limit_file, const fs::path& usage_file,
                                          const fs::path& statistics_file) {
  const auto limit = whole_number(trimmed(kernel_file(limit_file)));
  const auto usage = whole_number(trimmed(kernel_file(usage_file)));
  if (!limit || !usage) return {};
  const std::int64_t cache = value_in(statistics_file, "inactive_file").value_or(0) +
                             value_in(statistics_file, "active_file").value_or(0);
  return std::max<std::int64_t>(0, *limit - std::max<std::int64_t>(0, *usage - cache));
}

/// The group's path, without parts that would leave its hierarchy.
fs::path within(const std::string& path) {
  const fs::path relative = fs::path(path).relative_path();
  for (const fs::path& part : relative)
    if (part == "..") return {};
  return relative;
}

/// Adds a group's folder and its parents up to the hierarchy's root.
void add_groups(const fs::path& hierarchy, fs::path relative, std::vector<fs::path>& groups) {
  std::error_code error;
  if (!fs::is_directory(hierarchy, error)) return;
  for (;; relative = relative.parent_path()) {
    const fs::path group = relative.empty() ? hierarchy : hierarchy / relative;
    if (fs::exists(group / "cpu.stat", error)) groups.push_back(group);
    if (relative.empty()) return;
  }
}

/// Quota divided by period, both in microseconds.
std::optional<double> quotient(std::optional<long long> quota, std::optional<long long> period) {
  if (!quota || !period || *quota <= 0 || *period <= 0) return std::nullopt;
  return static_cast<double>(*quota) / static_cast<double>(*period);
}

std::optional<double> quota_of(const fs::path& group) {
  std::istringstream both(kernel_file(group / "cpu.max"));  // for no limit: "max 100000"
  std::string quota, period;
  if (both >> quota >> period) return quotient(whole_number(quota), whole_number(period));
  return quotient(whole_number(trimmed(kernel_file(group / "cpu.cfs_quota_us"))),
                  whole_number(trimmed(kernel_file(group / "cpu.cfs_period_us"))));
}

}  // namespace

std::string host_name() {
  char name[256] = {};
  return gethostname(name, sizeof(name) - 1) == 0 && *name != '\0' ? name : "unknown";
}

double steady_seconds() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double>(now).count();
}

std::string utc_now() {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
}

std::vector<int> allowed_cpus(int process) {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  std::vector<int> cpus;
  if (sched_getaffinity(process, sizeof(allowed), &allowed) == 0)
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
      if (CPU_ISSET(cpu, &allowed)) cpus.push_back(cpu);
  if (cpus.empty()) cpus.push_back(0);
  return cpus;
}

int available_cores() { return static_cast<int>(allowed_cpus().size()); }

std::int64_t available_memory() {
  std::int64_t available = std::numeric_limits<std::int64_t>::max();
  if (const auto kilobytes = value_in("/proc/meminfo", "MemAvailable:"))
    available = *kilobytes * 1024;
  const std::string group = "/sys/fs/cgroup/";
  const auto version2 =
      left_in_group(group + "memory.max", group + "memory.current", group + "memory.stat");
  const auto version1 =
      left_in_group(group + "memory/memory.limit_in_bytes", group + "memory/memory.usage_in_bytes",
                    group + "memory/memory.stat");
  return std::min({available, version2.value_or(available), version1.value_or(available)});
}

void require_memory(std::int64_t bytes, std::string_view source, std::int64_t available) {
  if (bytes <= available) return;
  throw InputError(
      fmt::format("{}: computing it needs {} of memory, but {} are available. Free "
                  "some, use a machine with more, or use a smaller input.",
                  source, describe_bytes(bytes), describe_bytes(available)));
}

std::string first_line(const fs::path& file) {
  std::ifstream stream(file);
  std::string line;
  std::getline(stream, line);
  return line;
}

std::string kernel_file(const fs::path& path) {
  constexpr std::size_t most = 1 << 20;
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return {};
  std::ifstream file(path, std::ios::binary);
  std::string text;
  std::array<char, 4096> part{};  // small, to leave the variant's caches unchanged
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
  for (std::string line; std::getline(lines, line);) {  // lines: "4:cpu,cpuacct:/path", "0::/path"
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
        break;  // these are links to the same folder
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
    if (const auto microseconds = value_in(group / "cpu.stat", "throttled_usec"))
      sum = sum.value_or(0.0) + 1e-6 * static_cast<double>(*microseconds);
    else if (const auto nanoseconds = value_in(group / "cpu.stat", "throttled_time"))
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
