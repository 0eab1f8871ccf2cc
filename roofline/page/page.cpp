#include "roofline/page/page.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>

#include "roofline/advice.h"
#include "roofline/base/text.h"
#include "roofline/view/axes.h"
#include "roofline/view/lines.h"
#include "roofline/view/svg.h"

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

std::string Html::escaped(std::string_view text) { return xml_text(text); }

Html Html::written(std::string html) {
  Html made;
  made.text_ = std::move(html);
  return made;
}

Html& Html::operator+=(const Html& other) {
  text_ += other.text_;
  return *this;
}

Html element(const char* name, const Attributes& attributes, const Html& content) {
  std::string text = fmt::format("<{}", name);
  for (const auto& [key, value] : attributes)
    if (!value.empty()) text += fmt::format(" {}=\"{}\"", key, xml_text(value));
  if (std::string_view(name) == "input") return Html::written(text + "/>");
  return Html::written(fmt::format("{}>{}</{}>", text, content.text(), name));
}

Html paragraph(const Html& content, const std::string& style) {
  return element("p", {{"class", style}}, content);
}

Html list(const std::vector<std::string>& items, const std::string& style) {
  Html all;
  for (const std::string& item : items) all += element("li", {}, item);
  return items.empty() ? Html() : element("ul", {{"class", style}}, all);
}

Html notice(const Html& content, const std::vector<std::string>& items, const std::string& style) {
  return element("div", {{"class", style}}, element("p", {}, content) + list(items));
}

Html code(const std::string& text) { return element("code", {}, text); }

Html facts(const Pairs& items, const std::string& style) {
  Html all;
  for (const auto& [name, value] : items)
    if (!value.empty() && value != unknown_text)
      all += element("div", {}, element("dt", {}, name) + element("dd", {}, value));
  return all.empty() ? all : element("dl", {{"class", style}}, all);
}

Html heading(int level, const std::string& text) {
  return element(fmt::format("h{}", level).c_str(), {}, text);
}

Html folded(const Html& summary, const Html& blocks, const std::string& style, bool open) {
  return element("details", {{"class", style}, {"open", open ? "open" : ""}},
                 element("summary", {}, summary) + element("div", {{"class", "body"}}, blocks));
}

Html with_tags(const Html& block, const Tags& tags) {
  const std::string text = tags_text(tags);
  return text.empty() || block.empty() ? block : element("div", {{"data-on", text}}, block);
}

namespace {

/// A box that scrolls, because tables and charts may be wider than the page.
Html scrolling(const std::string& label, const Html& content) {
  return element(
      "div", {{"class", "scroll"}, {"tabindex", "0"}, {"role", "region"}, {"aria-label", label}},
      content);
}

}  // namespace

Html chart(const Chart& chart, const std::string& id) {
  Html key, notes;
  for (const ChartKey& entry : chart.key) {
    key += element("li", {{"data-on", tags_text(entry.tags)}},
                   Html::written(svg_sample(entry)) + Html(entry.text));
  }
  for (const std::string& note : chart.notes)
    notes += paragraph(note + (note.ends_with('.') ? "" : "."));
  return element("figure", {{"id", id}, {"class", "chart"}},
                 (key.empty() ? key : element("ul", {{"class", "key"}}, key)) +
                     scrolling(chart.title, Html::written(svg_in_page(chart, id))) +
                     (notes.empty() ? notes : element("figcaption", {}, notes)));
}

// ---- Tables -------------------------------------------------------------------------------------

