#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "harness/plugin/exports.h"
#include "harness/plugin/plugin.h"
#include "harness/program/source_files.h"
#include "roofline/base/error.h"
#include "roofline/base/pattern.h"
#include "roofline/base/text.h"

namespace gpp {
namespace {

namespace fs = std::filesystem;

/// Reads the stamp from the file, because no code of the library may run before the check.
void require_stamp(const fs::path& library) {
  const std::string bytes = text_of(library);
  const std::size_t at = bytes.find(stamp_mark);
  const std::string why =
      at == std::string::npos
          ? "it is no plug-in of gpp, or was cut off; remove it, and it is compiled anew"
      : bytes.compare(at + stamp_mark.size(), plugin_stamp.size(), plugin_stamp) != 0
          ? "it was compiled against another version of gpp; remove it, and it is compiled anew"
          : "";
  if (!why.empty()) throw std::runtime_error(fmt::format("{}: {}", library.string(), why));
}

/// The loader's message, with C++ names of symbols.
std::string loader_error() {
  const std::string said = dlerror();
  static const roofline::Pattern undefined("undefined symbol: (\\w+)");
  const auto match = undefined.first(said);
  if (!match) return said;
  return fmt::format("it uses {}, which neither the plug-in nor gpp defines",
                     roofline::demangled((*match)[1]));
}

void* open_library(const fs::path& library) {
  require_stamp(library);
  void* const handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr)
    throw std::runtime_error(fmt::format("the plug-in cannot be loaded: {}", loader_error()));
  return handle;
}

/// Returns an exported symbol.
template <class T>
T exported(void* handle, const char* name, const fs::path& library) {
  void* const found = dlsym(handle, name);
  if (found == nullptr)
    throw std::runtime_error(fmt::format("{}: it lacks {}", library.string(), name));
  return reinterpret_cast<T>(found);
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

struct Loaded {
  const PluginFacts* facts;
  FindVariant find;
};

Loaded load(const fs::path& library) {
  void* const handle = open_library(library);
  return {exported<const PluginFacts*>(handle, facts_symbol, library),
          exported<FindVariant>(handle, variant_symbol, library)};
}

/// The catalog is not defined as a constant (cmake/catalog.cpp.in).
std::vector<Variant>& catalog_of(const Kernel& kernel) {
  return const_cast<std::vector<Variant>&>(kernel.catalog());
}

/// Replaces the builds of all steps in the library's source file, or adds a new variant. The
/// operations are those of its source.
void add_to_catalog(const fs::path& library, const std::string& operations = {}) {
  const auto [facts, find] = load(library);
  const Kernel& kernel = kernel_called(facts->kernel);
  std::vector<Variant>& catalog = catalog_of(kernel);
  const Recipe* const recipe = recipe_of(kernel, facts->model, facts->kind);
  if (recipe == nullptr || recipe->runtime == nullptr)
    throw std::runtime_error(
        fmt::format("{}: this program has no model {}", library.string(), facts->model));
  const auto is_in_file = [facts](const Variant& variant) {
    return variant.model == facts->model && variant.source == facts->source;
  };
  if (std::ranges::none_of(catalog, is_in_file))
    catalog.push_back({facts->name, facts->step, facts->model, facts->source, {}, ""});
  for (Variant& variant : catalog) {
    if (!is_in_file(variant)) continue;
    std::erase_if(variant.builds,
                  [facts](const Build& build) { return build.kind == facts->kind; });
    variant.builds.push_back({facts->kind, *find(variant.step), recipe->runtime});
    if (!operations.empty()) variant.operations = operations;
  }
}

}  // namespace

Call load_plugin(const fs::path& library) {
  const auto [facts, find] = load(library);
  return *find(facts->step);
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
  add_to_catalog(library, source.functions.size() == 1 ? operations_in(source.text) : "");
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
