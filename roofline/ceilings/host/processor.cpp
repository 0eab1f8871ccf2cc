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

struct Row {
  std::string_view vendor;
  int family;
  int first_model;
  int last_model;
  PerCycle per_cycle;
};

// Sources (Intel, AMD and Fog in docs/sources.md): Intel 64 and IA-32 Architectures Optimization
// Reference Manual, chapter 2; AMD Software Optimization Guides for families 17h, 19h and 1Ah;
// Agner Fog, "The microarchitecture of Intel, AMD and VIA CPUs". Skylake-SP and Cascade Lake are
// missing, because some have one 512-bit FMA unit and some two, with the same model number. From
// Sapphire Rapids on, two of three ports add and two multiply below 512 bits.
constexpr Row table[] = {
    {"GenuineIntel", 6, 63, 63, {32, {2, 2}, {2, 2}, 64, 64}},          // Haswell-EP
    {"GenuineIntel", 6, 79, 79, {32, {2, 2}, {2, 2}, 64, 64}},          // Broadwell-EP
    {"GenuineIntel", 6, 106, 106, {64, {2, 2}, {2, 2}, 128, 64}},       // Ice Lake-SP
    {"GenuineIntel", 6, 143, 143, {64, {2, 2}, {2, 3}, 128, 64}},       // Sapphire Rapids
    {"GenuineIntel", 6, 207, 207, {64, {2, 2}, {2, 3}, 128, 64}},       // Emerald Rapids
    {"GenuineIntel", 6, 173, 173, {64, {2, 2}, {2, 3}, 128, 64}},       // Granite Rapids
    {"AuthenticAMD", 0x17, 0x30, 0xff, {32, {2, 4}, {2, 4}, 64, 32}},   // Zen 2
    {"AuthenticAMD", 0x19, 0x00, 0x0f, {32, {2, 4}, {2, 4}, 64, 32}},   // Zen 3: Milan
    {"AuthenticAMD", 0x19, 0x10, 0x1f, {64, {1, 2}, {2, 4}, 64, 32}},   // Zen 4: Genoa
    {"AuthenticAMD", 0x19, 0xa0, 0xaf, {64, {1, 2}, {2, 4}, 64, 32}},   // Zen 4c: Bergamo
    {"AuthenticAMD", 0x1a, 0x00, 0x1f, {64, {2, 4}, {2, 4}, 128, 64}},  // Zen 5: Turin
};

int number(const std::string& text) {
  int value = -1;
  std::istringstream(text) >> value;
  return value;
}

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
    const Cache cache{number(first_line(files / "level")), bytes_in(first_line(files / "size")),
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

std::optional<PerCycle> per_cycle(std::string_view vendor, int family, int model) {
  for (const Row& row : table)
    if (row.vendor == vendor && row.family == family && row.first_model <= model &&
        model <= row.last_model)
      return row.per_cycle;
  return std::nullopt;
}

Processor this_processor(const std::vector<int>& cpus) {
  auto info = cpuinfo();
  Processor processor;
  processor.name = info["model name"].empty() ? "processor" : info["model name"];
  processor.cores = physical_cores(cpus);
  processor.caches =
      data_caches(fmt::format("/sys/devices/system/cpu/cpu{}/cache", cpus.front()), cpus);
  processor.per_cycle =
      per_cycle(info["vendor_id"], number(info["cpu family"]), number(info["model"]));
  return processor;
}

}  // namespace roofline::host
