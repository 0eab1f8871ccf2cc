#include "roofline/ceilings/levels.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

#include "roofline/statistics.h"

namespace roofline {
namespace {

constexpr std::size_t neighbours = 6;     // points on either side that define a point's noise
constexpr double price_of_plateau = 3.0;  // cost of a plateau, in units of an outlier
constexpr double dearest_point = 2.0;     // highest cost of a point in a plateau
constexpr double smallest_noise = 0.03;   // smallest noise of log(rate) that is assumed
constexpr double largest_noise = 0.10;    // largest noise that is assumed
const double smallest_step = std::log(smallest_fall);
constexpr double infinity = std::numeric_limits<double>::infinity();

/// The noise at each point: the typical distance of it and its neighbours from the lines through
/// their neighbours, so that a slope adds nothing. The end of a sweep, whose memory others use too,
/// may be noisier than its beginning.
std::vector<double> noise_of(const std::vector<double>& heights) {
  std::vector<double> offsets(heights.size(), 0.0);
  for (std::size_t i = 1; i + 1 < heights.size(); ++i)
    offsets[i] = std::abs(heights[i] - 0.5 * (heights[i - 1] + heights[i + 1]));
  std::vector<double> noise;
  for (std::size_t i = 0; i < heights.size(); ++i) {
    const auto first = static_cast<std::ptrdiff_t>(i < neighbours ? 0 : i - neighbours);
    const auto last = static_cast<std::ptrdiff_t>(std::min(i + neighbours + 1, heights.size()));
    const double typical = middle_of({offsets.begin() + first, offsets.begin() + last});
    noise.push_back(std::clamp(2.0 * typical, smallest_noise, largest_noise));
  }
  return noise;
}

/// A flat stretch that may become a plateau.
struct Stretch {
  std::size_t first;
  std::size_t last;
  double height;  ///< median of log(rate) in the stretch
  double cost;
};

std::vector<Stretch> all_stretches(const std::vector<double>& heights) {
  const std::vector<double> noise = noise_of(heights);
  std::vector<Stretch> stretches;
  for (std::size_t first = 0; first + shortest_plateau <= heights.size(); ++first) {
    std::vector<double> points(
        heights.begin() + static_cast<std::ptrdiff_t>(first),
        heights.begin() + static_cast<std::ptrdiff_t>(first + shortest_plateau - 1));
    for (std::size_t last = first + shortest_plateau - 1; last < heights.size(); ++last) {
      points.push_back(heights[last]);
      const double height = middle_of(points);
      double cost = price_of_plateau;
      for (std::size_t i = first; i <= last; ++i) {
        const double offset = (heights[i] - height) / noise[i];
        cost += std::min(offset * offset, dearest_point);
      }
      stretches.push_back({first, last, height, cost});
    }
  }
  return stretches;
}

/// A stretch with the best choice of earlier stretches.
struct Chain {
  double cost = infinity;      ///< cost of all points up to the end of the stretch
  std::ptrdiff_t before = -1;  ///< index of the previous stretch, or -1
};

/// The cheapest chain that ends in stretch s; `before` ends in each with one plateau less.
Chain chain_to(std::size_t s, const std::vector<Stretch>& stretches,
               const std::vector<Chain>& before) {
  const Stretch& last = stretches[s];
  if (before.empty()) return {static_cast<double>(last.first) + last.cost, -1};
  Chain best;
  for (std::size_t p = 0; p < stretches.size() && stretches[p].first < last.first; ++p) {
    if (stretches[p].last >= last.first || stretches[p].height < last.height + smallest_step)
      continue;
    const auto outside = static_cast<double>(last.first - stretches[p].last - 1);
    const double cost = before[p].cost + outside + last.cost;
    if (cost < best.cost) best = {cost, static_cast<std::ptrdiff_t>(p)};
  }
  return best;
}

std::vector<Stretch> cheapest(const std::vector<Stretch>& stretches, std::size_t points,
                              int levels) {
  std::vector<std::vector<Chain>> chains;  // indexed by number of plateaus minus one
  double best = static_cast<double>(points);
  std::vector<Stretch> chosen;
  for (int level = 0; level < levels; ++level) {
    std::vector<Chain> next;
    for (std::size_t s = 0; s < stretches.size(); ++s)
      next.push_back(chain_to(s, stretches, level == 0 ? std::vector<Chain>() : chains.back()));
    chains.push_back(std::move(next));
    for (std::size_t s = 0; s < stretches.size(); ++s) {
      const auto outside = static_cast<double>(points - 1 - stretches[s].last);
      if (chains.back()[s].cost + outside >= best) continue;
      best = chains.back()[s].cost + outside;
      chosen.clear();
      auto at = s;
      for (auto chain = chains.rbegin(); chain != chains.rend(); ++chain) {
        chosen.insert(chosen.begin(), stretches[at]);
        at = static_cast<std::size_t>((*chain)[at].before);
      }
    }
  }
  return chosen;
}

using Sweep = std::vector<SweepPoint>;
using Levels = std::vector<LevelDescription>;

/// The level of a plateau after the first one: `next` or a later one, such that enough levels
/// remain for the `behind` plateaus after it.
std::size_t level_of(const Plateau& plateau, const Sweep& sweep, const Levels& levels,
                     std::size_t next, std::size_t behind) {
  const std::size_t last = levels.size() - 1;
  if (behind == 0 && 8 * sweep[plateau.last].bytes >= sweep.back().bytes) return last;
  // The last level's plateau was not found, or comes after this one.
  const std::size_t latest = std::max(next, last - std::max<std::size_t>(behind, 1));
  const double middle = std::sqrt(sweep[plateau.first].bytes * sweep[plateau.last].bytes);
  std::size_t level = next;
  while (level < latest && levels[level].capacity > 0 && middle > levels[level].capacity) ++level;
  return level;
}

/// A roof of that level. Its sweep is the points from `begin` to before `end`.
Ceiling ceiling_of(const LevelDescription& level, double rate, const Sweep& sweep,
                   std::size_t begin, std::size_t end) {
  const auto at = [&sweep](std::size_t i) {
    return sweep.begin() + static_cast<std::ptrdiff_t>(i);
  };
  return {level.name, level.label, CeilingKind::bandwidth, rate, level.theoretical,
          0,          "",          {at(begin), at(end)}};
}

std::vector<Ceiling> ceilings_of_plateaus(const Sweep& sweep, const Levels& levels) {
  const std::vector<Plateau> plateaus = find_plateaus(sweep, static_cast<int>(levels.size()));
  std::vector<Ceiling> ceilings;
  std::size_t next = 0;   // index of the next level
  std::size_t begin = 0;  // index of the first point
  for (std::size_t i = 0; i < plateaus.size(); ++i) {
    const std::size_t behind = plateaus.size() - 1 - i;
    const std::size_t level = i == 0 ? 0 : level_of(plateaus[i], sweep, levels, next, behind);
    const std::size_t end = behind == 0 ? sweep.size() : plateaus[i].last + 1;
    ceilings.push_back(ceiling_of(levels[level], plateaus[i].rate, sweep, begin, end));
    next = level + 1;
    begin = end;
  }
  return ceilings;
}

/// The median, if there are enough rates for a plateau.
std::optional<double> rate_of(const Sweep& own) {
  std::vector<double> rates;
  for (const SweepPoint& point : own)
    if (point.rate > 0 && std::isfinite(point.rate)) rates.push_back(point.rate);
  if (rates.size() < shortest_plateau) return std::nullopt;
  return middle_of(std::move(rates));
}

/// Finds ceilings for a level `level` whose own working sets are known.
std::vector<Ceiling> ceilings_around(const Sweep& sweep, const Levels& levels,
                                     Levels::const_iterator level) {
  const auto first =
      std::ranges::find_if(sweep, [&](const auto& point) { return point.bytes >= level->from; });
  const auto behind = std::find_if(
      first, sweep.end(), [&](const auto& point) { return point.bytes > level->capacity; });
  const Sweep own(first, behind);
  std::vector<Ceiling> ceilings =
      ceilings_of_plateaus({sweep.begin(), first}, {levels.begin(), level});
  std::vector<Ceiling> farther =
      ceilings_of_plateaus({behind, sweep.end()}, {std::next(level), levels.end()});
  const std::optional<double> rate = rate_of(own);
  if (rate && (farther.empty() || *rate >= smallest_fall * farther.front().measured))
    ceilings.push_back(ceiling_of(*level, *rate, own, 0, own.size()));
  else if (!farther.empty())
    farther.front().sweep.insert(farther.front().sweep.begin(), own.begin(), own.end());
  std::ranges::move(farther, std::back_inserter(ceilings));
  return ceilings;
}

}  // namespace

std::vector<Plateau> find_plateaus(const std::vector<SweepPoint>& sweep, int levels) {
  std::vector<double> heights;
  std::vector<std::size_t> places;  // indices of points in the sweep
  for (std::size_t i = 0; i < sweep.size(); ++i) {
    if (!(sweep[i].rate > 0) || !std::isfinite(sweep[i].rate)) continue;
    heights.push_back(std::log(sweep[i].rate));
    places.push_back(i);
  }
  std::vector<Plateau> plateaus;
  for (const Stretch& stretch : cheapest(all_stretches(heights), heights.size(), levels))
    plateaus.push_back({places[stretch.first], places[stretch.last], std::exp(stretch.height)});
  return plateaus;
}

std::vector<Ceiling> ceilings_of_sweep(const std::vector<SweepPoint>& sweep,
                                       const std::vector<LevelDescription>& levels,
                                       double clock_mhz, const std::string& definition) {
  const auto known = std::ranges::find_if(
      levels, [](const LevelDescription& level) { return level.from > 0 && level.capacity > 0; });
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
