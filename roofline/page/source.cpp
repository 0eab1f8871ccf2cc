#include "roofline/page/source.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "roofline/base/text.h"
#include "roofline/base/units.h"
#include "roofline/metrics.h"
#include "roofline/view/lines.h"

namespace roofline::page {
namespace {

constexpr std::size_t most_hottest = 10;
constexpr std::size_t most_parts = 6;
constexpr int lines_around = 1;            ///< shown before and after each line with evidence
constexpr double least_told_share = 0.05;  ///< of a line whose facts are behind it
constexpr double least_told_wait = 0.01;   ///< of a line's samples
/// Colder lines have no bar and no links, and are left out in files that a variant calls.
constexpr double least_warm = 0.01;
constexpr const char* no_stall = "selected";  // the warp issued an instruction

std::string share_text(double share) {
  if (share >= 0.0005) return fmt::format("{:.1f}%", 100 * share);
  return share > 0 ? "<0.1%" : "";
}

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

/// Writes a record's lines for the page.
class SourceOf {
 public:
  explicit SourceOf(const ShownLines& shown)
      : record_(*shown.record),
        shown_(shown),
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
    for (const LineGroup* group : groups()) {
      largest_ = std::max(largest_, share(*group));
      if (share(*group) >= least_warm) linked_.insert(group->place);
    }
  }

  Html html() const {
    Html blocks = heading(3, shown_.title) +
                  paragraph(fmt::format("{}", fmt::join(measured_how(record_), " ")), "small");
    if (!record_.lost.empty()) blocks += notice("Missing or doubtful:", record_.lost);
    if (const Table lines = hottest(); !lines.rows.empty())
      blocks += table(lines, {.heat = "share", .style = "hottest"});
    for (const std::string& path : paths_) blocks += file(path);
    Tags tags = shown_.tags;
    tags.emplace_back("source", shown_.key);
    return with_tags(blocks, tags);
  }

