#include "harness/teach/explanation.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "harness/program/catalog.h"
#include "harness/program/selection.h"
#include "harness/program/source_files.h"
#include "harness/teach/glossary.h"
#include "harness/teach/markdown_text.h"
#include "harness/view/columns.h"
#include "harness/view/outcome.h"
#include "roofline/base/terminal.h"
#include "roofline/base/text.h"
#include "roofline/base/visible.h"
#include "roofline/view/lines.h"

namespace gpp {
namespace {

std::string heading(std::string_view title, const ExplanationStyle& style) {
  return fmt::format("\n{}\n\n", roofline::coloured(title, roofline::Colour::bold, style.colours));
}

std::string section(std::string_view title, std::string_view markdown,
                    const ExplanationStyle& style) {
  if (markdown.empty()) return {};
  return heading(title, style) + markdown_text(markdown, style.width) +
         (style.words ? words_text(markdown, style.width) : "");
}

std::string line_text(const DiffLine& line, bool colours) {
  using enum roofline::Colour;
  if (line.kind == '@') return roofline::coloured(line.text, yellow, colours) + "\n";
  if (line.kind == ' ') return " " + line.text + "\n";
  return roofline::coloured(line.kind + line.text, line.kind == '-' ? red : green, colours) + "\n";
}

/// Long diffs are folded; a fold hides at least a few lines.
std::string diff_text(const FileDiff& diff, const Explanation& explanation,
                      const ExplanationStyle& style) {
  constexpr std::size_t most = 60, least_hidden = 10;
  const std::size_t all = diff.lines.size();
  const std::size_t shown = style.whole_diffs || all < most + least_hidden ? all : most;
  std::string text = roofline::coloured(fmt::format("--- {}\n+++ {}", diff.before, diff.after),
                                        roofline::Colour::bold, style.colours) +
                     "\n";
  for (std::size_t i = 0; i < shown; ++i) text += line_text(diff.lines[i], style.colours);
  if (shown == all) return text;
  return text + roofline::coloured(fmt::format("... {} more lines: {}\n", all - shown,
                                               explain_command(explanation, " --diff")),
                                   roofline::Colour::cyan, style.colours);
}

/// The reason why there is no diff.
std::string no_diff(const Explanation& explanation) {
  const Variant& variant = *explanation.variant;
  if (variant.source.ends_with(".md"))
    return fmt::format("The model {} has no such step: {}.", variant.model, variant.reason);
  if (explanation.before == nullptr)
    return fmt::format("No variant of the model {} comes before it: see {}.", variant.model,
                       variant.source);
  return fmt::format("{} is still the same as {}.", variant.source, explanation.before->source);
}

std::string diffs_text(const Explanation& explanation, const ExplanationStyle& style) {
  std::string text;
  for (const FileDiff& diff : explanation.diffs) text += "\n" + diff_text(diff, explanation, style);
  if (!text.empty()) return text;
  return fmt::format("\n{}\n", roofline::wrapped(no_diff(explanation), style.width, 0));
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

std::string title(const Explanation& explanation, const ExplanationStyle& style) {
  const Variant& variant = *explanation.variant;
  const std::string name =
      variant.id == variant.step ? variant.id : fmt::format("{}, {}", variant.id, variant.step);
  return roofline::coloured(fmt::format("{} ({})\n", name, variant.model), roofline::Colour::bold,
                            style.colours);
}

/// The causes that limit the variant, and its hottest lines.
std::string evidence_text(const LastStudy& study, const ExplanationStyle& style) {
  constexpr std::size_t lines_told = 5, source_width = 56;
  const Result& result = study.result();
  std::string text;
  if (const auto advice = advice_on(study.study, result);
      advice && advice->first.cause.binding != roofline::Binding::unknown) {
    text += heading("What binds it", style);
    for (const std::string& sentence : advice_sentences(*advice))
      text += roofline::paragraph(sentence, 0, style.width);
  }
  if (result.lines) {
    LinesRecord lines = *result.lines;
    lines.counted.clear();  // no columns of counts
    text += heading("Its hottest lines", style) +
            terminal_text(roofline::hottest_table(lines, lines_told, source_width));
  }
  return text;
}

std::string last_study_text(const Explanation& explanation, const ExplanationStyle& style) {
  const LastStudy& last = *explanation.last;
  const std::string origin = fmt::format(
      "The newest record of a machine like this one ({}, {}): {}, of {}. A study of your own takes "
      "its place.",
      last.result().device, std::filesystem::path(last.study.input.path).filename().string(),
      folder_text(last.folder), last.study.created.substr(0, 10));
  const std::string text =
      roofline::paragraph(origin, 0, style.width) +
      text_of({}, outcome_of(last.study, last.result(), last.before_result()), style.width) +
      evidence_text(last, style);
  if (last.result().lines || last.result().kind != "gpu") return text;  // a host has no lines
  return text + fmt::format("\nIts lines are not recorded; to see them: {} lines {} --model {}\n",
                            program_name(), explanation.variant->id, explanation.variant->model);
}

std::string this_machine_text(const Explanation& explanation, const ExplanationStyle& style) {
  const std::string top = heading("On this machine", style);
  if (explanation.last) return top + last_study_text(explanation, style);
  const Variant& variant = *explanation.variant;
  const std::string why =
      explanation.cannot_run.empty()
          ? fmt::format(
                "No study of {} in the model {} on this machine is recorded yet. To make "
                "one:",
                variant.id, variant.model)
          : fmt::format("{} of the model {} does not run here: {}. Where it does:", variant.id,
                        variant.model, explanation.cannot_run);
  return fmt::format("{}{}\n  {} study --model {} --only {}{}\n", top,
                     roofline::paragraph(why, 0, style.width), program_name(), variant.model,
                     explanation.before == nullptr ? "" : explanation.before->id + ",", variant.id);
}

/// A title such as "On a V100 (SC19)"; without parentheses if the source of the numbers is unknown.
std::string heading_of(const std::string& where, const std::string& from) {
  return from.empty() ? where : fmt::format("{} ({})", where, from);
}

/// What other devices of the kind did, with lines and causes from the record that lessons quote.
std::string elsewhere_text(const Explanation& explanation, const ExplanationStyle& style) {
  const Lesson& lesson = *explanation.lesson;
  const Kernel& kernel = *explanation.kernel;
  if (explanation.kind == "host")
    return section(heading_of("On a host", kernel.quoted_host), lesson.on_host, style);
  const std::string card = roofline::in_lower_case(  // "h100"
      lesson.recorded_on.substr(lesson.recorded_on.rfind(' ') + 1));
  const bool quoted = kernel.quoted_record.find("/" + card + "/") != std::string::npos;
  std::string text =
      section(heading_of(lesson.published_on, kernel.published_by), lesson.published, style);
  text += section(heading_of(lesson.recorded_on, quoted ? kernel.quoted_record : ""),
                  lesson.recorded, style);
  if (const auto& study = explanation.elsewhere)
    text += "\n" +
            roofline::paragraph(
                fmt::format("Recorded in {}: {} of the model {} on {}.", folder_text(study->folder),
                            study->result().variant, study->result().model,
                            roofline::visible(study->result().device)),
                0, style.width) +
            evidence_text(*study, style);
  if (explanation.variant->model == "omp")
    text += section("In OpenMP, on an H200", lesson.openmp, style);
  return text;
}

}  // namespace

Explanation explain(const Kernel& kernel, const Variant& variant,
                    const std::filesystem::path& results) {
  const Choice choice = choose(variant);
  Explanation explanation;
  explanation.kernel = &kernel;
  explanation.variant = &variant;
  explanation.before = predecessor(kernel.catalog(), variant);
  explanation.lesson = find_lesson(kernel, variant.step);
  if (choice.build == nullptr) explanation.cannot_run = choice.reason;
  explanation.kind = choice.build == nullptr ? "gpu" : choice.build->kind;
  explanation.diffs = source_diff(kernel, variant);
  explanation.last = last_study(kernel, results, variant, explanation.before);
  if (!explanation.last || !explanation.last->result().lines)
    explanation.elsewhere = quoted_study(kernel, results, variant, explanation.before);
  return explanation;
}

std::string before_the_answer(const Explanation& explanation, const ExplanationStyle& style,
                              Diffs diffs) {
  const std::string top = title(explanation, style);
  const std::string shown = diffs == Diffs::shown ? diffs_text(explanation, style) : "";
  if (explanation.lesson == nullptr)
    return top + section("Idea", comment_of(*explanation.variant), style) +
           (shown.empty() ? "" : heading("What changes", style) + shown.substr(1));
  const Lesson& lesson = *explanation.lesson;
  const std::string predict = text_for(explanation.kind, lesson.predict);
  return top + section("Idea", lesson.idea, style) +
         section("What changes", text_for(explanation.kind, lesson.changes), style) + shown +
         section("Predict",
                 predict.empty() ? "Nothing can be predicted of this step here: it is for GPUs."
                                 : predict,
                 style);
}

std::string after_the_answer(const Explanation& explanation, const ExplanationStyle& style) {
  const std::string here = this_machine_text(explanation, style);
  if (explanation.lesson == nullptr) return here;
  return here + elsewhere_text(explanation, style) +
         section("What to try next", text_for(explanation.kind, explanation.lesson->next), style);
}

std::string diffs_alone(const Explanation& explanation, const ExplanationStyle& style) {
  return title(explanation, style) + diffs_text(explanation, style);
}

std::string explain_command(const Explanation& explanation, const std::string& options) {
  return fmt::format("{} explain {} --model {}{}", program_name(), explanation.variant->id,
                     explanation.variant->model, options);
}

}  // namespace gpp
