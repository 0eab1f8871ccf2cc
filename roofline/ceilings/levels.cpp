#include "roofline/ceilings/levels.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace roofline {
namespace {

/// The level of a plateau behind the first one: `next` or one after it, so that as many levels stay
/// as `behind` plateaus that come after this one.
std::size_t level_of(const Plateau& plateau, const std::vector<SweepPoint>& sweep,
                     const std::vector<LevelDescription>& levels, std::size_t next,
                     std::size_t behind) {
  const std::size_t last = levels.size() - 1;
  if (behind == 0 && 8 * sweep[plateau.last].bytes >= sweep.back().bytes) return last;
  // The last level's plateau has not been found, or comes after this one.
  const std::size_t latest = std::max(next, last - std::max<std::size_t>(behind, 1));
  const double middle = std::sqrt(sweep[plateau.first].bytes * sweep[plateau.last].bytes);
  std::size_t level = next;
  while (level < latest && levels[level].capacity > 0 && middle > levels[level].capacity) ++level;
  return level;
}

/// A roof of that level, its sweep being the points from `begin` to before `end`.
Ceiling ceiling_of(const LevelDescription& level, const Plateau& plateau,
                   const std::vector<SweepPoint>& sweep, std::size_t begin, std::size_t end) {
  Ceiling ceiling;
  ceiling.name = level.name;
  ceiling.label = level.label;
  ceiling.kind = CeilingKind::bandwidth;
  ceiling.measured = plateau.rate;
  ceiling.theoretical = level.theoretical;
  ceiling.sweep.assign(sweep.begin() + static_cast<std::ptrdiff_t>(begin),
                       sweep.begin() + static_cast<std::ptrdiff_t>(end));
  return ceiling;
}

using Sweep = std::vector<SweepPoint>;
using Levels = std::vector<LevelDescription>;

std::vector<Ceiling> ceilings_of_plateaus(const Sweep& sweep, const Levels& levels) {
  const std::vector<Plateau> plateaus = find_plateaus(sweep, static_cast<int>(levels.size()));
  std::vector<Ceiling> ceilings;
  std::size_t next = 0;   // level
  std::size_t begin = 0;  // point
  for (std::size_t i = 0; i < plateaus.size(); ++i) {
    const std::size_t behind = plateaus.size() - 1 - i;
    const std::size_t level = i == 0 ? 0 : level_of(plateaus[i], sweep, levels, next, behind);
    const std::size_t end = behind == 0 ? sweep.size() : plateaus[i].last + 1;
    ceilings.push_back(ceiling_of(levels[level], plateaus[i], sweep, begin, end));
    next = level + 1;
    begin = end;
  }
  return ceilings;
}

/// The median, if there are as many rates as a plateau needs points.
std::optional<double> rate_of(const Sweep& own) {
  std::vector<double> rates;
  for (const SweepPoint& point : own)
    if (point.rate > 0 && std::isfinite(point.rate)) rates.push_back(point.rate);
  if (rates.size() < shortest_plateau) return std::nullopt;
  const auto half = rates.begin() + static_cast<std::ptrdiff_t>(rates.size() / 2);
  std::nth_element(rates.begin(), half, rates.end());
  return *half;
}

/// `level` is that whose own sets are known.
std::vector<Ceiling> ceilings_around(const Sweep& sweep, const Levels& levels,
                                     Levels::const_iterator level) {
  const auto first = std::find_if(sweep.begin(), sweep.end(),
                                  [&](const auto& point) { return point.bytes >= level->from; });
  const auto behind = std::find_if(
      first, sweep.end(), [&](const auto& point) { return point.bytes > level->capacity; });
  const Sweep own(first, behind);
  std::vector<Ceiling> ceilings =
      ceilings_of_plateaus({sweep.begin(), first}, {levels.begin(), level});
  std::vector<Ceiling> farther =
      ceilings_of_plateaus({behind, sweep.end()}, {std::next(level), levels.end()});
  const std::optional<double> rate = rate_of(own);
  if (rate && (farther.empty() || *rate >= smallest_fall * farther.front().measured))
    ceilings.push_back(ceiling_of(*level, {0, own.size() - 1, *rate}, own, 0, own.size()));
  else if (!farther.empty())
    farther.front().sweep.insert(farther.front().sweep.begin(), own.begin(), own.end());
  std::move(farther.begin(), farther.end(), std::back_inserter(ceilings));
  return ceilings;
}

}  // namespace

std::vector<Ceiling> ceilings_of_sweep(const std::vector<SweepPoint>& sweep,
                                       const std::vector<LevelDescription>& levels,
                                       double clock_mhz, const std::string& definition) {
  const auto known = std::find_if(levels.begin(), levels.end(), [](const LevelDescription& level) {
    return level.from > 0 && level.capacity > 0;
  });
  std::vector<Ceiling> ceilings = known == levels.end() ? ceilings_of_plateaus(sweep, levels)
                                                        : ceilings_around(sweep, levels, known);
  for (Ceiling& ceiling : ceilings) {
    ceiling.clock_mhz = clock_mhz;
    ceiling.definition = definition;
  }
  return ceilings;
}

void add_bandwidths(Ceilings& ceilings, const std::vector<SweepPoint>& sweep,
                    const std::vector<LevelDescription>& levels, double clock_mhz,
                    const std::string& definition) {
  for (Ceiling& ceiling : ceilings_of_sweep(sweep, levels, clock_mhz, definition))
    ceilings.list.push_back(std::move(ceiling));
  for (const LevelDescription& level : levels)
    if (ceilings.find(level.name) == nullptr)
      ceilings.missing.push_back(
          {level.name, "the sweep of working sets shows no plateau of " + level.label});
}

}  // namespace roofline
