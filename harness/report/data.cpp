#include "harness/report/data.h"

#include <algorithm>

#include "harness/program/build_info.h"
#include "harness/program/source_diff.h"
#include "harness/record/activity.h"
#include "harness/record/advice.h"
#include "harness/record/record_json.h"
#include "harness/report/lines_data.h"
#include "harness/teach/glossary.h"
#include "harness/teach/lessons.h"
#include "harness/teach/markdown_text.h"
#include "roofline/base/json_place.h"
#include "roofline/json.h"
#include "roofline/metrics.h"
#include "roofline/points.h"
#include "roofline/verdict.h"

namespace gpp {
namespace {

/// The numbers of the table of instructions, or why there are no points of theirs.
void add_instructions(const StudyRecord& study, const Result& result, Json& one) {
  const roofline::Ceilings* ceilings = ceilings_of_kind(study, result.kind);
  if (!result.timed() || ceilings == nullptr) return;
  const double seconds = result.timing().median;
  const roofline::RooflinePoints placed = roofline::instruction_points(
      result.counted.metrics, seconds, result.counted.source, *ceilings);
  one["instructions"] = roofline::instructions_json(
      {result.variant, roofline::instruction_facts(result.counted.metrics, seconds),
       placed.points});
  one["no_instructions"] = roofline::missing_json(placed.missing);
}

/// Of the kernels that are shown: which of the record's it is, and what the record does not say.
Json kernels_json(const StudyRecord& study, const Result& result) {
  Json list = Json::array();
  const std::vector<const roofline::KernelProfile*> kernels = result.leading_kernels();
  const std::vector<std::string> names = roofline::short_names(kernels);
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    const roofline::KernelProfile& kernel = *kernels[i];
    const roofline::RooflinePoint* point = kernel.placed.leading();
    const auto stall = roofline::top_stall(kernel.metrics);
    const auto advice = advice_on(study, result, kernel);
    list.push_back(
        {{"place", &kernel - result.kernels.data()},
         {"name", names[i]},
         {"share", *kernel.seconds / result.timing().median},
         {"text", point ? Json(roofline::verdict(*point, kernel.metrics).text()) : Json()},
         {"top_stall", stall ? Json(stall->name) : Json()},
         {"advice", advice ? to_json(*advice) : Json()}});
  }
  return list;
}

/// Derived facts that the record does not hold: the limit of each result, the stall that most warps
/// waited for, what to look at next, and what its instructions tell.
Json verdicts_json(const StudyRecord& study) {
  Json list = Json::array();
  for (const Result& result : study.results) {
    Json one = {{"by", nullptr},     {"text", nullptr},         {"top_stall", nullptr},
                {"advice", nullptr}, {"instructions", nullptr}, {"no_instructions", Json::array()}};
    add_instructions(study, result, one);
    one["kernels"] = kernels_json(study, result);
    if (const auto advice = advice_on(study, result)) one["advice"] = to_json(*advice);
    if (result.roofline()) {
      const roofline::Verdict verdict =
          roofline::verdict(*result.roofline(), result.counted.metrics);
      one["by"] = verdict.by;
      one["text"] = verdict.text();
    }
    if (const auto stall = roofline::top_stall(result.counted.metrics))
      one["top_stall"] = {{"name", stall->name},
                          {"warps_per_issue", roofline::json_number(stall->warps_per_issue)}};
    list.push_back(one);
  }
  return list;
}

std::string input_text(const StudyRecord& study) {
  const Kernel& kernel = kernel_of(study);
  return kernel.describe_input == nullptr ? "" : kernel.describe_input(study.input);
}

/// The variant's file; empty where this program does not know it.
std::string source_of(const StudyRecord& study, const Result& result) {
  for (const Variant& variant : kernel_of(study).catalog())
    if (variant.id == result.variant && variant.model == result.model) return variant.source;
  return {};
}

/// What the page shows of each result's lines; null where the record holds none.
Json lines_views_json(const StudyRecord& study, SourceTexts& texts) {
  Json list = Json::array();
  for (const Result& result : study.results)
    list.push_back(result.lines ? lines_view_json(*result.lines, source_of(study, result), texts)
                                : Json(nullptr));
  return list;
}

/// As study.json holds it, but for the lines, which the views tell in less room.
Json study_json(const StudyRecord& study) {
  Json json = to_json(study);
  for (Json& result : json["results"]) result.erase("lines");
  return json;
}

Json studies_json(const std::vector<NamedStudy>& studies, SourceTexts& texts) {
  Json list = Json::array();
  for (const NamedStudy& named : studies)
    list.push_back({{"name", named.name},
                    {"study", study_json(named.study)},
                    {"input_text", input_text(named.study)},
                    {"verdicts", verdicts_json(named.study)},
                    {"lines", lines_views_json(named.study, texts)}});
  return list;
}

/// Studies of published ladders bring their own numbers.
Json published_json(const Kernel& kernel, const std::vector<NamedStudy>& studies) {
  const Published none;
  const bool ladders = std::any_of(studies.begin(), studies.end(), [](const NamedStudy& named) {
    return !named.study.ladder.empty();
  });
  const Published& published = kernel.published == nullptr || ladders ? none : kernel.published();
  Json steps = Json::array();
  for (const PublishedStep& step : published.steps)
    steps.push_back({{"version", step.version},
                     {"step", step.step},
                     {"time_s", roofline::json_number(step.seconds)},
                     {"terms_per_s", roofline::json_number(published.terms / step.seconds)},
                     {"tflop", roofline::json_number(step.tflop)},
                     {"tflop_per_s", roofline::json_number(step.tflop_per_s)},
                     {"registers", step.registers ? Json(*step.registers) : Json(nullptr)},
                     {"note", step.note}});
  return {{"device", published.device},
          {"title", published.title},
          {"legend", published.legend},
          {"source", published.source},
          {"steps", steps}};
}

Json metrics_json() {
  Json list = Json::array();
  for (const roofline::Metric& metric : roofline::metric_table())
    list.push_back({{"name", metric.name},
                    {"label", roofline::metric_label(metric)},
                    {"unit", metric.unit},
                    {"meaning", metric.meaning},
                    {"formula", metric.formula},
                    {"source", metric.source}});
  return list;
}

/// The one kind of device that the studies ran on; empty where they ran on several.
std::string only_kind(const std::vector<NamedStudy>& studies) {
  std::string kind;
  for (const NamedStudy& named : studies)
    for (const Result& result : named.study.results) {
      if (result.kind.empty() || result.kind == kind) continue;
      if (!kind.empty()) return {};
      kind = result.kind;
    }
  return kind;
}

/// The texts for that kind of device, or for all where it is empty; without what is told of one
/// recorded study on a GPU: the page shows the studies themselves.
Json lesson_json(Lesson lesson, const std::string& kind) {
  const std::vector<WordLink> links =
      word_links(lesson.idea + lesson.changes + lesson.predict + lesson.published +
                 lesson.recorded + lesson.on_host + lesson.openmp + lesson.next);
  for (std::string* text : {&lesson.changes, &lesson.predict, &lesson.next})
    if (!kind.empty()) *text = text_for(kind, *text);
  link_first_names(links, {&lesson.idea, &lesson.changes, &lesson.predict, &lesson.published,
                           &lesson.on_host, &lesson.next});
  return {{"step", lesson.step},       {"idea", lesson.idea},           {"changes", lesson.changes},
          {"predict", lesson.predict}, {"published", lesson.published}, {"on_host", lesson.on_host},
          {"next", lesson.next}};
}

Json lessons_json(const std::vector<NamedStudy>& studies, const Kernel& kernel) {
  const std::string kind = only_kind(studies);
  Json json = Json::object();
  for (const Lesson& lesson : lessons_of(kernel)) json[lesson.id] = lesson_json(lesson, kind);
  return json;
}

/// Meanings by the anchor that a link leads to.
Json glossary_json() {
  Json json = Json::object();
  for (const Word& word : glossary()) json[word.anchor] = without_signs(word.meaning);
  return json;
}

Json diff_json(const FileDiff& file) {
  Json lines = Json::array();
  for (const DiffLine& line : file.lines) lines.push_back({std::string(1, line.kind), line.text});
  return {{"before", file.before}, {"after", file.after}, {"lines", lines}};
}

Json source_json(const Kernel& kernel, const Variant& variant) {
  const Variant* before = predecessor(kernel.catalog(), variant);
  Json files = Json::array();
  for (const FileDiff& file : source_diff(kernel, variant)) files.push_back(diff_json(file));
  return {{"predecessor", before == nullptr ? Json(nullptr) : Json(before->id)}, {"files", files}};
}

bool ran_in(const std::vector<NamedStudy>& studies, const Kernel& kernel, const Variant& variant) {
  for (const NamedStudy& named : studies)
    for (const Result& result : named.study.results)
      if (named.study.kernel == kernel.name && result.status != Status::unavailable &&
          result.variant == variant.id && result.model == variant.model)
        return true;
  return false;
}

Json sources_json(const std::vector<NamedStudy>& studies, const Kernel& kernel) {
  Json json = Json::object();
  for (const Variant& variant : kernel.catalog())
    if (ran_in(studies, kernel, variant))
      json[variant.model + " " + variant.id] = source_json(kernel, variant);
  return json;
}

}  // namespace

Json report_data(const std::vector<NamedStudy>& studies, const roofline::StaticCharts& charts,
                 const std::vector<NamedTrajectory>& trajectories) {
  const Kernel& kernel = studies.empty() ? *kernels().front() : kernel_of(studies.front().study);
  SourceTexts texts;
  Json shown = studies_json(studies, texts);
  Json paths = Json::array();
  for (const NamedTrajectory& named : trajectories) paths.push_back(trajectory_data(named));
  return {{"kernel", {{"name", kernel.name}, {"title", kernel.title}, {"work", kernel.work}}},
          {"studies", std::move(shown)},
          {"source_texts", texts.json()},
          {"published", published_json(kernel, studies)},
          {"metrics", metrics_json()},
          {"models", roofline::models_json()},
          {"instruction_models", roofline::instruction_models_json()},
          {"least_share_shown", roofline::least_share_shown},
          {"lessons", lessons_json(studies, kernel)},
          {"glossary", glossary_json()},
          {"sources", sources_json(studies, kernel)},
          {"trajectories", std::move(paths)},
          {"charts", charts},
          {"program", {{"version", build_info::version}, {"revision", build_info::git_revision}}}};
}

}  // namespace gpp
