// The gallery of results/README.md: every record with a picture.
#pragma once

#include <filesystem>
#include <string>

namespace gpp {

/// The records in `results` and below, by path, as Markdown: a heading for each machine and, for
/// each record, its kernel, input and date, a link and a picture. Records are folders with a study,
/// a trajectory, a profile or a sweep of conv2d. Throws std::runtime_error where a record has no
/// picture, or cannot be read.
std::string gallery(const std::filesystem::path& results);

}  // namespace gpp
