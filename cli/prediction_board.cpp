#include "cli/prediction_board.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "harness/program/exit_status.h"
#include "roofline/base/error.h"
#include "roofline/base/table.h"
#include "roofline/base/visible.h"

namespace gpp {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_files = 10000, most_lines = 20, page_width = 100;

/// The files in which a name occurs.
std::map<std::string, std::set<std::string>> files_by_student(
    const std::vector<NamedAnswers>& files) {
  std::map<std::string, std::set<std::string>> students;
  for (const NamedAnswers& named : files)
    for (const Prediction& one : named.answers.predictions)
      students[one.student].insert(named.file);
  return students;
}

/// The places of one file's students, without ranks.
void add_students(const NamedAnswers& named,
                  const std::map<std::string, std::set<std::string>>& files,
                  PredictionBoard& board) {
  std::map<std::string, StudentPlace> places;
  std::set<std::tuple<std::string, std::string, std::string, std::string, std::string, Asked>>
      answered;
  for (const Prediction& one : named.answers.predictions) {
    StudentPlace& place = places[one.student];
    const auto points = one.points();
    if (!points ||
        !answered.emplace(one.student, one.kernel, one.variant, one.model, one.device, one.asked)
             .second) {
      ++place.not_counted;
      continue;
    }
    place.points += *points;
    ++place.questions;
  }
  for (auto& [student, place] : places) {
    place.student =
        files.at(student).size() > 1 ? fmt::format("{} ({})", student, named.file) : student;
    if (place.questions > 0)
      board.places.push_back(place);
    else
      board.refused.push_back(place.student + ": no prediction has an outcome");
  }
}

double as_shown(const StudentPlace& place) { return std::round(100 * place.per_question()); }

void rank(std::vector<StudentPlace>& places) {
  std::sort(places.begin(), places.end(), [](const StudentPlace& a, const StudentPlace& b) {
    return std::tuple(-as_shown(a), -a.questions, a.student) <
           std::tuple(-as_shown(b), -b.questions, b.student);
  });
  std::size_t first = 0;
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (as_shown(places[i]) != as_shown(places[first])) first = i;
    places[i].rank = static_cast<int>(first) + 1;
  }
}

std::vector<fs::path> files_of(const fs::path& path) {
  std::error_code error;
  if (!fs::is_directory(path, error)) return {path};
  std::vector<fs::path> files;
  for (fs::directory_iterator entry(path, error), end; !error && entry != end;
       entry.increment(error))
    if (entry->path().extension() == ".json" && files.size() < most_files)
      files.push_back(entry->path());
  if (files.empty())
    throw roofline::InputError(
        fmt::format("{}: holds no *.json file", roofline::visible(path.string())));
  std::sort(files.begin(), files.end());
  return files;
}

/// The files' answers; what cannot be read goes to `refused`.
std::vector<NamedAnswers> read_all(const std::vector<fs::path>& paths,
                                   std::vector<std::string>& refused) {
  std::vector<NamedAnswers> files;
  std::set<fs::path> seen;
  for (const fs::path& path : paths) {
    try {
      for (const fs::path& file : files_of(path)) {
        std::error_code error;
        if (!seen.insert(fs::weakly_canonical(file, error)).second) continue;
        try {
          files.push_back({roofline::visible(file.string()), read_answers(file)});
        } catch (const roofline::InputError& unreadable) {
          refused.emplace_back(unreadable.what());
        }
      }
    } catch (const roofline::InputError& unreadable) {
      refused.emplace_back(unreadable.what());
    }
  }
  return files;
}

}  // namespace

PredictionBoard prediction_board(const std::vector<NamedAnswers>& files) {
  PredictionBoard board;
  const auto students = files_by_student(files);
  for (const NamedAnswers& named : files) {
    add_students(named, students, board);
    for (const RefusedEntry& entry : named.answers.refused) board.refused.push_back(entry.reason);
  }
  rank(board.places);
  return board;
}

std::string text_of(const PredictionBoard& board) {
  using enum roofline::Table::Align;
  roofline::Table table({{"rank", right},
                         {"student", left},
                         {"points per question", right},
                         {"questions", right},
                         {"points", right},
                         {"not counted", right}});
  for (const StudentPlace& place : board.places)
    table.add({std::to_string(place.rank), place.student,
               fmt::format("{:.2f}", place.per_question()), std::to_string(place.questions),
               std::to_string(place.points), std::to_string(place.not_counted)});
  std::string text =
      table.text() +
      roofline::wrapped(
          "The first try at a question counts, where it has an outcome. " + rule_of_points(),
          page_width, 0) +
      "\n";
  for (std::size_t i = 0; i < std::min(board.refused.size(), most_lines); ++i)
    text += roofline::wrapped("not ranked: " + board.refused[i], page_width, 2) + "\n";
  if (board.refused.size() > most_lines)
    text += fmt::format("and {} more; --json lists them\n", board.refused.size() - most_lines);
  return text;
}

nlohmann::ordered_json to_json(const PredictionBoard& board) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const StudentPlace& place : board.places)
    rows.push_back({{"rank", place.rank},
                    {"student", place.student},
                    {"points_per_question", place.per_question()},
                    {"questions", place.questions},
                    {"points", place.points},
                    {"not_counted", place.not_counted}});
  return {{"by_points_per_question", rows}, {"not_ranked", board.refused}};
}

int show_prediction_board(const std::vector<fs::path>& paths, bool json) {
  std::vector<std::string> unreadable;
  const std::vector<NamedAnswers> files = read_all(paths, unreadable);
  if (files.empty()) throw roofline::InputError(unreadable.front());
  PredictionBoard board = prediction_board(files);
  board.refused.insert(board.refused.end(), unreadable.begin(), unreadable.end());
  if (json)
    fmt::print("{}\n", to_json(board).dump(1));
  else
    fmt::print("{}", text_of(board));
  return board.refused.empty() && !board.places.empty() ? every_check_passed : something_failed;
}

}  // namespace gpp
