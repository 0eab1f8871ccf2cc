#include "data/bundled.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>

#include "roofline/base/text.h"

namespace gpp {
namespace {

namespace fs = std::filesystem;

constexpr const char* extension = ".dat";

std::vector<fs::path> folders() {
  std::vector<fs::path> found;
  if (const char* chosen = std::getenv("GPP_DATA_DIR"); chosen != nullptr && *chosen != '\0')
    return {fs::path(chosen)};
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  const fs::path above = program.parent_path().parent_path();
  // The installed folder comes first, because the source tree's folder may hold other files by now.
  if (!error) found.push_back(above / "share" / "gpp" / "data" / "silicon");
  found.emplace_back(GPP_SILICON_DIR);
  if (!error) found.push_back(above / "data" / "silicon");
  return found;
}

}  // namespace

std::vector<std::string> bundled_inputs() {
  std::vector<std::string> names;
  for (const fs::path& folder : folders()) {
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error))
      if (entry.path().extension() == extension) names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

fs::path bundled_input(std::string_view name) {
  std::string file(name);
  if (!name.ends_with(extension)) file += extension;
  for (const fs::path& folder : folders()) {
    std::error_code error;
    if (fs::is_regular_file(folder / file, error)) return folder / file;
  }
  const std::vector<std::string> names = bundled_inputs();
  if (names.empty())
    throw roofline::InputError(
        fmt::format("no bundled input was found, nor was {} among them. Set "
                    "GPP_DATA_DIR to the folder data/silicon of the project.",
                    name));
  throw roofline::InputError(fmt::format("there is no bundled input {}. Those there are: {}.", name,
                                         fmt::join(names, ", ")));
}

}  // namespace gpp
