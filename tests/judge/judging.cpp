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

constexpr const char* sums_header = "queued_sums.cuh";  // it includes v8

Judge& judge_for(const Judging& judging) {
  static std::map<std::string, Judge> judges;
  std::ostringstream key;
  key << judging.kernel << judging.longest_run << ' ' << judging.repeat;
  for (const std::string& layer : judging.without) key << ' ' << layer;
  return judges.try_emplace(key.str(), judging).first->second;
}

/// A file without a namespace holds what lies in that of v8's model, behind its own includes: here
/// it gets v8, the namespace, and the line that registers a function called as the file is.
std::string framed(std::string text, const std::string& name, bool cuda) {
  if (text.find("\nnamespace gpp") != text.npos) return text;
  const std::string model = cuda ? "cuda" : "omp";
  const std::size_t last = text.rfind("\n#include");
  const std::size_t code = last == text.npos ? 0 : text.find('\n', last + 1) + 1;
  const bool has_v8 = text.find(sums_header) != text.npos;
  const std::string base =
      has_v8 ? ""
             : "#include \"variants/" + model + "/v08_power2." + (cuda ? "cu" : "cpp") + "\"\n";
  text.insert(code, base + "namespace gpp::" + model + " {\n");
  return text + "GPP_VARIANT(" + name + ");\n}\n";
}

Ruling judged_at(const std::filesystem::path& handed_in, const std::string& kind,
                 const Judging& judging) {
  Judge& judge = judge_for(judging);
  try {
    return judge.referee->judge(
        take_in(handed_in, kernel_called(judging.kernel), kind, judge.referee->sandbox()));
  } catch (const std::exception& error) {
    Ruling ruling;
    ruling.reason = error.what();
    return ruling;
  }
}

}  // namespace

Ruling judged_file(const std::filesystem::path& source, const Judging& judging) {
  return judged_at(source, "host", judging);
}

Ruling judged_part(const std::filesystem::path& source, const Judging& judging) {
  const TemporaryFolder folder;
  const bool cuda = source.extension() == ".cu";
  const std::string text = file_text(source);
  const std::filesystem::path handed_in = folder / source.stem();
  std::filesystem::create_directory(handed_in);
  std::ofstream(handed_in / source.filename()) << framed(text, source.stem(), cuda);
  if (text.find(sums_header) != text.npos)
    std::filesystem::copy_file(std::filesystem::path(GPP_SOURCE_DIR) / "tests/judge" / sums_header,
                               handed_in / sums_header);
  return judged_at(handed_in, cuda ? "gpu" : "host", judging);
}

Ruling judged_text(const std::string& name, const std::string& body, const std::string& before,
                   const Judging& judging) {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder / (name + ".cpp");
  std::ofstream(file) << "// Judged by a test.\n#include <unistd.h>\n#include <cstdlib>\n"
                         "#include <stdexcept>\n"
                      << before << "\nSums " << name << "(const Problem& problem) {\n"
                      << body << "\n}\n";
  return judged_part(file, judging);
}

Ruling judged_step(const std::string& id, const std::string& model, const Judging& judging) {
  const Kernel& kernel = kernel_called(judging.kernel);
  for (const Variant& variant : kernel.catalog())
    if (variant.id == id && variant.model == model)
      return judge_for(judging).referee->judge({.name = id, .variant = variant, .kind = "host"});
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
