// The file that keeps where a learner stands: {"gpp_learn": 1, "places": {"ann sigma omp": "v4"}},
// by student, kernel and model. `gpp learn` keeps it beside the predictions.
#pragma once

#include <filesystem>
#include <string>

namespace gpp {

/// The step that comes next, or the word for the end; empty where nothing is kept. Throws
/// InputError where the file holds anything else.
std::string learner_place(const std::filesystem::path& file, const std::string& learner);

/// Replaces the file whole. Throws InputError as above, and where it cannot be written.
void keep_learner_place(const std::filesystem::path& file, const std::string& learner,
                        const std::string& next);

}  // namespace gpp
