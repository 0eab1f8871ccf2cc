#include "harness/show/side_by_side.h"

#include <fmt/format.h>

#include <algorithm>

#include "harness/show/load_text.h"
#include "harness/show/summary.h"
#include "roofline/base/table.h"

namespace gpp {
namespace {

/// Results of different studies with equal keys share a row.
struct Key {
  std::string model, kind, variant, step;
  bool operator==(const Key&) const = default;
};

Key key_of(const Result& result) {
  return {result.model, result.kind, result.variant, result.step};
}

/// In order of first appearance.
std::vector<Key> keys_of(const std::vector<NamedStudy>& studies) {
  std::vector<Key> keys;
  for (const NamedStudy& named : studies)
    for (const Result& result : named.study.results)
      if (result.status != Status::unavailable &&
          std::find(keys.begin(), keys.end(), key_of(result)) == keys.end())
        keys.push_back(key_of(result));
  return keys;
}

std::string cell(const StudyRecord& study, const Key& key) {
  for (const Result& result : study.results) {
    if (key_of(result) != key || result.status == Status::unavailable) continue;
    if (result.status == Status::failed) return "FAILED";
    if (!result.timed()) return "-";
    return fmt::format("{:.3e}{}", terms_per_second(study, result),
                       result.trusted().disturbed ? " disturbed" : "");
  }
  return "-";
}

std::string machine_of(const StudyRecord& study) {
  const Machine& machine = study.machine;
  return machine.gpus.empty() ? fmt::format("{} ({})", machine.cpu, describe_threads(study))
                              : machine.gpus.front().name;
}

}  // namespace

std::string side_by_side(const std::vector<NamedStudy>& studies, bool colours) {
  std::string text;
  std::vector<roofline::Table::Column> columns = {{"model"}, {"", {}}, {"step", {}}};
  for (std::size_t i = 0; i < studies.size(); ++i) {
    const StudyRecord& study = studies[i].study;
    text += fmt::format("[{}] {}: {}, {}, {}{}\n", i + 1, studies[i].name, study.created,
                        machine_of(study), study.input.path, study.complete ? "" : ", PARTIAL");
    columns.push_back(
        {fmt::format("[{}] {}/s", i + 1, kernel_of(study).work), roofline::Table::Align::right});
  }
  roofline::Table table(columns);
  for (const Key& key : keys_of(studies)) {
    std::vector<std::string> cells = {model_label(key.model, key.kind), key.variant, key.step};
    for (const NamedStudy& named : studies) cells.push_back(cell(named.study, key));
    table.add(cells);
  }
  text += fmt::format("\n{}", table.text());
  for (const NamedStudy& named : studies)
    if (!named.study.complete)
      text += fmt::format("\n{}:\n{}", named.name, partial_banner(named.study, colours));
  for (const NamedStudy& named : studies)
    if (any_failed(named.study))
      text += fmt::format("\n{}:\n{}", named.name, failures(named.study, colours));
  for (const NamedStudy& named : studies)
    if (const std::string doubt = doubts(named.study, colours); !doubt.empty())
      text += fmt::format("\n{}:\n{}", named.name, doubt);
  return text;
}

}  // namespace gpp
