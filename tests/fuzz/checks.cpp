#include "tests/fuzz/checks.h"

#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string_view>

#include "roofline/base/visible.h"
#include "roofline/page/assemble.h"

namespace roofline::fuzz {

void require(bool condition, const char* what, const std::string& text) {
  if (condition) return;
  std::fprintf(stderr, "broken: %s\n%s\n", what, text.c_str());
  std::abort();
}

void require_visible(const std::string& text) {
  require(visible_lines(text) == text, "a text that acts when shown", text);
}

void require_sound_page(const std::string& title, const nlohmann::ordered_json& data) {
  using Json = nlohmann::ordered_json;
  constexpr std::string_view begin = "<title>", between = "</title><script>", end = "</script>";
  PageParts parts;
  parts.page = "<title>{{title}}</title><script>{{data}}</script>";
  const std::string page = assemble_page(parts, title, data);
  const std::size_t tag = page.find('<', begin.size());
  require(page.starts_with(begin) && tag != page.npos &&
              std::string_view(page).substr(tag).starts_with(between),
          "a title that is more than a text", page);
  const std::size_t first = tag + between.size(), last = page.find('<', first);
  require(last != page.npos && std::string_view(page).substr(last) == end,
          "data that end their script", page);
  const Json read = Json::parse(page.substr(first, last - first));
  constexpr auto replace = Json::error_handler_t::replace;
  require(read.dump() == Json::parse(data.dump(-1, ' ', false, replace)).dump(),
          "data that are read back as others", page);
}

}  // namespace roofline::fuzz
