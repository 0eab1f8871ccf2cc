#include "harness/show/ladder_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "harness/show/roofline_chart.h"
#include "roofline/charts/labels.h"

namespace gpp {
namespace {

using roofline::Box;
using roofline::Drawing;
using roofline::KeyEntry;
using roofline::Page;
namespace colour = roofline::colour;

constexpr double font_size = 14;
constexpr double longest_half_rung = 0.36;  ///< of the distance between steps
/// With more models than this only the fastest one's rungs are labelled.
constexpr std::size_t most_labelled = 3;

struct Name {
  std::string variant, step;
  bool operator==(const Name&) const = default;
};

struct Rung {
  std::size_t position;  ///< index of the step
  double terms_per_s;
  double seconds;
};

/// One model on one kind of device in one study, or what was published.
struct Ladder {
  std::string title;
  std::string colour;
  std::vector<Rung> rungs;
  bool labelled = true;

  double highest() const {
    double rate = 0;
    for (const Rung& rung : rungs) rate = std::max(rate, rung.terms_per_s);
    return rate;
  }
};

/// v1, v2, ...: by number, and steps without one behind those with.
std::vector<Name> step_names(const std::vector<NamedStudy>& studies) {
  std::vector<Name> names;
  for (const NamedStudy& named : studies)
    for (const Result& result : named.study.results)
      if (const Name name{result.variant, result.step};
          result.timed() && std::find(names.begin(), names.end(), name) == names.end())
        names.push_back(name);
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

Ladder published_ladder(const Kernel& kernel, const std::vector<Name>& names) {
  if (kernel.published == nullptr) return {};
  const Published& published = kernel.published();
  Ladder ladder{published.title, colour::grey, {}};
  for (std::size_t i = 0; i < names.size(); ++i)
    if (const PublishedStep* step = published.find(names[i].variant))
      ladder.rungs.push_back({i, published.terms / step->seconds, step->seconds});
  return ladder;
}

std::vector<Ladder> ladders_of(const NamedStudy& named, const std::vector<Name>& names,
                               bool several) {
  std::vector<Ladder> ladders;
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
         result.timing().median});
  }
  for (Ladder& ladder : ladders)
    std::sort(ladder.rungs.begin(), ladder.rungs.end(),
              [](const Rung& one, const Rung& other) { return one.position < other.position; });
  return ladders;
}

/// Ladders of a single step are left out beside longer ones: a single rung is not a ladder.
void drop_single_rungs(std::vector<Ladder>& ladders) {
  const bool any_longer = std::any_of(ladders.begin(), ladders.end(),
                                      [](const Ladder& one) { return one.rungs.size() > 1; });
  if (any_longer)
    std::erase_if(ladders, [](const Ladder& ladder) { return ladder.rungs.size() < 2; });
}

std::vector<Ladder> all_ladders(const std::vector<NamedStudy>& studies,
                                const std::vector<Name>& names) {
  static constexpr std::array<const char*, 6> colours = {
      colour::blue, colour::vermilion, colour::green, colour::orange, colour::purple, colour::sky};
  std::vector<Ladder> ladders;
  for (const NamedStudy& named : studies)
    for (Ladder& ladder : ladders_of(named, names, studies.size() > 1))
      ladders.push_back(std::move(ladder));
  drop_single_rungs(ladders);
  std::sort(ladders.begin(), ladders.end(),
            [](const Ladder& one, const Ladder& other) { return one.highest() > other.highest(); });
  for (std::size_t i = 0; i < ladders.size(); ++i) {
    ladders[i].colour = colours[i % colours.size()];
    ladders[i].labelled = ladders.size() <= most_labelled || i == 0;
  }
  Ladder published = published_ladder(kernel_of(studies.front().study), names);
  if (!published.rungs.empty()) ladders.push_back(std::move(published));
  return ladders;
}

roofline::Range axis_of(const std::vector<Ladder>& ladders) {
  double lowest = INFINITY, highest = 0;
  for (const Ladder& ladder : ladders)
    for (const Rung& rung : ladder.rungs) {
      lowest = std::min(lowest, rung.terms_per_s);
      highest = std::max(highest, rung.terms_per_s);
    }
  return roofline::round_range(lowest / 1.5, highest * 1.5);
}

/// Half the length of a ladder's rungs: those drawn on top are shorter, so that the ends of what
/// they lie on are seen.
double half_rung(std::size_t ladder, std::size_t ladders) {
  return longest_half_rung *
         (1 - 0.5 * static_cast<double>(ladders - 1 - ladder) / static_cast<double>(ladders));
}

