#include "harness/teach/explanation.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <sstream>

#include "harness/program/selection.h"
#include "harness/program/source_files.h"
#include "harness/record/advice.h"
#include "harness/teach/glossary.h"
#include "harness/teach/markdown_text.h"
#include "harness/view/advice.h"
#include "harness/view/lines.h"
#include "roofline/base/terminal.h"
#include "roofline/base/text.h"
#include "roofline/base/visible.h"

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

/// The number of a diff's lines to show; the rest is folded. A fold hides at least a few lines.
std::size_t lines_to_show(const FileDiff& diff, const ExplanationStyle& style) {
  constexpr std::size_t most_changed = 40, least_hidden = 10;
  if (style.whole_diffs) return diff.lines.size();
  std::size_t changed = 0;
  for (std::size_t i = 0; i < diff.lines.size(); ++i) {
    changed += diff.lines[i].kind == '-' || diff.lines[i].kind == '+';
    if (changed == most_changed)
      return diff.lines.size() - i - 1 < least_hidden ? diff.lines.size() : i + 1;
  }
  return diff.lines.size();
}

std::string line_text(const DiffLine& line, bool colours) {
  using enum roofline::Colour;
  switch (line.kind) {
    case '@':
      return roofline::coloured(line.text, yellow, colours);
    case '-':
      return roofline::coloured("-" + line.text, red, colours);
    case '+':
      return roofline::coloured("+" + line.text, green, colours);
    default:
      return " " + line.text;
  }
}

