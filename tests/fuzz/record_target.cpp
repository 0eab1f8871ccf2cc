#include "tests/fuzz/record_target.h"

#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <vector>

#include "cli/scoreboard.h"
#include "harness/record/comparison.h"
#include "harness/record/record_json.h"
#include "harness/report/page.h"
#include "harness/view/brief.h"
#include "harness/view/lines.h"
#include "harness/view/study_charts.h"
#include "harness/view/study_rooflines.h"
#include "harness/view/summary.h"
#include "roofline/base/error.h"
#include "roofline/base/visible.h"
#include "roofline/view/svg.h"
#include "roofline/view/terminal_chart.h"
#include "tests/roofline/hostile_texts.h"
#include "tests/roofline/well_formed.h"

namespace gpp::fuzz {
namespace {

using Json = nlohmann::json;

void require(bool condition, const char* what, const std::string& text = "") {
  if (condition) return;
  std::fprintf(stderr, "broken: %s\n%s\n", what, text.c_str());
  std::abort();
}

void require_visible(const std::string& text) {
  require(roofline::visible_lines(text) == text, "a text that acts when shown", text);
}

void show(const StudyRecord& study) {
  const std::vector<NamedStudy> one = {{"a name", study}};
  const std::vector<NamedStudy> two = {{"a name", study}, {"x'; `touch PWNED` '", study}};
  for (const auto& studies : {one, two}) {
    require_visible(csv(studies));
    require_visible(side_by_side(studies, false));
    for (const auto& charts : {study_charts(studies), page_charts(studies)})
      for (const roofline::Chart& chart : charts) {
        require_visible(roofline::csv_text(roofline::chart_table(chart)));
        const std::string svg = roofline::svg_text(chart);
        require(roofline::test::not_well_formed(svg).empty(), "a picture", svg);
      }
    const Scoreboard board = scoreboard(studies, {});
    require_visible(page_model(studies).dump(1));
    require_visible(text_of(board, false));
    require_visible(to_json(board).dump(1));
  }
  require_visible(summary(study, false));
  require_visible(brief(study, false));
  require_visible(learnt(study));
  for (const Result& result : study.results) {
    if (!result.lines) continue;
    require_visible(hottest_lines(*result.lines, result.variant, 20, false));
    require_visible(whole_files(*result.lines, result.variant, false));
  }
  require_visible(terminal_rooflines(study, {}));
  for (const Comparison& row : compare(study, study))
    require_visible(row.model + row.kind + row.variant + row.step + row.remark);
}

std::vector<Json::json_pointer> places_of(const Json& json) {
  std::vector<Json::json_pointer> places;
  const auto walk = [&places](const auto& self, const Json& at,
                              const Json::json_pointer& place) -> void {
    if (!place.empty()) places.push_back(place);
    if (at.is_object())
      for (const auto& [key, value] : at.items()) self(self, value, place / key);
    if (at.is_array())
      for (std::size_t i = 0; i < at.size(); ++i) self(self, at[i], place / i);
  };
  walk(walk, json, Json::json_pointer());
  return places;
}

Json changed_number(const Json& old, std::mt19937& random) {
  static const std::vector<double> awkward = {
      0,    1,    -1,    5e-324,  1e-300, 1e-9, 1e-3,  0.999999, 1e3, 1e7, 1e12,
      1e18, 1e24, 1e300, 1.7e308, 2,      -0.0, 4.9e9, 1e-12,    255, 1e6, 3};
  const double scale[] = {1 + 1e-9, 1.001, 2, 0.5, 10, 0.1, 1e6, 1e-6, -1};
  const double value = random() % 2 == 0 ? awkward[random() % awkward.size()]
                                         : old.get<double>() * scale[random() % 9];
  const bool whole = old.is_number_integer() && std::abs(value) < 9e18;
  return whole && random() % 8 != 0 ? Json(static_cast<long long>(value)) : Json(value);
}

Json changed(const Json& old, std::mt19937& random) {
  if (random() % 20 == 0)
    return std::vector<Json>{nullptr, true, 0, "", Json::array(), Json::object()}[random() % 6];
  if (old.is_number()) return changed_number(old, random);
  if (old.is_boolean()) return !old.get<bool>();
  if (!old.is_string()) return old;
  static const std::vector<const char*> words = {
      "v1", "v2",   "v13",     "mine",  "host",   "gpu",      "passed",   "failed", "l1",
      "l2", "dram", "compute", "cupti", "likwid", "analytic", "fp64_fma", "cuda",   "omp"};
  if (random() % 2 == 0) return words[random() % words.size()];
  return roofline::test::hostile_text(random);
}

}  // namespace

bool show_record(const std::string& text) {
  StudyRecord study;
  try {
    study = parse_record(text, "fuzz");
  } catch (const roofline::InputError& error) {
    const std::string message = error.what();
    require(message.starts_with("fuzz: "), "a message without its source", message);
    require_visible(message);
    return false;
  }
  show(study);
  const std::string written = to_json(study).dump();
  require(to_json(parse_record(written, "written")).dump() == written, "a record read back");
  return true;
}

void change_somewhere(Json& json, std::mt19937& random) {
  const std::vector<Json::json_pointer> places = places_of(json);
  if (places.empty()) return;
  const Json::json_pointer& place = places[random() % places.size()];
  Json& parent = json[place.parent_pointer()];
  Json& at = json[place];
  if (random() % 10 != 0) {
    at = changed(at, random);
  } else if (parent.is_array()) {
    const Json copy = at;
    if (random() % 2 == 0)
      parent.push_back(copy);
    else
      parent.erase(parent.begin() + static_cast<std::ptrdiff_t>(random() % parent.size()));
  } else if (random() % 2 == 0) {
    parent.erase(place.back());
  } else {
    const Json copy = at;
    parent[roofline::test::hostile_text(random).substr(0, 40) + "x"] = copy;
  }
}

}  // namespace gpp::fuzz
