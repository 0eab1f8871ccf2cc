#include "roofline/ceilings/measure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "roofline/base/machine.h"
#include "roofline/statistics.h"

namespace roofline {

Ceiling unmeasured_roof(std::string name, std::string label, std::string definition,
                        CeilingKind kind) {
  return {std::move(name), std::move(label), kind, 0, {}, 0, std::move(definition), {}};
}

void add_roofs(Ceilings& ceilings, const std::vector<RoofBenchmark>& benchmarks,
               const Progress& progress, double share) {
  for (std::size_t i = 0; i < benchmarks.size(); ++i) {
    Ceiling roof = benchmarks[i].roof;
    if (progress)
      progress(roof.label, share * static_cast<double>(i) / static_cast<double>(benchmarks.size()));
    if (!benchmarks[i].lacks.empty()) {
      ceilings.missing.push_back({roof.name, benchmarks[i].lacks});
      continue;
    }
    const Rate rate = benchmarks[i].measure();
    roof.measured = rate.per_s;
    roof.clock_mhz = rate.clock_mhz;
    if (benchmarks[i].per_cycle > 0 && rate.clock_mhz > 0) {
      roof.theoretical = 1e6 * rate.clock_mhz * benchmarks[i].per_cycle;
      roof.definition += " Theoretical: multiprocessors x operations or bytes per cycle x clock.";
    }
    const auto known = std::ranges::find(ceilings.list, roof.name, &Ceiling::name);
    if (known == ceilings.list.end())
      ceilings.list.push_back(roof);
    else if (roof.measured > known->measured)
      *known = roof;
  }
  // Of several with one name, the first reason is told, or none if one was measured.
  std::vector<Missing> missing;
  for (const Missing& one : std::exchange(ceilings.missing, {}))
    if (ceilings.find(one.name) == nullptr &&
        std::ranges::find(missing, one.name, &Missing::name) == missing.end())
      missing.push_back(one);
  ceilings.missing = std::move(missing);
}

void add_bandwidths(Ceilings& ceilings, const std::vector<SweepPoint>& sweep,
                    const std::vector<LevelDescription>& levels, double clock_mhz,
                    const std::string& definition) {
  const auto place = static_cast<std::ptrdiff_t>(ceilings.list.size());
  double behind = 0;  // the rate of the next level
  auto rest = sweep.end();
  for (auto level = levels.rbegin(); level != levels.rend(); ++level) {
    std::vector<double> rates;
    for (const SweepPoint& point : sweep)
      if (point.bytes >= level->from && point.bytes <= level->until && point.rate > 0 &&
          std::isfinite(point.rate))
        rates.push_back(point.rate);
    const double rate = rates.size() < fewest_sets ? 0 : middle_of(std::move(rates));
    if (rate == 0 || rate < smallest_fall * behind) {
      ceilings.missing.push_back(
          {level->name, fmt::format("the sweep of working sets has too few of {} alone, or reads "
                                    "them no faster than those behind it",
                                    level->label)});
      continue;
    }
    const auto first = std::find_if(sweep.begin(), rest, [&level](const SweepPoint& point) {
      return point.bytes >= level->from;
    });
    Ceiling roof = unmeasured_roof(level->name, level->label, definition, CeilingKind::bandwidth);
    roof.measured = rate;
    roof.theoretical = level->theoretical;
    roof.clock_mhz = clock_mhz;
    roof.sweep = {first, rest};
    ceilings.list.insert(ceilings.list.begin() + place, std::move(roof));
    behind = rate;
    rest = first;
  }
}

Ceilings Benchmarks::measure(const Progress& progress) const {
  const double start = steady_seconds();
  const DeviceIdentity device = identity();
  Ceilings ceilings{device.name, device.kind, device.driver, "", 0, {}};
  add_ceilings(ceilings, progress);
  ceilings.seconds = steady_seconds() - start;
  return ceilings;
}

const Benchmarks* find_benchmarks(std::string_view kind) {
  if (kind == "host") return &host_benchmarks();
  if (kind == "gpu") return &gpu_benchmarks();
  return nullptr;
}

}  // namespace roofline
