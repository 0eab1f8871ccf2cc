#include "roofline/ceilings/cache.h"

#include <fmt/format.h>

#include <cstdlib>
#include <optional>
#include <stdexcept>

#include "roofline/base/files.h"
#include "roofline/base/machine.h"
#include "roofline/base/text.h"
#include "roofline/record/facts.h"

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
