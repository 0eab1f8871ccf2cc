// Finds recorded studies of a step: the last one of this machine, and one with evidence per line.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "harness/record/record.h"

namespace gpp {

/// A record that holds a variant.
struct LastStudy {
  std::filesystem::path folder;
  StudyRecord study;
  std::size_t own = 0;                ///< index of the variant's result
  std::optional<std::size_t> before;  ///< index of its predecessor's result, if any

  const Result& result() const { return study.results[own]; }
  const Result* before_result() const { return before ? &study.results[*before] : nullptr; }
};

/// The devices here that can run the kernel's variants.
std::vector<DeviceDescription> devices_here(const Kernel& kernel);

/// Processors with one name count as different if the program may use different numbers of cores.
bool is_like(const StudyRecord& study, const std::string& device_of_study,
             const DeviceDescription& device);

/// A complete study and its folder.
struct RecordedStudy {
  std::filesystem::path folder;
  StudyRecord study;
};

/// The kernel's complete studies under `results`, also in nested folders, newest first. Files that
/// are not records are ignored.
std::vector<RecordedStudy> recorded_studies(const Kernel& kernel,
                                            const std::filesystem::path& results);

/// The newest study in which the variant, and its predecessor if any, passed and were timed on one
/// of this machine's devices, or on one like it.
std::optional<LastStudy> last_study(const Kernel& kernel, const std::vector<RecordedStudy>& studies,
                                    const Variant& variant, const Variant* before);

/// A study from any device with lines of that step, in its model or in CUDA. Preferred are the
/// largest input, then the model itself, then the study that the lessons quote, then the newest.
/// `before` is empty if the predecessor's lines are not recorded there.
std::optional<LastStudy> study_with_lines(const std::vector<RecordedStudy>& studies,
                                          const Variant& variant, const Variant* before);

/// The path of a study, relative to the current folder if it lies below that.
std::string folder_text(const std::filesystem::path& folder);

}  // namespace gpp
