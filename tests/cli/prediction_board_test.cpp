// Students ranked by their predictions, whatever their files claim.
#include "cli/prediction.h"

#include <nlohmann/json.hpp>

#include <fstream>

#include "roofline/base/error.h"
#include "tests/harness/sample_study.h"
#include "tests/temporary_folder.h"
#include "tests/text.h"

namespace gpp::test {
namespace {

namespace fs = std::filesystem;

NamedAnswers file(const std::string& name, std::vector<Prediction> predictions) {
  return {name, {std::move(predictions), {}}};
}

/// "1 ann 3/1, 2 bob 2/1": rank, student, points / questions.
std::string order(const PredictionBoard& board) {
  std::string text;
  for (const StudentPlace& place : board.places)
    text += (text.empty() ? "" : ", ") + std::to_string(place.rank) + " " + place.student + " " +
            std::to_string(place.points) + "/" + std::to_string(place.questions);
  return text;
}

TEST(PredictionBoard, RanksByPointsPerQuestion) {
  EXPECT_EQ(order(prediction_board({file("a", {sample_prediction("ann", "v7", 2.1),
                                               sample_prediction("ann", "v8", 5)}),
                                    file("b", {sample_prediction("bob", "v7", 2.4)}),
                                    file("c", {sample_prediction("cyd", "v7", 9)})})),
            "1 bob 2/1, 2 ann 3/2, 3 cyd 0/1");
}

TEST(PredictionBoard, WhoHasAsManySharesThePlace) {
  EXPECT_EQ(order(prediction_board({file("a", {sample_prediction("ann", "v7", 2.1)}),
                                    file("b", {sample_prediction("bob", "v7", 2.1),
                                               sample_prediction("bob", "v8", 2.1)}),
                                    file("c", {sample_prediction("cyd", "v7", 2.4)})})),
            "1 bob 6/2, 1 ann 3/1, 3 cyd 2/1");
}

TEST(PredictionBoard, CountsTheFirstTryThatHasAnOutcome) {
  const PredictionBoard board = prediction_board(
      {file("a", {sample_prediction("ann", "v7", 9, std::nullopt),
                  sample_prediction("ann", "v7", 5), sample_prediction("ann", "v7", 2.01)})});
  EXPECT_EQ(order(board), "1 ann 0/1");
  EXPECT_EQ(board.places[0].not_counted, 2);
}

TEST(PredictionBoard, OneNameInTwoFilesIsTwoStudents) {
  EXPECT_EQ(order(prediction_board({file("a", {sample_prediction("ann", "v7", 2.1)}),
                                    file("b", {sample_prediction("ann", "v7", 5)})})),
            "1 ann (a) 3/1, 2 ann (b) 0/1");
}

/// Anybody can write answers about a variant of his own making, with the outcomes that suit them.
TEST(PredictionBoard, CountsNoAnswersAboutVariantsThatNobodyHas) {
  Prediction other_model = sample_prediction("eve", "v7", 2);
  other_model.model = "fortran";
  const PredictionBoard board = prediction_board(
      {file("a", {sample_prediction("ann", "v7", 2.4), sample_prediction("ann", "v99", 2)}),
       file("b", {sample_prediction("eve", "mine", 2), other_model})});
  EXPECT_EQ(order(board), "1 ann 2/1");
  EXPECT_EQ(board.places[0].not_counted, 1);
  ASSERT_EQ(board.refused.size(), 2u);
  EXPECT_TRUE(contains(board.refused[0], "ann: this program has no variant omp v99"));
  EXPECT_TRUE(contains(board.refused[1], "eve: this program has no variant fortran v7, omp mine"));
}

TEST(PredictionBoard, NamesWhoHasNoOutcome) {
  const PredictionBoard board =
      prediction_board({file("a", {sample_prediction("ann", "v7", 9, std::nullopt)})});
  EXPECT_TRUE(board.places.empty());
  ASSERT_EQ(board.refused.size(), 1u);
  EXPECT_TRUE(contains(text_of(board), "not ranked: ann: no prediction has an outcome"));
}

TEST(PredictionBoard, ReadsFilesAndFolders) {
  const TemporaryFolder temporary;
  keep_predictions(temporary / "a.json", {sample_prediction("ann", "v7", 2.1)});
  keep_predictions(temporary / "b.json", {sample_prediction("bob", "v7", 2.4)});
  testing::internal::CaptureStdout();
  EXPECT_EQ(show_prediction_board({temporary.path(), temporary / "a.json"}, {}, true), 0);
  const auto json = nlohmann::json::parse(testing::internal::GetCapturedStdout());
  EXPECT_EQ(json["by_points_per_question"].size(), 2u);
  EXPECT_EQ(json["by_points_per_question"][0]["student"], "ann");

  std::ofstream(temporary / "c.json") << "{";
  testing::internal::CaptureStdout();
  EXPECT_EQ(show_prediction_board({temporary.path(), temporary / "none"}, {}, false), 1);
  EXPECT_TRUE(contains_all(testing::internal::GetCapturedStdout(),
                           {"   1  ann ", "c.json: not JSON", "none: there is no such file"}));
  EXPECT_THROW(show_prediction_board({temporary / "c.json"}, {}, false), roofline::InputError);
  fs::create_directory(temporary / "empty");
  EXPECT_THROW(show_prediction_board({temporary / "empty"}, {}, false), roofline::InputError);
}

}  // namespace
}  // namespace gpp::test
