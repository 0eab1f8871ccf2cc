#include "harness/record/record.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <sstream>
#include <system_error>

#include "data/error.h"
#include "harness/record/record_json.h"

namespace gpp {

std::vector<bool> Result::disturbed_runs() const {
  std::vector<bool> disturbed(samples.size());
  for (std::size_t i = 0; kind != "gpu" && i < std::min(samples.size(), load.size()); ++i)
    disturbed[i] = load[i].disturbed();
  return disturbed;
}

double Result::taken() const {
  double sum = 0;
  int known = 0;
  for (const LoadShare& share : load)
    if (std::isfinite(share.others)) {
      sum += share.taken();
      ++known;
    }
  return known > 0 ? sum / known : 0.0;
}

double terms_per_second(const StudyRecord& study, const Result& result) {
  if (!result.timed()) return 0.0;
  return static_cast<double>(study.input.terms) / result.timing().median;
}

const Result* first_step_of(const StudyRecord& study, const Result& result) {
  for (const Result& other : study.results)
    if (other.variant == "v1" && other.model == result.model && other.kind == result.kind &&
        other.timed())
      return &other;
  return nullptr;
}

bool any_failed(const StudyRecord& study) {
  return std::any_of(study.results.begin(), study.results.end(),
                     [](const Result& result) { return result.status == Status::failed; });
}

bool any_passed(const StudyRecord& study) {
  return std::any_of(study.results.begin(), study.results.end(),
                     [](const Result& result) { return result.status == Status::passed; });
}

std::optional<double> speedup(const StudyRecord& study, const Result& result) {
  const Result* first = first_step_of(study, result);
  if (first == nullptr || !result.timed()) return std::nullopt;
  return first->timing().median / result.timing().median;
}

std::string model_label(const std::string& model, const std::string& kind) {
  return kind == "gpu" && model != "cuda" ? model + " gpu" : model;
}

std::string name_of(Status status) {
  switch (status) {
    case Status::passed:
      return "passed";
    case Status::failed:
      return "failed";
    case Status::unavailable:
      return "unavailable";
  }
  return "";
}

void write_whole(const std::filesystem::path& path, const std::string& text) {
  const std::filesystem::path partial = path.string() + ".partial";
  const auto refuse = [&](const std::string& why) {
    std::error_code ignored;
    std::filesystem::remove(partial, ignored);
    throw InputError(fmt::format("{}: cannot be written: {}; choose another folder with -o",
                                 path.string(), why));
  };
  std::ofstream file(partial, std::ios::binary);
  file << text;
  file.close();
  if (!file) refuse(std::strerror(errno));
  std::error_code error;
  std::filesystem::rename(partial, path, error);
  if (error) refuse(error.message());
}

void write_record(const std::filesystem::path& folder, const StudyRecord& study) {
  write_whole(folder / "study.json", to_json(study).dump(1) + "\n");
}

StudyRecord read_record(const std::filesystem::path& path) {
  const bool folder = std::filesystem::is_directory(path);
  const std::filesystem::path file = folder ? path / "study.json" : path;
  if (!std::filesystem::exists(file))
    throw InputError(fmt::format(
        "{}: {}; name a results folder that `gpp study` made, or its study.json", path.string(),
        folder ? "holds no study.json" : "there is no such file or folder"));
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  if (!stream || text.str().empty())
    throw InputError(fmt::format("{}: empty or not readable", file.string()));
  nlohmann::json json;
  try {
    json = nlohmann::json::parse(text.str());
  } catch (const nlohmann::json::parse_error& error) {
    const bool cut = error.byte >= text.str().size();
    throw InputError(fmt::format("{}: not JSON{}; was it made by `gpp study`?", file.string(),
                                 cut ? fmt::format(" or cut off after byte {}", error.byte - 1)
                                     : fmt::format(" from byte {} on", error.byte)));
  }
  return from_json(json, file.string());
}

}  // namespace gpp
