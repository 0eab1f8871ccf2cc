// One panel per step: its idea, source changes, resources, and explanation.
#include <fmt/format.h>

#include <algorithm>

#include "harness/program/source_diff.h"
#include "harness/report/sections.h"
#include "harness/teach/lessons.h"
#include "harness/teach/markdown_text.h"
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

/// The parts of a lesson that do not reveal the outcome; outcomes are shown on request. Sentences
/// about one recorded study are left out, because the page shows the studies themselves.
Html lesson_of(const ShownResults& shown, const std::string& variant) {
  const Lesson* found = find_lesson(shown.kernel(), variant);
  if (found == nullptr) return {};
  const std::string kind = only_kind(shown);
  const auto told = [&kind](const std::string& title, const std::string& text) {
    return text.empty() ? Html() : prose(title, kind.empty() ? text : text_for(kind, text));
  };
  Html blocks;
  for (const auto& [title, text] : found->sections)
    if (title == "Idea" || title == "What changes" || title == "Predict")
      blocks += told(title == "Idea" ? "" : title, text);
    else if (!title.starts_with("On an H") && title != "In OpenMP")
      blocks += page::folded(title, told("", text));
  return blocks;
}

constexpr std::size_t most_lines_of_change = 32;  ///< shown of each file
constexpr std::size_t most_counters = 8;          ///< shown of each step; gpp explain has all

/// What each machine and model took for a step.
Html uses_of(const ShownResults& shown, const std::string& variant) {
  const Table table = step_table(shown, variant);
  const Rows rows = shown.timed(variant);
  Html blocks;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    page::Pairs facts;
    for (std::size_t j = 1; j < table.columns.size(); ++j)
      facts.emplace_back(table.columns[j].title, table.rows[i].cells[j].text);
    blocks += page::with_tags(page::heading(4, rows[i].series_label()) + page::facts(facts),
                              rows[i].tags());
  }
  return blocks;
}

/// Lines of one kind share an element.
Html diff_block(const FileDiff& file) {
  const std::size_t shown = std::min(file.lines.size(), most_lines_of_change);
  Html lines;
  for (std::size_t i = 0; i < shown;) {
    const char kind = file.lines[i].kind;
    std::string text;
    for (; i < shown && file.lines[i].kind == kind; ++i)
      text += std::string(1, kind) + " " + file.lines[i].text + "\n";
    const char* style = kind == '+'   ? "added"
                        : kind == '-' ? "removed"
                        : kind == '@' ? "place"
                                      : "";
    lines += page::element("span", {{"class", style}}, Html::written(roofline::xml_lines(text)));
  }
  if (file.lines.size() > shown)
    lines += page::element("span", {{"class", "place"}},
                           fmt::format("and {} more lines", file.lines.size() - shown));
  return page::element(
      "figure", {{"class", "diff"}},
      page::element("figcaption", {}, page::code(file.before) + " to " + page::code(file.after)) +
          page::element("pre", {{"tabindex", "0"}}, page::element("code", {}, lines)));
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
  return page::with_tags(page::table(*table), row.tags());
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
  blocks += lesson_of(shown, variant) + uses_of(shown, variant);
  if (!counters.empty()) blocks += page::heading(3, "What explains it, highlighted") + counters;
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
  return page::section(
      "steps", "Step by step",
      "Each step with its idea, the lines that changed, what it uses, and what explains its time.",
      panels +
          page::folded("How “explains” is decided", page::paragraph(explanation_rule()), "small"));
}

}  // namespace gpp