std::string diff_text(const FileDiff& diff, const Explanation& explanation,
                      const ExplanationStyle& style) {
  const std::string names = fmt::format(
      "{}\n{}\n", roofline::coloured("--- " + diff.before, roofline::Colour::bold, style.colours),
      roofline::coloured("+++ " + diff.after, roofline::Colour::bold, style.colours));
  const std::size_t shown = lines_to_show(diff, style);
  std::string text;
  for (std::size_t i = 0; i < shown; ++i) text += line_text(diff.lines[i], style.colours) + "\n";
  if (shown == diff.lines.size()) return names + text;
  return names + text +
         roofline::coloured(fmt::format("... {} more lines: {}\n", diff.lines.size() - shown,
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
  for (const FileDiff& diff : explanation.diffs) {
    text += '\n';
    text += diff_text(diff, explanation, style);
  }
  if (!text.empty()) return text;
  return fmt::format("\n{}\n", roofline::wrapped(no_diff(explanation), style.width, 0));
}

/// The comment at the start of a source.
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
  std::string text = roofline::coloured(fmt::format("{} ({})\n", name, variant.model),
                                        roofline::Colour::bold, style.colours);
  if (!explanation.model_remark.empty())
    text += roofline::paragraph(explanation.model_remark, 0, style.width);
  return text;
}

std::string what_to_run(const Explanation& explanation) {
  const Variant& variant = *explanation.variant;
  const std::string both = explanation.before == nullptr
                               ? variant.id
                               : fmt::format("{},{}", explanation.before->id, variant.id);
  return fmt::format("{} study --model {} --only {}", program_name(), variant.model, both);
}

std::string as_a_sentence(const std::string& reason) {
  return reason.ends_with('.') ? reason : reason + ".";
}

const Result& shown_result(const LastStudy& last) { return last.study.results[last.result]; }

/// "gpp lines v8 --model cuda --into results/a"; empty on hosts, whose lines cannot be measured.
std::string lines_command(const Explanation& explanation) {
  const LastStudy& last = *explanation.last;
  if (shown_result(last).kind != "gpu" || last.folder.empty()) return {};
  return fmt::format("{} lines {} --model {} --into {}", program_name(), explanation.variant->id,
                     explanation.variant->model, roofline::visible(last.folder.string()));
}

constexpr std::size_t lines_told = 5;

/// The causes that limit the variant, and its hottest lines.
std::string evidence_text(const LastStudy& study, const ExplanationStyle& style) {
  const Result& result = shown_result(study);
  std::string text;
  if (const auto advice = advice_on(study.study, result))
    text += heading("What binds it", style) + advice_text(*advice, style.width);
  if (result.lines)
    text += heading("Its hottest lines", style) + hottest_in_brief(*result.lines, lines_told);
  return text;
}

std::string evidence_here(const Explanation& explanation, const ExplanationStyle& style) {
  const std::string command = lines_command(explanation);
  return evidence_text(*explanation.last, style) +
         (command.empty() || shown_result(*explanation.last).lines
              ? ""
              : fmt::format("\nIts lines are not recorded; to add them: {}\n", command));
}

/// The study whose lines are shown; nullptr if none has lines.
const LastStudy* study_of_lines(const Explanation& explanation) {
  if (explanation.elsewhere) return &*explanation.elsewhere;
  return explanation.last ? &*explanation.last : nullptr;
}

/// The previous step and this one, with the lines of the shown study.
std::vector<StepLines> steps_with_lines(const Explanation& explanation) {
  const LastStudy* study = study_of_lines(explanation);
  const auto lines_of = [study](std::optional<std::size_t> index) -> const LinesRecord* {
    if (!index || !study->study.results[*index].lines) return nullptr;
    return &*study->study.results[*index].lines;
  };
  std::vector<StepLines> steps;
  if (explanation.before != nullptr)
    steps.push_back({explanation.before->id, study ? lines_of(study->before) : nullptr});
  steps.push_back({explanation.variant->id, study ? lines_of(study->result) : nullptr});
  return steps;
}

/// Names the record of another machine that the lines come from; "" if they come from this one.
std::string whose_lines(const Explanation& explanation, const ExplanationStyle& style) {
  if (!explanation.elsewhere) return {};
  const LastStudy& study = *explanation.elsewhere;
  const Result& result = shown_result(study);
  const std::string text =
      fmt::format("Ours, from {}: {} of the model {} on {}.", folder_text(study), result.variant,
                  result.model, roofline::visible(result.device));
  return fmt::format("\n{}\n", roofline::wrapped(text, style.width, 0));
}

/// Evidence on the variant from a record of another machine.
std::string evidence_elsewhere(const Explanation& explanation, const ExplanationStyle& style) {
  if (!explanation.elsewhere) return {};
  return whose_lines(explanation, style) + evidence_text(*explanation.elsewhere, style);
}

std::string this_machine_text(const Explanation& explanation, const ExplanationStyle& style) {
  const std::string top = heading("On this machine", style);
  if (explanation.last)
    return top + last_study_text(*explanation.last) + evidence_here(explanation, style);
  if (!explanation.cannot_run.empty())
    return top +
           roofline::wrapped(fmt::format("{} of the model {} does not run here: {} Where it does:",
                                         explanation.variant->id, explanation.variant->model,
                                         as_a_sentence(explanation.cannot_run)),
                             style.width, 0) +
           "\n\n  " + what_to_run(explanation) + "\n";
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

nlohmann::ordered_json diffs_json(const std::vector<FileDiff>& diffs) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const FileDiff& diff : diffs) {
    std::vector<std::string> lines;
    for (const DiffLine& line : diff.lines)
      lines.push_back(line.kind == '@' ? line.text : fmt::format("{}{}", line.kind, line.text));
    all.push_back({{"before", diff.before}, {"after", diff.after}, {"lines", lines}});
  }
  return all;
}

