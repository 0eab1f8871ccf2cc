#include "harness/teach/last_study.h"

#include <algorithm>
#include <tuple>

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

}  // namespace

std::vector<DeviceDescription> devices_here(const Kernel& kernel) {
  std::vector<DeviceDescription> devices;
  for (const Runtime* runtime : runtimes_of(kernel.catalog()))
    if (runtime->unavailable().empty()) devices.push_back(runtime->describe());
  return devices;
}

bool is_like(const StudyRecord& study, const std::string& device_of_study,
             const DeviceDescription& device) {
  return device_of_study == device.name &&
         (device.kind != "host" || study.machine.cores == device.units);
}

std::vector<RecordedStudy> recorded_studies(const Kernel& kernel, const fs::path& results) {
  std::vector<RecordedStudy> studies;
  std::error_code error;
  constexpr auto skip = fs::directory_options::skip_permission_denied;
  for (fs::recursive_directory_iterator entry(results, skip, error), end; !error && entry != end;
       entry.increment(error)) {
    if (entry->path().filename() != "study.json") continue;
    try {
      StudyRecord study = read_record(entry->path());
      if (study.complete && study.kernel == kernel.name)
        studies.push_back({entry->path().parent_path(), std::move(study)});
    } catch (const roofline::InputError&) {
      continue;  // of a later version, of another kernel, or no record
    }
  }
  std::ranges::stable_sort(studies, std::greater(),
                           [](const RecordedStudy& one) { return one.study.created; });
  return studies;
}

std::optional<LastStudy> last_study(const Kernel& kernel, const std::vector<RecordedStudy>& studies,
                                    const Variant& variant, const Variant* before) {
  const std::vector<DeviceDescription> devices = devices_here(kernel);
  for (const auto& [folder, study] : studies) {
    const auto fits = [&, &study = study](const Result& result) {
      return result.timed() && std::ranges::any_of(devices, [&](const DeviceDescription& device) {
               return is_like(study, result.device, device);
             });
    };
    const auto own = place_of(study, variant.model, variant.id, fits);
    if (!own) continue;
    LastStudy found{folder, study, *own, {}};
    if (before != nullptr) found.before = place_of(study, before->model, before->id, fits);
    if (before == nullptr ||
        (found.before && found.before_result()->device == found.result().device))
      return found;
  }
  return std::nullopt;
}

std::optional<LastStudy> study_with_lines(const std::vector<RecordedStudy>& studies,
                                          const Variant& variant, const Variant* before) {
  const auto fits = [](const Result& result) { return result.lines.has_value(); };
  const auto rank = [&variant](const LastStudy& found) {
    return std::tuple(
        found.study.input.terms, found.result().model == variant.model,
        found.folder.generic_string().ends_with(kernel_of(found.study).quoted_record));
  };
  std::optional<LastStudy> best;
  for (const auto& [folder, study] : studies)
    for (const std::string& model : {std::string("cuda"), variant.model}) {
      const auto own = place_of(study, model, variant.id, fits);
      if (!own) continue;
      LastStudy found{folder, study, *own, {}};
      if (before != nullptr) found.before = place_of(study, model, before->id, fits);
      if (!best || rank(found) > rank(*best)) best = std::move(found);
    }
  return best;
}

std::string folder_text(const fs::path& folder) {
  std::error_code error;
  const std::string near = fs::proximate(folder, error).string();
  return roofline::visible(error || near.starts_with("..") ? folder.string() : near);
}

}  // namespace gpp
