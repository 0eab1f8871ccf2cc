#include "cli/rebuild.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <set>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "harness/plugin/plugin.h"
#include "harness/program/source_files.h"
#include "roofline/base/file_lock.h"
#include "roofline/base/process.h"
#include "roofline/base/units.h"

namespace gpp {
namespace {

namespace fs = std::filesystem;

/// Marks a program that was just built and started by an outdated one, so that it does not build.
constexpr const char* just_built_variable = "GPP_JUST_BUILT";

/// Child processes do not inherit this mark.
bool just_built() {
  static const bool told = [] {
    const bool is_set = std::getenv(just_built_variable) != nullptr;
    unsetenv(just_built_variable);
    return is_set;
  }();
  return told;
}

/// True if the file changed after `built` or was removed, which leaves an unknown variant.
bool changed_since(const fs::path& file, fs::file_time_type built) {
  std::error_code gone;
  const fs::file_time_type time = fs::last_write_time(file, gone);
  return gone || time > built;
}

/// Variant files of the model that CMake will find but this program does not contain.
std::vector<fs::path> unknown_files(const Wanted& wanted, const fs::path& sources,
                                    const std::string& model) {
  const std::vector<Variant>& catalog = wanted.kernel->catalog();
  std::vector<fs::path> unknown;
  std::error_code gone;
  for (const fs::directory_entry& entry :
       fs::directory_iterator(sources / wanted.kernel->folder / model, gone)) {
    const fs::path file = fs::relative(entry.path(), sources);
    if (file.extension() != ".cpp" && file.extension() != ".cu") continue;
    const bool known = std::ranges::any_of(
        catalog, [&](const Variant& variant) { return variant.source == file.generic_string(); });
    if (!known && is_wanted(variant_in_file(file, model), wanted)) unknown.push_back(file);
  }
  return unknown;
}

std::string listed(const std::vector<fs::path>& files) {
  if (files.size() > 3) return fmt::format("{} sources have changed", files.size());
  std::string names;
  for (const fs::path& file : files) names += (names.empty() ? "" : ", ") + file.string();
  return names + (files.size() == 1 ? " has changed" : " have changed");
}

/// Several variants may share an arithmetic form. Its editor should know which ones are affected.
void warn_of_shared_forms(const Kernel& kernel, const fs::path& sources,
                          const std::vector<fs::path>& changed) {
  for (const fs::path& file : changed) {
    const std::string form = file.generic_string();
    if (kernel.forms.empty() || !form.starts_with(kernel.forms + "/")) continue;
    std::vector<std::string> users;
    for (const Variant& variant : kernel.catalog()) {
      const std::vector<std::string> forms =
          forms_included(text_of(sources / variant.source), variant, kernel.forms);
      if (std::ranges::find(forms, form) != forms.end())
        users.push_back(variant.model + " " + variant.id);
    }
    fmt::print(stderr, "gpp: {} is the arithmetic of {}: what is edited there changes them all\n",
               form, users.empty() ? "other forms" : fmt::format("{}", fmt::join(users, ", ")));
  }
}

void run_cmake(const BuildTree& tree, std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), tree.cmake);
  const roofline::Finished done = roofline::run_program(arguments);
  if (done.status == 0) return;
  fmt::print(stderr, "{}{}", compiler_messages(done.output), done.errors);
  throw std::runtime_error(
      done.status == 127
          ? fmt::format("{} cannot be started; build by hand, or run what is built with --no-build",
                        tree.cmake)
          : "the sources do not build, see above; nothing was run");
}

enum class Extras { as_they_are, built };

/// Builds the program and replaces this process by it.
[[noreturn]] void build_and_start(const BuildTree& tree, Extras extras) {
  std::fflush(stderr);
  const auto start = std::chrono::steady_clock::now();
  {
    // Only one build may run in a folder, which Ninja does not ensure. Without a lock, the build
    // itself reports what is wrong with the folder.
    roofline::FileLock lock;
    std::string no_lock;
    constexpr double an_hour = 3600;
    lock.take(tree.folder / ".gpp-build-lock", an_hour, no_lock);
    if (extras == Extras::built)
      run_cmake(tree, {"-S", tree.sources.string(), "-B", tree.folder.string(), "-DGPP_EXTRAS=ON"});
    run_cmake(tree, {"--build", tree.folder.string(), "--target", "gpp", "--parallel",
                     std::to_string(std::max(1u, std::thread::hardware_concurrency()))});
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  fmt::print(stderr, "gpp: built in {}\n", roofline::describe_seconds(took.count()));
  std::fflush(stderr);
  setenv(just_built_variable, "1", 1);
  roofline::become_program(tree.folder / "gpp",  // build/gpp-first also becomes build/gpp here
                           roofline::own_command_line());
}

/// The first wanted variant that is not built yet; nullptr if all are built.
const Variant* wanted_and_left_out(const Wanted& wanted) {
  for (const Variant& variant : wanted.kernel->catalog())
    if (variant.reason == left_out().reason && is_wanted(variant, wanted)) return &variant;
  return nullptr;
}

void leave(const std::string& changes, Outdated outdated) {
  const std::string what = changes + " since this program was built";
  if (outdated == Outdated::refuse)
    throw std::runtime_error(what +
                             ", and its results would be recorded with the wrong source: build it "
                             "(cmake --build build --target gpp), or leave out --no-build; nothing "
                             "was run");
  fmt::print(stderr, "gpp: {}; it runs as it is (--no-build)\n", what);
}

}  // namespace

