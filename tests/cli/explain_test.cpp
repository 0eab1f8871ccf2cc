// gpp explain, as a process and as text.
#include <gtest/gtest.h>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "gpp/study/kernel.h"
#include "harness/teach/explanation.h"
#include "roofline/base/process.h"
#include "tests/temporary_folder.h"

namespace gpp {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

class Explain : public testing::Test {
 protected:
  roofline::Finished explain(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {GPP_BINARY_DIR "/gpp", "explain"});
    arguments.insert(arguments.end(), {"--results", folder.string()});
    return roofline::run_program(arguments);
  }
  roofline::Finished quiz(const std::string& answers) const {
    return roofline::run_program({"sh", "-c",
                                  "printf '" + answers +
                                      "' | '" GPP_BINARY_DIR "/gpp' explain v7 --quiz " +
                                      "--model omp --results '" + folder.string() + "'"});
  }

  test::TemporaryFolder temporary;
  const fs::path folder = temporary.path();
};

/// Each part stands there, after the one before.
void expect_in_order(const std::string& text, const std::vector<std::string>& parts) {
  std::size_t at = 0;
  for (const std::string& part : parts) {
    const std::size_t found = text.find(part, at);
    ASSERT_NE(found, std::string::npos) << "'" << part << "' is missing or out of order in\n"
                                        << text;
    at = found + part.size();
  }
}

TEST_F(Explain, TellsEverythingAboutAStep) {
  const roofline::Finished done = explain({"v7", "--model", "cuda"});
  EXPECT_EQ(done.status, 0) << done.errors;
  expect_in_order(
      done.output,
      {"v7, reciprocal (cuda)\n", "\nIdea\n", "\nWhat changes\n",
       "--- variants/cuda/v06_simplify.cu\n+++ variants/cuda/v07_reciprocal.cu\n@@ -",
       "\n-#include \"gpp/forms/simplified.h\"\n+#include \"gpp/forms/reciprocal.h\"\n",
       "--- gpp/forms/simplified.h\n", "\nPredict\n", "\nOn a V100", "0.66 s", "\nOn an H200",
       "\nOn this machine\n", "gpp study --model cuda --only v6,v7", "\nWhat to try next\n"});
  EXPECT_EQ(done.output.find("<!--"), std::string::npos);
  EXPECT_EQ(done.output.find("\033"), std::string::npos);
  EXPECT_EQ(done.output.find("Question 1"), std::string::npos);
}

TEST_F(Explain, TakesEveryStepOfEveryModel) {
  for (const Variant& variant : catalog()) {
    const Explanation all = gpp::explain(gpp_kernel(), variant, folder);
    EXPECT_EQ(all.lesson != nullptr, variant.id != variant.step) << variant.source;
    const std::string text =
        before_the_answer(all, {60, false}) + after_the_answer(all, {60, false});
    EXPECT_NE(text.find("On this machine"), std::string::npos) << variant.source;
    if (variant.source.ends_with(".md")) {
      EXPECT_NE(text.find("has no such step"), std::string::npos) << text;
    } else if (all.before != nullptr) {
      EXPECT_NE(text.find("+++ " + variant.source), std::string::npos) << text;
    }
  }
}

TEST_F(Explain, ShowsThisMachinesLastStudy) {
  const std::string study = (folder / "a/study").string();
  const roofline::Finished made =
      roofline::run_program({GPP_BINARY_DIR "/gpp", "study", "--preset", "tiny", "--model", "omp",
                             "--only", "v6,v7", "--repeat", "1", "-o", study});
  ASSERT_EQ(made.status, 0) << made.errors;
  const roofline::Finished done = explain({"v7", "--model", "omp"});
  expect_in_order(done.output, {"\nOn this machine\n", "preset tiny", study, "v6", "v7", "time",
                                "terms/s", "v7 takes "});
  const json values = json::parse(explain({"v7", "--model", "omp", "--json"}).output);
  EXPECT_EQ(values["last_study"]["folder"], study);
  EXPECT_GT(values["last_study"]["before"]["time_s"].get<double>(), 0.0);
  // v8 is not in it, and neither is v5.
  EXPECT_NE(explain({"v8", "--model", "omp"}).output.find("--only v7,v8"), std::string::npos);
  EXPECT_NE(explain({"v6", "--model", "omp"}).output.find("--only v5,v6"), std::string::npos);
}

TEST_F(Explain, SpeaksJson) {
  const json values = json::parse(explain({"v7", "--model", "cuda", "--json"}).output);
  EXPECT_EQ(values["variant"], "v7");
  EXPECT_EQ(values["predecessor"], "v6");
  EXPECT_EQ(values["diffs"].size(), 2u);
  EXPECT_EQ(values["last_study"], nullptr);
  EXPECT_FALSE(values["lesson"]["idea"].get<std::string>().empty());
  EXPECT_GE(values["lesson"]["quiz"].size(), 2u);
}

TEST_F(Explain, AsksBeforeItTells) {
  const Lesson& lesson = *find_lesson(gpp_kernel(), "v7");
  std::string right, wrong;
  for (const Question& question : lesson.quiz) {
    right += std::string(1, static_cast<char>('a' + question.right)) + "\\n";
    wrong +=
        std::string(1, static_cast<char>('a' + (question.right + 1) % question.choices.size())) +
        "\\n";
  }
  const std::string all = std::to_string(lesson.quiz.size());
  const roofline::Finished good = quiz(right);
  EXPECT_EQ(good.status, 0) << good.errors;
  expect_in_order(good.output, {"Predict", "Question 1 of " + all, "Right.", "On a V100",
                                "On an H200", all + " of " + all + " right.\n"});
  const roofline::Finished bad = quiz(wrong);
  expect_in_order(bad.output, {"No: it is ", "On a V100", "0 of " + all + " right.\n"});
  const roofline::Finished none = quiz("");
  EXPECT_EQ(none.status, 0) << none.errors;
  expect_in_order(none.output, {"Question 1", "No more answers", "On a V100",
                                "0 of " + all + " right, 0 answered.\n"});
}

TEST_F(Explain, RefusesWhatItDoesNotKnow) {
  const auto refuses = [&](const std::vector<std::string>& arguments, const std::string& part) {
    const roofline::Finished done = explain(arguments);
    EXPECT_EQ(done.status, 2) << done.output;
    EXPECT_NE(done.errors.find(part), std::string::npos) << done.errors;
  };
  refuses({"recipocal"}, "unknown variant 'recipocal'; did you mean 'reciprocal'?");
  refuses({"v7", "--model", "cda"}, "did you mean 'cuda'?");
  refuses({}, "variant is required");
  refuses({"v7", "--quiz", "--json"}, "--json");
}

}  // namespace
}  // namespace gpp
