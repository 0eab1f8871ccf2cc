#include "roofline/ceilings/host/processor.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "roofline/base/machine.h"

namespace roofline::host {
namespace {

/// The bytes of a size such as "48K" or "2M".
double bytes_in(const std::string& size) {
  double number = 0;
  std::istringstream(size) >> number;
  return number * (size.ends_with("M") ? 1048576.0 : 1024.0);
}

int physical_cores(const std::vector<int>& cpus) {
  std::set<std::string> cores;
  for (const int cpu : cpus) {
    const std::string topology = fmt::format("/sys/devices/system/cpu/cpu{}/topology/", cpu);
    const std::string siblings = first_line(topology + "thread_siblings_list");
    cores.insert(siblings.empty() ? topology : siblings);
  }
  return static_cast<int>(cores.size());
}

}  // namespace

std::vector<Cache> data_caches(const std::filesystem::path& folder, const std::vector<int>& cpus) {
  std::vector<Cache> caches;
  for (int index = 0; index < 8; ++index) {
    const auto files = folder / ("index" + std::to_string(index));
    const std::string type = first_line(files / "type");
    if (type != "Data" && type != "Unified") continue;
    const std::vector<int> shared = parse_processors(first_line(files / "shared_cpu_list"));
    const auto sharing = std::ranges::count_if(
        cpus, [&shared](int cpu) { return std::ranges::binary_search(shared, cpu); });
    const auto level = whole_number(first_line(files / "level"));
    const Cache cache{static_cast<int>(level.value_or(0)), bytes_in(first_line(files / "size")),
                      std::max(1, static_cast<int>(sharing))};
    if (cache.level > 0 && cache.bytes > 0) caches.push_back(cache);
  }
  std::ranges::sort(caches, {}, &Cache::level);
  return caches;
}

std::map<std::string, std::string> cpuinfo() {
  std::ifstream file("/proc/cpuinfo");
  std::map<std::string, std::string> values;
  for (std::string line; std::getline(file, line) && !line.empty();) {
    const auto colon = line.find(':');
    if (colon == std::string::npos) continue;
    const std::string key = line.substr(0, line.find_last_not_of(" \t", colon - 1) + 1);
    values[key] = colon + 2 < line.size() ? line.substr(colon + 2) : "";
  }
  return values;
}

Processor this_processor(const std::vector<int>& cpus) {
  auto info = cpuinfo();
  Processor processor;
  processor.name = info["model name"].empty() ? "processor" : info["model name"];
  processor.cores = physical_cores(cpus);
  processor.caches =
      data_caches(fmt::format("/sys/devices/system/cpu/cpu{}/cache", cpus.front()), cpus);
  return processor;
}

}  // namespace roofline::host
