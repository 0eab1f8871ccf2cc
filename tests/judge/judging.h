// Lets the referee judge a test's submissions, with small inputs and few rounds.
#pragma once

#include <filesystem>
#include <set>
#include <string>

#include "harness/judge/submission.h"

namespace gpp::test {

struct Judging {
  std::string kernel = "gpp";
  std::set<std::string> without = {};  ///< layers that are not used
  double longest_run = 5;              ///< seconds
  int repeat = 5;
};

/// A submission for the host, a file or a folder, compiled and judged.
Ruling judged_file(const std::filesystem::path& source, const Judging& judging = {});

/// A file of cheats/ or honest/, "NAME.cpp" or, for a GPU, "NAME.cu", judged. Most hold only
/// includes and what lies in namespace gpp::omp or gpp::cuda behind v8, whose power2(problem)
/// computes the right sums; the last is `Sums NAME(const Problem& problem)`.
Ruling judged_part(const std::filesystem::path& source, const Judging& judging = {});

/// Judges such a variant with this body, preceded by `before`.
Ruling judged_text(const std::string& name, const std::string& body, const std::string& before = {},
                   const Judging& judging = {});

/// Judges a step of the tree.
Ruling judged_step(const std::string& id, const std::string& model, const Judging& judging = {});

/// Why a layer that a test needs is not there; empty where it is.
std::string lacking(const std::string& needed);
/// Why no submission in CUDA can be judged here; empty where one can.
std::string lacking_gpu();

}  // namespace gpp::test
