// Students, ranked by how well they predict.
//
// Points are computed anew from prediction and outcome. Of several tries at one question (student,
// kernel, step, model, device, question) the first that has an outcome counts. Who has more points
// per question stands higher; who has as many, as shown, shares the place, and stands higher in the
// list with more questions. One name in two files is two students, named with their files.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/teach/answers_file.h"

namespace gpp {

/// The answers of one file.
struct NamedAnswers {
  std::string file;
  Answers answers;
};

struct StudentPlace {
  int rank = 0;  ///< from 1
  std::string student;
  int points = 0;
  int questions = 0;    ///< that count
  int not_counted = 0;  ///< further tries, and predictions without an outcome
  double per_question() const { return static_cast<double>(points) / questions; }
};

struct PredictionBoard {
  std::vector<StudentPlace> places;
  /// Files and entries that are not ranked, and why.
  std::vector<std::string> refused;
};

PredictionBoard prediction_board(const std::vector<NamedAnswers>& files);

std::string text_of(const PredictionBoard& board);
nlohmann::ordered_json to_json(const PredictionBoard& board);

/// `gpp report --scoreboard --predictions`: reads the files, and the *.json of folders, prints the
/// ranking and returns the exit status. What cannot be read is listed with the reason. Throws
/// InputError where nothing can be.
int show_prediction_board(const std::vector<std::filesystem::path>& paths, bool json);

}  // namespace gpp
