#include "harness/show/advice_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "roofline/base/table.h"
#include "roofline/base/visible.h"

namespace gpp {
namespace {

using roofline::Binding;
using roofline::title_of;

std::string place_text(const roofline::SourcePlace& place, const std::string& source) {
  if (place.file.empty()) return "code without a line";
  return fmt::format("{}:{}{}", roofline::visible(place.file), place.line,
                     source.empty() ? "" : fmt::format(", `{}`", source));
}

/// "Most of it, 62%, stands at ...".
std::string line_text(const HotLine& line) {
  std::string text = fmt::format(" {:.0f}% of it stand at {}", 100 * line.share,
                                 place_text(line.place, line.source));
  if (line.within)
    text += fmt::format(", there most at {}", place_text(*line.within, line.within_source));
  return text + ".";
}

/// "v9 acts on it, by ...".
std::string step_text(const LinkedCause& linked) {
  if (linked.step == nullptr) return {};
  return fmt::format(" {} acts on {}, by {}.", linked.step->id, title_of(linked.cause),
                     linked.step->by);
}

std::string sentences_on(const char* first, const LinkedCause& linked) {
  std::string text = fmt::format("{}: {}.", first, roofline::visible(cause_text(linked.cause)));
  if (linked.line) text += line_text(*linked.line);
  return text;
}

std::string steps_of(const LinkedAdvice& advice) {
  std::vector<std::string> ids;
  for (const LinkedCause* one : {&advice.first, advice.also ? &*advice.also : nullptr})
    if (one != nullptr && one->step != nullptr &&
        std::find(ids.begin(), ids.end(), one->step->id) == ids.end())
      ids.push_back(one->step->id);
  return ids.empty() ? "-" : fmt::format("{}", fmt::join(ids, ", "));
}

}  // namespace

std::string advice_text(const LinkedAdvice& linked, std::size_t width) {
  std::string text = roofline::wrapped(sentences_on("Bound by", linked.first), width, 0) + "\n";
  if (linked.also)
    text += roofline::wrapped(sentences_on("Beside that", *linked.also), width, 0) + "\n";
  std::string next = linked.advice.next + step_text(linked.first);
  if (linked.also && (linked.first.step == nullptr || linked.also->step != linked.first.step))
    next += step_text(*linked.also);
  if (next.empty()) return text;
  return fmt::format("{}\n{}\n", text, roofline::wrapped(next, width, 0));
}

std::string advice_table(const StudyRecord& study, std::size_t width) {
  roofline::Table table(
      {{"model"}, {""}, {"bound by"}, {"what"}, {"shown by"}, {"beside that"}, {"see"}});
  std::vector<roofline::Advice> all;
  for (const Result& result : study.results) {
    const std::optional<LinkedAdvice> linked = advice_on(study, result);
    if (!linked || linked->first.cause.binding == Binding::unknown) continue;
    table.add({model_label(result.model, result.kind), result.variant,
               std::string(name_of(linked->first.cause.binding)), title_of(linked->first.cause),
               linked->first.cause.evidence, linked->also ? title_of(linked->also->cause) : "-",
               steps_of(*linked)});
    all.push_back(linked->advice);
  }
  if (table.empty()) return {};
  return "What to look at next\n" + table.text() + "\n" + looks_text(all, width) +
         roofline::wrapped(
             "see: the next steps that act on it, `gpp explain v9`. They need not "
             "gain: docs/advice.md sets advice beside gains.",
             width, 0) +
         "\n";
}

}  // namespace gpp
