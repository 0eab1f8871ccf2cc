#include "roofline/ceilings/cache.h"

#include <fmt/format.h>

#include <cctype>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>

#include "roofline/base/error.h"
#include "roofline/base/json_place.h"
#include "roofline/base/machine.h"
#include "roofline/base/replace_file.h"
#include "roofline/json.h"

namespace roofline {
namespace {

namespace fs = std::filesystem;

fs::path absolute_path_in(const char* variable) {
  const char* value = std::getenv(variable);
  const fs::path path = value == nullptr ? "" : value;
  return path.is_absolute() ? path : fs::path();
}

/// Letters and digits in small letters, everything else a dash.
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

nlohmann::ordered_json identity_json(const DeviceIdentity& device) {
  return {{"kind", device.kind},
          {"name", device.name},
          {"driver", device.driver},
          {"detail", device.detail},
          {"revision", benchmarks_revision}};
}

/// The roofs in the file, if they are of this device; nothing when it is missing, damaged or of
/// another.
std::optional<Ceilings> read_cache(const fs::path& file, const DeviceIdentity& device) {
  try {
    std::ifstream stream(file);
    if (!stream) return std::nullopt;
    const nlohmann::json json = nlohmann::json::parse(stream);
    if (json.at("device") != nlohmann::json(identity_json(device))) return std::nullopt;
    return read_device_ceilings(JsonPlace(json.at("ceilings"), "ceilings", file.string()),
                                device.kind);
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  } catch (const InputError&) {
    return std::nullopt;
  }
}

/// Why it could not be written; empty when it was.
std::string write_cache(const fs::path& file, const DeviceIdentity& device,
                        const Ceilings& ceilings) {
  if (file.empty()) return "neither XDG_CACHE_HOME nor HOME names a folder";
  try {
    fs::create_directories(file.parent_path());
    const nlohmann::ordered_json json = {{"device", identity_json(device)},
                                         {"ceilings", ceilings_json(ceilings)}};
    write_whole(file, json.dump(1) + "\n");
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

}  // namespace

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
  known.ceilings = benchmarks.measure(progress);
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
