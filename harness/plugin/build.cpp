#include <fmt/format.h>

#include <utility>

#include "harness/plugin/compile.h"
#include "harness/plugin/exports.h"
#include "roofline/base/replace_file.h"

namespace gpp {
namespace {

namespace fs = std::filesystem;

/// The text to compile: the source, followed by the functions that its library exports.
std::string exporting(const PluginSource& source) {
  const Recipe& recipe = *source.recipe;
  std::string text = fmt::format("#include {}\n", quoted(source.file.string()));
  if (recipe.cuda) text += "#include \"runtimes/cuda/in_plugin.cu\"\n";
  text += "#include \"harness/plugin/exports.h\"\n" + exported_stamp();
  text += fmt::format("GPP_EXPORTED const gpp::PluginFacts {} = {{{}, {}, {}, {}}};\n",
                      facts_symbol, quoted(recipe.kernel), quoted(source.name), quoted(recipe.kind),
                      quoted(source.file.string()));
  text += fmt::format(
      "GPP_EXPORTED const gpp::Call* {0}(std::string_view step) {{\n"
      "  static const gpp::Call call = gpp::call_of({1}::{2});\n"
      "  return step == \"{2}\" ? &call : nullptr;\n}}\n",
      variant_symbol, recipe.space, source.name);
  return text;
}

/// The linker's arguments in the form that nvcc takes.
Words links_of(const Recipe& recipe) {
  Words links = parted(recipe.links, ';');
  for (std::string& link : links)
    if (recipe.cuda && link.starts_with("-Wl,")) link.replace(0, 4, "-Xlinker=");
  return links;
}

}  // namespace

BuiltPlugin build_plugin(const PluginSource& source, const WrapCommand& wrap, fs::path cache) {
  const Recipe& recipe = *source.recipe;
  const fs::path headers = plugin_headers();
  const Compiler compiler = compiler_called(recipe.cuda, "a plug-in of model " + source.model);
  Words command = command_of(compiler, headers, source.text);
  append(command, parted(recipe.options, ';'));
  command.emplace_back("-shared");
  const auto key = [&] {
    BuildKey all;
    all.add(compiler, command);
    all.add(recipe.links);
    all.add_files(headers, files_of(source));
    return all.digest();
  };
  const auto make = [&](const fs::path& work, const fs::path& made, BuiltPlugin& built) {
    const fs::path file = work / (recipe.cuda ? "plug_in.cu" : "plug_in.cpp");
    roofline::write_whole(file, exporting(source));
    Words whole = command;
    append(whole, {"-o", made.string(), file.string()});
    append(whole, links_of(recipe));
    built.messages = compiler.differs;
    compile(wrap ? wrap(std::move(whole)) : whole, work, source.file.string(), built);
  };
  return kept_or_made(source.name, key, std::move(cache), make);
}

}  // namespace gpp
