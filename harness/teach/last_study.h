// The last measurement of a step on this machine.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "harness/record/record.h"

namespace gpp {

/// A record that holds a variant, and where that stands in it.
struct LastStudy {
  std::filesystem::path folder;  ///< empty: it was run just now, and is kept nowhere
  StudyRecord study;
  std::size_t result = 0;             ///< index of the variant's result
  std::optional<std::size_t> before;  ///< and of its predecessor's; empty where it has none
};

/// The devices here that can run the kernel's variants.
std::vector<DeviceDescription> devices_here(const Kernel& kernel);

/// A complete study, and where it lies.
struct RecordedStudy {
  std::filesystem::path folder;
  StudyRecord study;
};

/// The kernel's complete studies under `results`. Looks into folders of folders; files that are not
/// records are passed over.
std::vector<RecordedStudy> recorded_studies(const Kernel& kernel,
                                            const std::filesystem::path& results);

/// The newest of these in which the variant passed and was timed on one of the devices here, and
/// its predecessor, if any, on the same.
std::optional<LastStudy> last_study(const Kernel& kernel, const std::vector<RecordedStudy>& studies,
                                    const Variant& variant, const Variant* before);

/// The study, of any device, that holds lines of that step, in its model or in CUDA: of the largest
/// input, then of the model itself, then the one that the lessons quote, then the newest. `before`
/// is empty where the predecessor's lines are not recorded there.
std::optional<LastStudy> study_with_lines(const std::vector<RecordedStudy>& studies,
                                          const Variant& variant, const Variant* before);

/// The newest study of any host in which the variant and its predecessor were timed and their loops
/// looked into: what a processor's lesson can show where none was made here.
std::optional<LastStudy> study_on_a_host(const std::vector<RecordedStudy>& studies,
                                         const Variant& variant, const Variant* before);

/// Whether the study was made where it lies, and did not come with the repository: its file is not
/// more than a day younger than what it says of itself.
bool was_made_here(const LastStudy& study);

/// "results/h200/gpp214", from the present folder where that is shorter.
std::string folder_text(const LastStudy& study);

/// A line on the study, then time, speed, launch and counters, before and after, and what explains
/// the difference. `origin`: what the line says of a study that was not made here.
std::string last_study_text(const LastStudy& last, const std::string& origin = {});

/// The study, time and speed for scripts.
nlohmann::ordered_json last_study_json(const LastStudy& last);

}  // namespace gpp
