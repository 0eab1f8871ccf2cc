// One input of the Sigma-GPP kernel as the harness studies it.
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

/// An input with its reference. From run to run the weight of each G' (vcoul) differs: factors are
/// powers of two, so that the products keep all digits.
class GppSubject : public Subject {
 public:
  /// Computes the reference. `keep_sums`: the input carries none yet and gets these, in records 17
  /// and 18 as `gpp generate` writes them, so that a preset and its file are the same.
  /// `most_judged` is SourceRequest's, for slices of it too.
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
  /// Whether there is a reference to judge answers by.
  bool judged() const { return most_judged_ == 0 || record_.terms <= most_judged_; }

  /// Where the sha256 is known only when the sums are.
  void set_sha256(std::string sha256) { record_.sha256 = std::move(sha256); }

 private:
  std::shared_ptr<Input> input_;
  PreparedProblem problem_;
  Reference reference_;
  InputRecord record_;
  std::int64_t most_judged_;
  ReferenceRecord reference_record_;
  StepCounter counter_;
};

/// Obtains the input that --input, --preset and --seed ask for.
std::unique_ptr<Subject> obtain_subject(const SourceRequest& request);

/// The inputs that `gpp check` runs a variant on: the bundled inputs, the presets of fewer than 1e7
/// terms, the awkward ones (awkward.h).
std::vector<CheckInput> check_inputs();

}  // namespace gpp
