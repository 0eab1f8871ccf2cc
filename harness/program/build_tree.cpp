#include "harness/program/build_tree.h"

#include "harness/program/build_info.h"
#include "harness/program/source_files.h"

namespace gpp {
namespace {

namespace fs = std::filesystem;

/// Reads a value of CMakeCache.txt, whose lines are like "CMAKE_COMMAND:INTERNAL=/usr/bin/cmake".
std::string cached(const std::string& cache, const std::string& name) {
  const std::string key = "\n" + name + ":INTERNAL=";
  const std::size_t at = cache.find(key);
  if (at == std::string::npos) return {};
  const std::size_t value = at + key.size();
  return cache.substr(value, cache.find('\n', value) - value);
}

}  // namespace

std::optional<BuildTree> own_build_tree() {
  std::error_code error;
  BuildTree tree;
  tree.program = fs::read_symlink("/proc/self/exe", error);
  tree.folder = tree.program.parent_path();
  const std::string cache = text_of(tree.folder / "CMakeCache.txt");
  tree.sources = cached(cache, "CMAKE_HOME_DIRECTORY");
  tree.cmake = cached(cache, "CMAKE_COMMAND");
  if (!fs::exists(tree.program) || tree.cmake.empty() ||
      !fs::is_directory(tree.sources / "variants"))
    return std::nullopt;
  return tree;
}

fs::path source_tree() {
  const std::optional<BuildTree> tree = own_build_tree();
  return tree ? tree->sources : fs::path(build_info::source_dir);
}

}  // namespace gpp
