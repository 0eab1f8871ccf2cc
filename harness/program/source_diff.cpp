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
    if (std::ranges::find(second, name) == second.end()) rest.push_back(name);
  return rest;
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

/// Every line of both, in order. By the longest common subsequence: sources are short.
std::vector<DiffLine> aligned(const std::vector<std::string_view>& before,
                              const std::vector<std::string_view>& after) {
  const std::size_t n = before.size(), m = after.size();
  // longest[i][j]: lines that before[i..] and after[j..] have in common.
  std::vector longest(n + 1, std::vector<std::size_t>(m + 1));
  for (std::size_t i = n; i-- > 0;)
    for (std::size_t j = m; j-- > 0;)
      longest[i][j] = before[i] == after[j] ? longest[i + 1][j + 1] + 1
                                            : std::max(longest[i + 1][j], longest[i][j + 1]);
  std::vector<DiffLine> lines;
  std::size_t i = 0, j = 0;
  while (i < n || j < m) {
    if (i < n && j < m && before[i] == after[j]) {
      lines.push_back({' ', std::string(before[i++])});
      ++j;
    } else if (i < n && (j == m || longest[i + 1][j] >= longest[i][j + 1])) {
      lines.push_back({'-', std::string(before[i++])});
    } else {
      lines.push_back({'+', std::string(after[j++])});
    }
  }
  return lines;
}

/// "4,7", and "4" for a single line; an empty range is numbered by the line before it.
std::string range(std::size_t lines_before, std::size_t count) {
  if (count == 1) return fmt::format("{}", lines_before + 1);
  return fmt::format("{},{}", count == 0 ? lines_before : lines_before + 1, count);
}

std::size_t count_of(const std::vector<DiffLine>& lines, std::size_t first, std::size_t last,
                     char other) {
  return static_cast<std::size_t>(
      std::count_if(lines.begin() + static_cast<std::ptrdiff_t>(first),
                    lines.begin() + static_cast<std::ptrdiff_t>(last),
                    [other](const DiffLine& line) { return line.kind != other; }));
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
    if (std::ranges::none_of(diffs, [&file](const FileDiff& diff) {
          return ("/" + diff.after).ends_with("/" + file);
        }))
      add("/dev/null", file);
  return diffs;
}

std::vector<DiffLine> unified_diff(std::string_view before, std::string_view after,
                                   std::size_t context) {
  const std::vector<DiffLine> all = aligned(lines_of(before), lines_of(after));
  std::vector<bool> shown(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].kind == ' ') continue;
    const std::size_t last = std::min(i + context + 1, all.size());
    for (std::size_t k = i - std::min(i, context); k < last; ++k) shown[k] = true;
  }
  std::vector<DiffLine> hunks;
  for (std::size_t first = 0; first < all.size();) {
    if (!shown[first]) {
      ++first;
      continue;
    }
    std::size_t last = first;
    while (last < all.size() && shown[last]) ++last;
    hunks.push_back(
        {'@', fmt::format("@@ -{} +{} @@",
                          range(count_of(all, 0, first, '+'), count_of(all, first, last, '+')),
                          range(count_of(all, 0, first, '-'), count_of(all, first, last, '-')))});
    hunks.insert(hunks.end(), all.begin() + static_cast<std::ptrdiff_t>(first),
                 all.begin() + static_cast<std::ptrdiff_t>(last));
    first = last;
  }
  return hunks;
}

}  // namespace gpp
