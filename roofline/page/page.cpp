#include "roofline/page/page.h"

#include <fmt/format.h>

#include <set>
#include <stdexcept>

#include "roofline/view/style.h"

namespace roofline {
namespace {

/// Page colours in addition to those of charts; equal names replace those.
const std::vector<PaletteColour>& page_colours() {
  static const std::vector<PaletteColour> colours = {
      {"paper", "#fcfbf8", "#14161a"},      {"raised", "#ffffff", "#1d2026"},
      {"rule", "#c9c6bd", "#454a53"},       {"grid", "#e3e0d8", "#2b2f36"},
      {"grid-minor", "#f0eee8", "#1f2228"}, {"accent", "#0072b2", "#6cb8e6"},
      {"bad", "#b3261e", "#ff9b8f"},        {"bad-paper", "#fdecea", "#3a1d1b"},
      {"notice", "#f3f0e6", "#22252b"},     {"shade", "#c9c6bd", "#000000"},
      {"added", "#e2f3e6", "#17301f"},      {"added-ink", "#14532d", "#a7e3b7"},
      {"removed", "#fbe6e4", "#3a1f1e"},    {"removed-ink", "#7f1d1d", "#f5b5ad"}};
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

std::string colour_styles() {
  const std::string dark = colours_of(true);
  return fmt::format(
      ":root {{ {} }}\n"
      "@media screen {{ :root[data-theme=\"dark\"] {{ {} }} }}\n"
      "@media screen and (prefers-color-scheme: dark) {{ :root:not([data-theme=\"light\"]) {{ {} "
      "}} }}\n",
      colours_of(false), dark, dark);
}

namespace page {
namespace {

std::string embedded(std::string_view name) {
  for (const EmbeddedText& file : embedded_page())
    if (file.path == name) return std::string(file.text);
  throw std::logic_error(fmt::format("the page has no file {}", name));
}

/// Links to what is not on the page become their texts.
std::string without_dead_links(const std::string& html) {
  constexpr std::string_view open = "<a href=\"#", close = "</a>";
  std::set<std::string_view> ids;
  const std::string_view all = html;
  for (std::size_t at = all.find(" id=\""); at != all.npos; at = all.find(" id=\"", at + 5))
    ids.insert(all.substr(at + 5, all.find('"', at + 5) - at - 5));
  std::string text;
  std::size_t done = 0;
  for (std::size_t at = all.find(open); at != all.npos; at = all.find(open, at + 1)) {
    const std::size_t from = at + open.size(), end = all.find('"', from),
                      last = all.find(close, at);
    if (ids.contains(all.substr(from, end - from))) continue;
    text.append(all.substr(done, at - done)).append(all.substr(end + 2, last - end - 2));
    done = last + close.size();
  }
  return text.append(all.substr(done));
}

/// A part is a form, because the choices of one switch in two forms are independent.
Html part_html(const Part& part, std::size_t number, bool several) {
  const Html scope =
      part.scope.empty()
          ? Html()
          : element("nav", {{"class", "scope"}, {"aria-label", "What is shown"}}, part.scope);
  return element("form",
                 {{"class", "part"}, {"data-on", several ? fmt::format("page={}", number) : ""}},
                 element("h1", {}, part.heading) + part.masthead + scope + part.sections);
}

}  // namespace

std::string page_html(const Page& page) {
  const bool several = page.parts.size() > 1;
  std::vector<Choice> choices;
  Html parts;
  for (const Part& part : page.parts) {
    choices.push_back({std::to_string(choices.size()), part.name});
    parts += part_html(part, choices.size() - 1, several);
  }
  const Html header = element(
      "header", {},
      element("div", {{"class", "bar"}},
              element("span", {{"class", "kicker"}}, page.kicker) +
                  one_of("theme", "Colours",
                         {{"auto", "auto"}, {"light", "light"}, {"dark", "dark"}}, "auto")) +
          one_of("page", "Profile", choices, "0"));
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"/>\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
      "'unsafe-inline'; script-src 'unsafe-inline'\"/>\n"
      "<title>{}</title>\n<style>\n{}{}</style></head>\n<body>{}{}{}\n"
      "<script>\n{}</script></body></html>\n",
      Html(page.title).text(), colour_styles(), embedded("page.css"), header.text(),
      without_dead_links(element("main", {}, parts).text()),
      element("footer", {}, paragraph(page.footer)).text(), embedded("page.js"));
}

}  // namespace page
}  // namespace roofline
