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

Html paragraph(const Html& content, const std::string& style, const std::string& id) {
  return element("p", {{"id", id}, {"class", style}}, content);
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
    if (!value.empty())
      all += element("div", {}, element("dt", {}, name) + element("dd", {}, value));
  return element("dl", {{"class", "facts"}}, all);
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
  return element("dl", {{"class", "reasons"}}, all);
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

Html chart(const Chart& chart, const std::string& id) {
  const auto scrolls = [&chart](const std::string& svg) {
    return element(
        "div",
        {{"class", "scroll"}, {"tabindex", "0"}, {"role", "region"}, {"aria-label", chart.title}},
        Html::written(svg));
  };
  Html key;
  for (const ChartKey& entry : chart.key) {
    key += element("li", {{"data-on", tags_text(entry.tags)}},
                   Html::written(svg_sample(entry)) + Html(entry.text));
  }
  Html parts;
  if (!key.empty()) parts += element("ul", {{"class", "key"}}, key);
  parts += scrolls(svg_in_page(chart, id));
  Html notes;
  for (const std::string& note : chart.notes)
    notes += paragraph(note + (note.ends_with('.') ? "" : "."));
  if (!notes.empty()) parts += element("figcaption", {}, notes);
  return element("figure", {{"id", id}, {"class", "chart"}}, parts);
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
  Html content =
      cell.link.empty() ? Html(cell.text) : element("a", {{"href", "#" + cell.link}}, cell.text);
  for (const auto& [name, anchor] : cell.see)
    content += Html(&name == &cell.see.front().first ? " See " : ", ") +
               element("a", {{"href", "#" + anchor}}, name);
  return content;
}

class TableMaker {
 public:
  TableMaker(const Table& table, const TableLook& look) : table_(table), look_(look) {}

  Html heading() const {
    Html cells;
    for (std::size_t i = 0; i < table_.columns.size(); ++i) {
      const TableColumn& column = table_.columns[i];
      Attributes own = {{"scope", "col"}, {"class", style(i)}, {"data-on", tags(i)}};
      own.emplace_back("title", column.note);
      cells += element("th", own,
                       look_.sortable ? element("button", {{"type", "button"}}, column.title)
                                      : Html(column.title));
    }
    return element("thead", {}, element("tr", {}, cells));
  }

  Html row(const TableRow& row) const {
    const bool marked = !look_.mark.empty() && row.tone == "good";
    Html cells;
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      const TableCell& cell = row.cells[i];
      const bool opens = table_.columns[i].name == look_.opens, known = std::isfinite(cell.key);
      std::string its = style(i);
      if (!cell.tone.empty()) its += (its.empty() ? "tone-" : " tone-") + cell.tone;
      Html content = cell_content(cell, opens);
      if (i == 0 && marked) content += element("span", {{"class", "mark"}}, look_.mark);
      cells +=
          element(i == 0 ? "th" : "td",
                  {{"class", its},
                   {"data-on", tags(i)},
                   {"title", opens ? "" : cell.note},
                   {"data-key", look_.sortable && known ? fmt::format("{:.6g}", cell.key) : ""},
                   {"style", is_heat(i) && known ? fmt::format("--heat:{:.3g}", cell.key) : ""}},
                  content);
    }
    return element("tr", {{"class", marked ? "marked" : ""}, {"data-on", tags_text(row.tags)}},
                   cells);
  }

 private:
  bool is_heat(std::size_t column) const { return table_.columns[column].name == look_.heat; }
  std::string style(std::size_t column) const {
    return is_heat(column) ? "heat" : table_.columns[column].align == Align::right ? "number" : "";
  }
  std::string tags(std::size_t column) const {
    return column < look_.columns.size() ? tags_text(look_.columns[column]) : "";
  }

  const Table& table_;
  const TableLook& look_;
};

}  // namespace

Html table(const Table& table, const TableLook& look) {
  const TableMaker maker(table, look);
  Html rows, parts;
  for (const TableRow& row : table.rows) rows += maker.row(row);
  if (!table.caption.empty())
    parts += element("caption", {{"class", look.hidden_caption ? "hidden" : ""}}, table.caption);
  parts += maker.heading() + element("tbody", {}, rows);
  const std::string style = look.sortable ? "sortable" : "compact";
  Html box = element(
      "div",
      {{"class", "scroll"},
       {"tabindex", "0"},
       {"role", "region"},
       {"aria-label", table.caption.empty() ? "Table" : table.caption}},
      element("table", {{"class", look.style.empty() ? style : style + " " + look.style}}, parts));
  std::string notes;
  for (const std::string& note : table.notes) notes += (notes.empty() ? "" : " ") + note;
  return notes.empty() ? box : box + paragraph(notes, "small");
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
  return element("section", {{"id", id}, {"aria-labelledby", id + "-title"}},
                 element("h2", {{"id", id + "-title"}}, title) +
                     (lead.empty() ? Html() : paragraph(lead, "lead")) + blocks) +
         Html::written("\n");
}

}  // namespace roofline::page
