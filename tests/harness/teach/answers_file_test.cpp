// The file of predictions: nothing in it is lost, and nothing in it is believed.
#include "harness/teach/answers_file.h"

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "roofline/base/error.h"
#include "tests/harness/sample_study.h"
#include "tests/temporary_folder.h"
#include "tests/text.h"

namespace gpp {
namespace {

namespace fs = std::filesystem;

Prediction sample(double guess = 1.8, std::optional<Guess> outcome = 1.61803) {
  return test::sample_prediction("ann", "v7", guess, std::move(outcome));
}

class AnswersFile : public testing::Test {
 protected:
  void write(const std::string& text) const { std::ofstream(file) << text; }

  /// The message with which the file is refused; it must stay as it is.
  std::string refusal() const {
    const std::string before = fs::is_regular_file(file) ? test::file_text(file) : "";
    std::string message;
    for (const auto& act : {std::function<void()>([&] { require_answers_file(file); }),
                            std::function<void()>([&] { keep_predictions(file, {sample()}); })}) {
      message = test::thrown<roofline::InputError>(act);
      EXPECT_NE(message, "") << "took " << before.substr(0, 80);
    }
    EXPECT_EQ(fs::is_regular_file(file) ? test::file_text(file) : "", before);
    return message;
  }

  test::TemporaryFolder temporary;
  const fs::path file = temporary / "answers.json";
};

TEST_F(AnswersFile, KeepsEveryPrediction) {
  const fs::path deep = temporary / "a/b/answers.json";
  require_answers_file(deep);
  keep_predictions(deep, {sample(), sample(2.5)});
  keep_predictions(deep, {sample(3, std::nullopt)});
  const Answers answers = read_answers(deep);
  EXPECT_TRUE(answers.refused.empty()) << answers.refused.front().reason;
  ASSERT_EQ(answers.predictions.size(), 3u);
  EXPECT_EQ(answers.predictions[1].guess, Guess(2.5));
  EXPECT_EQ(answers.predictions[0].points(), 2);
  EXPECT_EQ(answers.predictions[0].student, "ann");
  EXPECT_FALSE(answers.predictions[2].outcome.has_value());
  EXPECT_EQ(std::distance(fs::directory_iterator(deep.parent_path()), {}), 1) << "no lock is left";
  Prediction late = sample();
  late.guess = std::nullopt;
  late.after_run = true;
  keep_predictions(deep, {late});
  const Prediction read = read_answers(deep).predictions.at(3);
  EXPECT_EQ(read.guess, std::nullopt);
  EXPECT_TRUE(read.after_run);
  EXPECT_FALSE(answers.predictions[0].after_run);
}

TEST_F(AnswersFile, LosesNothingThatIsThere) {
  for (const char* text :
       {"", "{", "notes of mine", "[]", "{}", "{\"a\": 1}", "null",
        "{\"gpp_predictions\": 2, \"predictions\": []}",
        "{\"gpp_predictions\": 1, \"predictions\": {}}",
        "{\"gpp_predictions\": 1, \"predictions\": [1]}",
        "{\"gpp_predictions\": 1, \"predictions\": [{\"a\": [1]}]}",
        "{\"gpp_predictions\": 1, \"predictions\": [], \"more\": 1}",
        "{\"gpp_predictions\": 1, \"predictions\": [{\"prediction\": 1e999}]}", "\xff\xfe"}) {
    write(text);
    EXPECT_NE(refusal().find("it stays as it is"), std::string::npos) << text;
    const std::string refused = test::thrown<roofline::InputError>([&] { read_answers(file); });
    EXPECT_NE(refused, "") << text;
    EXPECT_FALSE(test::contains(refused, "--answers"))
        << "who only reads is not told of an option to keep";
  }
  write(std::string(100000, '['));
  EXPECT_NE(refusal().find("nested more than"), std::string::npos);
  write(std::string(100000, '[') + std::string(100000, ']'));
  EXPECT_NE(refusal().find("nested more than"), std::string::npos);
}

TEST_F(AnswersFile, IsAFile) {
  fs::create_directory(file);
  EXPECT_NE(refusal().find("not a file"), std::string::npos);
  fs::remove(file);
  ASSERT_EQ(mkfifo(file.c_str(), 0600), 0);
  EXPECT_NE(refusal().find("not a file"), std::string::npos) << "and nobody waits for it";
}

TEST_F(AnswersFile, LosesNothingToTwoProgramsAtOnce) {
  constexpr int programs = 4, each = 10;
  for (int i = 0; i < programs; ++i)
    if (fork() == 0) {
      for (int k = 0; k < each; ++k) keep_predictions(file, {sample(1 + i + 0.01 * k)});
      _exit(0);
    }
  for (int i = 0; i < programs; ++i) {
    int status = 0;
    wait(&status);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(read_answers(file).predictions.size(), static_cast<std::size_t>(programs * each));
}

/// An entry with one part in the place of another.
std::string entry(const std::string& from = "", const std::string& to = "") {
  std::string text =
      R"({"student": "ann", "kernel": "gpp", "variant": "v7", "step": "reciprocal", "model": "omp",
          "device": "a processor", "time": "2026-01-31T12:00:00Z", "question": "speedup",
          "prediction": 1.8, "outcome": 1.61803, "points": 2, "source": "run now"})";
  if (!from.empty()) text.replace(text.find(from), from.size(), to);
  return text;
}

TEST_F(AnswersFile, DoesNotBelieveWhatCannotBe) {
  const std::vector<std::pair<std::string, std::string>> changes = {
      {"\"student\": \"ann\"", "\"student\": \"\""},
      {"\"student\": \"ann\", ", ""},
      {"\"v7\"", "\"v 7\""},
      {"2026-01-31T12:00:00Z", "yesterday"},
      {"\"speedup\"", "\"luck\""},
      {"\"speedup\"", "\"bound_by\""},
      {"1.8", "\"1.8\""},
      {"1.8", "-1.8"},
      {"1.8", "0"},
      {"1.61803", "1e9"},
      {"1.61803", "true"},
      {"\"prediction\": 1.8", "\"prediction\": 1.61803"}};
  std::string list = entry();
  for (const auto& [from, to] : changes) list += ",\n" + entry(from, to);
  write("{\"gpp_predictions\": 1, \"predictions\": [" + list + "]}");
  const Answers answers = read_answers(file);
  EXPECT_EQ(answers.predictions.size(), 1u);
  ASSERT_EQ(answers.refused.size(), changes.size());
  EXPECT_EQ(answers.refused[0].place, "predictions[1]");
  EXPECT_NE(answers.refused[0].reason.find("student"), std::string::npos);
  keep_predictions(file, {sample()});
  EXPECT_EQ(read_answers(file).refused.size(), changes.size()) << "and keeps it";
}

TEST_F(AnswersFile, WhatAKeySignedCannotBeChanged) {
  const std::optional<Secret> key(std::in_place, temporary / "key");
  keep_predictions(file, {sample(), sample(2.5)}, key);
  keep_predictions(file, {sample(1.6)});
  Answers answers = read_answers(file, key);
  EXPECT_EQ(answers.predictions.size(), 2u);
  ASSERT_EQ(answers.refused.size(), 1u) << "nobody signed the third";
  std::string text = test::file_text(file);
  text.replace(text.find("2.5"), 3, "1.6");
  write(text);
  answers = read_answers(file, key);
  EXPECT_EQ(answers.predictions.size(), 1u);
  EXPECT_TRUE(test::contains(answers.refused.at(0).reason, "predictions[1]"));
  EXPECT_EQ(read_answers(file, Secret()).predictions.size(), 0u) << "another key";
  EXPECT_EQ(read_answers(file).predictions.size(), 3u);
}

TEST_F(AnswersFile, PointsInItAreNotTrusted) {
  write("{\"gpp_predictions\": 1, \"predictions\": [" +
        entry("\"prediction\": 1.8, \"outcome\": 1.61803, \"points\": 2",
              "\"prediction\": 9.9, \"outcome\": 1.61803, \"points\": 3") +
        "]}");
  EXPECT_EQ(read_answers(file).predictions.at(0).points(), 0);
}

}  // namespace
}  // namespace gpp
