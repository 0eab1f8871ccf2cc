// Submissions of a test before the referee: small inputs, few rounds.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/judge/submission.h"

namespace gpp::test {

struct Judging {
  std::string kernel = "gpp";
  std::vector<Layer> without = {};  ///< layers that are not used
  double longest_run = 5;           ///< seconds
  int repeat = 5;
};

/// The source of a plug-in, "NAME.cpp" or, for a GPU, "NAME.cu", compiled and judged.
Ruling judged_file(const std::filesystem::path& source, const Judging& judging = {});

/// A variant of this body, `Sums NAME(const Problem& problem)` in namespace gpp::omp, with `before`
/// outside of it. power2(problem) computes what is due.
Ruling judged_text(const std::string& name, const std::string& body, const std::string& before = {},
                   const Judging& judging = {});

/// A step of the tree.
Ruling judged_step(const std::string& id, const std::string& model, const Judging& judging = {});

/// Why layers that a test needs are not there; empty where all are.
std::string lacking(const std::vector<Layer>& needed);
/// Why no submission in CUDA can be judged here; empty where one can.
std::string lacking_gpu();

}  // namespace gpp::test