/// Adds the causes that limit the variant, its lines, and published lines beside them.
void add_evidence(const Explanation& explanation, nlohmann::ordered_json& json) {
  json["advice"] = nullptr;
  json["hottest_lines"] = nullptr;
  json["lines_of"] = nullptr;
  json["lines_command"] = nullptr;
  json["published_lines"] = lines_beside_json(*explanation.kernel, steps_with_lines(explanation));
  if (const std::string command = explanation.last ? lines_command(explanation) : "";
      !command.empty() && !shown_result(*explanation.last).lines)
    json["lines_command"] = command;
  const LastStudy* study = study_of_lines(explanation);
  if (study == nullptr) return;
  const Result& result = shown_result(*study);
  if (const auto advice = advice_on(study->study, result)) json["advice"] = to_json(*advice);
  if (!result.lines) return;
  json["hottest_lines"] = hottest_in_brief_json(*result.lines, lines_told);
  json["lines_of"] = {
      {"folder", study->folder.string()}, {"device", result.device}, {"model", result.model}};
}

/// The best kind of device that can run the kernel here.
std::string kind_here(const Kernel& kernel) {
  for (const Runtime* runtime : runtimes_of(kernel.catalog()))
    if (runtime->unavailable().empty() && runtime->describe().kind == "gpu") return "gpu";
  return "host";
}

std::string kind_to_tell_of(const Kernel& kernel, const Choice& choice, const Asker& asker) {
  if (choice.build != nullptr) return choice.build->kind;
  return asker.chose_model ? "gpu" : kind_here(kernel);  // every other model runs on the host
}

/// The variant of the same step in a given model, or nullptr.
const Variant* same_step(const Kernel& kernel, const Variant& variant, std::string_view model) {
  for (const Variant& other : kernel.catalog())
    if (other.model == model && other.id == variant.id) return &other;
  return nullptr;
}

/// States how the model was chosen, unless the user chose it.
std::string remark_on_model(const Explanation& told, const Choice& choice, const Asker& asker) {
  const Variant& variant = *told.variant;
  if (asker.chose_model) return {};
  const Variant* cuda = same_step(*told.kernel, variant, "cuda");
  const Variant* openmp = same_step(*told.kernel, variant, "omp");
  if (choice.build != nullptr && variant.model != "cuda" && cuda != nullptr)
    return fmt::format("In the model {}, which runs here. In CUDA: {} explain {} --model cuda",
                       variant.model, program_name(), variant.id);
  if (choice.build == nullptr && openmp != nullptr && openmp->source.ends_with(".md"))
    return fmt::format("In the model {}, which does not run here. OpenMP has no such step: {}.",
                       variant.model, openmp->reason);
  return {};
}

std::string predict_text(const Explanation& explanation, const ExplanationStyle& style) {
  const std::string text = text_for(explanation.kind, explanation.lesson->predict);
  return section(
      "Predict",
      text.empty() ? "Nothing can be predicted of this step here: it is for GPUs." : text, style);
}

/// "On a V100 (SC19)"; without parentheses if the source of the numbers is unknown.
std::string heading_of(const std::string& where, const std::string& from) {
  return from.empty() ? where : fmt::format("{} ({})", where, from);
}

/// The record that the lesson quotes, if it is of the GPU in the lesson's title.
std::string record_of(const Lesson& lesson, const Kernel& kernel) {
  const std::string card =
      roofline::in_lower_case(lesson.recorded_on.substr(lesson.recorded_on.rfind(' ') + 1));
  return kernel.quoted_record.find("/" + card + "/") == std::string::npos ? ""
                                                                          : kernel.quoted_record;
}

std::string gpus_text(const Explanation& explanation, const ExplanationStyle& style) {
  const Lesson& lesson = *explanation.lesson;
  const Kernel& kernel = *explanation.kernel;
  const std::string beside = lines_beside(kernel, steps_with_lines(explanation));
  std::string text =
      section(heading_of(lesson.published_on, kernel.published_by), lesson.published, style) +
      (beside.empty() ? "" : whose_lines(explanation, style) + "\n" + beside) +
      section(heading_of(lesson.recorded_on, record_of(lesson, kernel)), lesson.recorded, style) +
      evidence_elsewhere(explanation, style);
  if (explanation.variant->model == "omp")
    text += section("In OpenMP, on an H200", lesson.openmp, style);
  return text;
}

}  // namespace

