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

std::string ladder_page(const PublishedLadder& ladder, std::size_t width, bool colours) {
  const bool published = ladder.published();
  const LadderRun run = published_run(ladder);
  const std::string title = fmt::format("Ladder {}: {}", ladder.name, ladder.title);
  std::string text = roofline::coloured(title, roofline::Colour::bold, colours) + "\n\n";
  text += roofline::paragraph(
      (published
           ? fmt::format("Source: {} (docs/sources.md), on one {}.", ladder.source, ladder.device)
           : "Ours: what lies between the steps of a default study. Nothing of it is "
             "published.") +
          " The first step is the baseline.",
      0, width);
  text += "\n" + terminal_text(ladder_table(ladder, run)) + "\n";
  if (published)
    text += roofline::paragraph(
        "gain: over the step before, or the one that it changes. all: over the first step. -: not "
        "published.",
        0, width);
  for (const LadderRow& row : run.rows)
    for (const std::string& remark : remarks_on(row))
      text += roofline::paragraph(fmt::format("{}: {}", row.step->label, remark), 4, width);
  text += fmt::format(
      "\nTo go up it:         gpp study --ladder {}\nA step, with a diff: gpp explain {}\n",
      ladder.name, ladder.steps.back().variant);
  return published ? text + "What came of it:     docs/reproduction.md\n" : text;
}

}  // namespace

std::optional<std::string> page_called(const Kernel& kernel, std::string_view name,
                                       std::size_t width, bool colours) {
  if (is_variant(kernel, name)) return std::nullopt;
  if (name == "kernel") return whole_page(page_of(kernel), width);
  if (name == "roofline") return whole_page(embedded::roofline_primer().front(), width);
  if (const Word* word = find_word(name)) return word_text(*word, width);
  if (const PublishedLadder* ladder = find_ladder(kernel, name))
    return ladder_page(*ladder, width, colours);
  return std::nullopt;
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
