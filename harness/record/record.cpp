#include "harness/record/record.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "harness/record/record_json.h"
#include "roofline/base/files.h"
#include "roofline/base/text.h"

namespace gpp {

const Kernel& kernel_of(const StudyRecord& study) { return kernel_called(study.kernel); }

std::vector<double> Result::taken_in_runs() const {
  std::vector<double> shares(samples.size(), std::nan(""));
  for (std::size_t i = 0; i < std::min(samples.size(), load.size()); ++i)
    if (kind == "gpu")
      shares[i] = load[i].gpu;
    else if (load[i].known() || load[i].disturbed())
      shares[i] = load[i].taken();
  return shares;
}

std::vector<bool> Result::disturbed_runs() const {
  const std::vector<double> shares = taken_in_runs();
  const bool tells = std::ranges::any_of(shares, [](double share) { return std::isfinite(share); });
  std::vector<bool> disturbed;
  for (const double share : shares)
    disturbed.push_back(share > disturbed_threshold || (tells && !std::isfinite(share)));
  return disturbed;
}

std::optional<double> Result::taken() const {
  double sum = 0;
  int known = 0;
  for (const double share : taken_in_runs())
    if (std::isfinite(share)) {
      sum += share;
      ++known;
    }
  return known > 0 ? std::optional(sum / known) : std::nullopt;
}

bool Result::limited_by(const std::string& what) const {
  const auto found = clocks.limited.find(what);
  return found != clocks.limited.end() &&
         2 * static_cast<std::size_t>(found->second) > samples.size();
}

std::optional<double> Result::cycles() const {
  const double clock = summarize(clocks.samples).median;
  if (!(clock > 0) || samples.empty()) return std::nullopt;
  return 1e6 * clock * timing().median;
}

std::optional<double> Result::energy_told(double (EnergyRecord::*fact)() const) const {
  return energy && energy->known() ? std::optional(((*energy).*fact)()) : std::nullopt;
}

std::string JudgeRecord::lacks() const {
  for (const JudgeLayer& layer : layers)
    if (!layer.lacked.empty()) return fmt::format("{}: {}", layer.name, layer.lacked);
  return layers.empty() ? "no layer is named" : "";
}

double terms_per_second(const StudyRecord& study, const Result& result) {
  if (!result.timed()) return 0.0;
  return static_cast<double>(study.input.terms) / result.timing().median;
}

std::string baseline_of(const StudyRecord& study) {
  const PublishedLadder* ladder =
      study.ladder.empty() ? nullptr : find_ladder(kernel_of(study), study.ladder);
  return ladder == nullptr ? "v1" : ladder->steps.front().variant;
}

const Result* first_step_of(const StudyRecord& study, const Result& result) {
  const std::string baseline = baseline_of(study);
  for (const Result& other : study.results)
    if (other.variant == baseline && other.model == result.model && other.kind == result.kind &&
        other.timed())
      return &other;
  return nullptr;
}

bool any_failed(const StudyRecord& study) {
  return std::ranges::any_of(study.results,
                             [](const Result& result) { return result.status == Status::failed; });
}

bool any_passed(const StudyRecord& study) {
  return std::ranges::any_of(study.results,
                             [](const Result& result) { return result.status == Status::passed; });
}

bool has_faults(const StudyRecord& study) {
  return any_failed(study) || !study.complete || !study.reference.disagreement.empty();
}

std::optional<double> joules_per_billion(const StudyRecord& study, const Result& result) {
  const auto joules = result.energy_told(&EnergyRecord::joules_per_run);
  if (!result.timed() || !joules) return std::nullopt;
  return 1e9 * *joules / static_cast<double>(study.input.terms);
}

std::optional<double> gain_in_cycles(const Result& before, const Result& after) {
  const std::optional<double> was = before.cycles(), is = after.cycles();
  if (!was || !is) return std::nullopt;
  return *was / *is;
}

std::optional<double> gain_that_clocks_hide(const Result& before, const Result& after) {
  constexpr double difference = 0.02;
  if (after.kind != "gpu" || !before.timed() || !after.timed()) return std::nullopt;
  const double in_time = before.timing().median / after.timing().median;
  const std::optional<double> gain = gain_in_cycles(before, after);
  return gain && std::abs(*gain / in_time - 1) > difference ? gain : std::nullopt;
}

std::optional<double> speedup_in_cycles(const StudyRecord& study, const Result& result) {
  const Result* first = first_step_of(study, result);
  if (first == nullptr || !result.timed()) return std::nullopt;
  return gain_in_cycles(*first, result);
}

std::optional<double> speedup(const StudyRecord& study, const Result& result) {
  const Result* first = first_step_of(study, result);
  if (first == nullptr || !result.timed()) return std::nullopt;
  return first->timing().median / result.timing().median;
}

std::optional<double> published_speedup(const StudyRecord& study, const Result& result) {
  const Kernel& kernel = kernel_of(study);
  if (study.ladder.empty())
    return kernel.published == nullptr ? std::nullopt : kernel.published().speedup(result.variant);
  for (const LadderStep& step : ladder_called(kernel, study.ladder).steps)
    if (step.variant == result.variant) return step.speedup;
  return std::nullopt;
}

std::string model_label(const std::string& model, const std::string& kind) {
  return kind == "gpu" && model != "cuda" ? model + " gpu" : model;
}

std::string name_of(Status status) {
  constexpr std::array names = {"passed", "failed", "unavailable"};
  return names.at(static_cast<std::size_t>(status));
}

void write_record(const std::filesystem::path& folder, const StudyRecord& study) {
  try {
    roofline::write_whole(folder / "study.json", roofline::facts_text(study, true));
  } catch (const roofline::InputError& error) {
    throw roofline::InputError(fmt::format("{} Or choose another folder with -o.", error.what()));
  }
}

StudyRecord read_record(const std::filesystem::path& path) {
  std::string source;
  const std::string text = record_text(path, "study.json", "gpp study", source);
  return parse_record(text, source);
}

std::string record_text(const std::filesystem::path& path, const char* name, const char* maker,
                        std::string& source) {
  std::error_code why;
  const std::filesystem::path file = std::filesystem::is_directory(path, why) ? path / name : path;
  if (std::filesystem::status(file, why).type() == std::filesystem::file_type::not_found)
    throw roofline::InputError(
        fmt::format("{}: no such file or folder; name a results folder that `{}` made, or its {}",
                    roofline::visible(file.string()), maker, name));
  source = roofline::visible(file.string());
  return roofline::text_of_outside_file(file);
}

}  // namespace gpp
