#include "harness/teach/explanation.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "harness/program/build_info.h"
#include "harness/program/catalog.h"
#include "harness/program/embedded.h"
#include "harness/program/selection.h"
#include "harness/program/source_diff.h"
#include "harness/teach/lessons.h"
#include "harness/teach/markdown_text.h"
#include "harness/view/columns.h"
#include "roofline/base/table.h"
#include "roofline/base/text.h"
#include "roofline/view/lines.h"

namespace gpp {
namespace {

namespace fs = std::filesystem;

std::string bold(const std::string& text, const ExplanationStyle& style) {
  return roofline::coloured(text, roofline::Colour::bold, style.colours);
}

std::string title_of(const Variant& variant, const ExplanationStyle& style) {
  const std::string name =
      variant.id == variant.step ? variant.id : fmt::format("{}, {}", variant.id, variant.step);
  return bold(fmt::format("{} ({})", name, variant.model), style) + "\n";
}

std::string section(const std::string& title, const std::string& markdown,
                    const ExplanationStyle& style) {
  if (markdown.empty()) return {};
  return fmt::format("\n{}\n\n{}", bold(title, style), markdown_text(markdown, style.width));
}

std::string kind_for(const Variant& variant) {
  const Choice choice = choose(variant);
  return choice.build == nullptr ? "gpu" : choice.build->kind;
}

/// The comment at the start of a source.
std::string comment_of(const Variant& variant) {
  std::string comment;
  std::istringstream stream(top_comment(text_of(variant)));
  for (std::string line; std::getline(stream, line);)
    comment +=
        line.substr(std::min<std::size_t>(line.size(), line.starts_with("// ") ? 3 : 2)) + "\n";
  return comment;
}

std::string line_text(const DiffLine& line, bool colours) {
  using enum roofline::Colour;
  if (line.kind == '@') return roofline::coloured(line.text, yellow, colours) + "\n";
  if (line.kind == ' ') return " " + line.text + "\n";
  return roofline::coloured(line.kind + line.text, line.kind == '-' ? red : green, colours) + "\n";
}

std::string diffs_text(const Kernel& kernel, const Variant& variant, bool colours) {
  if (variant.source.ends_with(".md"))
    return fmt::format("\nThe model {} has no such step: {}.\n", variant.model, variant.reason);
  std::string text;
  for (const FileDiff& diff : source_diff(kernel, variant)) {
    text += fmt::format("\n--- {}\n+++ {}\n", diff.before, diff.after);
    for (const DiffLine& line : diff.lines) text += line_text(line, colours);
  }
  return text.empty() ? fmt::format("\nIts source changes nothing of another: {}\n", variant.source)
                      : text;
}

/// Whether a section of a lesson is of interest on that kind of device.
bool is_for(const Variant& variant, const std::string& kind, const std::string& title) {
  if (title == "On a host") return kind == "host";
  if (title == "In OpenMP") return kind == "gpu" && variant.model == "omp";
  return kind == "gpu" || !title.starts_with("On a");
}

/// The published lines of the previous step and of this one, with samples and top stalls; "" if
/// there are none.
std::string published_lines(const Kernel& kernel, const Variant& variant) {
  if (kernel.published == nullptr) return {};
  using enum roofline::Align;
  roofline::Table table = roofline::plain_table(
      {{"line", left}, {"samples", right}, {"stalls", left}, {"source", left}});
  const Published& published = kernel.published();
  const Variant* before = predecessor(kernel.catalog(), variant);
  for (const PublishedLine& line : published.lines) {
    if (line.version != variant.id && (before == nullptr || line.version != before->id)) continue;
    const bool of_all = line.stalls_of == "samples";
    const roofline::Events stalls(line.stalls.begin(), line.stalls.end());
    std::string reasons =
        line.stalls_of.empty()
            ? ""
            : roofline::top_reasons(stalls, of_all ? line.samples : line.not_issued);
    if (!of_all && !reasons.empty()) reasons += " of those not issued";
    table.add({fmt::format("{} {}, line {}", published.lines_label, line.version, line.line),
               roofline::with_commas(line.samples), reasons,
               roofline::trimmed_source(line.source, 56)});
  }
  return table.rows.empty() ? "" : "\n" + terminal_text(table);
}

std::string how_to_run(const Variant& variant) {
  const Choice choice = choose(variant);
  if (choice.build == nullptr) return fmt::format("\nIt does not run here: {}.\n", choice.reason);
  return fmt::format("\nTo run it: {} run {} --model {}\n", program_name(), variant.id,
                     variant.model);
}

// ---- What is no variant -------------------------------------------------------------------------

embedded::File page_of(const Kernel& kernel) {
  if (kernel.page != nullptr) return kernel.page();
  throw roofline::InputError(fmt::format(
      "there is no page on the kernel {}; it computes {}, and its lessons tell the rest",
      kernel.name, kernel.sentence));
}

/// The page with paths of its pictures: from the repository's root if that is the current folder,
/// else beside the installed program or in the source tree.
std::string page_text(const embedded::File& page, std::size_t width) {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  const fs::path installed = program.parent_path().parent_path() / "share/doc/gpp-study";
  fs::path folder = fs::path(page.path).parent_path();
  for (const fs::path& root : {fs::path(build_info::source_dir), installed, fs::path()})
    if (fs::exists(root / page.path, error)) folder = (root / page.path).parent_path();
  static const roofline::Pattern pictures("\\]\\(images/");
  return markdown_text(
      pictures.replaced(without_comments(page.text), fmt::format("]({}/images/", folder.string())),
      width);
}

bool is_variant(const Kernel& kernel, std::string_view name) {
  const std::vector<Variant>& catalog = kernel.catalog();
  return std::ranges::any_of(catalog, [name](const Variant& variant) {
    return variant.id == name || variant.step == name;
  });
}

std::string ladder_page(const PublishedLadder& ladder, std::size_t width) {
  const bool published = ladder.published();
  const LadderRun run = published_run(ladder);
  std::string text = fmt::format("Ladder {}: {}\n\n", ladder.name, ladder.title);
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

std::string before_the_answer(const Kernel& kernel, const Variant& variant,
                              const ExplanationStyle& style) {
  std::string text = title_of(variant, style);
  const Lesson* lesson = find_lesson(kernel, variant.step);
  if (lesson == nullptr) return text + section("Idea", comment_of(variant), style);
  for (const char* title : {"Idea", "What changes", "Predict"})
    text += section(title, text_for(kind_for(variant), lesson->text(title)), style);
  return text;
}

std::string explanation_of(const Kernel& kernel, const Variant& variant,
                           const ExplanationStyle& style) {
  const std::string kind = kind_for(variant);
  const std::string diffs = diffs_text(kernel, variant, style.colours);
  const Lesson* lesson = find_lesson(kernel, variant.step);
  if (lesson == nullptr)
    return before_the_answer(kernel, variant, style) + diffs + how_to_run(variant);
  std::string text = title_of(variant, style);
  for (const auto& [title, markdown] : lesson->sections) {
    if (!is_for(variant, kind, title)) continue;
    text += section(title, text_for(kind, markdown), style);
    if (title == "What changes") text += diffs;
    if (title == "On a V100") text += published_lines(kernel, variant);
  }
  return text + how_to_run(variant);
}

std::optional<std::string> page_called(const Kernel& kernel, std::string_view name,
                                       std::size_t width) {
  if (is_variant(kernel, name)) return std::nullopt;
  if (name == "kernel") return page_text(page_of(kernel), width);
  if (name == "roofline") return page_text(embedded::roofline_primer().front(), width);
  if (const Word* word = find_word(name))
    return fmt::format("{}\n\n{}", fmt::join(word->names, ", "),
                       markdown_text(word->meaning, width));
  if (const PublishedLadder* ladder = find_ladder(kernel, name)) return ladder_page(*ladder, width);
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
