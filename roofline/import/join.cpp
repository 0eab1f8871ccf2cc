// Launches of several tables of one program, which each hold some of the counters.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "roofline/base/error.h"
#include "roofline/base/units.h"
#include "roofline/base/visible.h"
#include "roofline/import/tables.h"

namespace roofline {
namespace {

using Key = std::pair<std::size_t, std::size_t>;
using Groups = std::map<Key, std::vector<std::size_t>>;  // launches of a kernel in a shape

Groups groups_of(const ImportedTable& table, bool by_shape) {
  Groups groups;
  for (std::size_t i = 0; i < table.launches.size(); ++i) {
    const ImportedLaunch& launch = table.launches[i];
    groups[{launch.kernel, by_shape ? launch.shape : 0}].push_back(i);
  }
  return groups;
}

/// The launch of each of `more` among `all`; nothing where there is none.
std::vector<std::optional<std::size_t>> matches_of(const ImportedTable& more,
                                                   const ImportedTable& all, const Names& names) {
  const auto shaped = [&names](const ImportedLaunch& one) { return !names[one.shape].empty(); };
  const bool by_shape =
      std::ranges::all_of(all.launches, shaped) && std::ranges::all_of(more.launches, shaped);
  std::vector<std::optional<std::size_t>> matches(more.launches.size());
  Groups here = groups_of(all, by_shape);
  for (const auto& [key, theirs] : groups_of(more, by_shape)) {
    const std::vector<std::size_t>& ours = here[key];
    std::map<double, std::size_t> by_number;
    for (const std::size_t i : ours) by_number.emplace(all.launches[i].number, i);
    for (std::size_t i = 0; i < theirs.size(); ++i) {
      const auto numbered = by_number.find(more.launches[theirs[i]].number);
      if (ours.size() == theirs.size())
        matches[theirs[i]] = ours[i];
      else if (numbered != by_number.end())
        matches[theirs[i]] = numbered->second;
    }
  }
  return matches;
}

/// What two tables of the same launches contradict each other in, most.
struct Contradiction {
  double share = 0;
  std::string what;

