// The record against its published schema, results/study.schema.json.
#include <gtest/gtest.h>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "harness/record/record_json.h"
#include "harness/record/schema.h"
#include "roofline/base/error.h"
#include "roofline/base/process.h"
#include "roofline/import/import.h"
#include "roofline/profile.h"
#include "roofline/program_lines.h"
#include "tests/harness/sample_study.h"
#include "tests/temporary_folder.h"

namespace gpp {
namespace {

using nlohmann::json;

const std::string schema_file = GPP_SOURCE_DIR "/results/study.schema.json";

json schema(const std::string& name = schema_file) {
  std::ifstream file(name);
  return json::parse(file);
}

bool is_type(const json& value, const std::string& type) {
  if (type == "object") return value.is_object();
  if (type == "array") return value.is_array();
  if (type == "string") return value.is_string();
  if (type == "boolean") return value.is_boolean();
  if (type == "integer") return value.is_number_integer();
  if (type == "number") return value.is_number();
  return type == "null" && value.is_null();
}

/// Enough of JSON Schema for this schema. Returns what does not hold, or "".
class Validator {
 public:
  explicit Validator(json root) : root_(std::move(root)) {}

  std::string complaint(const json& value) const { return look(value, root_, "$"); }

 private:
  std::string look(const json& value, const json& rule, const std::string& path) const {
    if (rule.contains("$ref")) {
      const std::string target = rule["$ref"].get<std::string>().substr(1);
      return look(value, root_.at(json::json_pointer(target)), path);
    }
    if (rule.contains("if") && look(value, rule["if"], path).empty())
      if (std::string wrong = look(value, rule["then"], path); !wrong.empty()) return wrong;
    if (const std::string wrong = look_at_value(value, rule); !wrong.empty())
      return path + ": " + wrong;
    if (value.is_object()) return look_at_object(value, rule, path);
    if (!value.is_array() || !rule.contains("items")) return "";
    for (std::size_t i = 0; i < value.size(); ++i) {
      const std::string inner = path + "[" + std::to_string(i) + "]";
      if (std::string wrong = look(value[i], rule["items"], inner); !wrong.empty()) return wrong;
    }
    return "";
  }

  static std::string look_at_value(const json& value, const json& rule) {
    if (rule.contains("const") && value != rule["const"]) return "not the constant";
    if (rule.contains("enum") && !rule["enum"].is_null() &&
        std::find(rule["enum"].begin(), rule["enum"].end(), value) == rule["enum"].end())
      return "not among the values";
    if (value.is_number() && rule.contains("minimum") && value < rule["minimum"])
      return "too small";
    if (value.is_number() && rule.contains("maximum") && value > rule["maximum"])
      return "too large";
    if (value.is_array() && rule.contains("minItems") && value.size() < rule["minItems"])
      return "too few";
    if (value.is_array() && rule.contains("maxItems") && value.size() > rule["maxItems"])
      return "too many";
    if (!rule.contains("type")) return "";
    const json types = rule["type"].is_array() ? rule["type"] : json::array({rule["type"]});
    for (const json& type : types)
      if (is_type(value, type)) return "";
    return "not of type " + types.dump();
  }

  std::string look_at_object(const json& value, const json& rule, const std::string& path) const {
    for (const json& key : rule.value("required", json::array()))
      if (!value.contains(key.get<std::string>())) return path + ": " + key.dump() + " is missing";
    for (const auto& [key, inner] : value.items()) {
      const std::string place = path + "." + key;
      const json properties = rule.value("properties", json::object());
      const json others = rule.value("additionalProperties", json(true));
      if (!properties.contains(key) && others == json(false)) return place + ": not in the schema";
      const json& next = properties.contains(key) ? properties[key] : others;
      if (!next.is_object()) continue;
      if (std::string wrong = look(inner, next, place); !wrong.empty()) return wrong;
    }
    return "";
  }

