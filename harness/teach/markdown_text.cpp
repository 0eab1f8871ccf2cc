#include "harness/teach/markdown_text.h"

#include <algorithm>
#include <cctype>
#include <sstream>

#include "roofline/base/table.h"

namespace gpp {
namespace {

/// 2 for "- ", 3 for "1. ", else 0: where an item's text begins.
std::size_t item_indent(std::string_view line) {
  if (line.starts_with("- ")) return 2;
  const bool numbered = line.size() > 3 && std::isdigit(static_cast<unsigned char>(line[0])) != 0 &&
                        line.substr(1, 2) == ". ";
  return numbered ? 3 : 0;
}

}  // namespace

std::string without_signs(std::string_view markdown) {
  std::string text;
  for (std::size_t i = 0; i < markdown.size(); ++i) {
    const std::string_view rest = markdown.substr(i);
    if (rest.starts_with("**")) {
      ++i;
    } else if (rest.starts_with("](")) {
      i += std::min(rest.find(')'), rest.size() - 1);
    } else if (rest[0] != '`' && rest[0] != '[') {
      text.push_back(rest[0] == '\n' ? ' ' : rest[0]);
    }
  }
  return text;
}

std::string markdown_text(std::string_view markdown, std::size_t width) {
  std::string text, block;
  std::size_t indent = 0;
  const auto flush = [&] {
    if (!block.empty()) text += roofline::wrapped(without_signs(block), width, indent) + "\n";
    block.clear();
    indent = 0;
  };
  std::istringstream stream{std::string(markdown)};
  for (std::string line; std::getline(stream, line);) {
    if (line.empty()) {
      flush();
      if (!text.empty()) text += "\n";
      continue;
    }
    if (item_indent(line) > 0) {
      flush();
      indent = item_indent(line);
    }
    block += line + "\n";
  }
  flush();
  return text;
}

}  // namespace gpp
