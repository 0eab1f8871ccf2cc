#include "roofline/page/rooflines.h"

#include <fmt/format.h>

#include <algorithm>

namespace roofline::page {

Html roofline_switches(const std::vector<const RooflineChart*>& charts,
                       const std::string& leading) {
  std::vector<Choice> models, levels;
  bool theoretical = false, parts = false;
  const auto add = [](std::vector<Choice>& choices, const std::string& key,
                      const std::string& label) {
    if (std::ranges::find(choices, key, &Choice::key) == choices.end())
      choices.push_back({key, label});
  };
  for (const RooflineChart* chart : charts) {
    add(models, chart->model.name, chart->model.title);
    for (const std::string& level : chart->levels) add(levels, level, level_label(*chart, level));
    theoretical |= chart->any_theoretical();
    parts |= std::ranges::any_of(chart->steps, &Step::part);
  }
  std::ranges::stable_sort(levels, is_nearer, &Choice::key);
  return one_of("precision", "Operations", models, leading) + some_of("level", "Levels", levels) +
         (theoretical ? on_or_off("theoretical", "Theoretical roofs", true) : Html()) +
         (parts ? on_or_off("part", "Kernels of a variant apart", false) : Html());
}

Html instructions_section(const std::string& id, const std::string& what, const Html& blocks) {
  return section(
      id, "The instruction rooflines",
      fmt::format("Warp instructions per second of each {}, over its instructions per transaction "
                  "of memory. A marker leaves out lanes that were switched off; the dash above it "
                  "has them. Thin flat roofs are units with fewer instructions per cycle than the "
                  "schedulers issue. A wall is the intensity of one pattern of access: loads and "
                  "stores left of the wall of unit stride, or of no conflict, move more than they "
                  "use.",
                  what),
      blocks);
}

}  // namespace roofline::page
