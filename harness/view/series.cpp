#include "harness/view/series.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <tuple>

#include "harness/record/ladder.h"
#include "roofline/base/pattern.h"

namespace gpp {
namespace {

/// As the published ladder has them; else v2 before v10, numbered steps before names.
class StepOrder {
 public:
  explicit StepOrder(const StudyRecord& study) {
    if (const PublishedLadder* ladder = ladder_of(study))
      for (const LadderStep& step : ladder->steps) places_.emplace(step.variant, places_.size());
  }

  bool operator()(const Result* one, const Result* other) const {
    return key_of(one->variant) < key_of(other->variant);
  }

 private:
  /// Steps of the ladder come before others, numbered ones before names.
  std::tuple<bool, std::size_t, std::string> key_of(const std::string& variant) const {
    if (const auto place = places_.find(variant); place != places_.end())
      return {false, place->second, variant};
    const int number = number_of(variant);
    return {true, number > 0 ? static_cast<std::size_t>(number) : 10'000, variant};
  }

  std::map<std::string, std::size_t> places_;
};

struct RanOn {
  const NamedStudy* named;
  std::string kind, key, device;
};

/// The GPUs and processors that ran a part of a study.
std::vector<RanOn> machines_that_ran(const std::vector<NamedStudy>& studies) {
  std::vector<RanOn> machines;
  std::map<std::string, int> count;
  for (const NamedStudy& named : studies)
    for (const char* kind : {"gpu", "host"}) {
      const auto ran = std::find_if(
          named.study.results.begin(), named.study.results.end(),
          [kind](const Result& result) { return result.kind == kind && !result.device.empty(); });
      if (ran == named.study.results.end()) continue;
      machines.push_back({&named, kind, fmt::format("{} {}", &named - studies.data(), kind),
                          short_device(ran->device)});
      ++count[machines.back().device];
    }
  for (RanOn& machine : machines)
    if (count[machine.device] > 1) machine.device += fmt::format(" ({})", machine.named->name);
  return machines;
}

}  // namespace

roofline::Tags StudySeries::tags() const {
  const std::string shown = model_label(model, kind);
  return {{"machine", machine}, {"model", shown}, {"series", machine + " " + shown}};
}

std::vector<StudySeries> series_of(const std::vector<NamedStudy>& studies) {
  std::vector<StudySeries> all;
  for (const RanOn& machine : machines_that_ran(studies)) {
    std::map<std::string, StudySeries> models;  // by what they are called
    for (const Result& result : machine.named->study.results) {
      if (result.kind != machine.kind || result.status == Status::unavailable) continue;
      StudySeries& series = models[model_label(result.model, result.kind)];
      series.model = result.model;
      series.results.push_back(&result);
    }
    for (auto& [shown, series] : models) {
      std::stable_sort(series.results.begin(), series.results.end(),
                       StepOrder(machine.named->study));
      all.push_back({machine.named, machine.kind, series.model, machine.key, machine.device,
                     fmt::format("{}, {}", machine.device, shown), all.size(),
                     std::move(series.results)});
    }
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