  json root_;
};

/// With a result that was counted on a slice beside those that were not.
json sample() {
  StudyRecord study = test::sample_study();
  study.results[1].counted.slice =
      roofline::SliceCount{"7 of 50 G'", 7.25, {{"sm__inst_executed.sum", 1e9}}};
  study.results[1].clocks.limited = {{"power", 2}};
  study.results[1].load.assign(study.results[1].samples.size(), {0.1, 0, 0.2});
  LinesRecord& lines = study.results[1].lines.emplace();
  lines.period = 2048;
  lines.counted = {"warp_instructions"};
  lines.sums = lines.totals = {{"warp_instructions", 7}};
  lines.lost = {"a word"};
  roofline::LineEvidence own;
  own.place = {"variants/cuda/a.cu", 1};
  own.function = "f";
  own.stalls = {{"wait", 3}};
  own.counts = {{"warp_instructions", 4}};
  roofline::LineEvidence inlined = own;
  inlined.place = {"gpp/forms/b.h", 2};
  inlined.called_from = own.place;
  lines.lines = {own, inlined};
  lines.sources = {{"variants/cuda/a.cu", {"int f();"}}};
  return json::parse(roofline::facts_json(study).dump());
}

TEST(Schema, IsTheOneThatDescriptionsGive) {
  EXPECT_EQ(schema(), json::parse(study_schema().dump()));
}

TEST(Schema, OfProfilesIsTheOneThatDescriptionsGive) {
  const json of_profiles = schema(GPP_SOURCE_DIR "/results/profile.schema.json");
  EXPECT_EQ(of_profiles, json::parse(roofline::profile_schema().dump()));
  const std::string table = GPP_SOURCE_DIR "/tests/roofline/profiles/ncu-nersc-gpp-v9.csv";
  json profile = json::parse(roofline::profile_json(roofline::import_profile({table})).dump());
  const Validator validator(of_profiles);
  EXPECT_EQ(validator.complaint(profile), "");
  profile["kernels"][0]["launches"] = 0;
  EXPECT_NE(validator.complaint(profile), "");
}

TEST(Schema, HoldsForLadders) {
  StudyRecord study = test::sample_study();
  study.ladder = "sc19";
  json record = json::parse(roofline::facts_json(study).dump());
  EXPECT_EQ(Validator(schema()).complaint(record), "");
  record["ladder"]["name"] = 19;
  EXPECT_NE(Validator(schema()).complaint(record), "");
}

TEST(Schema, HoldsForKernels) {
  const json study = json::parse(roofline::facts_json(test::kernels_study()).dump());
  ASSERT_TRUE(study["results"][0].contains("kernels"));
  EXPECT_EQ(Validator(schema()).complaint(study), "");
}

TEST(Schema, HoldsForARecordWithEveryStatus) {
  EXPECT_EQ(Validator(schema()).complaint(sample()), "");
}

TEST(Schema, DemandsEveryKeyOfTheDesign) {
  const Validator validator(schema());
  for (const char* place : {"/schema_version",
                            "/created",
                            "/git/revision",
                            "/git/dirty",
                            "/machine/cpu",
                            "/machine/gpus",
                            "/machine/driver",
                            "/machine/os",
                            "/build/compilers",
                            "/build/flags",
                            "/input/path",
                            "/input/sha256",
                            "/input/ncouls",
                            "/input/ngpown",
                            "/input/nbands",
                            "/input/nstart",
                            "/input/nend",
                            "/input/terms",
                            "/results/0/variant",
                            "/results/0/model",
                            "/results/0/device",
                            "/results/0/status",
                            "/results/0/reason",
                            "/results/0/check/max_relative_error",
                            "/results/0/check/tolerance",
                            "/results/0/check/asx",
                            "/results/0/check/ach",
                            "/results/0/time_s/samples",
                            "/results/0/launch",
                            "/results/0/counters",
                            "/results/0/counting/source",
                            "/ceilings"}) {
    json record = sample();
    const json::json_pointer pointer(place);
    ASSERT_TRUE(record.contains(pointer)) << place;
    record[pointer.parent_pointer()].erase(pointer.back());
    EXPECT_NE(validator.complaint(record).find("missing"), std::string::npos) << place;
  }
}

TEST(Schema, LeavesOtherKernelsTheirOwnKeys) {
  json record = sample();
  record["input"].erase("ncouls");
  EXPECT_NE(Validator(schema()).complaint(record), "");
  record["kernel"] = "stream";
  EXPECT_EQ(Validator(schema()).complaint(record), "");
}

TEST(Schema, KnowsWhatALaunchCosts) {
  const Validator validator(schema());
  StudyRecord study = test::roofline_study();
  study.ceilings.front().launch = {2.2e-6, 2.1e-6, 2.4e-6, "empty"};
  json record = json::parse(roofline::facts_json(study).dump());
  ASSERT_TRUE(record["ceilings"]["gpu"].contains("launch"));
  EXPECT_EQ(validator.complaint(record), "");
  record["ceilings"]["gpu"]["launch"]["seconds"] = "short";
  EXPECT_NE(validator.complaint(record), "");
}

TEST(Schema, RefusesWrongValues) {
  const Validator validator(schema());
  const auto with = [](const char* place, const json& value) {
    json record = sample();
    record[json::json_pointer(place)] = value;
    return record;
  };
  EXPECT_NE(validator.complaint(with("/schema_version", 1)), "");
  EXPECT_NE(validator.complaint(with("/results/0/status", "fine")), "");
  EXPECT_NE(validator.complaint(with("/results/0/time_s/samples", "fast")), "");
  EXPECT_NE(validator.complaint(with("/results/0/check/asx", {{1, 2, 3}})), "");
  EXPECT_NE(validator.complaint(with("/input/ncouls", 0)), "");
  EXPECT_NE(validator.complaint(with("/results/1/counting/slice/scale", "ten")), "");
  EXPECT_NE(validator.complaint(with("/results/1/counting/slice/counters/a", "many")), "");
}

/// A complete implementation agrees, where Python has one.
TEST(Schema, HoldsAccordingToPython) {
  if (roofline::run_program({"python3", "-c", "import jsonschema"}).status != 0)
    GTEST_SKIP() << "python3 has no jsonschema (Debian: python3-jsonschema)";
  const test::TemporaryFolder folder;
  const std::filesystem::path file = folder / "study.json";
  const char* program =
      "import json, jsonschema, sys\n"
      "schema = json.load(open(sys.argv[1]))\n"
      "validator = jsonschema.validators.validator_for(schema)\n"
      "validator.check_schema(schema)\n"
      "validator(schema).validate(json.load(open(sys.argv[2])))\n";
  const auto validate = [&](const json& record) {
    std::ofstream(file) << record;
    return roofline::run_program({"python3", "-c", program, schema_file, file.string()});
  };
  const roofline::Finished good = validate(sample());
  json record = sample();
  record["results"][0]["status"] = "fine";
  const roofline::Finished bad = validate(record);
  EXPECT_EQ(good.status, 0) << good.errors;
  EXPECT_NE(bad.status, 0);
}

}  // namespace
}  // namespace gpp
