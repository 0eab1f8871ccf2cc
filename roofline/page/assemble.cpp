#include "roofline/page/assemble.h"

#include <fmt/format.h>

#include <stdexcept>

namespace roofline {
namespace {

/// Each character that is a key of `words`, replaced by its word.
std::string replaced(std::string_view text, const std::map<char, std::string_view>& words) {
  std::string result;
  result.reserve(text.size());
  for (const char character : text) {
    const auto word = words.find(character);
    if (word == words.end())
      result += character;
    else
      result += word->second;
  }
  return result;
}

}  // namespace

void PageParts::add(std::string_view path, std::string_view text) {
  if (path.ends_with(".html"))
    page = text;
  else if (path.ends_with(".css"))
    style += text;
  else if (path.ends_with(".min.js"))
    plotly = text;
  else
    script += text;
}

std::string assemble_page(const PageParts& parts, std::string_view title,
                          const nlohmann::ordered_json& data) {
  const std::map<std::string_view, std::string> places = {
      {"title", html_text(title)},  {"style", parts.style},
      {"data", json_in_html(data)}, {"plotly", std::string(parts.plotly)},
      {"script", parts.script},     {"without_script", std::string(parts.without_script)}};
  std::string result;
  std::string_view rest = parts.page;
  for (std::size_t start = rest.find("{{"); start != rest.npos; start = rest.find("{{")) {
    const std::size_t end = rest.find("}}", start);
    const std::string_view name = rest.substr(start + 2, end == rest.npos ? end : end - start - 2);
    const auto place = places.find(name);
    if (end == rest.npos || place == places.end())
      throw std::logic_error(fmt::format("page.html names the place '{}', which is unknown", name));
    result += rest.substr(0, start);
    result += place->second;
    rest.remove_prefix(end + 2);
  }
  return result.append(rest);
}

std::string html_text(std::string_view text) {
  return replaced(text, {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}});
}

std::string json_in_html(const nlohmann::ordered_json& json) {
  using Json = nlohmann::ordered_json;
  // Everything outside ASCII is escaped, and with it U+2028 and U+2029. The three characters below
  // occur in strings alone, where JSON allows the escape.
  const std::string text = json.dump(-1, ' ', true, Json::error_handler_t::replace);
  return replaced(text, {{'<', "\\u003c"}, {'>', "\\u003e"}, {'&', "\\u0026"}});
}

}  // namespace roofline
