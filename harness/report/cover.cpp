#include "harness/report/cover.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "harness/teach/answers_file.h"
#include "harness/teach/predictions.h"
#include "roofline/base/error.h"

namespace gpp {
namespace {

namespace page = roofline::page;

constexpr const char* hidden_by = "!covered";

using Names = std::vector<std::string>;

/// "v7" of "v7 reciprocal" and of two lines.
std::string first_word(const std::string& text) {
  return text.substr(0, text.find_first_of(" \n"));
}

class Covering {
 public:
  Covering(Names steps, const ShownResults& shown) : steps_(std::move(steps)), shown_(shown) {}

  void walk(PageJson& block);
  void all(PageJson& block) const { block["tags"][hidden_by] = steps_; }

 private:
  /// The step of that name, or of which charts show this beginning: "sc19_9". Empty for others.
  std::string step_called(const std::string& name) const;
  void hide(PageJson& block, const Names& steps) const;
  void table(PageJson& table) const;
  void chart(PageJson& chart) const;
  void panel(PageJson& panel);
  std::optional<std::string> step_at(const PageJson& chart, double x, double y) const;

  Names steps_;
  const ShownResults& shown_;
};

std::string Covering::step_called(const std::string& name) const {
  if (std::find(steps_.begin(), steps_.end(), name) != steps_.end()) return name;
  const auto found = std::find_if(steps_.begin(), steps_.end(), [&name](const std::string& step) {
    return !name.empty() && step.starts_with(name + "_");
  });
  return found == steps_.end() ? "" : *found;
}

void Covering::hide(PageJson& block, const Names& steps) const {
  Names own;
  for (const std::string& name : steps)
    if (const std::string step = step_called(name);
        !step.empty() && std::find(own.begin(), own.end(), step) == own.end())
      own.push_back(step);
  if (!own.empty()) block["tags"][hidden_by] = own;
}

/// A row is of the step that one of its first cells names.
void Covering::table(PageJson& table) const {
  for (PageJson& row : table["rows"]) {
    Names named;
    for (const PageJson& cell : row["cells"]) {
      const PageJson& text = cell.is_string() ? cell : cell.value("text", PageJson(""));
      const std::string word = first_word(text.get<std::string>());
      if (named.empty() && !step_called(word).empty()) named = {word};
    }
    hide(row, named);
  }
}

/// The step that is drawn at a place: by its name on an axis, else by the mark that stands there.
std::optional<std::string> Covering::step_at(const PageJson& chart, double x, double y) const {
  for (const auto& [axis, at] : {std::pair("x", x), std::pair("y", y)}) {
    if (!chart[axis]["categories"].get<bool>()) continue;
    for (const PageJson& tick : chart[axis]["ticks"])
      if (std::abs(tick["at"].get<double>() - at) < 0.5)
        return first_word(tick["text"].get<std::string>());
  }
  for (const PageJson& mark : chart["marks"])
    if (mark["x"] == x && mark["y"] == y) return first_word(mark.value("name", ""));
  return std::nullopt;
}

void Covering::chart(PageJson& chart) const {
  const auto at = [&](const PageJson& x, const PageJson& y, Names& names) {
    if (const auto step = step_at(chart, x.get<double>(), y.get<double>())) names.push_back(*step);
  };
  for (PageJson& mark : chart["marks"]) {
    Names names = {first_word(mark.value("name", ""))};
    at(mark["x"], mark["y"], names);
    hide(mark, names);
  }
  for (PageJson& line : chart["lines"]) {
    Names names;
    for (std::size_t i = 0; i < line["x"].size(); ++i) at(line["x"][i], line["y"][i], names);
    hide(line, names);
  }
  for (PageJson& box : chart["boxes"]) {
    Names names = {first_word(box.value("name", ""))};
    const auto middle = [&box](const char* low, const char* high) {
      return PageJson((box[low].get<double>() + box[high].get<double>()) / 2);
    };
    at(middle("left", "right"), middle("bottom", "top"), names);
    hide(box, names);
  }
  if (chart["name"].get<std::string>().starts_with("time-"))  // whose axis tells shares of roofs
    for (PageJson& tick : chart["x"]["ticks"])
      hide(tick, {first_word(tick["text"].get<std::string>())});
  for (const char* labels : {"labels", "narrow_labels"})
    for (PageJson& label : chart[labels]) {
      Names names;
      at(label["x"], label["y"], names);
      hide(label, names);
    }
}

/// The idea and the difference stay: they are what a prediction is made from.
void Covering::panel(PageJson& panel) {
  const std::string step = panel["id"].get<std::string>().substr(5);
  Names with_before = {step};
  for (const ShownRow* row : shown_.timed(step))
    if (const ShownRow* before = shown_.before(*row))
      with_before.push_back(before->result->variant);
  for (PageJson& result : panel["results"]) hide(result, {step});
  for (PageJson& block : panel["blocks"]) {
    const std::string style = block.value("class", "");
    if (style == "counters" || block["kind"] == "heading")
      hide(block, with_before);
    else if (style == "uses" || (style == "idea" && block["kind"] == "details"))
      hide(block, {step});
  }
}

void Covering::walk(PageJson& block) {
  const std::string kind = block.value("kind", "");
  if (block.value("class", "") == "panel") return panel(block);
  if (kind == "figures" || block.contains("image") ||
      (block.value("class", "") == "notice" && block.contains("items")))
    return all(block);
  if (kind == "table") table(block["table"]);
  if (kind == "chart") chart(block["chart"]);
  if (block.contains("blocks"))
    for (PageJson& inner : block["blocks"]) walk(inner);
}

/// The first quantity of the step that has an outcome, as it is asked on the page.
PageJson question_block(const ShownResults& shown, const ShownRow& row) {
  const ShownRow* before = shown.before(row);
  const Outcome outcome =
      outcome_of(row.study(), *row.result, before == nullptr ? nullptr : before->result);
  const auto known = std::find_if(all_asked.begin(), all_asked.end(), [&outcome](Asked asked) {
    return outcome.known.contains(asked);
  });
  if (known == all_asked.end()) return nullptr;
  const auto why = outcome.why.find(*known);
  const std::string question = question_on(*known, outcome.variant, outcome.before,
                                           kernel_of(row.study()).work, outcome.kind);
  return {{"kind", "prediction"},
          {"step", outcome.variant},
          {"question", fmt::format("{} ({})", question, row.series_label())},
          {"choices", choices_for(*known, outcome.kind)},
          {"outcome", answer_text(*known, outcome.known.at(*known))},
          {"why", why == outcome.why.end() ? "" : why->second}};
}

void add_questions(PageJson& panels, const ShownResults& shown, const Names& steps) {
  for (PageJson& panel : panels) {
    const std::string step = panel["id"].get<std::string>().substr(5);
    if (std::find(steps.begin(), steps.end(), step) == steps.end()) continue;
    PageJson& blocks = panel["blocks"];
    const auto told = std::find_if(blocks.begin(), blocks.end(), [](const PageJson& block) {
      return block.value("class", "") == "idea" && block["kind"] == "details";
    });
    if (PageJson block = question_block(shown, *shown.timed(step).front()); !block.is_null())
      blocks.insert(told, std::move(block));
  }
}

bool tells_of_all(const std::string& section) {
  return section == "source" || section == "scaling" || section.starts_with("ladder-") ||
         section.starts_with("trajectory-");
}

/// Identifies a page, for what the browser keeps of it.
std::string name_of_page(const PageParts& parts) {
  std::string name = "gpp cover";
  for (const NamedStudy& named : parts.studies)
    name += fmt::format(" {} {}", named.study.kernel, named.study.created);
  return name;
}

}  // namespace

std::set<std::string> predicted_variants(const std::string& kernel) {
  std::set<std::string> variants;
  try {
    for (const Prediction& one : read_answers(default_answers_file()).predictions)
      if (one.kernel == kernel) variants.insert(one.variant);
  } catch (const roofline::InputError&) {
    return {};  // nothing was predicted, or nobody can tell
  }
  return variants;
}

void add_cover(PageJson& page, const PageParts& parts, const std::set<std::string>& predicted) {
  Names steps = parts.shown.variants();
  std::erase_if(steps, [&](const std::string& step) {
    return predicted.contains(step) || parts.shown.timed(step).empty();
  });
  if (steps.empty()) return;
  Covering covering(steps, parts.shown);
  for (PageJson& block : page["masthead"]) covering.walk(block);
  for (PageJson& section : page["sections"]) {
    if (section["id"] == "steps")
      for (PageJson& block : section["blocks"])
        if (block.value("id", "") == "panels") add_questions(block["blocks"], parts.shown, steps);
    if (tells_of_all(section["id"]))
      covering.all(section);
    else
      covering.walk(section);
  }
  std::vector<page::Choice> choices;
  for (const std::string& step : steps) choices.push_back({step, step});
  page["switches"]["covered"] = page::some_of("Covered", choices);
  page["switches"]["covered"]["chosen"] = PageJson::array();
  const PageJson block = {{"kind", "cover"}, {"id", "cover"}, {"page", name_of_page(parts)}};
  page["masthead"].insert(page["masthead"].begin(), block);
}

}  // namespace gpp
