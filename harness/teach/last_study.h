// Finds recorded studies of a step: the last one of this machine, and the one that lessons quote.
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

/// The newest complete study of the kernel under `results`, also in nested folders, in which the
/// variant, and its predecessor if any, passed and were timed on one of this machine's devices, or
/// on one like it. Processors with one name count as different if the program may use different
/// numbers of cores. Files that are not records are ignored.
std::optional<LastStudy> last_study(const Kernel& kernel, const std::filesystem::path& results,
                                    const Variant& variant, const Variant* before);

/// The record under `results` that the kernel's lessons quote (Kernel::quoted_record), if it has
/// lines of that step in its model or in CUDA. `before` is empty if the predecessor's lines are not
/// recorded there.
std::optional<LastStudy> quoted_study(const Kernel& kernel, const std::filesystem::path& results,
                                      const Variant& variant, const Variant* before);

/// The path of a study, relative to the current folder if it lies below that.
std::string folder_text(const std::filesystem::path& folder);

}  // namespace gpp
