#include "roofline/page/page.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>

#include "roofline/base/text.h"
#include "roofline/metrics.h"
#include "roofline/view/axes.h"
#include "roofline/view/lines.h"

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

}  // namespace

std::string page_html(const Page& page) {
  const Html header = element(
      "header", {},
      element("div", {{"class", "bar"}},
              element("span", {{"class", "kicker"}}, page.kicker) +
                  one_of("theme", "Colours",
                         {{"auto", "auto"}, {"light", "light"}, {"dark", "dark"}}, "auto")));
  const Html scope =
      page.scope.empty()
          ? Html()
          : element("nav", {{"class", "scope"}, {"aria-label", "What is shown"}}, page.scope);
  const Html body = element("h1", {}, page.heading) + page.masthead + scope + page.sections;
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"/>\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
      "'unsafe-inline'; script-src 'unsafe-inline'\"/>\n"
      "<title>{}</title>\n<style>\n{}{}</style></head>\n<body>{}{}{}\n"
      "<script>\n{}</script></body></html>\n",
      Html(page.title).text(), colour_styles(), embedded("page.css"), header.text(),
      without_dead_links(element("main", {}, body).text()),
      element("footer", {}, paragraph(page.footer)).text(), embedded("page.js"));
}

Html roofline_switches(const std::vector<const RooflineChart*>& charts,
                       const std::string& leading) {
  std::vector<Choice> models, levels;
  bool theoretical = false;
  const auto add = [](std::vector<Choice>& choices, const std::string& key,
                      const std::string& label) {
    if (std::ranges::find(choices, key, &Choice::key) == choices.end())
      choices.push_back({key, label});
  };
  for (const RooflineChart* chart : charts) {
    add(models, chart->model.name, chart->model.title);
    for (const std::string& level : chart->levels) add(levels, level, level_label(*chart, level));
    theoretical |= chart->any_theoretical();
  }
  std::ranges::stable_sort(levels, is_nearer, &Choice::key);
  return one_of("precision", "Operations", models, leading) + some_of("level", "Levels", levels) +
         (theoretical ? on_or_off("theoretical", "Theoretical roofs", true) : Html());
}

Html instructions_section(const std::string& id, const std::string& what, const Html& blocks) {
  return section(
      id, "The instruction rooflines",
      fmt::format("Warp instructions per second of each {}, over its instructions per transaction "
                  "of memory. A marker leaves out lanes that were switched off; the dash above it "
                  "has them. Thin flat roofs are units with fewer instructions per cycle than the "
                  "schedulers issue. A wall is the intensity of one pattern of access: loads and "
                  "stores left of the wall of unit stride, or of no conflict, move more than they "
                  "use.",
                  what),
      blocks);
}

namespace {

constexpr std::size_t most_hottest = 5, longest_line = 200;
const TableLook look{.heat = "share", .style = "lines"};

/// A stall's description without the words about a rate, because samples are not per instruction.
std::string reason_meaning(const std::string& name) {
  // The metric has different names among CUPTI's samples and its counters.
  const auto* metric =
      find_metric("stall_" + (name == "no_instructions" ? "no_instruction" : name));
  if (metric == nullptr) return {};
  static const std::string head = "Warps of a scheduler that waited, for each instruction issued, ";
  std::string text = metric->meaning;
  if (text.starts_with(head)) text.erase(0, head.size());
  return text;
}

/// On a page the source stands before what is told of it, because narrow screens show the first
/// columns alone.
Table source_first(Table table) {
  const auto move = [](auto& cells) {
    std::rotate(cells.begin() + 2, cells.end() - 1, cells.end());
  };
  move(table.columns);
  for (TableRow& row : table.rows) move(row.cells);
  return without_empty_columns(std::move(table));
}

/// The hottest lines, then those with evidence of each file.
Html source_of(const ShownLines& shown) {
  const LinesRecord& record = *shown.record;
  Html blocks = element("h3", {{"id", "source-" + shown.key}}, shown.title) +
                paragraph(fmt::format("{}", fmt::join(measured_how(record), " ")), "small");
  if (!record.lost.empty()) blocks += notice("Missing or doubtful:", record.lost);
  if (const Table lines = hottest_table(record, most_hottest, longest_line); !lines.rows.empty())
    blocks += heading(4, "The hottest lines, and what was inlined there") +
              table(source_first(lines), look);
  const std::set<std::string> callers = calling_files(record);
  for (const std::string& path : files_of(record)) {
    const Table lines = file_table(record, path, longest_line, false);
    if (lines.rows.empty()) continue;
    double share = 0;
    for (const TableRow& row : lines.rows)
      if (std::isfinite(row.cells[1].key)) share += row.cells[1].key;
    blocks += folded(code(path.empty() ? "code without a line" : path) + " " + percent_text(share),
                     table(source_first(lines), look), "file", callers.contains(path));
  }
  Tags tags = shown.tags;
  tags.emplace_back("source", shown.key);
  return with_tags(blocks, tags);
}

}  // namespace

Html source(const std::vector<ShownLines>& all) {
  Html blocks;
  std::set<std::string> reasons;
  for (const ShownLines& shown : all) {
    blocks += source_of(shown);
    for (const auto& [name, number] : total_stalls(shown.record->lines)) reasons.insert(name);
  }
  Pairs meanings;
  for (const std::string& name : reasons) meanings.emplace_back(name, reason_meaning(name));
  if (!meanings.empty()) blocks += folded("What the waits mean", facts(meanings), "small");
  return blocks;
}

}  // namespace page
}  // namespace roofline
