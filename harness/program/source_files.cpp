#include "harness/program/source_files.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>

#include "harness/kernel.h"
#include "roofline/base/text.h"

namespace gpp {
namespace {

namespace fs = std::filesystem;

/// The file names in lines #include "...".
std::vector<std::string> includes_in(std::string_view code) {
  std::vector<std::string> names;
  std::istringstream lines{std::string(code)};
  for (std::string line; std::getline(lines, line);) {
    const std::size_t quote = line.find('"'), end = line.find('"', quote + 1);
    if (quote == line.npos || end == line.npos) continue;
    std::string before = line.substr(0, quote);
    std::erase_if(before, [](char c) { return c == ' ' || c == '\t'; });
    if (before == "#include") names.push_back(line.substr(quote + 1, end - quote - 1));
  }
  return names;
}

std::map<std::string, std::string, std::less<>>& remembered() {
  static std::map<std::string, std::string, std::less<>> texts;
  return texts;
}

}  // namespace

std::string text_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

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

std::set<fs::path> with_included_files(const fs::path& sources,
                                       const std::vector<fs::path>& files) {
  std::set<fs::path> found;
  std::vector<fs::path> open = files;
  while (!open.empty()) {
    const fs::path file = open.back();
    open.pop_back();
    if (!found.insert(file).second) continue;
    for (const std::string& name : includes_in(text_of(file)))
      for (const fs::path& folder : {file.parent_path(), sources})
        if (fs::is_regular_file(folder / name)) {
          open.push_back((folder / name).lexically_normal());
          break;
        }
  }
  return found;
}

std::vector<std::string> forms_included(std::string_view code, const Variant& variant,
                                        const std::string& forms_folder) {
  const std::string own = fs::path(variant.source).replace_extension(".h").generic_string();
  std::vector<std::string> forms;
  for (const std::string& file : includes_in(code)) {
    if (!forms_folder.empty() && file.starts_with(forms_folder + "/")) forms.push_back(file);
    if (("/" + own).ends_with("/" + file)) forms.push_back(own);
  }
  return forms;
}

Variant variant_in_file(const fs::path& source, const std::string& model) {
  static const roofline::Pattern numbered("v0*([0-9]+)_(.+)");
  const std::string stem = source.stem().string();
  const auto match = numbered.whole(stem);
  Variant variant;
  variant.id = match ? "v" + (*match)[1] : stem;
  variant.step = match ? (*match)[2] : stem;
  variant.model = model;
  variant.source = source.generic_string();
  return variant;
}

std::vector<std::string> files_included(std::string_view code, const std::string& below) {
  std::vector<std::string> found;
  const auto add = [&found](const std::string& file) {
    if (std::ranges::find(found, file) == found.end()) found.push_back(file);
  };
  for (const std::string& file : includes_in(code)) {
    if (!file.starts_with(below + "/")) continue;
    add(file);
    for (const std::string& deeper : files_included(source_text(file).value_or(""), below))
      add(deeper);
  }
  return found;
}

bool lies_under(const fs::path& file, const fs::path& folder) {
  const fs::path relative = file.lexically_normal().lexically_relative(folder.lexically_normal());
  return !relative.empty() && *relative.begin() != "..";
}

void remember_source(const std::string& path, std::string text) {
  remembered()[path] = std::move(text);
}

std::optional<std::string> source_text(std::string_view path) {
  if (const auto known = remembered().find(path); known != remembered().end()) return known->second;
  static const std::optional<BuildTree> tree = own_build_tree();
  if (tree && fs::exists(tree->sources / path)) return text_of(tree->sources / path);
  for (const Kernel* kernel : kernels())
    for (const embedded::File& file : kernel->sources)
      if (file.path == path) return std::string(file.text);
  return std::nullopt;
}

std::string repository_path(const std::string& compiled) {
  const std::string path = fs::path(compiled).lexically_normal().generic_string();
  // The longest end of it that is a source of the program.
  for (std::size_t at = 0; at < path.size();) {
    const std::string end = path.substr(at);
    if (end.front() != '/' && !end.starts_with("../") && end.find('/') != end.npos &&
        source_text(end))
      return end;
    const std::size_t slash = path.find('/', at);
    if (slash == path.npos) break;
    at = slash + 1;
  }
  return path.empty() ? compiled : path;
}

}  // namespace gpp
