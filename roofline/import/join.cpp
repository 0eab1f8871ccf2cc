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

bool all_shaped(const ImportedTable& table, const Names& names) {
  return std::ranges::none_of(table.launches, [&names](const ImportedLaunch& launch) {
    return names[launch.shape].empty();
  });
}

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
                                                   const ImportedTable& all, bool by_shape) {
  std::vector<std::optional<std::size_t>> matches(more.launches.size());
  const Groups here = groups_of(all, by_shape);
  for (const auto& [key, theirs] : groups_of(more, by_shape)) {
    const auto found = here.find(key);
    if (found == here.end()) continue;
    const std::vector<std::size_t>& ours = found->second;
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

/// Joins a table to those before it.
class Join {
 public:
  Join(ImportedTable& all, ImportedTable& more, const Names& names)
      : all_(all), more_(more), names_(names) {}

  void join(std::vector<std::string>& notes) {
    const bool by_shape = all_shaped(all_, names_) && all_shaped(more_, names_);
    const auto matches = matches_of(more_, all_, by_shape);
    if (more_.times_only) return take_times(matches, notes);
    for (std::size_t i = 0; i < matches.size(); ++i)
      if (matches[i]) merge(more_.launches[i], all_.launches[*matches[i]]);
    if (worst_ && !any_new_)
      throw InputError(fmt::format(
          "{}: the same counters of the same launches as in {}, with other values ({}): a second "
          "run, or another rank; import them one by one",
          visible(more_.file), visible(all_.file), difference()));
    tell(matches, notes);
    for (std::size_t i = 0; i < matches.size(); ++i)
      if (!matches[i]) all_.launches.push_back(std::move(more_.launches[i]));
    all_.bad.merge(more_.bad);
    all_.devices.merge(more_.devices);
  }

 private:
  struct Difference {
    double share = 0, ours = 0, theirs = 0;
    std::string what;
  };

  void compare(double ours, double theirs, const std::string& what, const ImportedLaunch& launch) {
    const double share = std::abs(theirs - ours) / std::max(std::abs(ours), std::abs(theirs));
    if (!(share > (worst_ ? worst_->share : 0))) return;
    worst_ = {share, ours, theirs,
              fmt::format("{} of {}", visible(what), visible(short_name(names_[launch.kernel])))};
  }

  void merge(const ImportedLaunch& from, ImportedLaunch& to) {
    if (from.launches != to.launches)
      throw InputError(fmt::format(
          "{}: a summary, and {} is none, or one of other launches: import them one by one",
          visible(from.launches > 1 ? more_.file : all_.file),
          visible(from.launches > 1 ? all_.file : more_.file)));
    if (from.seconds && to.seconds) compare(*to.seconds, *from.seconds, "the time", to);
    if (!to.seconds) to.seconds = from.seconds;
    for (const auto& [name, value] : from.values) {
      const double* known = to.find(name);
      if (known == nullptr) {
        to.values.emplace_back(name, value);
        any_new_ = true;
      } else {
        compare(*known, value, names_[name], to);
      }
    }
  }

  /// Times of a run that counted nothing. A kernel keeps its own where some have no counterpart.
  void take_times(const std::vector<std::optional<std::size_t>>& matches,
                  std::vector<std::string>& notes) {
    std::map<std::size_t, std::size_t> wanted, found;  // by kernel
    for (const ImportedLaunch& launch : all_.launches) ++wanted[launch.kernel];
    for (std::size_t i = 0; i < matches.size(); ++i)
      if (matches[i]) ++found[more_.launches[i].kernel];
    for (std::size_t i = 0; i < matches.size(); ++i)
      if (const std::size_t kernel = more_.launches[i].kernel;
          matches[i] && found[kernel] == wanted[kernel])
        all_.launches[*matches[i]].seconds = more_.launches[i].seconds;
    for (const auto& [kernel, count] : wanted)
      if (found[kernel] != count)
        notes.push_back(fmt::format("{} has times of {} of the {} launches of {}: not taken.",
                                    visible(more_.file), found[kernel], count,
                                    visible(short_name(names_[kernel]))));
  }

  std::string difference() const {
    return fmt::format("{}: {:.6g}, there {:.6g}", worst_->what, worst_->theirs, worst_->ours);
  }

  void tell(const std::vector<std::optional<std::size_t>>& matches,
            std::vector<std::string>& notes) const {
    const auto matched = static_cast<std::size_t>(
        std::ranges::count_if(matches, [](const auto& match) { return match.has_value(); }));
    const std::size_t alone = matches.size() - matched;
    if (worst_)
      notes.push_back(fmt::format(
          "{} and {} contradict each other by up to {} ({}): what the first one says counts.",
          visible(all_.file), visible(more_.file), percent_text(100 * worst_->share),
          difference()));
    if (matched > 0 && (alone > 0 || matched != all_.launches.size()))
      notes.push_back(
          fmt::format("{} launches are in {} and in what is read before it, {} in it "
                      "alone: what not all have is missing.",
                      matched, visible(more_.file), alone));
  }

  ImportedTable& all_;
  ImportedTable& more_;
  const Names& names_;
  std::optional<Difference> worst_;
  bool any_new_ = false;
};

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
  std::ranges::stable_partition(tables,
                                [](const ImportedTable& table) { return !table.times_only; });
  ImportedTable all = std::move(tables.front());
  for (std::size_t i = 1; i < tables.size(); ++i) Join(all, tables[i], names).join(notes);
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
