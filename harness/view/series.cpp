#include "harness/view/series.h"

#include <filesystem>

#include "harness/view/rows.h"
#include "roofline/base/pattern.h"

namespace gpp {

roofline::Tags StudySeries::tags() const {
  const std::string shown = model_label(model, kind);
  return {{"machine", machine}, {"model", shown}, {"series", machine + " " + shown}};
}

std::vector<StudySeries> series_of(const std::vector<NamedStudy>& studies) {
  std::vector<StudySeries> all;
  const ShownResults shown(studies);
  for (const ShownRow& row : shown.rows()) {
    const ShownMachine& machine = *row.machine;
    if (all.empty() || all.back().machine != machine.key || all.back().label != row.series_label())
      all.push_back({machine.named,
                     machine.kind,
                     row.result->model,
                     machine.key,
                     machine.label,
                     row.series_label(),
                     all.size(),
                     {}});
    all.back().results.push_back(row.result);
  }
  return all;
}

std::string short_device(const std::string& name) {
  static const roofline::Pattern marks(R"(\((R|TM|r|tm)\)| Processor\b| @ .*$)"), blanks(R"(\s+)");
  std::string text = blanks.replaced(marks.replaced(name, ""), " ");
  text.erase(0, text.find_first_not_of(' '));
  text.erase(text.find_last_not_of(' ') + 1);
  return text.empty() ? name : text;
}

std::string full_name(const Result& result) {
  return result.step == result.variant || result.step.empty() ? result.variant
                                                              : result.variant + " " + result.step;
}

std::string input_name(const InputRecord& input) {
  return std::filesystem::path(input.path).filename().string();
}

}  // namespace gpp
