#include "tests/fuzz/targets.h"

#include <nlohmann/json.hpp>
#include <vector>

#include "harness/record/comparison.h"
#include "harness/record/record_json.h"
#include "harness/report/page.h"
#include "harness/view/outcome.h"
#include "harness/view/study_charts.h"
#include "harness/view/summary.h"
#include "roofline/base/text.h"
#include "roofline/view/lines.h"
#include "roofline/view/roofline_chart.h"
#include "roofline/view/svg.h"
#include "tests/roofline/well_formed.h"

namespace gpp::fuzz {
namespace {

using roofline::fuzz::require;
using roofline::fuzz::require_sound_page;
using roofline::fuzz::require_visible;

void show(const StudyRecord& study) {
  const std::vector<NamedStudy> one = {{"a name", study}};
  const std::vector<NamedStudy> two = {{"a name", study}, {"x'; `touch PWNED` '", study}};
  for (const auto& studies : {one, two}) {
    require_visible(csv(studies));
    for (const roofline::Chart& chart : study_charts(studies)) {
      const std::string svg = roofline::svg_text(chart);
      require(roofline::test::not_well_formed(svg).empty(), "a picture", svg);
    }
    require_sound_page(report_html(studies));
  }
  require_visible(summary(study, false));
  require_visible(brief(study, false));
  require_visible(learnt(study));
  for (const Result& result : study.results) {
    if (!result.lines) continue;
    require_visible(hottest_lines(*result.lines, result.variant, 20, false));
  }
  require_visible(terminal_rooflines(study));
  for (const Comparison& row : compare(study, study))
    require_visible(row.model + row.kind + row.variant + row.step + row.remark);
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

}  // namespace gpp::fuzz
