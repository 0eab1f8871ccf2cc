#include "harness/show/lines_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace gpp {
namespace {

using roofline::Events;

std::string sampled_how(const LinesRecord& record) {
  const std::uint64_t samples = roofline::sum_of(roofline::total_stalls(record.lines));
  std::string text = fmt::format("{} samples, one of a multiprocessor every {} cycles",
                                 with_commas(samples), record.period);
  if (record.dropped > 0) text += fmt::format("; {} more dropped", with_commas(record.dropped));
  if (record.elsewhere > 0)
    text +=
        fmt::format("; {} in kernels that are not the program's", with_commas(record.elsewhere));
  if (record.sampled_seconds > 0 && record.plain_seconds > 0)
    text += fmt::format("; a run took {:+.1f}% while it was sampled",
                        100 * (record.sampled_seconds / record.plain_seconds - 1));
  return text + ".";
}

std::string counted_how(const LinesRecord& record) {
  std::string text = record.part.empty()
                         ? "Instructions were counted on the whole input"
                         : fmt::format("Instructions were counted on {} and multiplied by {:.6g}",
                                       record.part, record.scale);
  if (!record.totals.empty() && record.sums_agree())
    text += fmt::format(
        "; the lines' sums are what the hardware's counters told ({} warp "
        "instructions)",
        with_commas(roofline::events_of(record.totals, "warp_instructions")));
  return text + ".";
}

}  // namespace

LineHeat::LineHeat(const LinesRecord& record)
    : samples_(roofline::sum_of(roofline::total_stalls(record.lines))),
      instructions_(
          roofline::events_of(roofline::total_counts(record.lines), "warp_instructions")) {}

double LineHeat::share(const Events& stalls, const Events& counts) const {
  const std::uint64_t all = is_of_samples() ? samples_ : instructions_;
  if (all == 0) return 0;
  const std::uint64_t own =
      is_of_samples() ? roofline::sum_of(stalls) : roofline::events_of(counts, "warp_instructions");
  return static_cast<double>(own) / static_cast<double>(all);
}

std::set<std::string> calling_files(const LinesRecord& record) {
  std::set<std::string> callers;
  for (const roofline::LineEvidence& line : record.lines)
    if (line.called_from) callers.insert(line.called_from->file);
  return callers;
}

std::vector<std::string> files_of(const LinesRecord& record) {
  std::map<std::string, std::uint64_t> samples;
  for (const roofline::LineEvidence& line : record.lines) {
    samples[line.place.file] += line.samples();
    if (line.called_from) samples[line.called_from->file] += line.samples();
  }
  std::vector<std::string> files;
  for (const auto& [file, number] : samples) files.push_back(file);
  const std::set<std::string> callers = calling_files(record);
  std::stable_sort(files.begin(), files.end(), [&](const std::string& a, const std::string& b) {
    return std::pair(callers.contains(a), samples[a]) > std::pair(callers.contains(b), samples[b]);
  });
  return files;
}

std::vector<std::string> measured_how(const LinesRecord& record) {
  std::vector<std::string> sentences;
  if (record.has_samples()) sentences.push_back(sampled_how(record));
  if (record.has_counts()) sentences.push_back(counted_how(record));
  return sentences;
}

std::string with_commas(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, 1, ',');
  return text;
}

}  // namespace gpp
