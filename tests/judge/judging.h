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

/// The source of a plug-in, "NAME.cpp" or, for a GPU, "NAME.cu", compiled with the header of this
/// folder that it includes, and judged.
Ruling judged_file(const std::filesystem::path& source, const Judging& judging = {});

/// Judges a variant with this body, `Sums NAME(const Problem& problem)` in namespace gpp::omp,
/// preceded by `before`. power2(problem) computes the right sums.
Ruling judged_text(const std::string& name, const std::string& body, const std::string& before = {},
                   const Judging& judging = {});

/// Judges a step of the tree.
Ruling judged_step(const std::string& id, const std::string& model, const Judging& judging = {});

/// Why a layer that a test needs is not there; empty where it is.
std::string lacking(const std::string& needed);
/// Why no submission in CUDA can be judged here; empty where one can.
std::string lacking_gpu();

}  // namespace gpp::test
