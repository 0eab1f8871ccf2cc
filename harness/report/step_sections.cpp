// One panel per step: its idea, what came of it, and source changes. Each variant's source, line by
// line with heat.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>

#include "harness/program/source_diff.h"
#include "harness/report/sections.h"
#include "harness/teach/lessons.h"
#include "harness/teach/markdown_text.h"
#include "harness/view/outcome.h"
#include "roofline/base/text.h"
#include "roofline/page/page.h"
#include "roofline/view/svg.h"

namespace gpp {
namespace {

namespace page = roofline::page;
using Rows = std::vector<ShownRow>;

constexpr std::size_t most_lines_of_change = 32;  ///< shown of each file

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
  std::set<std::string> shown;
  Html blocks;
  for (const ShownRow& row : own) {
    if (!shown.insert(row.result->model).second) continue;
    Html diffs;
    for (const FileDiff& file : changes_in(kernel, *row.result)) diffs += diff_block(file);
    if (!diffs.empty())
      blocks += page::with_tags(
          page::folded(fmt::format("What changed in the source ({})", row.result->model), diffs, "",
                       true),
          {{"model", row.model}});
  }
  return blocks;
}

/// What came of a step on a machine in a model, and what limits it.
Html outcome_block(const ShownResults& shown, const ShownRow& row) {
  const Result& result = *row.result;
  if (!result.timed())
    return page::paragraph(fmt::format("Failed on {}. {}", row.series_label(), result.reason),
                           "failure");
  const ShownRow* before = shown.before(row);
  std::string text =
      gain_sentence(outcome_of(row.study(), result, before == nullptr ? nullptr : before->result));
  if (const auto advice = advice_on(row.study(), result))
    for (const std::string& sentence : advice_sentences(*advice)) text += " " + sentence;
  return page::heading(4, row.series_label()) + page::paragraph(text);
}

Html panel(const ShownResults& shown, const std::string& variant) {
  Rows own = shown.rows();
  std::erase_if(own, [&](const ShownRow& row) { return row.result->variant != variant; });
  Html blocks, results;
  roofline::Tags tags;
  if (const Lesson* lesson = find_lesson(shown.kernel(), variant))
    blocks += page::element("div", {{"class", "idea"}},
                            markdown_text(lesson->text("Idea"), std::numeric_limits<int>::max()));
  for (const ShownRow& row : own) {
    for (const auto& tag : row.tags())
      if (std::ranges::find(tags, tag) == tags.end()) tags.push_back(tag);
    blocks += page::with_tags(outcome_block(shown, row), row.tags());
    results += page::element(
        "span", {{"class", "result"}, {"data-on", roofline::tags_text(row.tags())}},
        row.result->timed()
            ? fmt::format("{}, {}", roofline::with_prefix(row.result->timing().median, "s"),
                          row.machine->alone ? row.model : row.series_label())
            : "failed");
  }
  std::string name = own_step(*own.front().result);
  std::ranges::replace(name, '_', ' ');
  const Html summary = page::element("span", {{"class", "id"}}, variant) +
                       page::element("span", {{"class", "name"}}, name) +
                       page::element("span", {{"class", "results"}}, results);
  return page::element(
      "details",
      {{"id", "step-" + variant}, {"class", "panel"}, {"data-on", roofline::tags_text(tags)}},
      page::element("summary", {}, summary) +
          page::element("div", {{"class", "body"}}, blocks + diffs_of(shown.kernel(), own)));
}

}  // namespace

Html steps_section(const ShownResults& shown) {
  Html panels;
  for (const std::string& variant : shown.variants()) panels += panel(shown, variant);
  return page::section("steps", "Step by step",
                       "Each step with its idea, what came of it, and the lines that changed.",
                       panels);
}

Html source_section(const ShownResults& shown) {
  std::vector<page::ShownLines> variants;
  std::vector<page::Choice> choices;
  for (const ShownRow& row : shown.timed()) {
    if (!row.result->lines || row.result->lines->lines.empty()) continue;
    const std::string key = std::to_string(choices.size()),
                      title = fmt::format("{}, {}", full_name(*row.result), row.series_label());
    choices.push_back({key, title, row.tags()});
    variants.push_back({&*row.result->lines, key, title, row.tags()});
  }
  if (variants.empty()) return {};
  return page::section(
      "source", "The source, line by line",
      "Where a variant spends its time: the bar is a line’s share of the samples, "
      "or of the warp instructions where nothing was sampled.",
      page::one_of("source", "Variant", choices, choices.back().key) + page::source(variants));
}

}  // namespace gpp
