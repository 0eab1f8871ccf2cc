#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <future>
#include <optional>
#include <utility>

#include "harness/plugin/compile.h"
#include "harness/plugin/exports.h"
#include "harness/program/build_info.h"
#include "harness/program/source_files.h"
#include "roofline/base/error.h"
#include "roofline/base/pattern.h"
#include "roofline/base/replace_file.h"

namespace gpp {
namespace {

namespace fs = std::filesystem;

/// A step of the kernel: a source, or a text with the reason why its model lacks it.
struct Step {
  fs::path file;
  Variant variant;
  std::string answer, problem;  ///< types of its function's result and argument
  bool is_cuda() const { return file.extension() == ".cu"; }
  bool is_text() const { return file.extension() == ".md"; }
};

struct KernelFolder {
  fs::path path;
  std::string name;
  std::vector<Step> steps;

  fs::path file() const { return path / "kernel.cpp"; }
  bool has_cuda() const {
    return std::ranges::any_of(steps, [](const Step& one) { return one.is_cuda(); });
  }
  std::string space(const std::string& model) const {
    return fmt::format("gpp::{}::{}", name, model);
  }
};

[[noreturn]] void refuse_kernel(const fs::path& file, const std::string& why) {
  throw roofline::InputError(fmt::format("{}: {}", file.string(), why));
}

/// Reads the types of the function's argument and result, which its declaration needs.
void read_signature(Step& step) {
  const roofline::Pattern function("(?:^|\n)(\\w+)\\s+" + step.variant.step +
                                   "\\(\\s*const\\s+(\\w+)\\s*&");
  const std::string code = text_of(step.file);
  const auto match = function.first(code);
  if (!match)
    refuse_kernel(step.file,
                  fmt::format("it does not define {0}: a line such as 'void {0}(const Problem& "
                              "problem) {{' is missing",
                              step.variant.step));
  step.answer = (*match)[1];
  step.problem = (*match)[2];
  step.variant.operations = operations_in(code);
}

void add_steps(KernelFolder& kernel, const std::string& model, const char* source) {
  std::vector<fs::path> files;
  std::error_code none;
  for (const fs::directory_entry& entry : fs::directory_iterator(kernel.path / model, none))
    if (entry.path().extension() == source || entry.path().extension() == ".md")
      files.push_back(entry.path());
  std::ranges::sort(files);
  for (const fs::path& file : files) {
    Step step;
    step.file = file;
    step.variant = variant_in_file(file.lexically_relative(kernel.path.parent_path()), model);
    if (step.is_text())
      step.variant.reason = text_of(file).substr(0, text_of(file).find('\n'));
    else if (step.is_cuda() && build_info::cuda_command.empty())
      step.variant.reason = build_info::cuda_missing;
    else
      read_signature(step);
    kernel.steps.push_back(std::move(step));
  }
}

KernelFolder kernel_in(const fs::path& named) {
  static const roofline::Pattern identifier("[a-z][a-z0-9_]*");
  KernelFolder kernel;
  kernel.path = fs::weakly_canonical(fs::absolute(named));
  if (kernel.path.filename().empty()) kernel.path = kernel.path.parent_path();
  kernel.name = kernel.path.filename().string();
  if (!identifier.whole(kernel.name))
    refuse_kernel(kernel.path,
                  "the folder's name is the kernel's: lower-case letters, digits and underscores");
  if (text_of(kernel.file()).find(kernel.name + "_kernel(") == std::string::npos)
    refuse_kernel(kernel.file(),
                  fmt::format("it does not define 'const Kernel& {}_kernel()' in the namespace "
                              "gpp::{}, which is called as the folder is",
                              kernel.name, kernel.name));
  add_steps(kernel, "serial", ".cpp");
  add_steps(kernel, "omp", ".cpp");
  add_steps(kernel, "cuda", ".cu");
  if (std::ranges::all_of(kernel.steps, &Step::is_text))
    refuse_kernel(kernel.path, "no variant lies in serial/, omp/ or cuda/ there");
  return kernel;
}

bool is_compiled(const Step& step) { return step.variant.reason.empty(); }

/// C++ text of its catalog, in the form that the build writes, and of its library's exports.
std::string exporting(const KernelFolder& kernel) {
  std::string declared, rows;
  for (const Step& step : kernel.steps) {
    const Variant& one = step.variant;
    const std::string space = kernel.space(one.model);
    std::string build;
    if (is_compiled(step)) {
      declared += fmt::format("namespace {} {{ {} {}(const {}&); }}\n", space, step.answer,
                              one.step, step.problem);
      build = fmt::format("{{\"{}\", gpp::call_of({}::{}), &gpp::{}_runtime()}}",
                          step.is_cuda() ? "gpu" : "host", space, one.step,
                          step.is_cuda() ? "cuda" : "host");
    }
    rows += fmt::format("    {{{}, {}, {}, {}, {{{}}}, {}, {{}}, {}}},\n", quoted(one.id),
                        quoted(one.step), quoted(one.model), quoted(one.source), build,
                        quoted(one.reason), quoted(one.operations));
  }
  return fmt::format(
      "#include {0}\n#include \"harness/plugin/exports.h\"\n#include \"runtimes/runtimes.h\"\n"
      "{1}{2}namespace gpp::{3} {{\n"
      "const std::vector<gpp::Variant>& catalog() {{\n"
      "  static std::vector<gpp::Variant> variants = {{\n{4}  }};\n  return variants;\n}}\n}}\n"
      "GPP_EXPORTED const gpp::PluginFacts {5} = {{\"{3}\", \"{3}\", \"{6}\", {7}}};\n"
      "GPP_EXPORTED const gpp::Kernel* {8}() {{ return &gpp::{3}::{3}_kernel(); }}\n",
      quoted((kernel.path / "kernel.h").string()), exported_stamp(), declared, kernel.name, rows,
      facts_symbol, kind_of_a_kernel, quoted(kernel.path.string()), kernel_symbol);
}

/// A file to compile, and its name in messages.
struct Unit {
  fs::path file;
  bool cuda = false;
  Words options = {};
};

std::vector<Unit> units_of(const KernelFolder& kernel, const fs::path& work) {
  std::vector<Unit> units = {{kernel.file()}, {work / "plug_in.cpp"}};
  roofline::write_whole(units.back().file, exporting(kernel));
  for (const Step& step : kernel.steps)
    if (is_compiled(step))
      units.push_back(
          {step.file, step.is_cuda(),
           step.variant.model == "omp" ? parted(build_info::openmp_flags, ';') : Words()});
  if (kernel.has_cuda() && !build_info::cuda_command.empty()) {
    units.push_back({work / "plug_in.cu", true});
    roofline::write_whole(units.back().file, "#include \"runtimes/cuda/in_plugin.cu\"\n");
  }
  return units;
}

struct Compilers {
  Words host, cuda;  ///< compiler commands; the one for cuda is empty if not needed
};

/// Compiles all files at the same time. Each file's messages are shown together.
Words compile_all(const std::vector<Unit>& units, const Compilers& compilers, const fs::path& work,
                  BuiltPlugin& built) {
  Words objects;
  std::vector<std::future<BuiltPlugin>> running;
  for (const Unit& unit : units) {
    objects.push_back((work / fmt::format("{}.o", objects.size())).string());
    Words command = unit.cuda ? compilers.cuda : compilers.host;
    append(command, unit.options);
    append(command, {"-c", "-o", objects.back(), unit.file.string()});
    running.push_back(std::async(std::launch::async, [command, &work, file = unit.file.string()] {
      BuiltPlugin one;
      compile(command, work, file, one);
      return one;
    }));
  }
  for (std::future<BuiltPlugin>& one : running) one.wait();
  for (std::future<BuiltPlugin>& one : running) built.messages += one.get().messages;
  return objects;
}

BuiltPlugin build_kernel(const KernelFolder& kernel) {
  const fs::path headers = plugin_headers();
  const std::string who = "the kernel " + kernel.name;
  Compilers compilers;
  BuildKey compiled_by;
  std::string differs;
  for (const bool cuda : {false, true}) {
    if (cuda && (!kernel.has_cuda() || build_info::cuda_command.empty())) continue;
    const Compiler compiler = compiler_called(cuda, who);
    Words& command = cuda ? compilers.cuda : compilers.host;
    command = command_of(compiler, headers, "");
    command.push_back("-I" + kernel.path.parent_path().string());
    compiled_by.add(compiler, command);
    differs += compiler.differs;
  }
  const std::string commands = compiled_by.digest();
  const auto key = [&] {
    BuildKey all;
    all.add(commands);
    all.add(exporting(kernel));
    std::vector<fs::path> files = {kernel.file(), kernel.path / "kernel.h"};
    for (const Step& step : kernel.steps) files.push_back(step.file);
    all.add_files(headers, files);
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(kernel.path))
      if (entry.is_regular_file() && entry.path().extension().string().starts_with(".h"))
        all.add_files(headers, {entry.path()});
    return all.digest();
  };
  return kept_or_made(
      kernel.name, key, {}, [&](const fs::path& work, const fs::path& made, BuiltPlugin& built) {
        built.messages = differs;
        const auto start = std::chrono::steady_clock::now();
        const Words objects = compile_all(units_of(kernel, work), compilers, work, built);
        Words link = {compilers.cuda.empty() ? compilers.host.front() : compilers.cuda.front()};
        append(link, {"-shared", "-o", made.string()});
        append(link, objects);
        for (const std::string& flag : parted(build_info::openmp_flags, ';'))
          link.push_back((compilers.cuda.empty() ? "" : "-Xcompiler=") + flag);
        compile(link, work, who, built);
        built.seconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      });
}

}  // namespace

bool is_kernel_folder(const fs::path& folder) {
  std::error_code error;
  return fs::is_regular_file(folder / "kernel.cpp", error);
}

const Kernel& adopt_kernel(const fs::path& folder, BuiltPlugin& built) {
  const KernelFolder kernel = kernel_in(folder);
  built = build_kernel(kernel);
  return adopt_kernel_in(built.library);
}

}  // namespace gpp