  /// The link to the hottest line, or "".
  std::string hottest_link() const {
    const Table lines = hottest();
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

  std::string line_id(const SourcePlace& place) const {
    return fmt::format("source-{}-{}-{}", shown_.key, places_.at(place.file), place.line);
  }

  std::string words(bool own, bool has_text) const {
    std::string text = own ? "What was inlined at a line is part of it."
                           : "The share of each line itself, whoever called it.";
    if (!has_text)
      text += " The record does not hold the text of this file: the functions stand in its place.";
    return text;
  }

  Html file(const std::string& path) const;
  Html line(int number, const std::string& text, const LineGroup* group, bool own) const;
  Html told(const LineGroup& group, bool own) const;
  Pairs facts_of(const LineGroup& group) const;
  Html parts_of(const LineGroup& group, bool own) const;
  Table hottest() const;

  const LinesRecord& record_;
  const ShownLines& shown_;
  LineHeat heat_;
  std::set<std::string> own_;
  std::vector<LineGroup> of_variant_, by_line_;
  std::vector<std::string> paths_;
  std::map<std::string, std::size_t> places_;
  std::set<SourcePlace> linked_;  ///< the lines with rows to link to
  double largest_;
};

/// The lines with evidence, of a variant's own files with those around them.
Html SourceOf::file(const std::string& path) const {
  const bool own = own_.contains(path);
  const auto source = record_.sources.find(path);
  const bool has_text = source != record_.sources.end() && !path.empty();
  std::map<int, const LineGroup*> known;
  std::set<int> shown;
  double all = 0;
  int unplaced = 0;
  const int count = has_text ? static_cast<int>(source->second.size()) : 0;
  for (const LineGroup* group : groups()) {
    if (group->place.file != path) continue;
    all += share(*group);
    if (!own && share(*group) < least_warm) continue;
    const int number = path.empty() ? ++unplaced : group->place.line;
    known[number] = group;
    shown.insert(number);
    for (int i = number - lines_around; own && i <= number + lines_around; ++i)
      if (i >= 1 && i <= count) shown.insert(i);
  }
  if (shown.empty()) return {};
  Html rows;
  int last = 0;
  for (const int number : shown) {
    const auto found = known.find(number);
    const LineGroup* group = found == known.end() ? nullptr : found->second;
    if (own && number > last + 1 && has_text)
      rows += element("tr", {{"class", "gap"}}, element("td", {{"colspan", "3"}}, "⋯"));
    last = number;
    rows += line(number,
                 number <= count ? source->second[static_cast<std::size_t>(number) - 1]
                 : group         ? group->function
                                 : "",
                 group, own);
  }
  const std::string name = path.empty() ? "code without a line" : path;
  return folded(
      code(name) + fmt::format(" {} of the {}", percent_text(100 * all), of()),
      paragraph(words(own, has_text), "small") +
          element(
              "div",
              {{"class", "source"}, {"tabindex", "0"}, {"role", "region"}, {"aria-label", name}},
              element("table", {}, element("tbody", {}, rows))),
      "file", own);
}

Html SourceOf::line(int number, const std::string& text, const LineGroup* group, bool own) const {
  const double heat = group == nullptr ? 0 : share(*group);
  const bool is_warm = heat >= least_warm;
  Html cells = element("td",
                       {{"class", is_warm ? "heat" : ""},
                        {"style", is_warm ? fmt::format("--heat:{:.2g}", heat / largest_) : ""}},
                       share_text(heat));
  const Html written = code(replaced(text, {{'\t', "  "}}));
  const bool tells = heat >= least_told_share;
  cells +=
      element("th", {}, std::to_string(number)) +
      element("td", {},
              tells ? element("details", {}, element("summary", {}, written) + told(*group, own))
                    : written);
  const bool linked = group != nullptr && linked_.contains(group->place);
  const std::string id = linked && !group->place.file.empty() ? line_id(group->place) : "";
  return element("tr", {{"id", id}}, cells);
}

/// What is known of a line: its waits, its counts, and the code inlined there.
Html SourceOf::told(const LineGroup& group, bool own) const {
  const double all = static_cast<double>(samples_of(group.stalls));
  std::vector<std::string> stalls;
  for (const auto& [name, samples] : waits(group.stalls))
    if (static_cast<double>(samples) >= least_told_wait * all)
      stalls.push_back(
          fmt::format("{} {}", reason_label(name), share_text(static_cast<double>(samples) / all)));
  Html blocks;
  if (!stalls.empty())
    blocks += paragraph(fmt::format("Its warps waited for: {}.", fmt::join(stalls, ", ")));
  return element("div", {{"class", "told"}},
                 blocks + facts(facts_of(group)) + parts_of(group, own));
}

Pairs SourceOf::facts_of(const LineGroup& group) const {
  Pairs list;
  const auto put = [&](const std::string& name, const std::string& value) {
    list.emplace_back(name, value);
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

/// The code that was inlined at a variant's line, or the callers of another file's line.
Html SourceOf::parts_of(const LineGroup& group, bool own) const {
  std::map<SourcePlace, double> shares;
  for (const LineEvidence& part : group.parts)
    if (part.called_from)
      shares[own ? part.place : *part.called_from] += heat_.share(part.stalls, part.counts);
  std::vector<std::pair<double, SourcePlace>> sorted;
  for (const auto& [place, share] : shares) sorted.emplace_back(-share, place);
  std::ranges::sort(sorted);
  Html items;
  for (std::size_t i = 0; i < sorted.size() && i < most_parts; ++i) {
    const SourcePlace& place = sorted[i].second;
    const std::string name = place_text(place, "code without a line");
    items += element("li", {},
                     (place.file.empty() || !linked_.contains(place)
                          ? Html(name)
                          : element("a", {{"href", "#" + line_id(place)}}, name)) +
                         " " + percent_text(-100 * sorted[i].first));
  }
  if (items.empty()) return {};
  if (sorted.size() > most_parts)
    items += element("li", {}, fmt::format("and {} cooler", sorted.size() - most_parts));
  return paragraph(own ? "Inlined there:" : "Called from:") + element("ul", {}, items);
}

/// Lines of other files without a caller in the variant get rows of their own.
Table SourceOf::hottest() const {
  Table table{
      "hottest-lines",
      "",
      {{"share", "share"}, {"line", "line"}, {"waits", "waits most for"}, {"source", "source"}},
      {},
      {}};
  for (const LineGroup& group : of_variant_) {
    if (table.rows.size() == most_hottest || share(group) == 0) break;
    const SourcePlace& place = group.place;
    if (place.file.empty()) continue;
    const std::string name =
        fmt::format("{}:{}", place.file.substr(place.file.rfind('/') + 1), place.line);
    table.rows.push_back(
        {{{share_text(share(group)), share(group) / largest_},
          {shown_.own.empty() || own_.contains(place.file) ? name : name + " in other kernels", NAN,
           "", linked_.contains(place) ? line_id(place) : ""},
          {top_reasons(group.stalls, samples_of(group.stalls))},
          {trimmed_source(recorded_source(record_, place))}}});
  }
  return table;
}

}  // namespace

std::string hottest_line_link(const ShownLines& shown) { return SourceOf(shown).hottest_link(); }

Html source(const std::vector<ShownLines>& all) {
  Html blocks;
  std::set<std::string> reasons;
  for (const ShownLines& shown : all) {
    blocks += SourceOf(shown).html();
    for (const auto& [name, number] : total_stalls(shown.record->lines))
      if (number > 0 && name != no_stall) reasons.insert(name);
  }
  Pairs meanings;
  for (const std::string& name : reasons)
    meanings.emplace_back(reason_label(name), reason_meaning(name));
  if (!meanings.empty()) blocks += folded("What the waits mean", facts(meanings), "small");
  return blocks;
}

}  // namespace roofline::page
