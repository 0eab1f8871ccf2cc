// One panel per step: its idea, source changes, resources, and explanation.
#include <fmt/format.h>

#include <algorithm>

#include "harness/program/source_diff.h"
#include "harness/report/sections.h"
#include "harness/teach/lessons.h"
#include "harness/teach/markdown_text.h"
#include "roofline/base/text.h"
#include "roofline/base/units.h"
#include "roofline/view/svg.h"

namespace gpp {
namespace {

namespace page = roofline::page;
using Rows = std::vector<ShownRow>;

/// The kind of device that all studies ran on; empty if they differ.
std::string only_kind(const ShownResults& shown) {
  std::string kind;
  for (const ShownMachine& machine : shown.machines()) {
    if (!kind.empty() && machine.kind != kind) return {};
    kind = machine.kind;
  }
  return kind;
}

Html prose(const std::string& title, const std::string& markdown) {
  return page::element(
      "div", {{"class", "idea"}},
      (title.empty() ? Html() : page::heading(3, title)) + Html::written(markdown_html(markdown)));
}

/// Turns the title "On a V100" into "on a V100".
std::string seen_on(std::string title) {
  if (!title.empty()) title.front() = 'o';
  return title;
}

/// Adds the parts of a lesson that do not reveal the outcome; outcomes are shown on request.
/// Sentences about one recorded study are left out, because the page shows the studies themselves.
void add_lesson(const ShownResults& shown, const std::string& variant, Html& blocks) {
  const Kernel& kernel = shown.kernel();
  const auto& lessons = lessons_of(kernel);
  const auto found = std::find_if(lessons.begin(), lessons.end(),
                                  [&](const Lesson& one) { return one.id == variant; });
  if (found == lessons.end()) return;
  Lesson lesson = *found;
  if (const std::string kind = only_kind(shown); !kind.empty())
    for (std::string* text : {&lesson.changes, &lesson.predict, &lesson.next})
      *text = text_for(kind, *text);
  blocks += prose("", lesson.idea);
  if (!lesson.changes.empty()) blocks += prose("What changes", lesson.changes);
  if (!lesson.predict.empty()) blocks += prose("Predict", lesson.predict);
  for (const auto& [title, text] :
       {std::pair("Seen " + seen_on(lesson.published_on), lesson.published),
        {"Seen on a host", lesson.on_host},
        {"To try next", lesson.next}})
    if (!text.empty()) blocks += page::folded(title, prose("", text));
}

constexpr std::size_t most_lines_of_change = 40;  ///< shown of each file
constexpr std::size_t most_counters = 8;          ///< shown of each step; gpp explain has all

/// A step's table, transposed: one column per series, hidden together with it, and one row per
/// known quantity.
Html uses_table(const ShownResults& shown, const std::string& variant) {
  const Table table = step_table(shown, variant);
  const Rows rows = shown.timed(variant);
  Table turned{"", table.caption, {{"what", ""}}, {}, {}};
  page::TableLook look{.hidden_caption = true, .style = "uses", .columns = {{}}};
  for (const ShownRow& row : rows) {
    turned.columns.push_back({row.series(), row.series_label(), "", "", roofline::Align::right});
    look.columns.push_back(row.tags());
  }
  for (std::size_t i = 1; i < table.columns.size(); ++i) {
    roofline::TableRow& line = turned.rows.emplace_back();
    line.cells = {{table.columns[i].title}};
    for (std::size_t j = 0; j < rows.size(); ++j) {
      line.cells.push_back(table.rows[j].cells[i]);
      if (table.columns[i].name == "hottest_line")
        line.cells.back().link = hottest_line_link(shown, rows[j]);
    }
  }
  return page::table(turned, look);
}

/// A line of context is shown where the one before or after it changed.
Html diff_block(const FileDiff& file) {
  const auto style = [](char kind) {
    return kind == '+' ? "added" : kind == '-' ? "removed" : kind == '@' ? "place" : "";
  };
  const auto changed = [&file](std::size_t i) {
    return i < file.lines.size() && (file.lines[i].kind == '+' || file.lines[i].kind == '-');
  };
  Html blocks;
  std::size_t shown = 0;
  for (std::size_t i = 0; i < file.lines.size();) {
    const char kind = file.lines[i].kind;
    std::string text;
    for (; i < file.lines.size() && file.lines[i].kind == kind; ++i)
      if ((kind != ' ' || changed(i - 1) || changed(i + 1)) && shown++ < most_lines_of_change)
        text += (kind == '@' ? "" : std::string(1, kind) + " ") +
                roofline::replaced(file.lines[i].text, {{'\t', "  "}}) + "\n";
    if (!text.empty())
      blocks +=
          page::element("span", {{"class", style(kind)}}, Html::written(roofline::xml_lines(text)));
  }
  if (shown > most_lines_of_change)
    blocks += page::element("span", {{"class", "place"}},
                            fmt::format("and {} more lines", shown - most_lines_of_change));
  return page::element(
      "figure", {{"class", "diff"}},
      page::element("figcaption", {}, page::code(file.before) + " to " + page::code(file.after)) +
          page::element("pre", {{"tabindex", "0"}}, page::element("code", {}, blocks)));
}

/// The changes of a step's source to its predecessor's; for a plug-in, from the record.
std::vector<FileDiff> changes_in(const Kernel& kernel, const Result& result) {
  const auto called = [&](const std::string& id) {
    const auto found = std::ranges::find_if(kernel.catalog(), [&](const Variant& variant) {
      return variant.id == id && variant.model == result.model;
    });
    return found == kernel.catalog().end() ? nullptr : &*found;
  };
  if (!result.sources.empty())
    return diff_of_plugin(called(result.parent), result.step, result.sources);
  const Variant* const variant = called(result.variant);
  return variant == nullptr ? std::vector<FileDiff>() : source_diff(kernel, *variant);
}

/// The changes to the predecessor's source for each model that ran.
Html diffs_of(const Kernel& kernel, const Rows& own) {
  std::vector<std::string> shown;
  Html blocks;
  for (const ShownRow& row : own) {
    const std::string& model = row.result->model;
    if (std::find(shown.begin(), shown.end(), model) != shown.end()) continue;
    shown.push_back(model);
    Html diffs;
    for (const FileDiff& file : changes_in(kernel, *row.result)) diffs += diff_block(file);
    if (!diffs.empty())
      blocks += page::with_tags(
          page::folded(fmt::format("What changed in the source ({})", model), diffs, "", true),
          {{"model", row.model}});
  }
  return blocks;
}

/// Changes of counters relative to the previous step, starting with those that explain the time.
Html counters_block(const ShownResults& shown, const ShownRow& row) {
  auto table = explanation_table(shown, row);
  if (!table) return {};
  table->rows.resize(std::min(table->rows.size(), most_counters));
  return page::with_tags(
      page::heading(4, table->caption) +
          page::table(*table, {.mark = "explains", .hidden_caption = true, .style = "counters"}),
      row.tags());
}

/// The variant's times, for its panel's summary.
Html results_of(const Rows& own) {
  Html results;
  for (const ShownRow& row : own)
    results += page::element(
        "span", {{"class", "result"}, {"data-on", roofline::tags_text(row.tags())}},
        row.result->timed()
            ? fmt::format("{}, {}", roofline::with_prefix(row.result->timing().median, "s"),
                          row.machine->alone ? row.model : row.series_label())
            : "failed");
  return results;
}

Html panel(const ShownResults& shown, const std::string& variant) {
  Rows own = shown.rows();
  std::erase_if(own, [&](const ShownRow& row) { return row.result->variant != variant; });
  Html blocks, counters;
  roofline::Tags tags;
  for (const ShownRow& row : own) {
    for (const auto& tag : row.tags())
      if (std::find(tags.begin(), tags.end(), tag) == tags.end()) tags.push_back(tag);
    if (row.result->timed())
      counters += counters_block(shown, row);
    else
      blocks += page::with_tags(
          page::paragraph(fmt::format("Failed on {}. {}", row.series_label(), row.result->reason),
                          "failure"),
          row.tags());
  }
  add_lesson(shown, variant, blocks);
  if (!shown.timed(variant).empty()) blocks += uses_table(shown, variant);
  if (!counters.empty()) blocks += page::heading(3, "What explains it") + counters;
  blocks += diffs_of(shown.kernel(), own);
  std::string name = own_step(*own.front().result);
  std::replace(name.begin(), name.end(), '_', ' ');
  const Html summary = page::element("span", {{"class", "id"}}, variant) +
                       page::element("span", {{"class", "name"}}, name) +
                       page::element("span", {{"class", "results"}}, results_of(own));
  return page::element(
      "details",
      {{"id", "step-" + variant}, {"class", "panel"}, {"data-on", roofline::tags_text(tags)}},
      page::element("summary", {}, summary) + page::element("div", {{"class", "body"}}, blocks));
}

}  // namespace

Html steps_section(const ShownResults& shown) {
  Html panels;
  for (const std::string& variant : shown.variants()) panels += panel(shown, variant);
  const auto opener = [](const char* open, const char* text) {
    return page::element("button", {{"type", "button"}, {"data-open", open}}, text);
  };
  return page::section(
      "steps", "Step by step",
      "Each step with its idea, the lines that changed, what it uses, and what explains its time.",
      page::element("p", {{"class", "switches"}},
                    opener("yes", "Open all") + opener("no", "Close all")) +
          panels +
          page::folded("How “explains” is decided", page::paragraph(explanation_rule()), "small"));
}

}  // namespace gpp
