#include "roofline/ceilings/measure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <stdexcept>
#include <utility>

#include "roofline/base/files.h"
#include "roofline/base/machine.h"
#include "roofline/base/text.h"
#include "roofline/record/facts.h"
#include "roofline/statistics.h"

namespace roofline {
namespace {

namespace fs = std::filesystem;

fs::path absolute_path_in(const char* variable) {
  const char* value = std::getenv(variable);
  const fs::path path = value == nullptr ? "" : value;
  return path.is_absolute() ? path : fs::path();
}

/// Stored roofs, with everything that identifies their device.
struct KeptCeilings {
  DeviceIdentity device;
  int revision = benchmarks_revision;
  Ceilings ceilings;
};

void fields(Fields& field, KeptCeilings& kept) {
  field.group("device", [&] {
    field("kind", kept.device.kind, any_text);
    field("name", kept.device.name, any_text);
    field("driver", kept.device.driver, any_text);
    field("detail", kept.device.detail, any_text);
    field("revision", kept.revision, Whole{}, "of the benchmarks");
  });
  field("ceilings", kept.ceilings);
}

/// The roofs in the file if they belong to this device; nothing if the file is missing, damaged or
/// of another device.
std::optional<Ceilings> read_cache(const fs::path& file, const DeviceIdentity& device) {
  try {
    KeptCeilings kept = read_text<KeptCeilings>(text_of_outside_file(file), file.string());
    const DeviceIdentity as_kept = {visible(device.name), device.kind, visible(device.driver),
                                    visible(device.detail)};
    if (kept.revision != benchmarks_revision || kept.device != as_kept) return std::nullopt;
    kept.ceilings.kind = device.kind;
    return std::move(kept.ceilings);
  } catch (const InputError&) {
    return std::nullopt;
  }
}

/// Writes the file, or tells why not.
void write_cache(const fs::path& file, const DeviceIdentity& device, const Ceilings& ceilings) {
  try {
    if (file.empty()) throw InputError("neither XDG_CACHE_HOME nor HOME names a folder");
    fs::create_directories(file.parent_path());
    write_whole(file, facts_text(KeptCeilings{device, benchmarks_revision, ceilings}, true));
  } catch (const std::exception& error) {
    fmt::print(stderr, "The roofs are measured anew each time: {}\n", visible(error.what()));
  }
}

/// A host's memory may differ between machines with the same processor and home folder.
std::string file_name_of(const DeviceIdentity& device) {
  const std::string machine = device.kind == "host" ? host_name() : device.driver;
  return fmt::format("ceilings-{}-{:.16}.json", device.kind,
                     sha256_of(fmt::format("{} {} {} {}", device.name, device.detail, machine,
                                           benchmarks_revision)));
}

/// Measures while other programs of this library wait. Throws if a program without turns used the
/// device meanwhile.
Ceilings measured_alone(const Benchmarks& benchmarks, const Progress& progress) {
  constexpr double most_of_others = 0.05;
  std::optional<DeviceTurn> turn;
  if (const std::string place = benchmarks.device_place(); !place.empty())
    turn.emplace(place, longest_wait_for_turn,
                 [](const std::string& line) { fmt::print(stderr, "{}\n", line); });
  const std::string created = utc_now();
  Ceilings ceilings = benchmarks.measure(progress);
  ceilings.created = created;
  if (benchmarks.used_by_others() > most_of_others)
    throw std::runtime_error(
        "another program used the device while it was measured; measure again when it is alone "
        "(gpp doctor names who is there)");
  return ceilings;
}

}  // namespace

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

fs::path cache_folder() {
  if (const fs::path cache = absolute_path_in("XDG_CACHE_HOME"); !cache.empty())
    return cache / "roofline";
  if (const fs::path home = absolute_path_in("HOME"); !home.empty())
    return home / ".cache" / "roofline";
  return {};
}

Ceilings known_ceilings(const Benchmarks& benchmarks, const fs::path& folder, bool fresh,
                        const Progress& progress) {
  if (const std::string reason = benchmarks.unavailable(); !reason.empty())
    throw std::runtime_error(reason);
  const DeviceIdentity device = benchmarks.identity();
  const fs::path file = folder.empty() ? folder : folder / file_name_of(device);
  if (!fresh && !file.empty())
    if (std::optional<Ceilings> kept = read_cache(file, device)) return *std::move(kept);
  Ceilings ceilings = measured_alone(benchmarks, progress);
  write_cache(file, device, ceilings);
  return ceilings;
}

std::string ceilings_unavailable(const std::string& kind) {
  return find_benchmarks(kind)->unavailable();
}

Ceilings ceilings_of(const std::string& kind, bool fresh, const Progress& progress) {
  return known_ceilings(*find_benchmarks(kind), cache_folder(), fresh, progress);
}

}  // namespace roofline
