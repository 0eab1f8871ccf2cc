#include "roofline/base/machine.h"

#include <fmt/chrono.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <fstream>
#include <limits>
#include <optional>

#include "roofline/base/error.h"
#include "roofline/base/units.h"

namespace roofline {

std::string host_name() {
  char name[256] = {};
  return gethostname(name, sizeof(name) - 1) == 0 && *name != '\0' ? name : "unknown";
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

namespace {

/// The integer that follows `key` in a file of "key value" lines.
std::optional<std::int64_t> value_in(const std::string& file, const std::string& key) {
  std::ifstream stream(file);
  for (std::string word; stream >> word;) {
    std::int64_t value = 0;
    if (word == key && stream >> value) return value;
  }
  return {};
}

/// A file that holds one integer; nothing where it holds a word, as "max" for no limit.
std::optional<std::int64_t> value_of(const std::string& file) {
  std::ifstream stream(file);
  std::int64_t value = 0;
  if (stream >> value) return value;
  return {};
}

/// The memory that a control group leaves: its limit less its use, not counting the page cache.
std::optional<std::int64_t> left_in_group(const std::string& limit_file,
                                          const std::string& usage_file,
                                          const std::string& statistics_file) {
  const auto limit = value_of(limit_file);
  const auto usage = value_of(usage_file);
  if (!limit || !usage) return {};
  const std::int64_t cache = value_in(statistics_file, "inactive_file").value_or(0) +
                             value_in(statistics_file, "active_file").value_or(0);
  return std::max<std::int64_t>(0, *limit - std::max<std::int64_t>(0, *usage - cache));
}

}  // namespace

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

}  // namespace roofline
