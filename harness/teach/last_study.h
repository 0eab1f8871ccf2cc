// Finds the last measurement of a step on this machine.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "harness/record/record.h"

namespace gpp {

/// A record that holds a variant, and the variant's index in it.
struct LastStudy {
  std::filesystem::path folder;  ///< empty: just measured, and not stored
  StudyRecord study;
  std::size_t result = 0;             ///< index of the variant's result
  std::optional<std::size_t> before;  ///< index of its predecessor's result, if any
};

/// The devices here that can run the kernel's variants.
std::vector<DeviceDescription> devices_here(const Kernel& kernel);

/// A complete study and its folder.
struct RecordedStudy {
  std::filesystem::path folder;
  StudyRecord study;
};

/// The kernel's complete studies under `results`, also in nested folders. Files that are not
/// records are ignored.
std::vector<RecordedStudy> recorded_studies(const Kernel& kernel,
                                            const std::filesystem::path& results);

/// The newest study in which the variant, and its predecessor if any, passed and were timed on one
/// of this machine's devices.
std::optional<LastStudy> last_study(const Kernel& kernel, const std::vector<RecordedStudy>& studies,
                                    const Variant& variant, const Variant* before);

/// A study from any device with lines of that step, in its model or in CUDA. Preferred are the
/// largest input, then the model itself, then the study that the lessons quote, then the newest.
/// `before` is empty if the predecessor's lines are not recorded there.
std::optional<LastStudy> study_with_lines(const std::vector<RecordedStudy>& studies,
                                          const Variant& variant, const Variant* before);

/// The newest study of any host in which the variant and its predecessor were timed and their loops
/// analysed. A lesson shows it if this machine has no such study.
std::optional<LastStudy> study_on_a_host(const std::vector<RecordedStudy>& studies,
                                         const Variant& variant, const Variant* before);

/// True if the study was made in its present folder and did not come with the repository: its file
/// is at most a day younger than its recorded time.
bool was_made_here(const LastStudy& study);

/// The path "results/h200/gpp214", relative to the current folder if that is shorter.
std::string folder_text(const LastStudy& study);

/// One line about the study, then time, speed, launch and counters, before and after, and the
/// explanation of the difference. `origin` describes a study that was not made here.
std::string last_study_text(const LastStudy& last, const std::string& origin = {});

/// The study's time and speed, for scripts.
nlohmann::ordered_json last_study_json(const LastStudy& last);

}  // namespace gpp
