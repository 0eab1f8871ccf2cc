#include "roofline/page/source.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "roofline/base/units.h"
#include "roofline/metrics.h"
#include "roofline/view/lines.h"

namespace roofline::page {
namespace {

constexpr std::size_t most_hottest = 10;
constexpr std::size_t most_parts = 12;
constexpr const char* no_stall = "selected";  // the warp issued an instruction

std::string share_text(double share) {
  if (share >= 0.0005) return fmt::format("{:.1f}%", 100 * share);
  return share > 0 ? "<0.1%" : "";
}

/// Rounds a bar's length to a thousandth.
double rounded(double share) { return std::round(1e3 * share) / 1e3; }

std::uint64_t samples_of(const Events& stalls) { return sum_of(stalls); }

/// The stall reasons, most frequent first.
std::vector<std::pair<std::string, std::uint64_t>> waits(const Events& stalls) {
  std::vector<std::pair<std::string, std::uint64_t>> sorted;
  for (const auto& [name, number] : stalls)
    if (number > 0 && name != no_stall) sorted.emplace_back(name, number);
  std::ranges::stable_sort(sorted,
                           [](const auto& a, const auto& b) { return a.second > b.second; });
  return sorted;
}

std::string reason_label(std::string name) {
  std::ranges::replace(name, '_', ' ');
  return name;
}

/// A line's main reasons: "long scoreboard 62%, wait 12%".
std::string main_reasons(const Events& stalls) {
  std::vector<std::string> texts;
  for (const auto& [name, number] : waits(stalls)) {
    const double share =
        100.0 * static_cast<double>(number) / static_cast<double>(samples_of(stalls));
    if (texts.size() < 2 && share >= 0.5)
      texts.push_back(fmt::format("{} {:.0f}%", reason_label(name), share));
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

/// A stall's description without the words about a rate, because samples are not per instruction.
std::string reason_meaning(const std::string& name) {
  // The metric has different names among CUPTI's samples and its counters.
  const auto* metric =
      find_metric("stall_" + (name == "no_instructions" ? "no_instruction" : name));
  if (metric == nullptr) return {};
  static const std::string head = "Warps of a scheduler that waited, for each instruction issued, ";
  std::string text = metric->meaning;
  if (text.starts_with(head)) text.erase(0, head.size());
  if (text.ends_with('.')) text.pop_back();
  return text;
}

/// Texts that a page's records share: files, reasons, names of facts.
class SharedTexts {
 public:
  std::size_t text(const std::vector<std::string>& lines) {
    return place(texts_, text_places_, lines, Json(lines));
  }
  std::size_t reason(const std::string& name) {
    return place(reasons_, reason_places_, name, {reason_label(name), reason_meaning(name)});
  }
  std::size_t fact(const std::string& name) { return place(facts_, fact_places_, name, name); }
  Json block(Json variants) const {
    return {{"kind", "source"},
            {"variants", std::move(variants)},
            {"texts", texts_},
            {"reasons", reasons_},
            {"facts", facts_}};
  }

 private:
  template <class Key>
  static std::size_t place(Json& list, std::map<Key, std::size_t>& places, const Key& key,
                           Json item) {
    const auto [known, fresh] = places.try_emplace(key, list.size());
    if (fresh) list.push_back(std::move(item));
    return known->second;
  }

  Json texts_ = Json::array(), reasons_ = Json::array(), facts_ = Json::array();
  std::map<std::vector<std::string>, std::size_t> text_places_;
  std::map<std::string, std::size_t> reason_places_, fact_places_;
};

std::string short_count(std::uint64_t number) {
  return number == 0 ? "" : with_prefix(static_cast<double>(number), "");
}

/// A column of counts: the count's name, its heading, and an alternative count.
struct CountColumn {
  const char *name, *title, *note, *ideal;
};
constexpr CountColumn count_columns[] = {
    {"warp_instructions", "warp instr.", "instructions that warps executed", ""},
    {"thread_instructions", "thread instr.", "the same, times the threads that were active", ""},
    {"sectors", "sectors / ideal",
     "sectors of global memory that were touched, and the least that would do", "ideal_sectors"},
    {"shared_wavefronts", "shared / ideal",
     "passes through shared memory, and the least that would do", "ideal_shared_wavefronts"}};

std::string count_text(const Events& counts, const CountColumn& column) {
  const std::uint64_t number = events_of(counts, column.name);
  if (number == 0 || *column.ideal == '\0') return short_count(number);
  const std::string ideal = short_count(events_of(counts, column.ideal));
  return fmt::format("{} / {}", short_count(number), ideal.empty() ? "0" : ideal);
}

/// Converts a record's lines for the page.
class SourceOf {
 public:
  SourceOf(const ShownLines& shown, SharedTexts& shared)
      : record_(*shown.record),
        shown_(shown),
        shared_(shared),
        heat_(record_),
        own_(calling_files(record_)),
        of_variant_(by_variant_line(record_.lines)),
        by_line_(by_innermost_line(record_.lines)) {
    own_.insert(shown.own);
    own_.erase("");  // code without a line or a known file
    paths_ = files_of(record_);
    std::ranges::stable_partition(paths_,
                                  [this](const std::string& path) { return own_.contains(path); });
    for (std::size_t i = 0; i < paths_.size(); ++i) places_[paths_[i]] = i;
    largest_ = 1e-9;
    for (const LineGroup* group : groups()) largest_ = std::max(largest_, share(*group));
    for (const CountColumn& column : count_columns)
      for (const LineGroup* group : groups())
        if (events_of(group->counts, column.name) > 0) {
          columns_.push_back(&column);
          break;
        }
  }

  Json json() const {
    Json columns = Json::array(), files = Json::array();
    for (const CountColumn* column : columns_) columns.push_back({column->title, column->note});
    for (const std::string& path : paths_) files.push_back(file_json(path));
    return {{"key", shown_.key},
            {"title", shown_.title},
            {"tags", tags_json(shown_.tags)},
            {"how", fmt::format("{}", fmt::join(measured_how(record_), " "))},
            {"lost", record_.lost},
            {"columns", columns},
            {"files", files},
            {"hottest", to_json(hottest())}};
  }

  /// The link to the hottest line, or "".
  std::string hottest_link() const {
    const ViewTable lines = hottest();
    return lines.rows.empty() ? "" : lines.rows.front().cells[1].link;
  }

 private:
  const char* of() const { return heat_.is_of_samples() ? "samples" : "warp instructions"; }
  double share(const LineGroup& group) const { return heat_.share(group.stalls, group.counts); }

  /// Lines of the variant's files with inlined code, and other files' lines separately.
  std::vector<const LineGroup*> groups() const {
    std::vector<const LineGroup*> all;
    for (const LineGroup& group : of_variant_)
      if (own_.contains(group.place.file)) all.push_back(&group);
    for (const LineGroup& group : by_line_)
      if (!own_.contains(group.place.file)) all.push_back(&group);
    return all;
  }

  std::string line_link(const SourcePlace& place) const {
    return fmt::format("source-{}-{}-{}", shown_.key, places_.at(place.file), place.line);
  }

  std::string words(bool own, bool has_text, double all) const {
    std::string text =
        own ? fmt::format(
                  "What was inlined at a line is part of it. Together these lines have {} of the "
                  "{}; the rest is of kernels that are written in other files.",
                  percent_text(100 * all), of())
            : fmt::format(
                  "The share of each line itself, whoever called it: together {} of the {}.",
                  percent_text(100 * all), of());
    if (!has_text)
      text += " The record does not hold the text of this file: the functions stand in its place.";
    return text;
  }

  Json file_json(const std::string& path) const;
  Json line_json(const LineGroup& group, bool own, int number) const;
  Json facts_json(const LineGroup& group) const;
  void add_parts(const LineGroup& group, bool own, Json& line) const;
  ViewTable hottest() const;

  const LinesRecord& record_;
  const ShownLines& shown_;
  SharedTexts& shared_;
  LineHeat heat_;
  std::set<std::string> own_;
  std::vector<LineGroup> of_variant_, by_line_;
  std::vector<std::string> paths_;
  std::map<std::string, std::size_t> places_;
  std::vector<const CountColumn*> columns_;
  double largest_;
};

Json SourceOf::file_json(const std::string& path) const {
  const bool own = own_.contains(path), lineless = path.empty();
  const auto source = record_.sources.find(path);
  std::vector<std::string> functions;  // purposes of code without a line
  Json lines = Json::array();
  double all = 0;
  for (const LineGroup* group : groups()) {
    if (group->place.file != path) continue;
    all += share(*group);
    functions.push_back(group->function);
    lines.push_back(
        line_json(*group, own, lineless ? static_cast<int>(functions.size()) : group->place.line));
    if (!lineless && source == record_.sources.end()) lines.back()["function"] = group->function;
  }
  Json text = nullptr;
  if (lineless)
    text = shared_.text(functions);
  else if (source != record_.sources.end())
    text = shared_.text(source->second);
  return {{"path", path},
          {"label", lineless ? "code without a line" : path},
          {"own", own},
          {"share", fmt::format("{:.1f}%", 100 * all)},
          {"words", words(own, !text.is_null(), all)},
          {"text", text},
          {"lines", lines}};
}

Json SourceOf::line_json(const LineGroup& group, bool own, int number) const {
  const double all = static_cast<double>(samples_of(group.stalls));
  Json stalls = Json::array(), counts = Json::array();
  const auto reasons = waits(group.stalls);
  for (const auto& [name, samples] : reasons)
    stalls.push_back(
        {shared_.reason(name), share_text(static_cast<double>(samples) / all),
         rounded(static_cast<double>(samples) / static_cast<double>(reasons.front().second))});
  for (const CountColumn* column : columns_) counts.push_back(count_text(group.counts, *column));
  const std::string why = main_reasons(group.stalls);
  Json line = {{"line", number},
               {"share", share_text(share(group))},
               {"heat", rounded(share(group) / largest_)},
               {"headline", fmt::format("{} of all {}{}{}", percent_text(100 * share(group)), of(),
                                        why.empty() ? "" : ": ", why)},
               {"counts", counts},
               {"stalls", stalls},
               {"facts", facts_json(group)},
               {"parts", Json::array()}};
  add_parts(group, own, line);
  return line;
}

Json SourceOf::facts_json(const LineGroup& group) const {
  Json list = Json::array();
  const auto put = [&](const std::string& name, const std::string& value) {
    if (!value.empty()) list.push_back({shared_.fact(name), value});
  };
  const auto count = [&](const char* name) { return events_of(group.counts, name); };
  const auto plain = [](std::uint64_t number) { return number == 0 ? "" : with_commas(number); };
  const auto beside = [&](const char* name, const char* ideal) -> std::string {
    const std::uint64_t real = count(name), least = count(ideal);
    if (real == 0) return {};
    return fmt::format("{}; {} would do{}", with_commas(real), with_commas(least),
                       least == 0 ? ""
                                  : fmt::format(" ({})", times_text(static_cast<double>(real) /
                                                                    static_cast<double>(least))));
  };
  const std::uint64_t samples = samples_of(group.stalls);
  const std::uint64_t issued = events_of(group.stalls, no_stall);
  put("samples", plain(samples));
  put("of them issued, which is no stall",
      issued == 0
          ? ""
          : percent_text(100.0 * static_cast<double>(issued) / static_cast<double>(samples)));
  const std::uint64_t warps = count("warp_instructions"), threads = count("thread_instructions");
  put("warp instructions", plain(warps));
  put("thread instructions",
      threads == 0 || warps == 0
          ? plain(threads)
          : fmt::format("{}, {:.1f} of a warp’s 32 threads", with_commas(threads),
                        static_cast<double>(threads) / static_cast<double>(warps)));
  put("of them with a true predicate", plain(count("thread_instructions_pred_on")));
  put("sectors of global memory", beside("sectors", "ideal_sectors"));
  put("passes through shared memory", beside("shared_wavefronts", "ideal_shared_wavefronts"));
  put("sectors of local memory", plain(count("local_sectors")));
  return list;
}

/// Adds the code that was inlined at a variant's line, or the callers of another file's line.
void SourceOf::add_parts(const LineGroup& group, bool own, Json& line) const {
  std::map<std::pair<std::size_t, int>, double> shares;
  for (const LineEvidence& part : group.parts) {
    if (!part.called_from) continue;
    const SourcePlace& other = own ? part.place : *part.called_from;
    shares[{places_.at(other.file), other.line}] += heat_.share(part.stalls, part.counts);
  }
  std::vector<std::pair<double, std::pair<std::size_t, int>>> sorted;
  for (const auto& [place, share] : shares) sorted.emplace_back(-share, place);
  std::ranges::sort(sorted);
  for (std::size_t i = 0; i < sorted.size() && i < most_parts; ++i)
    line["parts"].push_back(
        {sorted[i].second.first, sorted[i].second.second, percent_text(-100 * sorted[i].first)});
  if (const std::size_t more = sorted.size() - line["parts"].size(); more > 0)
    line["more"] = fmt::format("and {} cooler {}", more, more == 1 ? "line" : "lines");
}

/// Lines of other files without a caller in the variant get rows of their own.
ViewTable SourceOf::hottest() const {
  ViewTable table{
      "hottest-lines",
      "",
      {{"share", "share"}, {"line", "line"}, {"waits", "waits most for"}, {"source", "source"}},
      {},
      {}};
  for (const LineGroup& group : of_variant_) {
    if (table.rows.size() == most_hottest || share(group) == 0) break;
    const SourcePlace& place = group.place;
    if (place.file.empty()) continue;
    const std::string* text = record_.source(place);
    std::string code = text == nullptr ? "" : *text;
    code.erase(0, std::min(code.find_first_not_of(" \t"), code.size()));
    const std::string name =
        fmt::format("{}:{}", place.file.substr(place.file.rfind('/') + 1), place.line);
    table.rows.push_back(
        {{{share_text(share(group)), share(group) / largest_},
          {shown_.own.empty() || own_.contains(place.file) ? name : name + " in other kernels", NAN,
           "", line_link(place)},
          {main_reasons(group.stalls)},
          {code}}});
  }
  return table;
}

}  // namespace

std::string hottest_line_link(const ShownLines& shown) {
  SharedTexts unused;
  return SourceOf(shown, unused).hottest_link();
}

Json source(const std::vector<ShownLines>& all) {
  SharedTexts shared;
  Json records = Json::array();
  for (const ShownLines& shown : all) records.push_back(SourceOf(shown, shared).json());
  return shared.block(std::move(records));
}

}  // namespace roofline::page
