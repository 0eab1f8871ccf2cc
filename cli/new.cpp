// gpp new: makes a new variant as a copy of another.

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <memory>

#include "cli/commands.h"
#include "cli/plugins.h"
#include "harness/command/options.h"
#include "harness/measure/measure.h"
#include "harness/program/source_files.h"
#include "harness/teach/new_variant.h"

namespace gpp {
namespace {

namespace fs = std::filesystem;

/// The path relative to the current folder, as a user would type it.
std::string shown(const fs::path& path) {
  const fs::path from_here = path.lexically_proximate(fs::current_path());
  return from_here.empty() || *from_here.begin() == ".." ? path.string() : from_here.string();
}

void print_what_next(const fs::path& sources, const NewVariant& made,
                     const NewVariantRequest& request) {
  const Variant& parent = *made.parent;
  fmt::print("Made {}, a copy of {}.\n", shown(sources / made.file),
             shown(sources / parent.source));
  if (made.form)
    fmt::print("Made {}, a copy of {}: its arithmetic, which no other variant uses.\n",
               shown(sources / made.form->file), made.shared_form);
  if (parent.builds.empty())
    fmt::print("\nModel {} is not in this program: {}.\nThe new variant cannot run here.\n",
               parent.model, parent.reason);
  const std::optional<BuildTree> tree = own_build_tree();
  fmt::print(
      "\nSay in its first line what changes, predict what that brings, and edit it. Then\n"
      "  {0} run {1:<20} compiles it, checks it, and times it beside {2}\n"
      "  {0} check {1:<18} checks it on many small and awkward inputs\n"
      "  {0} study --model {3} --only {2},{1}   keeps the record\n",
      tree ? shown(tree->program) : program_name(), request.name + (sources.empty() ? "/" : ""),
      parent.id, parent.model);
}

int make_variant(NewVariantRequest request) {
  std::vector<std::string> names = {request.parent};  // it may be a variant of one's own, too
  Wanted wanted;
  if (!request.model.empty()) wanted.models = {request.model};
  adopt_plugins(names, wanted, false);
  request.parent = names.front();
  if (request.model.empty())
    request.model = select_one(request.kernel->catalog(), request.parent, {}).variant->model;
  const std::optional<BuildTree> tree = own_build_tree();
  const bool stands_in_it = tree && lies_under(fs::current_path(), tree->sources);
  const fs::path sources = stands_in_it ? tree->sources : fs::path();
  const NewVariant made = plan_new_variant(request.kernel->catalog(), sources, request);
  write_new_variant(sources, made);
  print_what_next(sources, made, request);
  return every_check_passed;
}

}  // namespace

Command add_new(CLI::App& program) {
  CLI::App* command = add_command(
      program, to_write, "new", "To try an idea: a variant of your own, from a copy of another",
      {"gpp new my_idea --from v8", "gpp new wide --from factored --model omp", "gpp run my_idea"});
  const auto request = std::make_shared<NewVariantRequest>();
  command->add_option("NAME", request->name, "What to call it: lower case, as in my_idea")
      ->required();
  command->add_option("--from", request->parent, "The variant to start from, by id or step")
      ->required();
  command->add_option("--model", request->model,
                      "cuda, omp, thrust or serial (default: the first in which that variant runs "
                      "here)");
  return {command, [request] { return make_variant(*request); }};
}

}  // namespace gpp
