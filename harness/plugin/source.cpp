#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "harness/plugin/plugin.h"
#include "harness/program/catalog.h"
#include "harness/program/source_files.h"
#include "roofline/base/files.h"
#include "roofline/base/text.h"

namespace gpp {
namespace {

namespace fs = std::filesystem;
using roofline::InputError;

constexpr std::uintmax_t longest_source = std::uintmax_t{1} << 20;
constexpr long most_lines = 20'000;  // limit of source lines in a record

bool is_source_file(const fs::path& file) {
  return file.extension() == ".cpp" || file.extension() == ".cu";
}

/// NAME/NAME.cpp or NAME/NAME.cu, else the only source in the folder.
fs::path source_in_folder(const fs::path& folder) {
  std::vector<fs::path> sources;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (!is_source_file(entry.path())) continue;
    sources.push_back(entry.path());
    if (entry.path().stem() == folder.filename()) return entry.path();
  }
  if (sources.size() == 1) return sources.front();
  throw InputError(fmt::format(
      "{}: one source (.cpp or .cu) of a variant is expected there, and {} lie there: name one of "
      "them; gpp new makes one",
      folder.string(), sources.size()));
}

fs::path file_meant(const fs::path& named) {
  std::error_code error;
  fs::path absolute = fs::weakly_canonical(fs::absolute(named), error);
  if (absolute.filename().empty()) absolute = absolute.parent_path();  // "my_idea/"
  if (fs::is_directory(absolute, error)) return source_in_folder(absolute);
  if (!fs::exists(absolute, error) || !is_source_file(absolute))
    throw InputError(
        fmt::format("{}: there is no such file or folder, or it is no source of a variant, which "
                    "ends in .cpp or .cu",
                    named.string()));
  return absolute;
}

std::string name_in(const fs::path& file) {
  static const roofline::Pattern name("[a-z][a-z0-9_]*"), number("v[0-9]+(_.*)?");
  const std::string stem = file.stem().string();
  if (stem.size() > 100 || !name.whole(stem) || number.whole(stem))
    throw InputError(fmt::format(
        "{}: the file's name is the variant's: lower-case letters, digits and underscores, a "
        "letter first, and no number of the ladder, as in my_idea.cpp",
        file.string()));
  return stem;
}

/// Whether a source opens the recipe's namespace, by its name or by a macro that stands for it.
bool lies_in(const std::string& code, const Recipe& recipe) {
  static const roofline::Pattern opened("(?:^|\n)[ \t]*namespace[ \t]+([A-Za-z0-9_:]+)\\s*\\{");
  return std::ranges::any_of(opened.all(code), [&recipe](const roofline::Match& found) {
    return found[1] == recipe.space ||
           (";" + recipe.options + ";").find(fmt::format(";-D{}={};", found[1], recipe.space)) !=
               std::string::npos;
  });
}

/// Of those whose namespace the source opens: one that can be used here if there is any, and the
/// GPU's before the host's.
const Recipe& recipe_for(const fs::path& file, const std::string& code, const Kernel& kernel,
                         std::string_view kind) {
  std::vector<const Recipe*> fitting;
  std::vector<std::string> known;
  for (const Recipe& recipe : kernel.recipes()) {
    if (!recipe.loadable || (!kind.empty() && kind != recipe.kind)) continue;
    known.push_back(recipe.space);
    if (lies_in(code, recipe)) fitting.push_back(&recipe);
  }
  if (fitting.empty())
    throw InputError(
        fmt::format("{}: it opens no namespace of a model; a variant of the kernel {}{} lies in "
                    "one of {}",
                    file.string(), kernel.name, kind.empty() ? "" : fmt::format(" for a {}", kind),
                    fmt::join(known, ", ")));
  const Recipe& best = *std::ranges::min(fitting, {}, [](const Recipe* one) {
    const bool usable = one->missing.empty() && one->runtime->unavailable().empty();
    return std::pair(!usable, one->kind != "gpu");
  });
  if (!best.missing.empty())
    throw InputError(fmt::format("{}: model {} is not in this program: {}", file.string(),
                                 best.model, best.missing));
  return best;
}

PluginSource read_source(const fs::path& file, const Kernel& kernel) {
  PluginSource source;
  source.file = file;
  source.kernel = &kernel;
  source.text = roofline::text_of_outside_file(file, longest_source);
  if (std::ranges::count(source.text, '\n') > most_lines)
    throw InputError(fmt::format("{}: longer than {} lines", file.string(), most_lines));
  return source;
}

void require_line(const PluginSource& source) {
  const auto found = variants_in(source.shown, source.model, source.text);
  if (found.empty() || (source.tree.empty() && !found.front().step.starts_with(source.name)))
    throw InputError(
        fmt::format("{0}: the line 'GPP_VARIANT({1});' is missing, under a function "
                    "'Sums {1}(const Problem& problem)' that is called as the file is",
                    source.file.string(), source.name));
}

}  // namespace

PluginSource plugin_in(const fs::path& file_or_folder, const Kernel& kernel,
                       std::string_view kind) {
  PluginSource source = read_source(file_meant(file_or_folder), kernel);
  source.name = name_in(source.file);
  source.recipe = &recipe_for(source.file, source.text, kernel, kind);
  source.model = source.recipe->model;
  source.shown = (source.file.parent_path().filename() / source.file.filename()).generic_string();
  require_line(source);
  return source;
}

PluginSource source_in_tree(const fs::path& tree, const Variant& variant, const Kernel& kernel,
                            const Recipe& recipe) {
  PluginSource source = read_source(tree / variant.source, kernel);
  source.tree = tree;
  source.name = variant.id;
  source.recipe = &recipe;
  source.model = variant.model;
  source.shown = variant.source;
  require_line(source);
  return source;
}

const Recipe* recipe_of(const Kernel& kernel, std::string_view model, std::string_view kind) {
  for (const Recipe& recipe : kernel.recipes())
    if (recipe.model == model && recipe.kind == kind && recipe.loadable) return &recipe;
  return nullptr;
}

const Runtime& runtime_of(const Kernel& kernel, const std::string& model, const std::string& kind) {
  const Recipe* const recipe = recipe_of(kernel, model, kind);
  if (recipe != nullptr && recipe->runtime != nullptr) return *recipe->runtime;
  throw std::runtime_error(
      fmt::format("this program has no model {} for the {} of {}", model, kind, kernel.name));
}

std::vector<fs::path> files_of(const PluginSource& source) {
  const bool elsewhere = source.tree.empty();
  const fs::path own = source.tree / source.kernel->folder / source.model;
  std::vector<fs::path> files;
  for (const fs::path& file :
       with_included_files(elsewhere ? source.file.parent_path() : source.tree, {source.file}))
    if (elsewhere || lies_under(file, own)) files.push_back(file.lexically_normal());
  return files;
}

Variant variant_of(const PluginSource& source, Call call) {
  Variant variant = variants_in(source.shown, source.model, source.text).front();
  variant.builds = {{source.recipe->kind, std::move(call), source.recipe->runtime}};
  return variant;
}

}  // namespace gpp
