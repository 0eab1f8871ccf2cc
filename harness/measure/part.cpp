#include "harness/measure/part.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>

#include "harness/program/child.h"
#include "roofline/base/machine.h"
#include "roofline/ceilings/cache.h"
#include "roofline/record/facts.h"
#include "runtimes/threads.h"

namespace gpp {
namespace {

/// Few units ask for so little that a cache is no faster for them than the level behind it: the
/// sweep of working sets has one rate for both, which is then the roof of both.
void complete_levels(roofline::Ceilings& ceilings) {
  const std::vector<roofline::Level>& levels = roofline::table_of(ceilings.kind).levels;
  for (auto level = levels.rbegin(); level != levels.rend(); ++level) {
    const bool missing = std::ranges::any_of(
        ceilings.missing, [&](const auto& one) { return one.name == level->roof; });
    if (level == levels.rbegin() || level->beside || !missing) continue;
    const roofline::Ceiling* behind = ceilings.find(std::prev(level)->roof);
    if (behind == nullptr) continue;
    roofline::Ceiling same = *behind;
    same.name = level->roof;
    same.label = level->label;
    same.theoretical.reset();
    same.sweep.clear();
    same.definition =
        fmt::format("So few units read {} no faster than {}: the rate of both is given here.",
                    level->label, behind->label);
    ceilings.list.insert(ceilings.list.begin() + (behind - ceilings.list.data()), same);
    std::erase_if(ceilings.missing, [&](const auto& one) { return one.name == same.name; });
  }
}

}  // namespace

void fields(roofline::Fields& field, RoofsOrder& order) {
  field("wanted", order.wanted, roofline::Choice{{"auto", "off", "fresh"}});
}

void fields(roofline::Fields& field, PartMessage& part) {
  field("units", part.units, roofline::Whole{1, 1 << 20});
  field("ceilings", part.ceilings);
  field("reason", part.reason, roofline::any_text);
}

PartMessage part_here(const Runtime& runtime, CeilingsWanted wanted) {
  const DeviceDescription device = runtime.describe();
  PartMessage part{device.units, {}, {}};
  if (wanted == CeilingsWanted::off) return part;
  part.reason = error_of([&] {
    part.ceilings = roofline::ceilings_of(device.kind, wanted == CeilingsWanted::fresh);
    complete_levels(*part.ceilings);
  });
  return part;
}

std::vector<int> cores_first(const std::vector<int>& processors,
                             const std::filesystem::path& root) {
  std::vector<int> first, others;
  for (const int processor : processors) {
    std::string list = roofline::kernel_file(
        root /
        fmt::format("sys/devices/system/cpu/cpu{}/topology/thread_siblings_list", processor));
    list.erase(list.find_last_not_of('\n') + 1);
    const std::vector<int> siblings = roofline::parse_processors(list);
    const bool beside = std::ranges::any_of(
        first, [&siblings](int one) { return std::ranges::find(siblings, one) != siblings.end(); });
    (beside ? others : first).push_back(processor);
  }
  first.insert(first.end(), others.begin(), others.end());
  return first;
}

std::vector<int> first_cores(int count) {
  std::vector<int> all = cores_first(roofline::allowed_cpus());
  all.resize(std::min(all.size(), static_cast<std::size_t>(count)));
  return all;
}

void become_confined(int cores) {
  run_on(first_cores(cores));
  setenv("OMP_NUM_THREADS", std::to_string(cores).c_str(), 1);
  for (const char* name : {"OMP_PLACES", "GOMP_CPU_AFFINITY", "KMP_AFFINITY"}) unsetenv(name);
}

}  // namespace gpp
