#include "harness/program/line_diff.h"

#include <fmt/format.h>

#include <algorithm>

namespace gpp {
namespace {

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
