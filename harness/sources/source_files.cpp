#include "harness/sources/source_files.h"

#include <fstream>
#include <regex>
#include <sstream>

namespace gpp {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> included_in(const fs::path& sources, const fs::path& file) {
  static const std::regex include("^[ \t]*#[ \t]*include[ \t]+\"([^\"]+)\"");
  std::vector<fs::path> included;
  std::istringstream lines(text_of(file));
  std::smatch match;
  for (std::string line; std::getline(lines, line);) {
    if (!std::regex_search(line, match, include)) continue;
    const fs::path named = sources / match[1].str();
    if (fs::is_regular_file(named)) included.push_back(named);
  }
  return included;
}

bool is_part_of_a_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// The position behind the comment or literal that begins at `at`, or `at` where none does.
std::size_t behind_what_is_no_code(std::string_view code, std::size_t at) {
  const auto behind = [&](std::string_view end, std::size_t from) {
    const std::size_t found = code.find(end, from);
    return found == std::string_view::npos ? code.size() : found + end.size();
  };
  if (code.substr(at, 2) == "//") return behind("\n", at);
  if (code.substr(at, 2) == "/*") return behind("*/", at + 2);
  if (code[at] != '"') return at;
  for (std::size_t i = at + 1; i < code.size(); ++i) {
    if (code[i] == '\\')
      ++i;
    else if (code[i] == '"' || code[i] == '\n')
      return i + 1;
  }
  return code.size();
}

}  // namespace

std::string text_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

std::set<fs::path> with_included_files(const fs::path& sources,
                                       const std::vector<fs::path>& files) {
  std::set<fs::path> found;
  std::vector<fs::path> open = files;
  while (!open.empty()) {
    const fs::path file = open.back();
    open.pop_back();
    if (!found.insert(file).second) continue;
    for (const fs::path& included : included_in(sources, file)) open.push_back(included);
  }
  return found;
}

std::set<std::string> identifiers_in(std::string_view code) {
  std::set<std::string> names;
  for (std::size_t at = 0; at < code.size();) {
    const std::size_t behind = behind_what_is_no_code(code, at);
    if (behind != at) {
      at = behind;
      continue;
    }
    std::size_t end = at;
    while (end < code.size() && is_part_of_a_name(code[end])) ++end;
    if (end > at) names.insert(std::string(code.substr(at, end - at)));
    at = std::max(end, at + 1);
  }
  return names;
}

Variant variant_in_file(const fs::path& source, const std::string& model) {
  static const std::regex numbered("v0*([0-9]+)_(.+)");
  const std::string stem = source.stem().string();
  std::smatch match;
  const bool has_number = std::regex_match(stem, match, numbered);
  Variant variant;
  variant.id = has_number ? std::string("v").append(match[1].str()) : stem;
  variant.step = has_number ? match[2].str() : stem;
  variant.model = model;
  variant.source = source.generic_string();
  return variant;
}

std::string label_of(const Variant& variant) {
  return variant.id == variant.step ? variant.id : variant.id + "_" + variant.step;
}

}  // namespace gpp