  void look(double ours, double theirs, const std::string& name, const std::string& kernel) {
    const double apart = std::abs(theirs - ours) / std::max(std::abs(ours), std::abs(theirs));
    if (!(apart > share)) return;
    share = apart;
    what = fmt::format("{} of {}: {:.6g} and {:.6g}", visible(name), visible(short_name(kernel)),
                       ours, theirs);
  }
};

/// Adds what one table tells of a launch to what another does; true where that is more.
bool merge(const ImportedLaunch& from, ImportedLaunch& to, const Names& names,
           Contradiction& contradiction) {
  const std::string& kernel = names[to.kernel];
  if (from.launches != to.launches)
    throw InputError(
        fmt::format("{} is in a summary, and in a table that is none, or of other "
                    "launches: import them one by one",
                    visible(short_name(kernel))));
  if (from.seconds && to.seconds)
    contradiction.look(*to.seconds, *from.seconds, "the time", kernel);
  if (!to.seconds) to.seconds = from.seconds;
  bool more = false;
  for (const auto& [name, value] : from.values) {
    const double* known = to.find(name);
    more |= known == nullptr;
    if (known != nullptr)
      contradiction.look(*known, value, names[name], kernel);
    else
      to.values.emplace_back(name, value);
  }
  return more;
}

/// Takes times of a run that counted nothing. A kernel keeps its own where some have no
/// counterpart.
void take_times(const ImportedTable& times, ImportedTable& all, const Names& names,
                std::vector<std::string>& notes) {
  const auto matches = matches_of(times, all, names);
  std::map<std::size_t, std::size_t> wanted, found;  // by kernel
  for (const ImportedLaunch& launch : all.launches) ++wanted[launch.kernel];
  for (std::size_t i = 0; i < matches.size(); ++i)
    if (matches[i]) ++found[times.launches[i].kernel];
  for (std::size_t i = 0; i < matches.size(); ++i)
    if (const std::size_t kernel = times.launches[i].kernel;
        matches[i] && found[kernel] == wanted[kernel])
      all.launches[*matches[i]].seconds = times.launches[i].seconds;
  for (const auto& [kernel, count] : wanted)
    if (found[kernel] != count)
      notes.push_back(fmt::format("{} has times of {} of the {} launches of {}: not taken.",
                                  visible(times.file), found[kernel], count,
                                  visible(short_name(names[kernel]))));
}

void join(ImportedTable& more, ImportedTable& all, const Names& names,
          std::vector<std::string>& notes) {
  const auto matches = matches_of(more, all, names);
  const std::size_t before = all.launches.size();
  std::size_t matched = 0;
  bool any_more = false;
  Contradiction contradiction;
  for (std::size_t i = 0; i < matches.size(); ++i) {
    if (matches[i]) {
      ++matched;
      any_more |= merge(more.launches[i], all.launches[*matches[i]], names, contradiction);
    } else {
      all.launches.push_back(std::move(more.launches[i]));
    }
  }
  const std::string files = fmt::format("{} and {}", visible(all.file), visible(more.file));
  if (contradiction.share > 0 && !any_more)
    throw InputError(
        fmt::format("{} have the same counters of the same launches with other values "
                    "({}): a second run, or another rank; import them one by one",
                    files, contradiction.what));
  if (contradiction.share > 0)
    notes.push_back(
        fmt::format("{} contradict each other by up to {} ({}): the first value counts.", files,
                    percent_text(100 * contradiction.share), contradiction.what));
  if (matched > 0 && (matched != matches.size() || matched != before))
    notes.push_back(
        fmt::format("{} share {} launches, and {} are in one of them alone: what not "
                    "all have is missing.",
                    files, matched, before + matches.size() - 2 * matched));
  all.bad.merge(more.bad);
  all.devices.merge(more.devices);
}

}  // namespace

std::size_t Names::id(std::string_view text) {
  const auto known = ids_.find(text);
  if (known != ids_.end()) return known->second;
  const auto added = ids_.emplace(text, texts_.size()).first;
  texts_.push_back(&added->first);
  return added->second;
}

const double* ImportedLaunch::find(std::size_t name) const {
  const auto found = std::ranges::find(values, name, &std::pair<std::size_t, double>::first);
  return found == values.end() ? nullptr : &found->second;
}

ImportedTable joined(std::vector<ImportedTable> tables, const Names& names,
                     std::vector<std::string>& notes) {
  std::stable_partition(tables.begin(), tables.end(),
                        [](const ImportedTable& table) { return !table.times_only; });
  ImportedTable all = std::move(tables.front());
  for (std::size_t i = 1; i < tables.size(); ++i)
    if (tables[i].times_only)
      take_times(tables[i], all, names, notes);
    else
      join(tables[i], all, names, notes);
  return all;
}

std::vector<KernelProfile> by_kernel(
    ImportedTable& table, const Names& names,
    const std::function<LaunchCounts(ImportedLaunch& launch)>& counts_of) {
  std::vector<KernelProfile> kernels;
  std::map<std::size_t, std::size_t> places;
  for (ImportedLaunch& launch : table.launches) {
    LaunchCounts counts = counts_of(launch);
    const auto [at, is_new] = places.emplace(launch.kernel, kernels.size());
    if (is_new) kernels.push_back({names[launch.kernel], 0, {}, {}, {}, {}, {}, {}});
    KernelProfile& kernel = kernels[at->second];
    if (launch.seconds) *launch.seconds *= launch.launches;
    for (auto& [name, value] : counts.counters) value *= launch.launches;
    add_part({"",
              static_cast<std::int64_t>(launch.launches),
              launch.seconds,
              std::move(counts.counters),
              std::move(counts.missing),
              {},
              {},
              {}},
             kernel);
    for (const std::string& note : counts.notes)
      if (std::ranges::find(kernel.notes, note) == kernel.notes.end()) kernel.notes.push_back(note);
  }
  return kernels;
}

}  // namespace roofline
