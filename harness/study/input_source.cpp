#include "harness/study/input_source.h"

#include <fmt/format.h>

#include <chrono>
#include <utility>

#include "data/bundled.h"
#include "data/generate.h"
#include "data/gpp214.h"
#include "data/sha256.h"
#include "roofline/base/error.h"
#include "roofline/base/nearest.h"
#include "roofline/base/terminal.h"
#include "roofline/base/visible.h"

namespace gpp {
namespace {

Input generated(const Preset& preset, std::uint64_t seed) {
  roofline::ProgressLine line;
  // Without its reference: a study computes that anyway, the same way.
  return generate(preset, seed, false,
                  [&line](double share) { line.show("generating the input", share); });
}

InputRecord describe(const Input& input, const std::string& label) {
  InputRecord record;
  record.path = roofline::visible(label);
  record.ncouls = input.ncouls;
  record.ngpown = input.ngpown;
  record.nbands = input.peinf_ntband_dist;
  record.nstart = input.nstart;
  record.nend = input.nend;
  record.terms = input.terms();
  return record;
}

ReferenceRecord compute_timed(const PreparedProblem& problem) {
  roofline::ProgressLine line;
  const auto start = std::chrono::steady_clock::now();
  ReferenceRecord reference;
  reference.values = compute_reference(
      problem.view(), [&line](double share) { line.show("computing the reference", share); });
  const auto stop = std::chrono::steady_clock::now();
  reference.seconds = std::chrono::duration<double>(stop - start).count();
  return reference;
}

/// Records 17 and 18 as `gpp generate` writes them, so that a preset and its file have one hash.
void store_reference(Input& input, const Sums& sums) {
  for (int iw = 0; iw < input.nfreq(); ++iw) {
    const auto slot = static_cast<std::size_t>(input.nstart - 1 + iw);
    input.asxtempref[slot] = input.asxtemp[slot] + sums.asx[iw];
    input.achtempref[slot] = input.achtemp[slot] + sums.ach[iw];
  }
}

}  // namespace

const Preset& preset_called(const std::string& name) {
  if (const Preset* preset = find_preset(name)) return *preset;
  std::vector<std::string> names;
  for (const Preset& preset : presets()) names.push_back(preset.name);
  throw roofline::InputError("--preset: " + roofline::unknown_name("preset", name, names));
}

std::filesystem::path find_input(const std::filesystem::path& file) {
  std::error_code error;
  if (std::filesystem::exists(file, error)) return file;
  for (const std::string& name : bundled_inputs())
    if (file == name || file == name + ".dat") return bundled_input(name);
  return file;
}

Input obtain_input(const SourceRequest& request, std::string& label) {
  if (!request.preset.empty()) {
    const Preset& preset = preset_called(request.preset);
    label = fmt::format("preset {}, seed {}", preset.name, request.seed);
    return generated(preset, request.seed);
  }
  const std::filesystem::path file =
      request.file.empty() ? bundled_input() : find_input(request.file);
  label = file.string();
  roofline::ProgressLine line;
  line.show("reading " + label);
  return read_gpp214(file);
}

Subject obtain_subject(const SourceRequest& request) {
  Subject subject;
  std::string label;
  const auto input = std::make_shared<Input>(obtain_input(request, label));
  subject.problem = std::make_unique<PreparedProblem>(input);
  subject.reference = compute_timed(*subject.problem);
  subject.record = describe(*input, label);
  if (request.preset.empty()) {
    subject.record.sha256 = sha256_of_file(label);
  } else {
    store_reference(*input, subject.reference.values.sums);
    subject.record.sha256 = sha256_of(*input);
  }
  subject.reference.original = original_verdict(subject.reference.values.sums, *input);
  subject.reference.disagreement = disagreement(subject.reference.values, *input);
  return subject;
}

}  // namespace gpp