std::vector<fs::path> changed_sources(const Wanted& wanted, const BuildTree& tree) {
  std::vector<fs::path> sources;
  std::set<std::string> models;
  for (const Variant& variant : wanted.kernel->catalog()) {
    models.insert(variant.model);
    if (!variant.builds.empty() && is_wanted(variant, wanted) && !is_plugin(variant))
      sources.push_back(tree.sources / variant.source);
  }
  const fs::file_time_type built = fs::last_write_time(tree.program);
  std::vector<fs::path> changed;
  for (const fs::path& file : with_included_files(tree.sources, sources))
    if (changed_since(file, built)) changed.push_back(fs::relative(file, tree.sources));
  for (const std::string& model : models)
    for (const fs::path& file : unknown_files(wanted, tree.sources, model)) changed.push_back(file);
  return changed;
}

void add_build_options(CLI::App& command, BuildChoice& choice) {
  command.add_flag("--no-build", choice.no_build, "Build nothing, even where a source was edited");
}

void rebuild_if_changed(const Wanted& wanted, const BuildChoice& choice, Outdated outdated) {
  if (const Variant* variant = wanted_and_left_out(wanted); variant != nullptr && !choice.no_build)
    build_left_out(AskedForLeftOut(variant->model + " " + variant->id));
  const std::optional<BuildTree> tree = own_build_tree();
  if (!tree || just_built()) return;
  const std::vector<fs::path> changed = changed_sources(wanted, *tree);
  if (changed.empty()) return;
  if (choice.no_build) return leave(listed(changed), outdated);
  fmt::print(stderr, "gpp: {}; building\n", listed(changed));
  warn_of_shared_forms(*wanted.kernel, tree->sources, changed);
  build_and_start(*tree, Extras::as_they_are);
}

void rebuild_if_headers_changed(const std::vector<fs::path>& files, const BuildChoice& choice) {
  const std::optional<BuildTree> tree = own_build_tree();
  if (!tree || just_built()) return;
  const fs::file_time_type built = fs::last_write_time(tree->program);
  std::vector<fs::path> changed;
  for (const fs::path& file : with_included_files(tree->sources, files))
    if (std::ranges::find(files, file) == files.end() && changed_since(file, built))
      changed.push_back(file.lexically_proximate(tree->sources));
  if (changed.empty()) return;
  if (choice.no_build) return leave(listed(changed), Outdated::refuse);
  fmt::print(stderr, "gpp: {}; building\n", listed(changed));
  build_and_start(*tree, Extras::as_they_are);
}

void build_left_out(const AskedForLeftOut& asked) {
  const std::optional<BuildTree> tree = own_build_tree();
  const std::vector<std::string> arguments = roofline::own_command_line();
  if (!tree || just_built() ||
      std::ranges::find(arguments, std::string("--no-build")) != arguments.end())
    throw AskedForLeftOut(asked);
  fmt::print(stderr,
             "gpp: {} is asked for the first time; building all that was left out, once, in some "
             "minutes\n",
             asked.what_for());
  build_and_start(*tree, Extras::built);
}

std::string compiler_messages(const std::string& output) {
  std::istringstream lines(output);
  std::vector<std::string> blocks(1);  // messages, one block per failed command
  bool command_line = false;
  for (std::string line; std::getline(lines, line);) {
    const bool failed = line.starts_with("FAILED: ");
    const bool skipped = command_line || failed || line.starts_with("ninja: ") ||
                         line.starts_with("-- ") ||  // output of CMake, which looked for files
                         (line.starts_with("[") && line.find("] ") < 16);
    command_line = failed;  // Ninja prints the failed command next
    if (failed) blocks.emplace_back();
    if (!skipped) blocks.back() += line + "\n";
  }
  // A source may be compiled twice with equal messages; they are shown once.
  std::string messages;
  std::set<std::string> said;
  for (const std::string& block : blocks)
    if (said.insert(block).second) messages += block;
  return messages;
}

}  // namespace gpp
