// Plug-ins and edited steps: finds, compiles and loads them.

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <map>
#include <set>

#include "cli/commands.h"
#include "harness/command/options.h"
#include "harness/plugin/plugin.h"
#include "harness/program/source_files.h"
#include "roofline/base/text.h"

namespace gpp {
namespace {

namespace fs = std::filesystem;

void compile_and_adopt(const PluginSource& source) {
  roofline::ProgressLine progress;
  progress.show("compiling " + source.shown);
  const BuiltPlugin built = build_plugin(source);
  progress.clear();
  if (built.seconds > 0)
    fmt::print(stderr, "{}{}: {} compiled in {}\n", roofline::visible_lines(built.messages),
               program_name(), source.shown, roofline::describe_seconds(built.seconds));
  adopt(source, built.library);
}

/// Files that changed after the program was built, or are gone, of these and all that they include.
/// Paths are relative to the source tree.
std::vector<fs::path> changed_files(const BuildTree& tree, const std::vector<fs::path>& files) {
  const fs::file_time_type built = fs::last_write_time(tree.program);
  std::vector<fs::path> changed;
  for (const fs::path& file : with_included_files(tree.sources, files)) {
    std::error_code gone;
    const fs::file_time_type time = fs::last_write_time(file, gone);
    if ((gone || time > built) && lies_under(file, tree.sources))
      changed.push_back(file.lexically_normal().lexically_relative(tree.sources));
  }
  return changed;
}

[[noreturn]] void refuse_changed(const fs::path& file, const std::string& remedy) {
  throw std::runtime_error(fmt::format(
      "{} has changed since this program was built; {}; nothing was run", file.string(), remedy));
}

std::string by_hand(const BuildTree& tree) {
  return fmt::format("build it: cmake --build {} --target {}", tree.folder.string(),
                     program_name());
}

/// Plug-ins share headers outside of their folder with the program, which knows their old state.
void require_unchanged_headers(const BuildTree& tree, const fs::path& source,
                               const fs::path& folder) {
  for (const fs::path& file : changed_files(tree, {source}))
    if (tree.sources / file != source && !lies_under(tree.sources / file, folder))
      refuse_changed(file, "it is part of more than this variant: " + by_hand(tree));
}

void adopt_file(std::string& name, const Wanted& wanted) {
  const PluginSource source = plugin_in(name, *wanted.kernel, wanted.kind);
  if (const std::optional<BuildTree> tree = own_build_tree())
    require_unchanged_headers(*tree, source.file, source.file.parent_path());
  compile_and_adopt(source);
  name = source.name;
}

/// Compiles a variant of the tree for all kinds of device that its model has here.
void compile_for_all(const BuildTree& tree, const Variant& variant, const Wanted& wanted) {
  const fs::path folder = tree.sources / wanted.kernel->folder / variant.model;
  require_unchanged_headers(tree, tree.sources / variant.source, folder);
  std::string lacking;
  for (const Recipe& recipe : wanted.kernel->recipes()) {
    if (recipe.model != variant.model || !recipe.loadable ||
        (!wanted.kind.empty() && wanted.kind != recipe.kind))
      continue;
    const std::string why = recipe.missing.empty() ? recipe.runtime->unavailable() : recipe.missing;
    if (why.empty())
      compile_and_adopt(source_in_tree(tree.sources, variant, *wanted.kernel, recipe));
    else
      lacking = why;
  }
  adopt_without_build(*wanted.kernel, variant, lacking);
}

/// Device code of OpenMP can only be linked into the program.
bool can_be_loaded(const Variant& variant, const Wanted& wanted) {
  return std::ranges::all_of(variant.builds, [&](const Build& build) {
    return recipe_of(*wanted.kernel, variant.model, build.kind) != nullptr ||
           (!wanted.kind.empty() && wanted.kind != build.kind) ||
           !build.runtime->unavailable().empty();
  });
}

/// The wanted variants of the tree that the program does not contain, in the folders of those that
/// it does.
std::vector<Variant> unknown_variants(const BuildTree& tree, const Wanted& wanted) {
  std::map<fs::path, std::string> models;
  std::set<std::string> known;
  for (const Variant& variant : wanted.kernel->catalog()) {
    models.emplace(fs::path(variant.source).parent_path(), variant.model);
    known.insert(variant.source);
  }
  std::vector<Variant> unknown;
  std::error_code gone;
  for (const auto& [folder, model] : models)
    for (const fs::directory_entry& entry : fs::directory_iterator(tree.sources / folder, gone)) {
      const Variant variant = variant_in_file(folder / entry.path().filename(), model);
      const bool is_source = variant.source.ends_with(".cpp") || variant.source.ends_with(".cu");
      if (is_source && !known.contains(variant.source) && is_wanted(variant, wanted))
        unknown.push_back(variant);
    }
  return unknown;
}

void adopt_of_tree(const BuildTree& tree, const Wanted& wanted, bool no_build) {
  std::vector<Variant> variants = unknown_variants(tree, wanted);
  for (const Variant& variant : wanted.kernel->catalog())
    if (!variant.builds.empty() && is_wanted(variant, wanted)) variants.push_back(variant);
  for (const Variant& variant : variants) {
    const std::vector<fs::path> changed = changed_files(tree, {tree.sources / variant.source});
    const bool edited = !variant.builds.empty();
    if ((edited && changed.empty()) || is_plugin(variant)) continue;  // a family compiles as one
    if (no_build) refuse_changed(variant.source, "without --no-build it is compiled");
    if (edited && (!can_be_loaded(variant, wanted) || !fs::exists(tree.sources / changed.front())))
      refuse_changed(changed.front(), by_hand(tree));
    compile_for_all(tree, variant, wanted);
  }
}

}  // namespace

bool names_plugin(const std::string& name, const Kernel& kernel) {
  if (name.find('/') != std::string::npos || name.ends_with(".cpp") || name.ends_with(".cu"))
    return true;
  std::error_code error;
  return fs::is_directory(name, error) &&
         std::ranges::none_of(kernel.catalog(), [&name](const Variant& variant) {
           return variant.id == name || variant.step == name;
         });
}

void adopt_plugins_and_edits(std::vector<std::string>& names, const Wanted& wanted, bool no_build) {
  for (std::string& name : names)
    if (names_plugin(name, *wanted.kernel)) adopt_file(name, wanted);
  Wanted named = wanted;
  named.only = names;
  if (const std::optional<BuildTree> tree = own_build_tree()) adopt_of_tree(*tree, named, no_build);
}

void adopt_plugin_and_edits(std::string& name, const Wanted& wanted, bool no_build) {
  std::vector<std::string> names = {name};
  adopt_plugins_and_edits(names, wanted, no_build);
  name = names.front();
}

}  // namespace gpp
