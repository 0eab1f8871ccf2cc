#include "tools/fill_in/marks.h"

#include <fmt/format.h>

#include <stdexcept>

namespace gpp {
namespace {

constexpr std::string_view opening = "<!--", closing = "-->", end_mark = "<!--/-->";

/// A mark and what it covers.
struct Mark {
  std::string_view name;     ///< "v7 time"
  std::string_view content;  ///< up to its end; empty for one without
  bool lone = false;         ///< "holds ...": it has no end
};

/// Splits the text into what lies before the first mark, the mark, and the rest. False where there
/// is none.
bool next_mark(std::string_view text, std::string_view& before, Mark& mark,
               std::string_view& rest) {
  const std::size_t first = text.find(opening);
  if (first == std::string_view::npos) return false;
  before = text.substr(0, first);
  text.remove_prefix(first + opening.size());
  const std::size_t last = text.find(closing);
  if (last == std::string_view::npos)
    throw std::runtime_error(fmt::format("a mark does not end: '{}'", text.substr(0, 40)));
  mark.name = text.substr(0, last);
  rest = text.substr(last + closing.size());
  mark.lone = mark.name.starts_with("holds ");
  mark.content = {};
  if (mark.lone) return true;
  const std::size_t end = rest.find(end_mark);
  if (mark.name == "/" || end == std::string_view::npos)
    throw std::runtime_error(fmt::format("the mark '{}' has no partner", mark.name));
  mark.content = rest.substr(0, end);
  rest = rest.substr(end + end_mark.size());
  return true;
}

/// The text with each mark replaced by what `replace` says.
std::string replaced(std::string_view text,
                     const std::function<std::string(const Mark&)>& replace) {
  std::string result;
  std::string_view before, rest;
  for (Mark mark; next_mark(text, before, mark, rest); text = rest) {
    result += before;
    result += replace(mark);
  }
  return result += text;
}

}  // namespace

std::string unmarked(std::string_view text) {
  return replaced(text, [](const Mark&) { return std::string(); });
}

std::string filled(std::string_view text,
                   const std::function<std::string(std::string_view, std::string_view)>& content,
                   const std::function<void(std::string_view)>& hold) {
  return replaced(text, [&](const Mark& mark) {
    if (mark.lone) {
      hold(mark.name.substr(std::string_view("holds ").size()));
      return fmt::format("{}{}{}", opening, mark.name, closing);
    }
    return fmt::format("{}{}{}{}{}", opening, mark.name, closing, content(mark.name, mark.content),
                       end_mark);
  });
}

}  // namespace gpp
