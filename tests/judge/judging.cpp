#include "tests/judge/judging.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>

#include "harness/plugin/plugin.h"
#include "harness/program/child.h"
#include "tests/temporary_folder.h"
#include "tests/text.h"

namespace gpp::test {
namespace {

/// Inputs are made once for all tests of a process that use the same.
struct Judge {
  explicit Judge(const Judging& judging) {
    JudgeRules rules;
    rules.kernel = &kernel_called(judging.kernel);
    rules.source.preset = "tiny";
    rules.timing.repeat = judging.repeat;
    rules.largest_check = 0;
    rules.longest_run = judging.longest_run;
    rules.unwanted = judging.without;
    referee = std::make_unique<Referee>(rules, secret);
  }
  const Secret secret;
  std::unique_ptr<Referee> referee;
};

Judge& judge_for(const Judging& judging) {
  static std::map<std::string, Judge> judges;
  std::ostringstream key;
  key << judging.kernel << judging.longest_run << ' ' << judging.repeat;
  for (const std::string& layer : judging.without) key << ' ' << layer;
  return judges.try_emplace(key.str(), judging).first->second;
}

}  // namespace

Ruling judged_file(const std::filesystem::path& source, const Judging& judging) {
  namespace fs = std::filesystem;
  constexpr const char* header = "queued_sums.cuh";
  Judge& judge = judge_for(judging);
  const TemporaryFolder folder;
  fs::path handed_in = source;
  if (fs::is_regular_file(source) && file_text(source).find(header) != std::string::npos) {
    handed_in = folder / source.stem();
    fs::create_directory(handed_in);
    fs::copy_file(source, handed_in / source.filename());
    fs::copy_file(fs::path(GPP_SOURCE_DIR) / "tests/judge" / header, handed_in / header);
  }
  try {
    const Submission submission =
        take_in(handed_in, kernel_called(judging.kernel),
                source.extension() == ".cu" ? "gpu" : "host", judge.referee->sandbox());
    return judge.referee->judge(submission.contestant);
  } catch (const std::exception& error) {
    Ruling ruling;
    ruling.reason = error.what();
    return ruling;
  }
}

Ruling judged_text(const std::string& name, const std::string& body, const std::string& before,
                   const Judging& judging) {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder / (name + ".cpp");
  std::ofstream(file) << "// Judged by a test.\n#include <unistd.h>\n\n#include <cstdlib>\n"
                         "#include <stdexcept>\n\n#include \"variants/omp/v08_power2.cpp\"\n\n"
                         "namespace gpp::omp {\n"
                      << before << "\nSums " << name << "(const Problem& problem) {\n"
                      << body << "\n}\nGPP_VARIANT(" << name << ");\n}  // namespace gpp::omp\n";
  return judged_file(file, judging);
}

Ruling judged_step(const std::string& id, const std::string& model, const Judging& judging) {
  const Kernel& kernel = kernel_called(judging.kernel);
  for (const Variant& variant : kernel.catalog())
    if (variant.id == id && variant.model == model)
      return judge_for(judging).referee->judge({variant, "host", ""});
  throw std::runtime_error("no such step");
}

std::string lacking(const std::string& needed) {
  static const Ruling any = judged_step("v1", "serial");
  for (const JudgeLayer& one : any.layers.tried)
    if (one.name == needed && !one.lacked.empty()) return one.name + ": " + one.lacked;
  return {};
}

std::string lacking_gpu() {
  static const std::string why = error_of([] {
    const std::string none = runtime_of(kernel_called("gpp"), "cuda", "gpu").unavailable();
    if (!none.empty()) throw std::runtime_error(none);
    compiler_called(true, "a submission in CUDA");
  });
  return why;
}

}  // namespace gpp::test
