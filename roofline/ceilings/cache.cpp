#include "roofline/ceilings/cache.h"

#include <fmt/format.h>

#include <cctype>
#include <cstdlib>
#include <limits>
#include <optional>
#include <stdexcept>

#include "roofline/base/error.h"
#include "roofline/base/file_lock.h"
#include "roofline/base/machine.h"
#include "roofline/base/outside.h"
#include "roofline/base/replace_file.h"
#include "roofline/base/visible.h"
#include "roofline/nvml.h"
#include "roofline/record/facts.h"

namespace roofline {
namespace {

namespace fs = std::filesystem;

fs::path absolute_path_in(const char* variable) {
  const char* value = std::getenv(variable);
  const fs::path path = value == nullptr ? "" : value;
  return path.is_absolute() ? path : fs::path();
}

/// Converts a text to lower case letters and digits, with a dash for each other character.
std::string slug(const std::string& text) {
  std::string result;
  for (const char letter : text) {
    if (std::isalnum(static_cast<unsigned char>(letter)) != 0)
      result += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    else if (!result.empty() && result.back() != '-')
      result += '-';
  }
  while (!result.empty() && result.back() == '-') result.pop_back();
  return result;
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
    const bool same = kept.revision == benchmarks_revision && kept.device.kind == device.kind &&
                      kept.device.name == visible(device.name) &&
                      kept.device.driver == visible(device.driver) &&
                      kept.device.detail == visible(device.detail);
    kept.ceilings.kind = device.kind;
    return same ? std::optional(kept.ceilings) : std::nullopt;
  } catch (const InputError&) {
    return std::nullopt;
  }
}

/// Writes the file. Returns the reason of a failure, or "".
std::string write_cache(const fs::path& file, const DeviceIdentity& device,
                        const Ceilings& ceilings) {
  if (file.empty()) return "neither XDG_CACHE_HOME nor HOME names a folder";
  try {
    fs::create_directories(file.parent_path());
    write_whole(file, facts_text(KeptCeilings{device, benchmarks_revision, ceilings}, true));
    return {};
  } catch (const std::exception& error) {
    return error.what();
  }
}

const Benchmarks& benchmarks_of(const std::string& kind) {
  const Benchmarks* benchmarks = find_benchmarks(kind);
  if (benchmarks == nullptr) throw std::logic_error("no benchmarks for devices of kind " + kind);
  return *benchmarks;
}

/// Runs `measure` while other programs of this library wait. Throws if a program without turns used
/// the device meanwhile.
template <class Measure>
auto alone(const Benchmarks& benchmarks, const Measure& measure) {
  constexpr double most_of_others = 0.05;
  std::optional<DeviceTurn> turn;
  if (const std::string place = benchmarks.device_place(); !place.empty())
    turn.emplace(place, longest_wait_for_turn,
                 [](const std::string& line) { fmt::print(stderr, "{}\n", line); });
  auto measured = measure();
  if (benchmarks.used_by_others() > most_of_others)
    throw std::runtime_error(
        "another program used the device while it was measured; measure again when it is alone "
        "(gpp doctor names who is there)");
  return measured;
}

}  // namespace

Ceilings Benchmarks::measure(const Progress& progress) const {
  const double start = steady_seconds();
  const DeviceIdentity device = identity();
  Ceilings ceilings{device.name, device.kind, device.driver, "", 0, {}};
  add_ceilings(ceilings, progress);
  ceilings.seconds = steady_seconds() - start;
  return ceilings;
}

double Benchmarks::used_by_others() const {
  const std::string place = device_place();
  return place.empty() ? std::numeric_limits<double>::quiet_NaN()
                       : roofline::used_by_others(gpu_sources(place));
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

std::string cache_file_name(const DeviceIdentity& device) {
  // A host's memory may differ between machines with the same processor and home folder.
  const std::string machine = device.kind == "host" ? host_name() : device.driver;
  return fmt::format(
      "ceilings-{}-{}.json", device.kind,
      slug(fmt::format("{} {} {} r{}", device.name, device.detail, machine, benchmarks_revision)));
}

KnownCeilings known_ceilings(const Benchmarks& benchmarks, const fs::path& folder, bool fresh,
                             const Progress& progress) {
  if (const std::string reason = benchmarks.unavailable(); !reason.empty())
    throw std::runtime_error(reason);
  const DeviceIdentity device = benchmarks.identity();
  KnownCeilings known;
  if (!folder.empty()) known.file = folder / cache_file_name(device);
  if (!fresh && !known.file.empty())
    if (std::optional<Ceilings> kept = read_cache(known.file, device)) {
      known.ceilings = *std::move(kept);
      return known;
    }
  const std::string created = utc_now();
  known.ceilings = alone(benchmarks, [&] { return benchmarks.measure(progress); });
  known.ceilings.created = created;
  known.measured = true;
  known.not_kept = write_cache(known.file, device, known.ceilings);
  return known;
}

std::string ceilings_unavailable(const std::string& kind) {
  return benchmarks_of(kind).unavailable();
}

Ceilings ceilings_of(const std::string& kind, bool fresh, const Progress& progress) {
  return known_ceilings(benchmarks_of(kind), cache_folder(), fresh, progress).ceilings;
}

}  // namespace roofline
