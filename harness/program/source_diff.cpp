#include "harness/program/source_diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "harness/program/source_files.h"

namespace gpp {
namespace {

bool has_source(const Variant& variant) {
  return !variant.source.empty() && !variant.source.ends_with(".md");
}

const Variant* step_before(const std::vector<Variant>& catalog, const Variant& variant) {
  const Variant* best = nullptr;
  for (const Variant& other : catalog) {
    if (other.model != variant.model || !has_source(other)) continue;
    const int number = number_of(other.id);
    if (number == 0 || number >= number_of(variant.id)) continue;
    if (best == nullptr || number > number_of(best->id)) best = &other;
  }
  return best;
}

/// "v8_power2" of the line "// Made from v8_power2." among the first ten; else empty.
std::string named_parent(std::string_view text) {
  constexpr std::string_view mark = "// Made from ";
  std::istringstream stream{std::string(text)};
  std::string line;
  for (int i = 0; i < 10 && std::getline(stream, line); ++i) {
    if (!line.starts_with(mark)) continue;
    std::string name = line.substr(mark.size());
    while (!name.empty() && (name.back() == '.' || name.back() == ' ' || name.back() == '\r'))
      name.pop_back();
    return name;
  }
  return {};
}

const Variant* variant_called(const std::vector<Variant>& catalog, const std::string& model,
                              const std::string& name) {
  for (const Variant& variant : catalog)
    if (variant.model == model && has_source(variant) &&
        (name == fmt::format("{}_{}", variant.id, variant.step) || name == variant.id ||
         name == variant.step))
      return &variant;
  return nullptr;
}

std::vector<std::string> only_in_first(const std::vector<std::string>& first,
                                       const std::vector<std::string>& second) {
  std::vector<std::string> rest;
  for (const std::string& name : first)
    if (std::find(second.begin(), second.end(), name) == second.end()) rest.push_back(name);
  return rest;
}

}  // namespace

const Variant* predecessor(const std::vector<Variant>& catalog, const Variant& variant,
                           std::string_view text) {
  if (const std::string name = named_parent(text); !name.empty()) {
    const Variant* parent = variant_called(catalog, variant.model, name);
    return parent == &variant ? nullptr : parent;
  }
  return step_before(catalog, variant);
}

const Variant* predecessor(const std::vector<Variant>& catalog, const Variant& variant) {
  return predecessor(catalog, variant, source_text(variant.source).value_or(""));
}

std::vector<FileDiff> source_diff(const Kernel& kernel, const Variant& variant) {
  const Variant* before = predecessor(kernel.catalog(), variant);
  if (before == nullptr || !has_source(variant)) return {};
  const std::string old_text = source_text(before->source).value_or("");
  const std::string new_text = source_text(variant.source).value_or("");
  std::vector<FileDiff> diffs = {
      {before->source, variant.source, unified_diff(old_text, new_text)}};
  const auto add = [&diffs](const std::string& left, const std::string& came) {
    diffs.push_back(
        {left, came, unified_diff(source_text(left).value_or(""), source_text(came).value_or(""))});
  };
  const std::vector<std::string> left =
      only_in_first(forms_included(old_text, *before, kernel.forms),
                    forms_included(new_text, variant, kernel.forms));
  std::vector<std::string> came = only_in_first(forms_included(new_text, variant, kernel.forms),
                                                forms_included(old_text, *before, kernel.forms));
  if (left.size() == 1 && came.size() == 1) {
    add(left[0], came[0]);
    came.clear();
  }
  for (const std::string& form : came) add("/dev/null", form);
  for (const std::string& file : only_in_first(files_included(new_text, kernel.folder),
                                               files_included(old_text, kernel.folder)))
    if (std::none_of(diffs.begin(), diffs.end(), [&file](const FileDiff& diff) {
          return ("/" + diff.after).ends_with("/" + file);
        }))
      add("/dev/null", file);
  return diffs;
}

}  // namespace gpp
