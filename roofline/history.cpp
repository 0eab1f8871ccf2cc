#include "roofline/history.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

#include "roofline/base/error.h"
#include "roofline/base/visible.h"
#include "roofline/models/model_table.h"
#include "roofline/profile.h"

namespace roofline {
namespace {

/// The values of one quantity of one part since its last change.
struct Base {
  std::vector<double> values;             ///< medians of times
  std::vector<std::vector<double>> runs;  ///< of times

  void add(double value, const std::vector<double>& of_runs = {}) {
    if (values.size() >= most_in_base) return;
    values.push_back(value);
    runs.push_back(of_runs);
  }
  std::vector<double> all_runs() const {
    std::vector<double> all;
    for (const std::vector<double>& one : runs) all.insert(all.end(), one.begin(), one.end());
    return all;
  }
};

/// Goes through the records, oldest first.
class Historian {
 public:
  explicit Historian(History& history) : history_(history) {}

  void look_at(std::size_t record) {
    record_ = record;
    for (const auto& [name, part] : history_.records[record].parts) {
      for (const auto& [what, operations] : part.work)
        count(name, what, "operations", operations, least_work, 0);
      for (const auto& [what, bytes] : part.bytes)
        count(name, what, "B", bytes, least_bytes, few_bytes);
    }
    look_at_times();
  }

 private:
  Base& base_of(const std::string& part, const std::string& what) { return bases_[{part, what}]; }

  bool is_last() const { return record_ + 1 == history_.records.size(); }
  void note_compared() {
    if (is_last()) ++history_.compared;
  }

  /// Whether the value is beyond the bounds, which is noted.
  bool changed(const std::string& part, const std::string& what, const std::string& unit,
               double value, double share, double least) {
    const std::vector<double>& before = base_of(part, what).values;
    const auto [low, high] = std::ranges::minmax(before);
    const double lowest = low - std::max(share * low, least);
    const double highest = high + std::max(share * high, least);
    if (value >= lowest && value <= highest) return false;
    history_.changes.push_back({record_, part, what, unit, lowest, highest, value});
    return true;
  }

  void count(const std::string& part, const std::string& what, const std::string& unit,
             double value, double share, double least) {
    Base& base = base_of(part, what);
    if (!base.values.empty()) note_compared();
    if (!base.values.empty() && changed(part, what, unit, value, share, least)) base = {};
    base.add(value);
  }

  void look_at_times() {
    std::vector<std::string> names;
    std::vector<double> probabilities, least_possible;
    const auto& parts = history_.records[record_].parts;
    for (const auto& [name, part] : parts) {
      const std::vector<double> before = base_of(name, "time").all_runs();
      if (part.runs.empty() || before.empty()) continue;
      names.push_back(name);
      probabilities.push_back(equal_ranks_probability(before, part.runs));
      least_possible.push_back(equal_ranks_probability(std::vector<double>(before.size(), 0.0),
                                                       std::vector<double>(part.runs.size(), 1.0)));
    }
    const std::vector<double> corrected = corrected_for_number(probabilities);
    std::set<std::string> changed_now;
    for (std::size_t i = 0; i < names.size(); ++i) {
      const double median = summarize(parts.at(names[i]).runs).median;
      if (least_possible[i] * static_cast<double>(names.size()) > false_alarms) {
        if (is_last()) history_.undecided.push_back(names[i]);
        continue;
      }
      note_compared();
      if (corrected[i] <= false_alarms && changed(names[i], "time", "s", median, least_time, 0))
        changed_now.insert(names[i]);
    }
    for (const auto& [name, part] : parts) {
      if (part.runs.empty()) continue;
      Base& base = base_of(name, "time");
      if (changed_now.contains(name)) base = {};
      base.add(summarize(part.runs).median, part.runs);
    }
  }

  History& history_;
  std::size_t record_ = 0;
  std::map<std::pair<std::string, std::string>, Base> bases_;
};

std::vector<std::string> parts_only_in(const HistoryRecord& record, const HistoryRecord& other) {
  std::vector<std::string> names;
  for (const auto& [name, part] : record.parts)
    if (!other.parts.contains(name)) names.push_back(name);
  return names;
}

/// The folder of a record that is named by the usual file in it.
std::filesystem::path folder_of_record(const std::filesystem::path& name) {
  const std::string file = name.filename().string();
  if (file != "profile.json" && file != "study.json") return name;
  return name.has_parent_path() ? name.parent_path() : std::filesystem::path(".");
}

}  // namespace

HistoryPart history_part(std::vector<double> runs, const std::string& kind,
                         const Metrics& metrics) {
  HistoryPart part{std::move(runs), {}, {}};
  const ModelTable& table = table_of(kind);
  for (const Model& model : table.models)
    if (const auto work = metric_value(metrics, model.work))
      part.work[work_key(model.name)] = *work;
  for (const Level& level : table.levels)
    if (const auto bytes = metric_value(metrics, level.traffic)) part.bytes[level.name] = *bytes;
  return part;
}

bool History::last_is_worse() const {
  return std::ranges::any_of(changes, [this](const HistoryChange& change) {
    return change.record + 1 == records.size() && change.worse();
  });
}

History history_of(std::vector<HistoryRecord> records) {
  History history{std::move(records), {}, {}, 0};
  Historian historian(history);
  for (std::size_t i = 0; i < history.records.size(); ++i) historian.look_at(i);
  if (const std::size_t count = history.records.size(); count > 1) {
    const HistoryRecord &last = history.records[count - 1], &before = history.records[count - 2];
    history.gone = parts_only_in(before, last);
    history.appeared = parts_only_in(last, before);
  }
  for (std::size_t i = 1; i < history.records.size(); ++i)  // dates in ISO 8601 sort as texts
    if (history.records[i].created < history.records[i - 1].created)
      history.not_in_order.push_back(history.records[i].label);
  return history;
}

void require_names_of_history(const std::vector<std::string>& names, const std::string& what) {
  if (names.size() < 2)
    throw InputError(fmt::format("a history needs two {} or more, each by its name", what));
  std::error_code error;
  for (std::size_t i = 0; i < names.size(); ++i)
    for (std::size_t before = 0; before < i; ++before)
      if (names[i] == names[before] ||
          std::filesystem::equivalent(folder_of_record(names[i]), folder_of_record(names[before]),
                                      error))
        throw InputError(fmt::format("{}: named twice; a record does not differ from itself",
                                     visible(names[i])));
}

}  // namespace roofline
