// One panel per step: its idea, source changes, resources, and explanation.
#include <fmt/format.h>

#include <algorithm>

#include "harness/program/source_diff.h"
#include "harness/report/sections.h"
#include "harness/teach/lessons.h"
#include "harness/teach/markdown_text.h"
#include "roofline/base/units.h"

namespace gpp {
namespace {

namespace page = roofline::page;
using roofline::TableCell;
using Rows = std::vector<const ShownRow*>;

/// The kind of device that all studies ran on; empty if they differ.
std::string only_kind(const ShownResults& shown) {
  std::string kind;
  for (const ShownMachine& machine : shown.machines()) {
    if (!kind.empty() && machine.kind != kind) return {};
    kind = machine.kind;
  }
  return kind;
}

PageJson prose(const std::string& title, const std::string& markdown) {
  PageJson blocks = PageJson::array();
  if (!title.empty()) blocks.push_back(page::heading(3, title));
  blocks.push_back({{"kind", "prose"}, {"html", markdown_html(markdown)}});
  return page::group(blocks, "idea");
}

/// Turns the title "On a V100" into "on a V100".
std::string seen_on(std::string title) {
  if (!title.empty()) title.front() = 'o';
  return title;
}

/// Adds the parts of a lesson that do not reveal the outcome; outcomes are shown on request.
/// Sentences about one recorded study are left out, because the page shows the studies themselves.
void add_lesson(const PageParts& parts, const std::string& variant, PageJson& blocks) {
  const Kernel& kernel = kernel_of(parts.studies.front().study);
  const auto& lessons = lessons_of(kernel);
  const auto found = std::find_if(lessons.begin(), lessons.end(),
                                  [&](const Lesson& one) { return one.id == variant; });
  if (found == lessons.end()) return;
  Lesson lesson = *found;
  if (const std::string kind = only_kind(parts.shown); !kind.empty())
    for (std::string* text : {&lesson.changes, &lesson.predict, &lesson.next})
      *text = text_for(kind, *text);
  blocks.push_back(prose("", lesson.idea));
  if (!lesson.changes.empty()) blocks.push_back(prose("What changes", lesson.changes));
  if (!lesson.predict.empty()) blocks.push_back(prose("Predict", lesson.predict));
  for (const auto& [title, text] :
       {std::pair("Seen " + seen_on(lesson.published_on), lesson.published),
        {"Seen on a host", lesson.on_host},
        {"To try next", lesson.next}})
    if (!text.empty()) blocks.push_back(page::folded(title, {prose("", text)}, "idea"));
}

bool is_empty(const TableCell& cell) { return cell.text.empty() || cell.text == "-"; }

/// A step's table, transposed: one column per series, hidden together with it, and one row per
/// known quantity.
PageJson uses_table(const PageParts& parts, const std::string& variant) {
  const ViewTable table = step_table(parts.shown, variant);
  const Rows rows = parts.shown.timed(variant);
  ViewTable turned{"", "What the variant took and used", {{"what", ""}}, {}, {}};
  for (const ShownRow* row : rows)
    turned.columns.push_back({row->series(), row->series_label(), "", "", roofline::Align::right});
  for (std::size_t i = 1; i < table.columns.size(); ++i) {
    roofline::TableRow line{{{table.columns[i].title}}};
    for (std::size_t j = 0; j < rows.size(); ++j) {
      line.cells.push_back(table.rows[j].cells[i]);
      if (table.columns[i].name == "hottest_line")
        line.cells.back().link = hottest_line_link(parts.shown, *rows[j]);
    }
    if (!std::all_of(line.cells.begin() + 1, line.cells.end(), is_empty))
      turned.rows.push_back(line);
  }
  PageJson block = page::table(turned, {{"class", "uses"}, {"id", ""}, {"hidden_caption", true}});
  for (std::size_t i = 0; i < rows.size(); ++i)
    block["table"]["columns"][i + 1]["tags"] = page::tags_json(rows[i]->tags());
  return block;
}

PageJson diff_block(const FileDiff& file) {
  PageJson lines = PageJson::array();
  for (const DiffLine& line : file.lines) lines.push_back({std::string(1, line.kind), line.text});
  return {{"kind", "diff"}, {"before", file.before}, {"after", file.after}, {"lines", lines}};
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

/// Adds the changes to the predecessor's source for each model that ran.
void add_diffs(const PageParts& parts, const Rows& own, PageJson& blocks) {
  const Kernel& kernel = kernel_of(parts.studies.front().study);
  std::vector<std::string> shown;
  for (const ShownRow* row : own) {
    const std::string& model = row->result->model;
    if (std::find(shown.begin(), shown.end(), model) != shown.end()) continue;
    PageJson diffs = PageJson::array();
    for (const FileDiff& file : changes_in(kernel, *row->result)) diffs.push_back(diff_block(file));
    if (!diffs.empty())
      blocks.push_back(
          page::with_tags(page::folded(fmt::format("What changed in the source ({})", model),
                                       std::move(diffs), "", shown.empty()),
                          {{"model", row->model}}));
    shown.push_back(model);
  }
}

/// Changes of counters relative to the previous step, starting with those that explain the time.
PageJson counters_block(const ShownResults& shown, const ShownRow& row) {
  const auto table = explanation_table(shown, row);
  if (!table) return nullptr;
  return page::with_tags(
      page::group(
          {page::heading(4, table->caption),
           page::table(*table, {{"id", ""}, {"hidden_caption", true}, {"mark", "explains"}})},
          "counters"),
      row.tags());
}

/// The variant's rows, fastest first; the first visible row is the summary.
PageJson results_of(const ShownResults& shown, Rows own) {
  const auto speed = [](const ShownRow* row) {
    return terms_per_second(row->study(), *row->result);
  };
  std::stable_sort(own.begin(), own.end(),
                   [&](const ShownRow* a, const ShownRow* b) { return speed(a) > speed(b); });
  PageJson results = PageJson::array();
  for (const ShownRow* row : own) {
    const std::string text =
        row->result->timed()
            ? fmt::format("{}, {}", roofline::with_prefix(row->result->timing().median, "s"),
                          shown.machines().size() > 1 ? row->series_label() : row->model)
            : "failed";
    results.push_back({{"text", text}, {"tags", {{"series", row->series()}}}});
  }
  return results;
}

PageJson panel(const PageParts& parts, const std::string& variant) {
  Rows own;
  for (const ShownRow& row : parts.shown.rows())
    if (row.result->variant == variant) own.push_back(&row);
  PageJson blocks = PageJson::array(), counters = PageJson::array();
  roofline::Tags tags;
  for (const ShownRow* row : own) {
    tags.emplace_back("series", row->series());
    if (row->result->timed())
      page::add(counters, counters_block(parts.shown, *row));
    else
      blocks.push_back(page::with_tags(
          page::text(fmt::format("Failed on {}. {}", row->series_label(), row->result->reason),
                     "failure"),
          row->tags()));
  }
  add_lesson(parts, variant, blocks);
  if (!parts.shown.timed(variant).empty()) blocks.push_back(uses_table(parts, variant));
  if (!counters.empty()) {
    blocks.push_back(page::heading(3, "What explains it"));
    for (PageJson& one : counters) blocks.push_back(std::move(one));
  }
  add_diffs(parts, own, blocks);
  std::string name = own_step(*own.front()->result);
  std::replace(name.begin(), name.end(), '_', ' ');
  return page::with_tags(
      {{"kind", "details"},
       {"id", "step-" + variant},
       {"class", "panel"},
       {"summary", {{{"text", variant}, {"class", "id"}}, {{"text", name}, {"class", "name"}}}},
       {"results", results_of(parts.shown, own)},
       {"blocks", blocks}},
      tags);
}

}  // namespace

PageJson steps_section(const PageParts& parts) {
  PageJson panels = PageJson::array();
  for (const std::string& variant : parts.shown.variants()) panels.push_back(panel(parts, variant));
  return page::section(
      "steps", "Step by step",
      "Each step with its idea, the lines that changed, what it uses, and what explains its time.",
      {{{"kind", "openers"}, {"of", "panel"}},
       page::group(panels, "", "panels"),
       page::folded("How “explains” is decided", {page::text(explanation_rule())}, "small")});
}

}  // namespace gpp
