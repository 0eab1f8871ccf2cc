// The file in which a student's predictions are kept:
//
//   {"gpp_predictions": 1, "predictions": [{"student", "kernel", "variant", "step", "model",
//    "device", "time", "question", "prediction", "outcome", "points", "source", "after_run"}]}
//
// A prediction is null where the answer was "I don't know". "after_run" is true where an outcome of
// the step was on record before it was predicted; files of earlier versions lack it.
// "signature" is there where a key signed the prediction (Secret in harness/record/judge.h).
// Every prediction stays, a second try at the same question too. The points are for people: whoever
// ranks computes them anew.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "harness/record/judge.h"
#include "harness/teach/predictions.h"

namespace gpp {

/// $XDG_DATA_HOME/gpp/predictions.json, or that under ~/.local/share. Throws InputError where
/// neither variable names a folder.
std::filesystem::path default_answers_file();

/// Throws InputError where predictions cannot be kept in the file: it is there and holds anything
/// else, or cannot be read. It then stays as it is.
void require_answers_file(const std::filesystem::path& file);

/// Adds the predictions at the end, in a new file where there is none. The file is replaced whole,
/// and two programs at once lose nothing. With a key each is signed. Throws InputError as above,
/// where it cannot be written, and where another program does not let go of it.
void keep_predictions(const std::filesystem::path& file, const std::vector<Prediction>& more,
                      const std::optional<Secret>& key = {});

/// A prediction that cannot be believed, or read.
struct RefusedEntry {
  std::string place;  ///< "predictions[3]"
  std::string reason;
};

struct Answers {
  std::vector<Prediction> predictions;
  std::vector<RefusedEntry> refused;
};

/// Reads such a file, which may be anybody's. An entry is refused, with the reason, where a part of
/// it is missing or cannot be what it claims: a number that no step reaches, a word that no verdict
/// says, a speedup that was predicted to the last bit, and with a key whatever it did not sign.
/// Throws InputError where the file as a whole cannot be read.
Answers read_answers(const std::filesystem::path& file, const std::optional<Secret>& key = {});

}  // namespace gpp