Explanation explain(const Kernel& kernel, const Variant& variant,
                    const std::filesystem::path& results, const Asker& asker) {
  const Choice choice = choose(variant);
  Explanation explanation;
  explanation.kernel = &kernel;
  explanation.variant = &variant;
  explanation.before = predecessor(kernel.catalog(), variant);
  explanation.lesson = find_lesson(kernel, variant.step);
  if (choice.build == nullptr) explanation.cannot_run = choice.reason;
  explanation.kind = kind_to_tell_of(kernel, choice, asker);
  explanation.diffs = source_diff(kernel, variant);
  const std::vector<RecordedStudy> studies = recorded_studies(kernel, results);
  explanation.last = last_study(kernel, studies, variant, explanation.before);
  if (!explanation.last || !shown_result(*explanation.last).lines)
    explanation.elsewhere = study_with_lines(studies, variant, explanation.before);
  if (explanation.kind == "host" &&
      (!explanation.last ||
       !shown_result(*explanation.last).counted.metrics.contains("scalar_fraction")))
    explanation.other_host = study_on_a_host(studies, variant, explanation.before);
  explanation.model_remark = remark_on_model(explanation, choice, asker);
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
  return top + section("Idea", lesson.idea, style) +
         section("What changes", text_for(explanation.kind, lesson.changes), style) + shown +
         predict_text(explanation, style);
}

namespace {

/// Evidence on the step from a record of another host.
std::string other_host_text(const Explanation& explanation) {
  if (!explanation.other_host) return {};
  const LastStudy& study = *explanation.other_host;
  return "\n" +
         last_study_text(
             study, fmt::format("On {} cores of {}, from {}:", study.study.machine.cores,
                                roofline::visible(shown_result(study).device), folder_text(study)));
}

}  // namespace

std::string outcomes_text(const Explanation& explanation, const ExplanationStyle& style) {
  const std::string here = this_machine_text(explanation, style);
  if (explanation.lesson == nullptr) return here;
  const std::string host = section(heading_of("On a host", explanation.kernel->quoted_host),
                                   explanation.lesson->on_host, style) +
                           other_host_text(explanation);
  const std::string gpus = gpus_text(explanation, style);
  return here + (explanation.kind == "host" ? host + gpus : gpus + host);
}

std::string next_text(const Explanation& explanation, const ExplanationStyle& style) {
  if (explanation.lesson == nullptr) return {};
  return section("What to try next", text_for(explanation.kind, explanation.lesson->next), style);
}

std::string diffs_alone(const Explanation& explanation, const ExplanationStyle& style) {
  return title(explanation, style) + diffs_text(explanation, style);
}

std::string explain_command(const Explanation& explanation, const std::string& options) {
  return fmt::format("{} explain {} --model {}{}", program_name(), explanation.variant->id,
                     explanation.variant->model, options);
}

nlohmann::ordered_json explanation_json(const Explanation& explanation) {
  const Variant& variant = *explanation.variant;
  nlohmann::ordered_json json = {
      {"variant", variant.id},    {"step", variant.step},
      {"model", variant.model},   {"kind", explanation.kind},
      {"source", variant.source}, {"predecessor", nullptr},
      {"lesson", nullptr},        {"diffs", diffs_json(explanation.diffs)},
      {"last_study", nullptr}};
  if (explanation.before != nullptr) json["predecessor"] = explanation.before->id;
  if (explanation.last) json["last_study"] = last_study_json(*explanation.last);
  add_evidence(explanation, json);
  if (const Lesson* lesson = explanation.lesson)
    json["lesson"] = {{"idea", lesson->idea},         {"changes", lesson->changes},
                      {"predict", lesson->predict},   {"published", lesson->published},
                      {"recorded", lesson->recorded}, {"on_host", lesson->on_host},
                      {"openmp", lesson->openmp},     {"next", lesson->next}};
  return json;
}

}  // namespace gpp
