#include "roofline/page/assemble.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstdint>
#include <map>
#include <stdexcept>

#include "roofline/base/text.h"
#include "roofline/view/style.h"

namespace roofline {
namespace {

/// Page colours in addition to those of charts; equal names replace those.
const std::vector<PaletteColour>& page_colours() {
  static const std::vector<PaletteColour> colours = {
      {"paper", "#fcfbf8", "#14161a"},       {"raised", "#ffffff", "#1d2026"},
      {"rule", "#c9c6bd", "#454a53"},        {"grid", "#e3e0d8", "#2b2f36"},
      {"grid-minor", "#f0eee8", "#1f2228"},  {"accent", "#0072b2", "#6cb8e6"},
      {"bad", "#b3261e", "#ff9b8f"},         {"bad-paper", "#fdecea", "#3a1d1b"},
      {"notice", "#f3f0e6", "#22252b"},      {"added", "#e2f3e6", "#17301f"},
      {"added-ink", "#14532d", "#a7e3b7"},   {"removed", "#fbe6e4", "#3a1f1e"},
      {"removed-ink", "#7f1d1d", "#f5b5ad"}, {"marked", "#fdf1d0", "#3d3417"}};
  return colours;
}

/// CSS text such as "color-scheme: dark; --ink: #ebe8e1; ..."
std::string colours_of(bool dark) {
  std::string text = fmt::format("color-scheme: {};", dark ? "dark" : "light");
  for (const auto* colours : {&palette(), &page_colours()})
    for (const PaletteColour& colour : *colours)
      text += fmt::format(" --{}: {};", colour.name, dark ? colour.dark : colour.light);
  return text;
}

}  // namespace

PageParts page_parts() {
  PageParts parts;
  parts.style = colour_styles();
  for (const EmbeddedText& file : embedded_page()) parts.add(file.path, file.text);
  return parts;
}

std::string colour_styles() {
  const std::string dark = colours_of(true);
  return fmt::format(
      ":root {{ {} }}\n"
      "@media screen {{ :root[data-theme=\"dark\"] {{ {} }} }}\n"
      "@media screen and (prefers-color-scheme: dark) {{ :root:not([data-theme=\"light\"]) {{ {} "
      "}} }}\n",
      colours_of(false), dark, dark);
}

std::string svg_data_uri(const std::string& svg) {
  constexpr std::string_view digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string uri = "data:image/svg+xml;base64,";
  for (std::size_t start = 0; start < svg.size(); start += 3) {
    const std::size_t count = std::min<std::size_t>(3, svg.size() - start);
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < 3; ++i)
      bits = bits << 8 | (i < count ? static_cast<unsigned char>(svg[start + i]) : 0u);
    for (std::size_t i = 0; i < 4; ++i) uri += i <= count ? digits[bits >> (18 - 6 * i) & 63] : '=';
  }
  return uri;
}

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
  // All characters outside ASCII are escaped, including U+2028 and U+2029. The three characters
  // below occur only in strings, where JSON allows escapes.
  const std::string text =
      json.dump(-1, ' ', true, nlohmann::ordered_json::error_handler_t::replace);
  return replaced(text, {{'<', "\\u003c"}, {'>', "\\u003e"}, {'&', "\\u0026"}});
}

}  // namespace roofline
