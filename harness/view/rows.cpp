#include "harness/view/rows.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "harness/program/source_diff.h"
#include "harness/record/derive.h"
#include "harness/record/ladder.h"
#include "roofline/base/text.h"
#include "roofline/points.h"

namespace gpp {
namespace {

std::vector<ShownMachine> machines_of(const std::vector<NamedStudy>& studies) {
  std::vector<ShownMachine> machines;
  for (std::size_t i = 0; i < studies.size(); ++i)
    for (const char* kind : {"gpu", "host"}) {
      const std::vector<Result>& results = studies[i].study.results;
      const auto ran = std::find_if(results.begin(), results.end(), [kind](const Result& result) {
        return result.kind == kind && !result.device.empty();
      });
      if (ran != results.end())
        machines.push_back({std::to_string(i) + " " + kind, short_device(ran->device), kind,
                            ran->device, &studies[i], ceilings_of_kind(studies[i].study, kind)});
    }
  std::map<std::string, int> met;
  for (const ShownMachine& machine : machines) ++met[machine.label];
  for (ShownMachine& machine : machines) {
    if (met.at(machine.label) > 1) machine.label += " (" + machine.named->name + ")";
    machine.alone = machines.size() == 1;
  }
  return machines;
}

/// The positions of variants on the published ladder of the first study that has one.
std::map<std::string, std::size_t> ladder_places(const std::vector<NamedStudy>& studies) {
  std::map<std::string, std::size_t> places;
  for (const NamedStudy& named : studies) {
    const PublishedLadder* ladder = ladder_of(named.study);
    if (ladder == nullptr) continue;
    for (std::size_t i = 0; i < ladder->steps.size(); ++i) places[ladder->steps[i].variant] = i;
    break;
  }
  return places;
}

}  // namespace

roofline::Tags ShownRow::tags() const {
  roofline::Tags tags = {{"model", model}, {"variant", result->variant}};
  if (!machine->alone) tags.emplace_back("machine", machine->key);
  return tags;
}

roofline::Tags StudySeries::tags() const {
  roofline::Tags tags = rows.front().tags();
  std::erase_if(tags, [](const auto& tag) { return tag.first == "variant"; });
  return tags;
}

ShownResults::ShownResults(const std::vector<NamedStudy>& studies)
    : machines_(machines_of(studies)), places_(ladder_places(studies)) {
  for (const ShownMachine& machine : machines_) {
    const auto first = static_cast<std::ptrdiff_t>(rows_.size());
    for (const Result& result : machine.named->study.results)
      if (result.kind == machine.kind && result.status != Status::unavailable)
        rows_.push_back({&machine, &result, model_label(result.model, result.kind),
                         result.timed() ? result.roofline() : nullptr});
    std::stable_sort(rows_.begin() + first, rows_.end(),
                     [this](const ShownRow& a, const ShownRow& b) {
                       if (a.model != b.model) return a.model < b.model;
                       return comes_before(a.result->variant, b.result->variant);
                     });
  }
}

/// Compares by the published ladder; else v2 comes before v10, and numbered steps before names.
bool ShownResults::comes_before(const std::string& a, const std::string& b) const {
  const auto at = places_.find(a), other = places_.find(b);
  if (at != places_.end() && other != places_.end()) return at->second < other->second;
  const int number = number_of(a), other_number = number_of(b);
  if ((number > 0) != (other_number > 0)) return number > 0;
  return number == other_number ? a < b : number < other_number;
}

std::vector<StudySeries> ShownResults::series() const {
  std::vector<StudySeries> all;
  for (const ShownRow& row : rows_) {
    if (all.empty() || all.back().rows.front().series() != row.series())
      all.push_back({all.size()});
    all.back().rows.push_back(row);
  }
  return all;
}

std::vector<ShownRow> ShownResults::timed(std::string_view variant) const {
  std::vector<ShownRow> found = rows_;
  std::erase_if(found, [variant](const ShownRow& row) {
    return !row.result->timed() || (!variant.empty() && row.result->variant != variant);
  });
  return found;
}

std::vector<ShownRow> ShownResults::places() const {
  std::vector<ShownRow> places;
  for (ShownRow& row : timed())
    for (const roofline::RooflinePoint& point : row.result->rooflines) {
      if (!roofline::is_shown(point)) continue;
      row.point = &point;
      places.push_back(row);
    }
  return places;
}

const Kernel& ShownResults::kernel() const {
  return machines_.empty() ? *gpp::kernels().front() : kernel_of(machines_.front().named->study);
}

std::vector<std::string> ShownResults::variants() const {
  std::set<std::string> met;
  for (const ShownRow& row : rows_) met.insert(row.result->variant);
  std::vector<std::string> variants(met.begin(), met.end());
  std::stable_sort(
      variants.begin(), variants.end(),
      [this](const std::string& a, const std::string& b) { return comes_before(a, b); });
  return variants;
}

const ShownRow* ShownResults::before(const ShownRow& row) const {
  std::string parent = row.result->parent;  // only the record knows a plug-in's parent
  const std::vector<Variant>& catalog = kernel_of(row.study()).catalog();
  for (const Variant& variant : catalog)
    if (variant.id == row.result->variant && variant.model == row.result->model)
      if (const Variant* source = predecessor(catalog, variant)) parent = source->id;
  const ShownRow* last = nullptr;
  for (const ShownRow& other : rows_) {
    if (other.series() != row.series() || !other.result->timed()) continue;
    if (other.result->variant == parent) return &other;
    if (comes_before(other.result->variant, row.result->variant)) last = &other;
  }
  return number_of(row.result->variant) > 0 ? last : nullptr;
}

std::string short_device(const std::string& name) {
  static const roofline::Pattern marks(R"(\((R|TM|r|tm)\)| Processor\b| @ .*$)"), blanks(R"(\s+)");
  std::string text = blanks.replaced(marks.replaced(name, ""), " ");
  text.erase(0, text.find_first_not_of(' '));
  text.erase(text.find_last_not_of(' ') + 1);
  return text.empty() ? name : text;
}

std::string own_step(const Result& result) {
  return result.step == result.variant ? "" : result.step;
}

std::string full_name(const Result& result) {
  const std::string step = own_step(result);
  return step.empty() ? result.variant : result.variant + " " + step;
}

std::string input_name(const InputRecord& input) {
  return std::filesystem::path(input.path).filename().string();
}

}  // namespace gpp
