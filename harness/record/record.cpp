#include "harness/record/record.h"

#include <fmt/format.h>

#include <fstream>
#include <sstream>

#include "data/error.h"
#include "data/replace_file.h"
#include "harness/record/record_json.h"

namespace gpp {

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

void write_record(const std::filesystem::path& folder, const StudyRecord& study) {
  try {
    write_whole(folder / "study.json", to_json(study).dump(1) + "\n");
  } catch (const InputError& error) {
    throw InputError(fmt::format("{} Or choose another folder with -o.", error.what()));
  }
}

StudyRecord read_record(const std::filesystem::path& path) {
  std::error_code why;
  const bool folder = std::filesystem::is_directory(path, why);
  const std::filesystem::path file = folder ? path / "study.json" : path;
  const std::filesystem::file_status status = std::filesystem::status(file, why);
  if (!std::filesystem::exists(status)) {
    const bool absent = status.type() == std::filesystem::file_type::not_found;
    throw InputError(fmt::format(
        "{}: {}; name a results folder that `gpp study` made, or its study.json", path.string(),
        !absent  ? fmt::format("cannot be looked at: {}", why.message())
        : folder ? "holds no study.json"
                 : "there is no such file or folder"));
  }
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
