// gpp new: makes a new variant as a copy of another.

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <memory>

#include "cli/commands.h"
#include "harness/command/options.h"
#include "harness/measure/measure.h"
#include "harness/program/source_files.h"
#include "harness/teach/new_variant.h"

namespace gpp {
namespace {

namespace fs = std::filesystem;

struct NewRequest {
  std::string name, parent;
  Wanted wanted;
};

/// In the clone where the user stands, else where the user is.
int make_variant(NewRequest& request) {
  adopt_plugin_and_edits(request.parent, request.wanted, false);  // it may be one's own, too
  const Variant& parent =
      *select_one(request.wanted.kernel->catalog(), request.parent, request.wanted).variant;
  const std::optional<BuildTree> tree = own_build_tree();
  const bool stands_in_it = tree && lies_under(fs::current_path(), tree->sources);
  const fs::path sources = stands_in_it ? tree->sources : fs::path();
  const NewVariant made = plan_new_variant(*request.wanted.kernel, sources, request.name, parent);
  write_new_variant(sources, made);
  fmt::print("Made {}, a copy of {}.\n", (sources / made.file).string(),
             (sources / parent.source).string());
  if (made.form)
    fmt::print("Made {}, a copy of {}: its arithmetic, which no other variant uses.\n",
               (sources / made.form->file).string(), made.shared_form);
  if (parent.builds.empty())
    fmt::print("\nModel {} is not in this program: {}.\nThe new variant cannot run here.\n",
               parent.model, parent.reason);
  fmt::print(
      "\nSay in its first line what changes, predict what that brings, and edit it. Then\n"
      "  {0} run {1:<20} compiles it, checks it, and times it beside {2}\n"
      "  {0} check {1:<18} checks it on many small and awkward inputs\n"
      "  {0} study --model {3} --only {2},{1}   keeps the record\n",
      program_name(), request.name + (sources.empty() ? "/" : ""), parent.id, parent.model);
  return every_check_passed;
}

}  // namespace

Command add_new(CLI::App& program) {
  CLI::App* command = add_command(
      program, to_write, "new", "To try an idea: a variant of your own, from a copy of another",
      {"gpp new my_idea --from v8", "gpp new wide --from factored --model omp", "gpp run my_idea"});
  const auto request = std::make_shared<NewRequest>();
  command->add_option("NAME", request->name, "What to call it: lower case, as in my_idea")
      ->required();
  command->add_option("--from", request->parent, "The variant to start from, by id or step")
      ->required();
  add_model_option(*command, request->wanted);
  return {command, [request] { return make_variant(*request); }};
}

}  // namespace gpp