namespace {

/// A short name opens to its long form; other notes are tooltips.
Html cell_content(const TableCell& cell, bool opens) {
  if (opens && !cell.note.empty())
    return element(
        "details", {{"class", "name"}},
        element("summary", {{"title", shortened(cell.note, 400)}}, cell.text) + code(cell.note));
  if (opens) return element("span", {{"class", "name"}}, cell.text);
  return cell.link.empty() ? Html(cell.text) : element("a", {{"href", "#" + cell.link}}, cell.text);
}

Html heading_of(const Table& table, const TableLook& look) {
  Html cells;
  for (const TableColumn& column : table.columns)
    cells += element(
        "th",
        {{"scope", "col"},
         {"class", column.align == Align::right ? "number" : ""},
         {"title", column.note}},
        look.sortable ? element("button", {{"type", "button"}}, column.title) : Html(column.title));
  return element("thead", {}, element("tr", {}, cells));
}

/// The largest key of the column with heat.
double hottest(const Table& table, const TableLook& look) {
  double most = 0;
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    for (const TableRow& row : table.rows)
      if (table.columns[i].name == look.heat) most = std::fmax(most, row.cells[i].key);
  return most;
}

Html row_of(const Table& table, const TableRow& row, const TableLook& look, double hottest) {
  Html cells;
  for (std::size_t i = 0; i < row.cells.size(); ++i) {
    const TableCell& cell = row.cells[i];
    const TableColumn& column = table.columns[i];
    const bool opens = column.name == look.opens, known = std::isfinite(cell.key);
    const bool is_heat = column.name == look.heat && known && hottest > 0;
    std::string style = is_heat ? "heat" : "";
    if (!is_heat && column.align == Align::right && !cell.text.empty()) style = "number";
    if (!cell.tone.empty()) style += (style.empty() ? "tone-" : " tone-") + cell.tone;
    cells += element(i == 0 ? "th" : "td",
                     {{"class", style},
                      {"title", opens ? "" : cell.note},
                      {"data-key", look.sortable && known ? fmt::format("{:.6g}", cell.key) : ""},
                      {"style", is_heat ? fmt::format("--heat:{:.2g}", cell.key / hottest) : ""}},
                     cell_content(cell, opens));
  }
  return element("tr", {{"data-on", tags_text(row.tags)}}, cells);
}

}  // namespace

Html table(const Table& table, const TableLook& look) {
  Html rows, parts;
  const double most = hottest(table, look);
  for (const TableRow& row : table.rows) rows += row_of(table, row, look, most);
  if (!table.caption.empty()) parts += element("caption", {}, table.caption);
  parts += heading_of(table, look) + element("tbody", {}, rows);
  const std::string style = look.sortable ? "sortable" : look.style;
  std::string notes;
  for (const std::string& note : table.notes) notes += (notes.empty() ? "" : " ") + note;
  return scrolling(table.caption.empty() ? "Table" : table.caption,
                   element("table", {{"class", style}}, parts)) +
         (notes.empty() ? Html() : paragraph(notes, "small"));
}

// ---- Switches -----------------------------------------------------------------------------------

namespace {

Html switch_of(const char* type, const std::string& name, const std::string& label,
               const std::vector<Choice>& choices) {
  Html chips;
  for (const Choice& choice : choices)
    chips += element("label", {{"class", "chip"}, {"data-on", tags_text(choice.tags)}},
                     element("input", {{"type", type},
                                       {"name", name},
                                       {"value", tag_text(choice.key)},
                                       {"checked", choice.on ? "checked" : ""}}) +
                         element("span", {}, choice.label));
  return element("fieldset", {{"class", "switches"}},
                 (label.empty() ? Html() : element("legend", {}, label)) + chips);
}

}  // namespace

Html one_of(const std::string& name, const std::string& label, const std::vector<Choice>& choices,
            const std::string& chosen) {
  if (choices.size() < 2) return {};
  std::vector<Choice> all = choices;
  for (Choice& choice : all) choice.on = choice.key == chosen;
  return switch_of("radio", name, label, all);
}

Html some_of(const std::string& name, const std::string& label,
             const std::vector<Choice>& choices) {
  return choices.size() < 2 ? Html() : switch_of("checkbox", name, label, choices);
}

Html section(const std::string& id, const std::string& title, const std::string& lead,
             const Html& blocks) {
  if (blocks.empty()) return {};
  return element("section", {{"id", id}, {"aria-labelledby", id + "-title"}},
                 element("h2", {{"id", id + "-title"}}, title) +
                     (lead.empty() ? Html() : paragraph(lead, "lead")) + blocks) +
         Html::written("\n");
}

// ---- The page -----------------------------------------------------------------------------------

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
  const auto add = [](std::vector<Choice>& choices, const std::string& key,
                      const std::string& label) {
    if (std::ranges::find(choices, key, &Choice::key) == choices.end())
      choices.push_back({key, label});
  };
  for (const RooflineChart* chart : charts) {
    add(models, chart->model.name, chart->model.title);
    for (const std::string& level : chart->levels) add(levels, level, level_label(*chart, level));
  }
  std::ranges::stable_sort(levels, is_nearer, &Choice::key);
  return one_of("precision", "Operations", models, leading) + some_of("level", "Levels", levels);
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
    const Table lines = file_table(record, path, longest_line);
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
  for (const std::string& name : reasons)
    if (const AdviceRow* row = find_advice(name)) meanings.emplace_back(name, row->title);
  if (!meanings.empty()) blocks += folded("What the waits mean", facts(meanings), "small");
  return blocks;
}

}  // namespace page
}  // namespace roofline
