#include "harness/teach/ladder_page.h"

#include <fmt/format.h>

#include "roofline/base/table.h"
#include "roofline/base/terminal.h"

namespace gpp {
namespace {

std::string times(std::optional<double> factor) {
  return factor ? fmt::format("{:.2f}x", *factor) : "-";
}

/// Numbers of the steps, as far as they were published.
roofline::Table table_of(const PublishedLadder& ladder) {
  using enum roofline::Table::Align;
  roofline::Table table({{"step", left},
                         {"variant", left},
                         {"what changes", left},
                         {ladder.device, right},
                         {"gain", right},
                         {"all", right}});
  for (const LadderStep& step : ladder.steps)
    table.add({step.label, step.variant, step.change,
               step.seconds ? fmt::format("{:.2f} s", *step.seconds) : "-", times(step.gain),
               times(step.speedup)});
  return table;
}

/// What was published in words, what a step changes if not the one before, what is taken for
/// granted.
std::string notes_on(const LadderStep& step, std::size_t width) {
  std::string text;
  const auto note = [&](const std::string& what) {
    text += roofline::wrapped(fmt::format("{}: {}", step.label, what), width, 4) + "\n";
  };
  if (!step.over.empty()) note(fmt::format("changes {}", step.over));
  if (!step.told.empty()) note("published: " + step.told);
  if (!step.ours.empty()) note("taken for granted here: " + step.ours);
  return text;
}

std::string commands(const Kernel& kernel, const PublishedLadder& ladder) {
  const std::string of_kernel =
      &kernel == kernels().front() ? "" : fmt::format(" --kernel {}", kernel.name);
  return fmt::format(
      "To go up it:         gpp study --ladder {0}{2}\n"
      "A step, with a diff: gpp explain {1}{2}\n"
      "What came of it:     docs/reproduction.md\n",
      ladder.name, ladder.steps.back().variant, of_kernel);
}

}  // namespace

std::optional<std::string> ladder_page(const Kernel& kernel, std::string_view name,
                                       std::size_t width, bool colours) {
  const PublishedLadder* ladder = find_ladder(kernel, name);
  if (ladder == nullptr) return std::nullopt;
  for (const Variant& variant : kernel.catalog())
    if (variant.id == name || variant.step == name) return std::nullopt;
  std::string notes;
  for (const LadderStep& step : ladder->steps) notes += notes_on(step, width);
  const std::string title = fmt::format("Ladder {}: {}", ladder->name, ladder->title);
  return fmt::format(
      "{}\n\n{}\n\n{}\n{}\n{}\n{}", roofline::coloured(title, roofline::Colour::bold, colours),
      roofline::wrapped(fmt::format("Source: {} (docs/sources.md), on one {}. The first step is "
                                    "the baseline.",
                                    ladder->source, ladder->device),
                        width, 0),
      table_of(*ladder).text(),
      roofline::wrapped("gain: over the step before, or the one that it changes. all: over the "
                        "first step. -: not published.",
                        width, 0),
      notes, commands(kernel, *ladder));
}

std::string ladder_list(const Kernel& kernel, std::size_t width) {
  if (ladders_of(kernel).empty()) return {};
  constexpr std::size_t indent = 12;
  std::string text = "Published ladders, for gpp study --ladder NAME and gpp explain NAME:\n";
  for (const PublishedLadder& ladder : ladders_of(kernel))
    text += fmt::format("  {:<10}{}\n", ladder.name,
                        roofline::wrapped(fmt::format("{} steps: {} ({})", ladder.steps.size(),
                                                      ladder.title, ladder.source),
                                          width, indent, indent));
  return text;
}

}  // namespace gpp
