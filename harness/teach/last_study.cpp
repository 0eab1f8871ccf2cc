#include "harness/teach/last_study.h"

#include <algorithm>

#include "harness/program/selection.h"
#include "roofline/base/error.h"
#include "roofline/base/visible.h"

namespace gpp {
namespace {

namespace fs = std::filesystem;

/// The index of a variant's result that fits.
template <class Fits>
std::optional<std::size_t> place_of(const StudyRecord& study, std::string_view model,
                                    std::string_view id, const Fits& fits) {
  for (std::size_t i = 0; i < study.results.size(); ++i) {
    const Result& result = study.results[i];
    if (result.model == model && result.variant == id && fits(result)) return i;
  }
  return std::nullopt;
}

/// Nothing where there is no complete record of the kernel.
std::optional<StudyRecord> complete_study(const Kernel& kernel, const fs::path& file) {
  try {
    StudyRecord study = read_record(file);
    if (study.complete && study.kernel == kernel.name) return study;
  } catch (const roofline::InputError&) {
    // of a later version, of another kernel, or no record
  }
  return std::nullopt;
}

/// The devices here that can run the kernel's variants.
std::vector<DeviceDescription> devices_here(const Kernel& kernel) {
  std::vector<DeviceDescription> devices;
  for (const Runtime* runtime : runtimes_of(kernel.catalog()))
    if (runtime->unavailable().empty()) devices.push_back(runtime->describe());
  return devices;
}

}  // namespace

std::optional<LastStudy> last_study(const Kernel& kernel, const fs::path& results,
                                    const Variant& variant, const Variant* before) {
  const std::vector<DeviceDescription> devices = devices_here(kernel);
  std::optional<LastStudy> last;
  std::error_code error;
  constexpr auto skip = fs::directory_options::skip_permission_denied;
  for (fs::recursive_directory_iterator entry(results, skip, error), end; !error && entry != end;
       entry.increment(error)) {
    if (entry->path().filename() != "study.json") continue;
    std::optional<StudyRecord> study = complete_study(kernel, entry->path());
    if (!study || (last && study->created <= last->study.created)) continue;
    const auto fits = [&](const Result& result) {
      return result.timed() && std::ranges::any_of(devices, [&](const DeviceDescription& device) {
               return result.device == device.name &&
                      (device.kind != "host" || study->machine.cores == device.units);
             });
    };
    LastStudy found{entry->path().parent_path(), *study, 0, {}};
    const auto own = place_of(*study, variant.model, variant.id, fits);
    if (before != nullptr) found.before = place_of(*study, before->model, before->id, fits);
    if (!own) continue;
    found.own = *own;
    if (before == nullptr ||
        (found.before && found.before_result()->device == found.result().device))
      last = std::move(found);
  }
  return last;
}

std::optional<LastStudy> quoted_study(const Kernel& kernel, const fs::path& results,
                                      const Variant& variant, const Variant* before) {
  const fs::path folder = results / fs::path(kernel.quoted_record).lexically_relative("results");
  std::optional<StudyRecord> study = complete_study(kernel, folder / "study.json");
  if (!study) return std::nullopt;
  const auto fits = [](const Result& result) { return result.lines.has_value(); };
  for (const std::string& model : {variant.model, std::string("cuda")})
    if (const auto own = place_of(*study, model, variant.id, fits)) {
      LastStudy found{folder, *std::move(study), *own, {}};
      if (before != nullptr) found.before = place_of(found.study, model, before->id, fits);
      return found;
    }
  return std::nullopt;
}

std::string folder_text(const fs::path& folder) {
  std::error_code error;
  const std::string near = fs::proximate(folder, error).string();
  return roofline::visible(error || near.starts_with("..") ? folder.string() : near);
}

}  // namespace gpp