/// Rungs, risers between them and labels, as rows of the table.
std::string rows_of(const std::vector<Ladder>& ladders, const std::vector<Name>& names,
                    const Box& plot, const roofline::Range& axis) {
  const double width = plot.width() / static_cast<double>(names.size());
  const auto x = [&](double position) { return plot.left + width * (position + 0.5); };
  // The axis across counts steps; only the one up is needed as a scale.
  const roofline::LogAxes axes{plot, {1, 10}, axis};
  roofline::LabelPlacer placer(plot);
  std::string rows = "item,ladder,text,position,terms_per_s,to_position,to_terms_per_s\n";
  const auto row = [&rows](const char* item, std::size_t ladder, const std::string& text, double x0,
                           double y0, double x1, double y1) {
    using roofline::in_full;
    const auto position = [](double at) { return fmt::format("{:.5g}", at); };
    rows += roofline::csv_line(
        {item, std::to_string(ladder), text, position(x0), in_full(y0), position(x1), in_full(y1)});
  };
  for (std::size_t i = 0; i < ladders.size(); ++i)
    for (const Rung& rung : ladders[i].rungs) {
      const double at = static_cast<double>(rung.position), up = axes.y(rung.terms_per_s);
      const double half = half_rung(i, ladders.size());
      row("rung", i, names[rung.position].variant, at - half, rung.terms_per_s, at + half,
          rung.terms_per_s);
      placer.avoid({x(at - half), up - 3, x(at + half), up + 3}, 40);
      const Rung* before = &rung == &ladders[i].rungs.front() ? nullptr : &rung - 1;
      if (before == nullptr) continue;
      const double from = static_cast<double>(before->position) + half;
      row("riser", i, "", from, before->terms_per_s, at - half, rung.terms_per_s);
      placer.avoid_line(x(from), axes.y(before->terms_per_s), x(at - half), up, 3);
    }
  for (std::size_t i = 0; i < ladders.size(); ++i)
    for (const Rung& rung : ladders[i].rungs) {
      if (!ladders[i].labelled) continue;
      const std::string text = roofline::with_prefix(rung.seconds, "s");
      const double up = axes.y(rung.terms_per_s), middle = x(static_cast<double>(rung.position));
      const Box label = placer.place({middle - 3, up - 3, middle + 3, up + 3},
                                     roofline::text_width(text, font_size), font_size + 2);
      row("label", i, text, ((label.left + label.right) / 2 - plot.left) / width - 0.5,
          axes.value_at_y((label.bottom + label.top) / 2), 0, 0);
    }
  return rows;
}

/// "v9", and the step's name below, broken where it has an underscore.
std::string step_tics(const std::vector<Name>& names) {
  std::string tics;
  for (std::size_t i = 0; i < names.size(); ++i) {
    std::vector<std::string> lines = {names[i].variant};
    if (names[i].step != names[i].variant) {
      lines.emplace_back();
      for (const char c : names[i].step)
        if (c == '_')
          lines.emplace_back();
        else
          lines.back() += c;
    }
    tics += fmt::format("{}{} {}", i == 0 ? "" : ", ", roofline::tic_label(lines), i);
  }
  return fmt::format("set xtics ({}) noenhanced scale 0 font ',{}'\n", tics, font_size);
}

std::vector<std::string> clauses(const std::vector<Ladder>& ladders) {
  std::vector<std::string> list;
  const auto lines = [&](const char* item, double width) {
    for (std::size_t i = ladders.size(); i-- > 0;) {  // the first on top
      if (std::string_view(item) == "riser" && ladders[i].rungs.size() < 2) continue;
      list.push_back(fmt::format(
          "table using (x('{}', '{}')):(column('terms_per_s')):(length('position', "
          "'to_position')):(length('terms_per_s', 'to_terms_per_s')) with vectors nohead linewidth "
          "{} linecolor rgb '{}' notitle",
          item, i, width, ladders[i].colour));
    }
  };
  lines("riser", 1.2);
  lines("rung", 5);
  for (std::size_t i = 0; i < ladders.size(); ++i)
    if (ladders[i].labelled)
      list.push_back(fmt::format(
          "table using (x('label', '{}')):(column('terms_per_s')):(strcol('text')) with "
          "labels noenhanced font ',{}' textcolor rgb '{}' notitle",
          i, font_size, ladders[i].colour));
  return list;
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
  const std::vector<Ladder> ladders = all_ladders(studies, names);
  std::vector<KeyEntry> key;
  for (const Ladder& ladder : ladders) key.push_back({ladder.title, ladder.colour});
  const Page page = roofline::with_room_for_key({1200, 700, {118, 104, 1180, 596}}, key);
  const roofline::Range axis = axis_of(ladders);

  const Kernel& kernel = kernel_of(studies.front().study);
  Drawing drawing{roofline::file_stem(name),
                  fmt::format("{} step by step: {} per second", kernel.title, kernel.work), "",
                  rows_of(ladders, names, page.plot, axis)};
  drawing.script = roofline::script_head(
      drawing, page, subtitle_of(studies),
      "`rung`: the speed of a step; `riser`: from one to the next; `label`: its time.");
  drawing.script += fmt::format(
      "set logscale y\nset yrange [{}:{}]\nset xrange [-0.5:{}]\nunset grid\nset grid ytics "
      "linetype 1 linecolor rgb '#E8E8E8' linewidth 1\n",
      axis.low, axis.high, static_cast<double>(names.size()) - 0.5);
  drawing.script += roofline::log_tics('y', axis, kernel.work + "/s", page.plot.height());
  drawing.script += step_tics(names);
  drawing.script += roofline::key_rows(page, key);
  drawing.script +=
      "\nx(item, ladder) = strcol('item') eq item && strcol('ladder') eq ladder ? "
      "column('position') : NaN\n"
      "length(from, to) = column(to) - column(from)\n";
  drawing.script += roofline::script_tail(drawing, page, clauses(ladders));
  return drawing;
}

}  // namespace gpp
