#include "harness/show/ladder_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "harness/record/ladder.h"
#include "harness/show/roofline_chart.h"
#include "harness/show/rungs.h"

namespace gpp {
namespace {

using roofline::Drawing;
namespace colour = roofline::colour;

/// With more models than this only the fastest one's rungs are labelled.
constexpr std::size_t most_labelled = 3;

struct Name {
  std::string variant, step;
  bool operator==(const Name&) const = default;
};

/// v1, v2, ...: by number, and steps without one behind those with; of a published ladder as it has
/// them.
std::vector<Name> step_names(const std::vector<NamedStudy>& studies) {
  std::vector<Name> names;
  for (const NamedStudy& named : studies)
    for (const Result& result : named.study.results)
      if (const Name name{result.variant, result.step};
          result.timed() && std::find(names.begin(), names.end(), name) == names.end())
        names.push_back(name);
  if (!studies.front().study.ladder.empty()) return names;
  const auto number = [](const Name& name) {
    const int found = number_of(name.variant);
    return found > 0 ? found : 10'000;
  };
  std::multimap<int, Name> ordered;  // keeps the order of equals
  for (const Name& name : names) ordered.emplace(number(name), name);
  std::transform(ordered.begin(), ordered.end(), names.begin(),
                 [](const auto& one) { return one.second; });
  return names;
}

std::size_t position_of(const std::vector<Name>& names, const Name& name) {
  return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
}

RungSeries published_ladder(const Kernel& kernel, const std::vector<Name>& names) {
  if (kernel.published == nullptr) return {};
  const Published& published = kernel.published();
  RungSeries ladder{published.title, colour::grey, {}};
  for (std::size_t i = 0; i < names.size(); ++i)
    if (const PublishedStep* step = published.find(names[i].variant))
      ladder.rungs.push_back(
          {i, published.terms / step->seconds, roofline::with_prefix(step->seconds, "s")});
  return ladder;
}

std::vector<RungSeries> ladders_of(const NamedStudy& named, const std::vector<Name>& names,
                                   bool several) {
  std::vector<RungSeries> ladders;
  std::vector<std::pair<std::string, std::string>> keys;
  for (const Result& result : named.study.results) {
    if (!result.timed()) continue;
    const std::pair key(result.model, result.kind);
    auto found = std::find(keys.begin(), keys.end(), key);
    if (found == keys.end()) {
      const std::string title =
          fmt::format("{}, {}", result.device, model_label(result.model, result.kind));
      ladders.push_back({several ? named.name + ": " + title : title, "", {}});
      found = keys.insert(keys.end(), key);
    }
    ladders[static_cast<std::size_t>(found - keys.begin())].rungs.push_back(
        {position_of(names, {result.variant, result.step}), terms_per_second(named.study, result),
         roofline::with_prefix(result.timing().median, "s")});
  }
  for (RungSeries& ladder : ladders)
    std::sort(ladder.rungs.begin(), ladder.rungs.end(),
              [](const Rung& one, const Rung& other) { return one.position < other.position; });
  return ladders;
}

/// Ladders of a single step are left out beside longer ones: a single rung is not a ladder.
void drop_single_rungs(std::vector<RungSeries>& ladders) {
  const bool any_longer = std::any_of(ladders.begin(), ladders.end(),
                                      [](const RungSeries& one) { return one.rungs.size() > 1; });
  if (any_longer)
    std::erase_if(ladders, [](const RungSeries& ladder) { return ladder.rungs.size() < 2; });
}

std::vector<RungSeries> all_ladders(const std::vector<NamedStudy>& studies,
                                    const std::vector<Name>& names) {
  static constexpr std::array<const char*, 6> colours = {
      colour::blue, colour::vermilion, colour::green, colour::orange, colour::purple, colour::sky};
  std::vector<RungSeries> ladders;
  for (const NamedStudy& named : studies)
    for (RungSeries& ladder : ladders_of(named, names, studies.size() > 1))
      ladders.push_back(std::move(ladder));
  drop_single_rungs(ladders);
  std::sort(ladders.begin(), ladders.end(), [](const RungSeries& one, const RungSeries& other) {
    return one.highest() > other.highest();
  });
  for (std::size_t i = 0; i < ladders.size(); ++i) {
    ladders[i].colour = colours[i % colours.size()];
    ladders[i].labelled = ladders.size() <= most_labelled || i == 0;
  }
  RungSeries published = published_ladder(kernel_of(studies.front().study), names);
  // A published ladder has a chart of its own (published_chart.h).
  if (!published.rungs.empty() && studies.front().study.ladder.empty())
    ladders.push_back(std::move(published));
  return ladders;
}

/// "v9", and the step's name below, broken where it has an underscore. A step that a ladder brought
/// with it has its idea there: "sc20_5", "band", "groups".
std::vector<std::string> lines_of(const StudyRecord& study, const Name& name) {
  std::vector<std::string> lines = {name_in_charts(study, name.variant)};
  std::string below = name.step;
  if (name.step == name.variant)
    below = name.variant.substr(std::min(lines.front().size() + 1, name.variant.size()));
  if (below.empty()) return lines;
  lines.emplace_back();
  for (const char c : below)
    if (c == '_')
      lines.emplace_back();
    else
      lines.back() += c;
  return lines;
}

std::string subtitle_of(const std::vector<NamedStudy>& studies) {
  const StudyRecord& first = studies.front().study;
  if (studies.size() > 1) return "labels: median times; inputs differ from study to study";
  return fmt::format("labels: median times; {}, {:.3e} {}; {}", input_name(first.input),
                     static_cast<double>(first.input.terms), kernel_of(first).work,
                     first.created.substr(0, 10));
}

}  // namespace

std::optional<Drawing> draw_ladder(const std::vector<NamedStudy>& studies,
                                   const std::string& name) {
  const std::vector<Name> names = step_names(studies);
  if (names.empty()) return std::nullopt;
  const Kernel& kernel = kernel_of(studies.front().study);
  RungChart chart;
  chart.name = name;
  chart.title = fmt::format("{} step by step: {} per second", kernel.title, kernel.work);
  chart.subtitle = subtitle_of(studies);
  chart.value = "terms_per_s";
  chart.unit = kernel.work + "/s";
  chart.meaning = "`rung`: the speed of a step; `riser`: from one to the next; `label`: its time.";
  for (const Name& step : names) chart.steps.push_back(lines_of(studies.front().study, step));
  chart.series = all_ladders(studies, names);
  return draw_rungs(chart);
}

}  // namespace gpp
