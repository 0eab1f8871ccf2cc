#include "gpp/study/subject.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <random>
#include <utility>

#include "data/bundled.h"
#include "data/generate.h"
#include "data/gpp214.h"
#include "data/kept_reference.h"
#include "gpp/drawn_problem.h"
#include "gpp/placed_problem.h"
#include "gpp/study/check.h"
#include "gpp/study/inputs.h"
#include "gpp/study/kernel.h"
#include "gpp/study/record.h"
#include "roofline/base/files.h"
#include "roofline/base/text.h"

namespace gpp {
namespace {

/// The factors of the G' for a seed; none for seed 0.
std::vector<double> factors_of(std::uint64_t seed, int ngpown) {
  std::vector<double> factors(static_cast<std::size_t>(ngpown), 1.0);
  if (seed == 0) return factors;
  std::mt19937_64 engine(seed);
  std::uniform_int_distribution<int> exponent(-2, 2);
  for (double& factor : factors) factor = std::ldexp(1.0, exponent(engine));
  return factors;
}

class GppPlacement : public Placement {
 public:
  GppPlacement(const GppSubject& subject, const DeviceMemory& memory)
      : subject_(subject), placed_(subject.problem(), memory) {}

  void vary(std::uint64_t seed) override {
    seed_ = seed;
    if (drawn_) placed_.become(subject_.problem().view());
    drawn_.reset();
    placed_.reweight(factors());
  }

  bool draw_anew(std::uint64_t secret) override {
    auto drawn = std::make_unique<DrawnProblem>(subject_.problem().view(), secret);
    placed_.become(drawn->view());
    drawn_ = std::move(drawn);
    due_.reset();
    return true;
  }

  void trust_last_answer() override {
    due_ = {sums_, subject_.sums().magnitude, subject_.sums().ties};
  }

  void compute_reference() override { due_ = gpp::compute_reference(drawn_->view()); }

  void run(const Variant& /*variant*/, const Call& call) override {
    sums_ = call_variant(call, placed_.view());
  }

  Check check(double tolerance) override {
    if (drawn_ ? !due_ : !subject_.judged())
      return {std::numeric_limits<double>::infinity(), tolerance, false,
              "no reference was computed for an input of this size"};
    // The original problem is judged by the reference, so its record can be checked again.
    const Reference& sums = subject_.sums();
    const auto against = [&](const Reference& due) {
      return gpp::check(sums_, due, placed_.view().nfreq, tolerance);
    };
    if (drawn_) return against(*due_);
    return seed_ == 0 ? against(sums) : against(reweighted(sums, factors()));
  }

  JsonObject answer() const override { return answer_json(sums_, subject_.problem().input()); }

  std::string repair() override { return placed_.repair(); }

 private:
  std::vector<double> factors() const { return factors_of(seed_, placed_.view().ngpown); }

  const GppSubject& subject_;
  PlacedProblem placed_;
  std::uint64_t seed_ = 0;
  std::unique_ptr<DrawnProblem> drawn_;  // null: the subject's own problem, varied by the seed
  std::optional<Reference> due_;         // reference of the drawn problem
  Sums sums_{};
};

InputRecord record_of(const Input& input, const std::string& label) {
  return input_record(
      label, {input.ncouls, input.ngpown, input.peinf_ntband_dist, input.nstart, input.nend});
}

}  // namespace

GppSubject::GppSubject(const std::shared_ptr<Input>& input, InputRecord record, bool keep_sums,
                       const Progress& progress, std::int64_t most_judged)
    : problem_(input),
      record_(std::move(record)),
      most_judged_(most_judged),
      counter_(problem_.view()) {
  if (!judged()) return;
  ObtainedReference obtained = obtain_reference(problem_.view(), reference_folder(), progress);
  reference_ = std::move(obtained.reference);
  // This must precede store(), or the sums would be compared with themselves.
  reference_record_ = reference_record(reference_, problem_.input());
  if (keep_sums) store(reference_.sums, *input);
  reference_record_.seconds = obtained.seconds;
  reference_record_.kept = obtained.kept;
  reference_record_.not_kept = obtained.not_kept;
}

std::unique_ptr<Placement> GppSubject::place(const Runtime& runtime) const {
  require_device_memory(bytes_of(problem_.view()), runtime.free_bytes());
  return std::make_unique<GppPlacement>(*this, runtime.memory());
}

SourceCount GppSubject::count(const Variant& variant) {
  const auto arithmetic = parse_arithmetic(variant.operations);
  if (!arithmetic)
    return {{},
            fmt::format("{} has no line '// Operations: FORM; m once.' as gpp/study/operations.h "
                        "describes it",
                        variant.source)};
  return {{{"fp64_flop", counter_.operations(*arithmetic).flop()},
           {"dram_bytes", counter_.compulsory_bytes()}},
          {},
          {{"l1_bytes", counter_.loaded_bytes(*arithmetic)},
           {"divisions", counter_.divisions(*arithmetic)}}};
}

double GppSubject::preparation_seconds(const Variant& variant) const {
  for (const Build& build : variant.builds)
    if (build.call.takes<FactoredProblem>()) return problem_.factored_seconds();
  return 0.0;
}

std::unique_ptr<Subject> GppSubject::slice(std::int64_t terms, std::string& part) const {
  const Input& input = problem_.input();
  if (input.terms() <= terms) return nullptr;
  const int ngpown = own_g_of_slice(input, terms);
  part = fmt::format("{} of {} G'", ngpown, input.ngpown);
  const auto slice = std::make_shared<Input>(slice_of(input, ngpown));
  // A slice of few terms is judged, although a single G' may have more terms than requested.
  const std::int64_t most = terms > most_judged_ ? most_judged_ : 0;
  return std::make_unique<GppSubject>(slice, record_of(*slice, part), false, Progress{}, most);
}

std::unique_ptr<Subject> obtain_subject(const SourceRequest& request) {
  std::string label;
  const auto input = std::make_shared<Input>(obtain_input(request, label));
  const bool generated = !request.preset.empty();
  roofline::ProgressLine line;
  auto subject = std::make_unique<GppSubject>(
      input, record_of(*input, label), generated,
      [&line](double share) { line.show("computing the reference", share); }, request.most_judged);
  // A generated input has the hash of its file with the reference.
  if (subject->judged())
    subject->set_sha256(generated ? sha256_of(*input) : roofline::sha256_of_file(label));
  return subject;
}

std::vector<CheckInput> check_inputs() {
  constexpr std::int64_t most_terms = 10'000'000;  // limit for presets
  std::vector<CheckInput> inputs;
  const auto add = [&inputs](const std::string& name, const std::string& what,
                             const SourceRequest& source) {
    inputs.push_back({name, what, [source] { return obtain_subject(source); }});
  };
  for (const std::string& name : bundled_inputs())
    add(name, "bundled: real silicon", {name, "", default_seed});
  for (const Preset& preset : presets())
    if (preset.terms() <= most_terms)
      add(preset.name, "preset: " + preset.description.substr(0, preset.description.find(':')),
          {{}, preset.name, default_seed});
  for (const AwkwardInput& awkward : awkward_inputs())
    inputs.push_back({awkward.name, awkward.meaning, [awkward] {
                        const auto input = std::make_shared<Input>(awkward.make());
                        return std::make_unique<GppSubject>(input, record_of(*input, awkward.name));
                      }});
  return inputs;
}

}  // namespace gpp
