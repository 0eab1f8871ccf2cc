#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "harness/plugin/exports.h"
#include "harness/plugin/plugin.h"
#include "harness/program/catalog.h"
#include "harness/program/source_files.h"
#include "roofline/base/text.h"

namespace gpp {
namespace {

namespace fs = std::filesystem;

/// Its constructors run.
const PluginFacts& load(const fs::path& library) {
  void* const handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr)
    throw std::runtime_error(fmt::format(
        "the plug-in cannot be loaded; what it uses must be defined in it or in gpp: {}",
        dlerror()));
  void* const facts = dlsym(handle, facts_symbol);
  if (facts == nullptr)
    throw std::runtime_error(fmt::format("{}: it lacks {}", library.string(), facts_symbol));
  return *static_cast<const PluginFacts*>(facts);
}

/// A loaded and registered plug-in.
struct Adopted {
  std::string model, shown;
  fs::path library;
  std::vector<std::string> files = {};  // files by name: "my_idea/my_idea.cpp"
};

std::vector<Adopted>& adopted() {
  static std::vector<Adopted> all;
  return all;
}

/// Returns nullptr for a variant that is not a plug-in.
const Adopted* adopted_as(const Variant& variant) {
  const auto found = std::ranges::find_if(adopted(), [&variant](const Adopted& one) {
    return one.shown == variant.source && one.model == variant.model;
  });
  return found == adopted().end() ? nullptr : &*found;
}

/// Registers a plug-in's files under names relative to the tree or to the folder's parent.
void remember(const PluginSource& source, const fs::path& library) {
  const fs::path above =
      source.tree.empty() ? source.file.parent_path().parent_path() : source.tree;
  Adopted& one = adopted().emplace_back(Adopted{source.model, source.shown, library, {}});
  for (const fs::path& part : files_of(source)) {
    one.files.push_back(part.lexically_relative(above).generic_string());
    remember_source(one.files.back(), text_of(part));
  }
}

/// The catalog is not defined as a constant (cmake/catalog.cpp.in).
std::vector<Variant>& catalog_of(const Kernel& kernel) {
  return const_cast<std::vector<Variant>&>(kernel.catalog());
}

/// The library's variants as its text names them, where it is known, else as its list does.
std::vector<Variant> variants_of(const PluginFacts& facts, const std::string& text) {
  if (!text.empty()) return variants_in(facts.source, facts.model, text);
  std::string lines;
  for (const Registration* one = *facts.variants; one != nullptr; one = one->next)
    lines += fmt::format("GPP_VARIANT({});\n", one->name);
  return variants_in(facts.source, facts.model, lines);
}

/// Replaces the builds of all steps in the library's source file, and adds new ones. The text is
/// that of the source, which a new process does not need.
void add_to_catalog(const fs::path& library, const std::string& text = {}) {
  const PluginFacts& facts = load(library);
  const Kernel& kernel = kernel_called(facts.kernel);
  std::vector<Variant>& catalog = catalog_of(kernel);
  const Recipe* const recipe = recipe_of(kernel, facts.model, facts.kind);
  if (recipe == nullptr || recipe->runtime == nullptr)
    throw std::runtime_error(
        fmt::format("{}: this program has no model {}", library.string(), facts.model));
  for (Variant& variant : catalog)
    if (variant.model == facts.model && variant.source == facts.source) {
      std::erase_if(variant.builds, [&](const Build& build) { return build.kind == facts.kind; });
      if (variant.builds.empty()) variant.reason = "its file registers it no longer";
    }
  for (const Variant& found : variants_of(facts, text)) {
    const Registration* const one = registered(*facts.variants, found, facts.kind);
    if (one == nullptr) continue;
    auto known = std::ranges::find_if(catalog, [&found](const Variant& variant) {
      return variant.model == found.model && variant.source == found.source &&
             variant.step == found.step;
    });
    if (known == catalog.end()) known = catalog.insert(known, found);
    known->reason.clear();
    known->builds.push_back({facts.kind, Call(*one), recipe->runtime});
    if (text.empty()) continue;
    known->operations = found.operations;
    known->made_from = found.made_from;
  }
}

}  // namespace

Call load_plugin(const fs::path& library) {
  const PluginFacts& facts = load(library);
  const Variant variant = variant_in_file(facts.source, facts.model);
  if (const Registration* one = registered(*facts.variants, variant, facts.kind)) return Call(*one);
  throw std::runtime_error(
      fmt::format("{}: it lacks the line GPP_VARIANT({});", facts.source, variant.step));
}

void adopt(const PluginSource& source, const fs::path& library) {
  for (const Adopted& one : adopted())
    if (one.library == library) return;
  for (const Variant& variant : source.kernel->catalog())
    if (variant.model == source.model && variant.source != source.shown &&
        (variant.id == source.name || variant.step == source.name))
      throw roofline::InputError(
          fmt::format("{}: model {} has a variant {} already; give file and function another name",
                      source.file.string(), source.model, source.name));
  add_to_catalog(library, source.text);
  remember(source, library);
}

void adopt_without_build(const Kernel& kernel, Variant variant, const std::string& reason) {
  for (const Variant& known : kernel.catalog())
    if (known.source == variant.source && known.model == variant.model) return;
  variant.reason = reason;
  catalog_of(kernel).push_back(std::move(variant));
}

bool is_plugin(const Variant& variant) { return adopted_as(variant) != nullptr; }

std::map<std::string, std::vector<std::string>> sources_of_plugin(const Variant& variant) {
  std::map<std::string, std::vector<std::string>> sources;
  const Adopted* const one = adopted_as(variant);
  if (one == nullptr) return sources;
  for (const std::string& file : one->files) {
    std::istringstream lines(source_text(file).value_or(""));
    for (std::string line; std::getline(lines, line);) sources[file].push_back(line);
  }
  return sources;
}

std::vector<std::string> arguments_of_plugins() {
  std::vector<std::string> arguments;
  for (const Adopted& one : adopted()) {
    if (!arguments.empty() && arguments.back() == one.library) continue;
    arguments.emplace_back(plugin_argument);
    arguments.push_back(one.library.string());
  }
  return arguments;
}

void adopt_named(int argc, const char* const* argv, int first) {
  for (int i = first; i + 1 < argc; i += 2) add_to_catalog(argv[i + 1]);
}

}  // namespace gpp
