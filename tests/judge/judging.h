// Lets the referee judge a test's submissions, with small inputs and few rounds.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/judge/submission.h"

namespace gpp::test {

struct Judging {
  std::string kernel = "gpp";
  std::vector<Layer> without = {};  ///< layers to leave out
  double longest_run = 5;           ///< limit of a run in seconds
  int repeat = 5;
};

/// Compiles and judges a plug-in's source, "NAME.cpp" or, for a GPU, "NAME.cu".
Ruling judged_file(const std::filesystem::path& source, const Judging& judging = {});

/// Judges a variant with this body, `Sums NAME(const Problem& problem)` in namespace gpp::omp,
/// preceded by `before`. power2(problem) computes the right sums.
Ruling judged_text(const std::string& name, const std::string& body, const std::string& before = {},
                   const Judging& judging = {});

/// Judges a step of the tree.
Ruling judged_step(const std::string& id, const std::string& model, const Judging& judging = {});

/// The reason why required layers are missing; else empty.
std::string lacking(const std::vector<Layer>& needed);
/// The reason why CUDA submissions cannot be judged here; else empty.
std::string lacking_gpu();

}  // namespace gpp::test
