#include "harness/teach/explanation.h"

#include <fmt/format.h>

#include <sstream>

#include "harness/program/source_files.h"
#include "harness/teach/glossary.h"
#include "harness/teach/markdown_text.h"
#include "roofline/base/table.h"
#include "roofline/base/terminal.h"

namespace gpp {
namespace {

std::string heading(std::string_view title, const ExplanationStyle& style) {
  return fmt::format("\n{}\n\n", roofline::coloured(title, roofline::Colour::bold, style.colours));
}

std::string section(std::string_view title, std::string_view markdown,
                    const ExplanationStyle& style) {
  if (markdown.empty()) return {};
  return heading(title, style) + markdown_text(markdown, style.width) +
         words_text(markdown, style.width);
}

std::string diff_text(const FileDiff& diff, const ExplanationStyle& style) {
  const auto line = [&style](const std::string& text, roofline::Colour colour) {
    return roofline::coloured(text, colour, style.colours) + "\n";
  };
  std::string text = line("--- " + diff.before, roofline::Colour::bold) +
                     line("+++ " + diff.after, roofline::Colour::bold);
  for (const DiffLine& changed : diff.lines) {
    if (changed.kind == '@') {
      text += line(changed.text, roofline::Colour::yellow);
    } else if (changed.kind == '-') {
      text += line(fmt::format("-{}", changed.text), roofline::Colour::red);
    } else if (changed.kind == '+') {
      text += line(fmt::format("+{}", changed.text), roofline::Colour::green);
    } else {
      text += fmt::format(" {}\n", changed.text);
    }
  }
  return text;
}

std::string diffs_text(const Explanation& explanation, const ExplanationStyle& style) {
  std::string text;
  for (const FileDiff& diff : explanation.diffs)
    text += fmt::format("\n{}", diff_text(diff, style));
  if (!text.empty()) return text;
  const Variant& variant = *explanation.variant;
  const auto said = [&style](const std::string& sentence) {
    return fmt::format("\n{}\n", roofline::wrapped(sentence, style.width, 0));
  };
  if (variant.source.ends_with(".md"))
    return said(fmt::format("The model {} has no such step: {}.", variant.model, variant.reason));
  if (explanation.before == nullptr)
    return said(fmt::format("No variant of the model {} comes before it: see {}.", variant.model,
                            variant.source));
  return said(
      fmt::format("{} is still the same as {}.", variant.source, explanation.before->source));
}

/// The comment a source begins with.
std::string comment_of(const Variant& variant) {
  std::string comment;
  std::istringstream stream(source_text(variant.source).value_or(""));
  for (std::string line; std::getline(stream, line) && line.starts_with("//");)
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

std::string what_to_run(const Explanation& explanation) {
  const Variant& variant = *explanation.variant;
  const std::string both = explanation.before == nullptr
                               ? variant.id
                               : fmt::format("{},{}", explanation.before->id, variant.id);
  const bool first = explanation.kernel == kernels().front();
  return fmt::format("gpp study{} --model {} --only {}",
                     first ? "" : " --kernel " + explanation.kernel->name, variant.model, both);
}

std::string this_machine_text(const Explanation& explanation, const ExplanationStyle& style) {
  const std::string top = heading("On this machine", style);
  if (explanation.last) return top + last_study_text(*explanation.last);
  const std::string with =
      explanation.before == nullptr ? "" : fmt::format(" and {}", explanation.before->id);
  return top +
         roofline::wrapped(
             fmt::format("No study of {}{} in the model {} on this machine is recorded "
                         "yet. To make one:",
                         explanation.variant->id, with, explanation.variant->model),
             style.width, 0) +
         "\n\n  " + what_to_run(explanation) + "\n";
}

nlohmann::ordered_json quiz_json(const std::vector<Question>& quiz) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Question& question : quiz)
    list.push_back({{"question", question.text},
                    {"choices", question.choices},
                    {"right", question.right},
                    {"why", question.why}});
  return list;
}

nlohmann::ordered_json diffs_json(const std::vector<FileDiff>& diffs) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const FileDiff& diff : diffs) {
    std::vector<std::string> lines;
    for (const DiffLine& line : diff.lines)
      lines.push_back(line.kind == '@' ? line.text : fmt::format("{}{}", line.kind, line.text));
    list.push_back({{"before", diff.before}, {"after", diff.after}, {"lines", lines}});
  }
  return list;
}

}  // namespace

Explanation explain(const Kernel& kernel, const Variant& variant,
                    const std::filesystem::path& results) {
  const std::vector<Variant>& catalog = kernel.catalog();
  Explanation explanation;
  explanation.kernel = &kernel;
  explanation.variant = &variant;
  explanation.before = predecessor(catalog, variant);
  explanation.lesson = find_lesson(kernel, variant.step);
  explanation.diffs = source_diff(kernel, variant);
  explanation.last = last_study(kernel, results, variant, explanation.before);
  return explanation;
}

std::string before_the_answer(const Explanation& explanation, const ExplanationStyle& style) {
  std::string text = title(explanation, style);
  if (explanation.lesson == nullptr)
    return text + section("Idea", comment_of(*explanation.variant), style) +
           fmt::format("\n{}\n",
                       roofline::coloured("What changes", roofline::Colour::bold, style.colours)) +
           diffs_text(explanation, style);
  const Lesson& lesson = *explanation.lesson;
  return text + section("Idea", lesson.idea, style) +
         section("What changes", lesson.changes, style) + diffs_text(explanation, style) +
         section("Predict", lesson.predict, style);
}

std::string after_the_answer(const Explanation& explanation, const ExplanationStyle& style) {
  if (explanation.lesson == nullptr) return this_machine_text(explanation, style);
  const Lesson& lesson = *explanation.lesson;
  std::string text = section("On a V100 (SC19)", lesson.published, style) +
                     section("On an H200 (results/h200/gpp214)", lesson.recorded, style) +
                     section("On a host", lesson.on_host, style);
  if (explanation.variant->model == "omp") text += section("In OpenMP", lesson.openmp, style);
  return text + this_machine_text(explanation, style) +
         section("What to try next", lesson.next, style);
}

nlohmann::ordered_json explanation_json(const Explanation& explanation) {
  const Variant& variant = *explanation.variant;
  nlohmann::ordered_json json = {{"variant", variant.id},
                                 {"step", variant.step},
                                 {"model", variant.model},
                                 {"source", variant.source},
                                 {"predecessor", nullptr},
                                 {"lesson", nullptr},
                                 {"diffs", diffs_json(explanation.diffs)},
                                 {"last_study", nullptr}};
  if (explanation.before != nullptr) json["predecessor"] = explanation.before->id;
  if (explanation.last) json["last_study"] = last_study_json(*explanation.last);
  if (const Lesson* lesson = explanation.lesson)
    json["lesson"] = {{"idea", lesson->idea},           {"changes", lesson->changes},
                      {"predict", lesson->predict},     {"published", lesson->published},
                      {"recorded", lesson->recorded},   {"on_host", lesson->on_host},
                      {"openmp", lesson->openmp},       {"next", lesson->next},
                      {"quiz", quiz_json(lesson->quiz)}};
  return json;
}

}  // namespace gpp
