#include "roofline/page/html.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "roofline/base/text.h"
#include "roofline/view/svg.h"

namespace roofline::page {

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

Html facts(const Pairs& items) {
  Html all;
  for (const auto& [name, value] : items)
    if (!value.empty() && value != unknown_text)
      all += element("div", {}, element("dt", {}, name) + element("dd", {}, value));
  return all.empty() ? all : element("dl", {{"class", "facts"}}, all);
}

Html reasons(const Pairs& items) {
  Pairs gathered;
  for (const auto& [reason, what] : items) {
    const auto found = std::ranges::find_if(
        gathered, [&reason = reason](const auto& one) { return one.first == reason; });
    if (found == gathered.end())
      gathered.emplace_back(reason, what);
    else
      found->second += ", " + what;
  }
  Html all;
  for (const auto& [reason, what] : gathered)
    all += element("dt", {}, reason) + element("dd", {}, what);
  return all.empty() ? all : element("dl", {{"class", "reasons"}}, all);
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

Html on_or_off(const std::string& name, const std::string& label, bool on) {
  return switch_of("checkbox", name, "", {{"yes", label, {}, on}});
}

Html section(const std::string& id, const std::string& title, const std::string& lead,
             const Html& blocks) {
  if (blocks.empty()) return {};
  return element("section", {{"id", id}, {"aria-labelledby", id + "-title"}},
                 element("h2", {{"id", id + "-title"}}, title) +
                     (lead.empty() ? Html() : paragraph(lead, "lead")) + blocks) +
         Html::written("\n");
}

}  // namespace roofline::page
