// Tests whether a text is well-formed XML.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "roofline/base/text.h"

namespace roofline::test {

/// The fault of a text as a document of one element, or "". It checks what SVG needs: closed tags,
/// unique attributes in double quotes, XML's entities, and no control characters.
inline std::string not_well_formed(std::string_view text) {
  if (visible_lines(text) != text) return "holds characters that act, or no UTF-8";
  std::vector<std::string> open;
  bool any = false;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == '&') {
      const std::string_view rest = text.substr(at);
      bool known = false;
      for (const char* one : {"&amp;", "&lt;", "&gt;", "&quot;", "&apos;"})
        known = known || rest.starts_with(one);
      if (!known) return "an entity: " + std::string(rest.substr(0, 20));
    }
    if (text[at] == '>') return "a bare >";
    if (text[at] != '<') {
      if (open.empty() && text[at] != '\n') return "text outside of the element";
      ++at;
      continue;
    }
    std::size_t end = ++at;
    std::vector<std::string> names;
    for (bool quoted = false; end < text.size() && (quoted || text[end] != '>'); ++end) {
      if (text[end] == '"') {
        if (!quoted && (end == 0 || text[end - 1] != '=')) return "a value without a name";
        quoted = !quoted;
      } else if (quoted && text[end] == '<') {
        return "a < in a value";
      } else if (!quoted && text[end] == '=') {
        const std::size_t blank = text.rfind(' ', end);
        names.emplace_back(text.substr(blank + 1, end - blank - 1));
      }
    }
    if (end == text.size()) return "a tag without an end";
    std::string_view tag = text.substr(at, end - at);
    for (std::size_t i = 0; i < names.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (names[i] == names[j]) return "twice: " + names[i];
    if (tag.starts_with('/')) {
      if (open.empty() || open.back() != tag.substr(1)) return "closes another tag";
      open.pop_back();
    } else if (!tag.ends_with('/')) {
      if (open.empty() && any) return "a second element";
      open.emplace_back(tag.substr(0, tag.find(' ')));
    }
    any = true;
    at = end + 1;
  }
  return open.empty() && any ? "" : "an element without an end";
}

}  // namespace roofline::test
