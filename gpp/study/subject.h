// One input of the Sigma-GPP kernel for the harness.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "gpp/prepare.h"
#include "gpp/reference.h"
#include "gpp/study/operations.h"
#include "harness/kernel.h"

namespace gpp {

/// An input with its reference. Runs differ in the weights of the G' (vcoul), by factors that are
/// powers of two, so that products stay exact.
class GppSubject : public Subject {
 public:
  /// Computes the reference. With `keep_sums`, the input has none yet and gets it in records 17 and
  /// 18, as `gpp generate` writes them, so that a preset and its file are equal. `most_judged` is
  /// that of SourceRequest and also holds for slices.
  GppSubject(const std::shared_ptr<Input>& input, InputRecord record, bool keep_sums = false,
             const Progress& progress = {}, std::int64_t most_judged = 0);

  const InputRecord& input() const override { return record_; }
  const ReferenceRecord& reference() const override { return reference_record_; }
  std::unique_ptr<Placement> place(const Runtime& runtime) const override;
  SourceCount count(const Variant& variant) override;
  double preparation_seconds(const Variant& variant) const override;
  std::unique_ptr<Subject> slice(std::int64_t terms, std::string& part) const override;

  const PreparedProblem& problem() const { return problem_; }
  const Reference& sums() const { return reference_; }
  /// True if a reference exists to judge answers.
  bool judged() const { return most_judged_ == 0 || record_.terms <= most_judged_; }

  /// Sets a sha256 that is known only after the sums.
  void set_sha256(std::string sha256) { record_.sha256 = std::move(sha256); }

 private:
  PreparedProblem problem_;
  Reference reference_;
  InputRecord record_;
  std::int64_t most_judged_;
  ReferenceRecord reference_record_;
  StepCounter counter_;
};

/// Obtains the input requested by --input, --preset and --seed.
std::unique_ptr<Subject> obtain_subject(const SourceRequest& request);

/// The inputs of `gpp check`: bundled inputs, presets with fewer than 1e7 terms, awkward inputs
/// (awkward.h).
std::vector<CheckInput> check_inputs();

}  // namespace gpp
