#include "harness/teach/pages.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "harness/program/build_info.h"
#include "harness/program/embedded.h"
#include "harness/teach/glossary.h"
#include "harness/teach/markdown_text.h"
#include "harness/view/ladder.h"
#include "roofline/base/error.h"
#include "roofline/base/terminal.h"
#include "roofline/base/units.h"

namespace gpp {
namespace {

namespace fs = std::filesystem;

embedded::File page_of(const Kernel& kernel) {
  if (kernel.page != nullptr) return kernel.page();
  throw roofline::InputError(fmt::format(
      "there is no page on the kernel {}; it computes {}, and its lessons tell the rest",
      kernel.name, kernel.sentence));
}

/// The folder that contains a page's pictures: relative to the repository's root if that is the
/// current folder, else beside the installed program or in the source tree.
fs::path folder_of_page(const fs::path& page) {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  const fs::path installed = program.parent_path().parent_path() / "share/doc/gpp-study";
  for (const fs::path& root : {fs::path(), installed, fs::path(build_info::source_dir)})
    if (fs::exists(root / page, error)) return (root / page).parent_path();
  return page.parent_path();
}

std::string whole_page(const embedded::File& file, std::size_t width) {
  const std::string text = without_comments(file.text);
  return markdown_text(text, width, folder_of_page(file.path)) + words_text(text, width);
}

bool is_variant(const Kernel& kernel, std::string_view name) {
  const std::vector<Variant>& catalog = kernel.catalog();
  return std::ranges::any_of(catalog, [name](const Variant& variant) {
    return variant.id == name || variant.step == name;
  });
}

std::string where_from(const PublishedLadder& ladder) {
  if (!ladder.published()) return "Ours: what lies between the steps of a default study.";
  return fmt::format("Source: {} (docs/sources.md), on one {}.", ladder.source, ladder.device);
}

std::string commands(const PublishedLadder& ladder) {
  const std::string text = fmt::format(
      "To go up it:         gpp study --ladder {0}\n"
      "A step, with a diff: gpp explain {1}\n",
      ladder.name, ladder.steps.back().variant);
  return ladder.published() ? text + "What came of it:     docs/reproduction.md\n" : text;
}

}  // namespace

std::optional<std::string> page_or_word(const Kernel& kernel, std::string_view name,
                                        std::size_t width) {
  if (is_variant(kernel, name)) return std::nullopt;
  if (name == page_name) return whole_page(page_of(kernel), width);
  if (name == roofline_name) return whole_page(embedded::roofline_primer().front(), width);
  if (const Word* word = find_word(name)) return word_text(*word, width);
  return std::nullopt;
}

std::optional<std::string> ladder_page(const Kernel& kernel, std::string_view name,
                                       std::size_t width, bool colours) {
  const PublishedLadder* ladder = find_ladder(kernel, name);
  if (ladder == nullptr || is_variant(kernel, name)) return std::nullopt;
  const LadderRun run = published_run(*ladder);
  std::string notes;
  for (const LadderRow& row : run.rows)
    for (const std::string& remark : remarks_on(row))
      notes += roofline::paragraph(fmt::format("{}: {}", row.step->label, remark), 4, width);
  const std::string title = fmt::format("Ladder {}: {}", ladder->name, ladder->title);
  return fmt::format(
      "{}\n\n{}\n\n{}\n{}\n{}\n{}", roofline::coloured(title, roofline::Colour::bold, colours),
      roofline::wrapped(where_from(*ladder) + " The first step is the baseline.", width, 0),
      terminal_text(ladder_table(*ladder, run)),
      ladder->published()
          ? roofline::wrapped("gain: over the step before, or the one that it changes. all: over "
                              "the first step. -: not published.",
                              width, 0)
          : "Nothing of it is published.",
      notes, commands(*ladder));
}

std::string ladder_list(const Kernel& kernel, std::size_t width) {
  if (ladders_of(kernel).empty()) return {};
  constexpr std::size_t indent = 12;
  std::string text = "Ladders, for gpp study --ladder NAME and gpp explain NAME:\n";
  for (const PublishedLadder& ladder : ladders_of(kernel))
    text += fmt::format("  {:<10}{}\n", ladder.name,
                        roofline::wrapped(fmt::format("{} steps: {}", ladder.steps.size(),
                                                      title_and_source(ladder)),
                                          width, indent, indent));
  return text;
}

}  // namespace gpp
