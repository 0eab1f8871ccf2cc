#include "harness/command/option_values.h"

#include <algorithm>
#include <set>

#include "roofline/base/error.h"
#include "roofline/base/text.h"
#include "roofline/base/visible.h"

namespace gpp {

std::vector<TrajectorySize> trajectory_sizes(const Kernel& kernel,
                                             const std::vector<std::string>& words,
                                             std::uint64_t seed) {
  std::vector<TrajectorySize> sizes;
  for (const std::string& word : words) {
    if (word.empty()) throw roofline::InputError("--sizes: one of the names is empty");
    TrajectorySize size{word, {}};
    size.source.seed = seed;
    const bool preset = std::ranges::any_of(
        kernel.presets, [&word](const PresetName& one) { return one.name == word; });
    if (preset)
      size.source.preset = word;
    else
      size.source.file = word;
    if (std::ranges::any_of(sizes, [&word](const TrajectorySize& one) { return one.name == word; }))
      throw roofline::InputError(
          fmt::format("--sizes: '{}' is named twice", roofline::visible(word)));
    if (!preset) try {
        SourceRequest look = size.source;
        look.most_judged = 1;  // without its reference, which takes its time
        kernel.obtain(look);
      } catch (const roofline::InputError& error) {
        std::vector<std::string> names;
        for (const PresetName& one : kernel.presets) names.push_back(one.name);
        throw roofline::InputError(fmt::format(
            "--sizes: {} Nor is it an input: {}",
            roofline::unknown_name("preset", roofline::visible(word), names), error.what()));
      }
    sizes.push_back(std::move(size));
  }
  if (sizes.empty()) sizes.push_back({"default", {{}, "", seed, 0}});
  return sizes;
}

std::vector<int> trajectory_units(const std::vector<std::string>& words, const std::string& kind,
                                  int all) {
  std::set<int> units;
  for (const std::string& word : words) {
    int number = 0;
    if (!parse_whole(word, number) || number < 1 || number > all)
      throw roofline::InputError(fmt::format(
          "--units: '{}' is not a whole number from 1 to {}, the {} that there are here",
          roofline::visible(word), all, units_name(kind)));
    units.insert(number);
  }
  if (!words.empty()) return {units.begin(), units.end()};
  if (kind == "gpu") {
    units.insert(std::min(8, all));
    for (int number = 16; number < all - 8; number += 16) units.insert(number);
  } else {
    for (int number = 1; number < all; number *= 2) units.insert(number);
  }
  units.insert(all);
  return {units.begin(), units.end()};
}

}  // namespace gpp
