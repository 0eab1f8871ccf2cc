// Records of earlier programs.
#include <gtest/gtest.h>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "harness/record/record_json.h"
#include "harness/record/schema.h"
#include "roofline/base/error.h"

namespace gpp {
namespace {

using nlohmann::json;

json old_record() {
  std::ifstream file(GPP_SOURCE_DIR "/tests/harness/record/version-1.json");
  return json::parse(file);
}

/// Today's output for it, after it was written in today's form.
json now(const json& old) {
  const StudyRecord read = parse_record(old.dump(), "old");
  return json::parse(to_json(parse_record(roofline::facts_text(read), "new")).dump());
}

/// Compares all that the old record tells; counts its numbers.
int compare(const json& old, const json& today, const std::string& place) {
  if (old.is_number()) {
    EXPECT_TRUE(today.is_number()) << place;
    if (!today.is_number()) return 0;
    const double before = old.get<double>(), after = today.get<double>();
    EXPECT_LE(std::abs(after - before), 1e-12 * std::abs(before)) << place;
    return 1;
  }
  int numbers = 0;
  if (old.is_object()) {
    for (const auto& [key, value] : old.items()) {
      EXPECT_TRUE(today.contains(key)) << place << "." << key;
      if (today.contains(key)) numbers += compare(value, today[key], place + "." + key);
    }
  } else if (old.is_array()) {
    EXPECT_EQ(today.size(), old.size()) << place;
    for (std::size_t i = 0; i < std::min(old.size(), today.size()); ++i)
      numbers += compare(old[i], today[i], place + "[" + std::to_string(i) + "]");
  } else {
    EXPECT_EQ(today, old) << place;
  }
  return numbers;
}

TEST(Upgrade, KeepsEveryNumber) {
  json old = old_record();
  ASSERT_EQ(old["schema_version"], 1);
  const json today = now(old);
  EXPECT_EQ(today["schema_version"], 2);
  old.erase("schema_version");
  EXPECT_GE(compare(old, today, ""), 1000);
}

TEST(Upgrade, KnowsTheFirstRecords) {
  json old = old_record();
  for (const char* key : {"kernel", "complete"}) old.erase(key);
  for (const char* key : {"affinity", "online_cores", "load_average", "governor"})
    old["machine"].erase(key);
  for (json& result : old["results"])
    for (const char* key : {"parent", "threads", "preparation_s", "load", "code", "trace",
                            "rooflines", "instruction_rooflines", "counting"})
      result.erase(key);
  const json today = now(old);
  EXPECT_EQ(today["kernel"], "gpp");
  EXPECT_EQ(today["complete"], true);
  EXPECT_EQ(today["results"][0]["counting"]["source"], "");
  EXPECT_TRUE(today["results"][0]["counters"].empty()) << "nobody said who counted";
}

TEST(Upgrade, TellsSlicesInWords) {
  json old = old_record();
  json& counting = old["results"][0]["counting"];
  counting["slice"] = {{"ngpown", 7}, {"scale", 2.5}, {"counters", json::object()}};
  const std::string all = old["input"]["ngpown"].dump();
  EXPECT_EQ(now(old)["results"][0]["counting"]["slice"]["part"], "7 of " + all + " G'");
}

TEST(Upgrade, RefusesWhatItDoesNotKnow) {
  for (const json& version : {json(0), json(3), json("1"), json()}) {
    json record = old_record();
    record["schema_version"] = version;
    EXPECT_THROW(upgrade(record, "x"), roofline::InputError) << version;
  }
  json none = json::array();
  EXPECT_THROW(upgrade(none, "x"), roofline::InputError);
}

/// Whatever an old record holds in the place of objects and lists, its reader says what is wrong.
TEST(Upgrade, LeavesNonsenseToTheReader) {
  for (const char* place : {"/kernel", "/machine", "/reference", "/results", "/results/0",
                            "/results/0/counting", "/results/0/counting/slice"})
    for (const json& value : {json(7), json("x"), json::array({1}), json()}) {
      json record = old_record();
      record[json::json_pointer(place)] = value;
      EXPECT_NO_THROW(upgrade(record, "x")) << place << value;
    }
}

}  // namespace
}  // namespace gpp
