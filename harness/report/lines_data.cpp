#include "harness/report/lines_data.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "harness/show/lines_view.h"

namespace gpp {
namespace {

using Json = nlohmann::ordered_json;
using roofline::Events;
using roofline::LineEvidence;
using roofline::LineGroup;
using roofline::SourcePlace;

constexpr std::size_t most_hottest = 10;
constexpr std::size_t most_parts = 12;
constexpr const char* no_stall = "selected";  // such a warp issued an instruction

/// To a millionth, which is more than samples tell.
double rounded(double share) { return std::round(1e6 * share) / 1e6; }

Json stalls_json(const Events& stalls) {
  std::vector<std::pair<std::string, std::uint64_t>> sorted;
  for (const auto& [name, number] : stalls)
    if (number > 0 && name != no_stall) sorted.emplace_back(name, number);
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  Json list = Json::array();
  for (const auto& [name, number] : sorted) list.push_back({name, number});
  return list;
}

/// A record's lines on their way to the page.
class View {
 public:
  View(const LinesRecord& record, const std::string& source, SourceTexts& texts)
      : record_(record), texts_(texts), heat_(record), own_(calling_files(record)) {
    own_.insert(source);
    own_.erase("");  // code without a line, and variants that this program does not know
    paths_ = files_of(record);
    std::stable_partition(paths_.begin(), paths_.end(),
                          [this](const std::string& path) { return own_.contains(path); });
    for (std::size_t i = 0; i < paths_.size(); ++i) places_[paths_[i]] = i;
  }

  Json json() {
    const std::vector<LineGroup> of_variant = roofline::by_variant_line(record_.lines);
    files_ = Json::array();
    for (const std::string& path : paths_)
      files_.push_back({{"path", path},
                        {"own", own_.contains(path)},
                        {"text", text_of(path)},
                        {"share", 0.0},
                        {"lines", Json::array()}});
    for (const LineGroup& group : of_variant)
      if (own_.contains(group.place.file)) add(group);
    for (const LineGroup& group : roofline::by_innermost_line(record_.lines))
      if (!own_.contains(group.place.file)) add(group);
    add_code_without_lines();
    for (Json& file : files_) file["share"] = rounded(file["share"].get<double>());
    return {{"how", measured_how(record_)},
            {"lost", record_.lost},
            {"of", heat_.is_of_samples() ? "samples" : "warp instructions"},
            {"counted", record_.counted},
            {"files", std::move(files_)},
            {"hottest", hottest_json(of_variant)}};
  }

 private:
  Json text_of(const std::string& path) {
    const auto text = record_.sources.find(path);
    if (path.empty() || text == record_.sources.end()) return nullptr;
    return texts_.place_of(text->second);
  }

  double share(const LineGroup& group) const { return heat_.share(group.stalls, group.counts); }

  Json counts_json(const Events& counts) const {
    Json list = Json::array();
    for (const std::string& name : record_.counted)
      list.push_back(roofline::events_of(counts, name));
    return list;
  }

  /// What was inlined at a line of the variant, or who called a line of another file.
  void add_parts(const LineGroup& group, bool own, Json& line) const {
    std::map<std::pair<std::size_t, int>, double> shares;
    for (const LineEvidence& part : group.parts) {
      if (!part.called_from) continue;
      const SourcePlace& other = own ? part.place : *part.called_from;
      shares[{places_.at(other.file), other.line}] += heat_.share(part.stalls, part.counts);
    }
    std::vector<std::pair<double, std::pair<std::size_t, int>>> sorted;
    for (const auto& [place, share] : shares) sorted.emplace_back(-share, place);
    std::sort(sorted.begin(), sorted.end());
    line["parts"] = Json::array();
    for (std::size_t i = 0; i < sorted.size() && i < most_parts; ++i)
      line["parts"].push_back(
          {sorted[i].second.first, sorted[i].second.second, rounded(-sorted[i].first)});
    line["more"] = sorted.size() - line["parts"].size();
  }

  void add(const LineGroup& group) {
    Json& file = files_[places_.at(group.place.file)];
    Json line = {{"line", group.place.line},
                 {"share", rounded(share(group))},
                 {"issued", roofline::events_of(group.stalls, no_stall)},
                 {"stalls", stalls_json(group.stalls)},
                 {"counts", counts_json(group.counts)}};
    add_parts(group, own_.contains(group.place.file), line);
    if (file["text"].is_null()) line["function"] = group.function;
    file["share"] = file["share"].get<double>() + share(group);
    file["lines"].push_back(std::move(line));
  }

  /// What it computes stands in the place of its text.
  void add_code_without_lines() {
    const auto place = places_.find("");
    if (place == places_.end()) return;
    Json& file = files_[place->second];
    std::vector<std::string> names;
    for (Json& line : file["lines"]) {
      names.push_back(line["function"].get<std::string>());
      line.erase("function");
      line["line"] = names.size();
    }
    file["text"] = texts_.place_of(names);
  }

  Json hottest_json(const std::vector<LineGroup>& groups) const {
    Json list = Json::array();
    for (const LineGroup& group : groups) {
      if (list.size() == most_hottest || share(group) == 0) break;
      if (!group.place.file.empty())
        list.push_back({{"file", places_.at(group.place.file)},
                        {"line", group.place.line},
                        {"share", rounded(share(group))},
                        {"issued", roofline::events_of(group.stalls, no_stall)},
                        {"stalls", stalls_json(group.stalls)}});
    }
    return list;
  }

  const LinesRecord& record_;
  SourceTexts& texts_;
  LineHeat heat_;
  std::set<std::string> own_;
  std::vector<std::string> paths_;
  std::map<std::string, std::size_t> places_;
  Json files_;
};

}  // namespace

std::size_t SourceTexts::place_of(const std::vector<std::string>& lines) {
  const auto [known, fresh] = places_.try_emplace(lines, texts_.size());
  if (fresh) texts_.push_back(lines);
  return known->second;
}

Json lines_view_json(const LinesRecord& record, const std::string& source, SourceTexts& texts) {
  return View(record, source, texts).json();
}

}  // namespace gpp
