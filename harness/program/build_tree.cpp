#include "harness/program/build_tree.h"

#include "harness/program/source_files.h"

namespace gpp {
namespace fs = std::filesystem;

std::optional<BuildTree> own_build_tree() {
  std::error_code error;
  BuildTree tree;
  tree.program = fs::read_symlink("/proc/self/exe", error);
  tree.folder = tree.program.parent_path();
  if (tree.folder.filename() == "bin") tree.folder = tree.folder.parent_path();
  const std::string cache = text_of(tree.folder / "CMakeCache.txt");
  const std::string key = "\nCMAKE_HOME_DIRECTORY:INTERNAL=";
  const std::size_t at = cache.find(key);
  if (at == std::string::npos || !fs::exists(tree.program)) return std::nullopt;
  const std::size_t value = at + key.size();
  tree.sources = cache.substr(value, cache.find('\n', value) - value);
  if (!fs::is_directory(tree.sources / "variants")) return std::nullopt;
  return tree;
}

}  // namespace gpp
