// Launches of several tables of one program, which each hold some of the counters.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <utility>

#include "roofline/base/error.h"
#include "roofline/base/units.h"
#include "roofline/base/visible.h"
#include "roofline/import/tables.h"

namespace roofline {
namespace {

/// The launch of each of `more` among `all`, by kernel and shape in their order; nothing where
/// there is none.
std::vector<std::optional<std::size_t>> matches_of(const ImportedTable& more,
                                                   const ImportedTable& all) {
  const auto shaped = [](const ImportedLaunch& one) { return !one.shape.empty(); };
  const bool by_shape =
      std::ranges::all_of(all.launches, shaped) && std::ranges::all_of(more.launches, shaped);
  using Key = std::pair<std::string_view, std::string_view>;
  const auto key_of = [by_shape](const ImportedLaunch& one) {
    return Key(one.kernel, by_shape ? one.shape : "");
  };
  std::map<Key, std::deque<std::size_t>> ours;
  for (std::size_t i = 0; i < all.launches.size(); ++i) ours[key_of(all.launches[i])].push_back(i);
  std::vector<std::optional<std::size_t>> matches;
  for (const ImportedLaunch& one : more.launches) {
    std::deque<std::size_t>& left = ours[key_of(one)];
    matches.push_back(left.empty() ? std::nullopt : std::optional(left.front()));
    if (!left.empty()) left.pop_front();
  }
  return matches;
}

std::string shown_kernel(std::string_view kernel) { return short_name(std::string(kernel)); }

/// What two tables of the same launches contradict each other in, most.
struct Contradiction {
  double share = 0;
  std::string what;

  void look(double ours, double theirs, std::string_view name, std::string_view kernel) {
    const double apart = std::abs(theirs - ours) / std::max(std::abs(ours), std::abs(theirs));
    if (!(apart > share)) return;
    share = apart;
    what = fmt::format("{} of {}: {:.6g} and {:.6g}", name, shown_kernel(kernel), ours, theirs);
  }
};

/// Adds what one table tells of a launch to what another does; true where that is more.
bool merge(const ImportedLaunch& from, ImportedLaunch& to, Contradiction& contradiction) {
  if (from.launches != to.launches)
    throw InputError(
        fmt::format("{} is in a summary, and in a table that is none, or of other "
                    "launches: import them one by one",
                    shown_kernel(to.kernel)));
  if (from.seconds && to.seconds)
    contradiction.look(*to.seconds, *from.seconds, "the time", to.kernel);
  if (!to.seconds) to.seconds = from.seconds;
  bool more = false;
  for (const auto& [name, value] : from.values) {
    const double* known = to.find(name);
    more |= known == nullptr;
    if (known != nullptr)
      contradiction.look(*known, value, name, to.kernel);
    else
      to.values.emplace_back(name, value);
  }
  return more;
}

/// Takes times of a run that counted nothing. A kernel that it launched more or less often keeps
/// its own.
void take_times(const ImportedTable& times, ImportedTable& all, std::vector<std::string>& notes) {
  const auto matches = matches_of(times, all);
  std::map<std::string_view, std::int64_t> others;  // by kernel
  for (const ImportedLaunch& launch : all.launches) --others[launch.kernel];
  for (const ImportedLaunch& launch : times.launches) ++others[launch.kernel];
  for (std::size_t i = 0; i < matches.size(); ++i)
    if (!matches[i]) others[times.launches[i].kernel] = 1;
  for (std::size_t i = 0; i < matches.size(); ++i)
    if (others[times.launches[i].kernel] == 0)
      all.launches[*matches[i]].seconds = times.launches[i].seconds;
  for (const ImportedLaunch& launch : all.launches)
    if (std::exchange(others[launch.kernel], 0) != 0)
      notes.push_back(fmt::format("{} has times of other launches of {}: not taken.",
                                  visible(times.file), shown_kernel(launch.kernel)));
}

void join(ImportedTable& more, ImportedTable& all, std::vector<std::string>& notes) {
  const auto matches = matches_of(more, all);
  const std::size_t before = all.launches.size();
  std::size_t matched = 0;
  bool any_more = false;
  Contradiction contradiction;
  for (std::size_t i = 0; i < matches.size(); ++i) {
    matched += matches[i] ? 1 : 0;
    if (matches[i])
      any_more |= merge(more.launches[i], all.launches[*matches[i]], contradiction);
    else
      all.launches.push_back(std::move(more.launches[i]));
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

const double* ImportedLaunch::find(std::string_view name) const {
  const auto found = std::ranges::find(values, name, &std::pair<std::string_view, double>::first);
  return found == values.end() ? nullptr : &found->second;
}

ImportedTable joined(std::vector<ImportedTable> tables, std::vector<std::string>& notes) {
  std::ranges::stable_partition(tables,
                                [](const ImportedTable& table) { return !table.times_only; });
  ImportedTable all = std::move(tables.front());
  for (std::size_t i = 1; i < tables.size(); ++i)
    tables[i].times_only ? take_times(tables[i], all, notes) : join(tables[i], all, notes);
  return all;
}

std::vector<KernelProfile> by_kernel(ImportedTable& table, decltype(ncu_counts)& counts_of) {
  std::vector<KernelProfile> kernels;
  std::map<std::string_view, std::size_t> places;
  for (ImportedLaunch& launch : table.launches) {
    LaunchCounts counts = counts_of(launch, table);
    const auto [at, is_new] = places.emplace(launch.kernel, kernels.size());
    if (is_new) kernels.emplace_back().name = launch.kernel;
    KernelProfile& kernel = kernels[at->second];
    KernelProfile part;
    part.launches = static_cast<std::int64_t>(launch.launches);
    if (launch.seconds) part.seconds = *launch.seconds * launch.launches;
    for (auto& [name, value] : counts.counters) value *= launch.launches;
    part.counters = std::move(counts.counters);
    part.missing = std::move(counts.missing);
    add_part(part, kernel);
    for (const std::string& note : counts.notes)
      if (std::ranges::find(kernel.notes, note) == kernel.notes.end()) kernel.notes.push_back(note);
  }
  return kernels;
}

}  // namespace roofline
