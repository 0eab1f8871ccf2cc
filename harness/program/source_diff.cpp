#include "harness/program/source_diff.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "harness/program/catalog.h"
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

const Variant* variant_called(const std::vector<Variant>& catalog, const std::string& model,
                              const std::string& name) {
  for (const Variant& variant : catalog)
    if (variant.model == model && has_source(variant) &&
        (name == label_of(variant) || name == variant.id || name == variant.step))
      return &variant;
  return nullptr;
}

std::vector<std::string> only_in_first(std::vector<std::string> first,
                                       const std::vector<std::string>& second) {
  std::erase_if(first, [&second](const std::string& name) {
    return std::ranges::find(second, name) != second.end();
  });
  return first;
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

/// All lines of both texts in order, by the longest common subsequence; sources are short.
std::vector<DiffLine> aligned(const std::vector<std::string_view>& before,
                              const std::vector<std::string_view>& after) {
  const std::size_t n = before.size(), m = after.size();
  // longest[i][j] is the number of common lines of before[i..] and after[j..].
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

/// The variant that the source names as its parent, else the step that its file is called by, else
/// the previous step.
const Variant* made_from(const std::vector<Variant>& catalog, const Variant& variant) {
  const std::string file = variant_in_file(variant.source, variant.model).step;
  const Variant* parent = variant_called(catalog, variant.model, variant.made_from);
  if (variant.made_from.empty() && file != variant.step)
    parent = variant_called(catalog, variant.model, file);
  if (variant.made_from.empty() && parent == nullptr) parent = step_before(catalog, variant);
  return parent == &variant ? nullptr : parent;
}

/// The chain from the predecessor to the variant, or only the variant if it has none.
std::vector<const Variant*> way_to(const std::vector<Variant>& catalog, const Variant& variant) {
  std::vector<const Variant*> way = {&variant};
  const Variant* before = made_from(catalog, variant);
  while (before != nullptr && std::ranges::find(way, before) == way.end()) {
    way.insert(way.begin(), before);
    if (number_of(variant.id) == 0 || number_of(before->id) != 0) break;
    before = made_from(catalog, *before);
  }
  return way;
}

/// Adds the differences between one variant and its parent.
void add_diffs(const Kernel& kernel, const Variant& before, const Variant& variant,
               std::vector<FileDiff>& diffs) {
  const std::string old_text = text_of(before);
  const std::string new_text = text_of(variant);
  const std::vector<std::string> old_forms = forms_included(old_text, before, kernel.forms);
  const std::vector<std::string> new_forms = forms_included(new_text, variant, kernel.forms);
  diffs.push_back({before.source, variant.source, unified_diff(old_text, new_text)});
  const std::vector<std::string> left = only_in_first(old_forms, new_forms);
  const std::vector<std::string> came = only_in_first(new_forms, old_forms);
  const bool replaced = left.size() == 1 && came.size() == 1;
  for (const std::string& form : came) {
    const std::string from = replaced ? left[0] : "/dev/null";
    diffs.push_back(
        {from, form, unified_diff(source_text(from).value_or(""), source_text(form).value_or(""))});
  }
}

}  // namespace

const Variant* predecessor(const std::vector<Variant>& catalog, const Variant& variant) {
  const Variant* first = way_to(catalog, variant).front();
  return first == &variant ? nullptr : first;
}

std::vector<FileDiff> source_diff(const Kernel& kernel, const Variant& variant) {
  if (!has_source(variant)) return {};
  const std::vector<const Variant*> way = way_to(kernel.catalog(), variant);
  std::vector<FileDiff> diffs;
  for (std::size_t i = 1; i < way.size(); ++i) add_diffs(kernel, *way[i - 1], *way[i], diffs);
  return diffs;
}

std::vector<FileDiff> diff_of_plugin(const Variant* parent, const std::string& name,
                                     const std::map<std::string, std::vector<std::string>>& files) {
  std::vector<FileDiff> diffs;
  for (const auto& [file, lines] : files) {
    const std::string text = fmt::format("{}\n", fmt::join(lines, "\n"));
    const bool is_own = std::filesystem::path(file).stem() == name;
    const Variant* const before = is_own ? parent : nullptr;
    diffs.insert(is_own ? diffs.begin() : diffs.end(),
                 {before == nullptr ? "/dev/null" : before->source, file,
                  unified_diff(before == nullptr ? "" : text_of(*before), text)});
  }
  return diffs;
}

std::vector<DiffLine> unified_diff(std::string_view before, std::string_view after) {
  constexpr std::size_t context = 3;
  const std::vector<DiffLine> all = aligned(lines_of(before), lines_of(after));
  std::vector<bool> shown(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].kind == ' ') continue;
    const std::size_t last = std::min(i + context + 1, all.size());
    for (std::size_t k = i - std::min(i, context); k < last; ++k) shown[k] = true;
  }
  std::vector<DiffLine> hunks;
  std::size_t old_line = 1, new_line = 1;  // numbers of line i
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (shown[i] && (i == 0 || !shown[i - 1]))
      hunks.push_back({'@', fmt::format("@@ -{} +{} @@", old_line, new_line)});
    if (shown[i]) hunks.push_back(all[i]);
    old_line += all[i].kind != '+';
    new_line += all[i].kind != '-';
  }
  return hunks;
}

}  // namespace gpp
