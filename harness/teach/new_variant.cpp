#include "harness/teach/new_variant.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "harness/program/catalog.h"
#include "harness/program/source_files.h"
#include "roofline/base/error.h"
#include "roofline/base/pattern.h"
#include "roofline/base/process.h"
#include "roofline/base/replace_file.h"
#include "roofline/base/text.h"

namespace gpp {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse_name(const std::string& name, const std::string& why) {
  throw roofline::InputError(fmt::format("NAME '{}': {}; choose another", name, why));
}

/// Words of C++ occur in the parent's source and are refused with all that means something there.
void require_identifier(const std::string& name) {
  static const roofline::Pattern identifier("[a-z][a-z0-9]*(_[a-z0-9]+)*");
  static const roofline::Pattern number_of_the_ladder("v[0-9]+(_.*)?");
  constexpr std::size_t longest = 40;
  if (name.size() > longest || !identifier.whole(name))
    refuse_name(name,
                "not a name for a function here: up to 40 lower-case letters, digits and single "
                "underscores, a letter first, as in my_idea");
  if (number_of_the_ladder.whole(name))
    refuse_name(name, "numbers belong to the steps of the ladder");
}

bool has_a_number(const Variant& variant) { return variant.id != variant.step; }

/// The text of a repository file. If `sources` is empty, the program's own copy is used.
std::string text_in(const fs::path& sources, const std::string& path) {
  return sources.empty() ? source_text(path).value_or("") : text_of(sources / path);
}

/// The folder of the tree for copies: the model's, or that of what is compiled for Hopper alone.
fs::path folder_for(const Kernel& kernel, const Variant& parent) {
  const fs::path model = fs::path(kernel.folder) / parent.model;
  const fs::path own = fs::path(parent.source).parent_path();
  return own.filename() == "hopper" ? own : model;
}

void require_free_name(const std::vector<Variant>& catalog, const fs::path& sources,
                       const NewVariantRequest& request) {
  // For users' variants the files decide, because the program may still know a deleted one.
  for (const Variant& variant : catalog)
    if (variant.step == request.name &&
        (sources.empty() || has_a_number(variant) ||
         variant_in_file(variant.source, variant.model).step != variant.step))
      refuse_name(request.name, fmt::format("taken by {} of model {}", variant.id, variant.model));
  if (sources.empty()) return;
  const fs::path folder = sources / request.kernel->folder / request.model;
  if (!fs::is_directory(folder))
    throw roofline::InputError(
        fmt::format("{}: not there; the sources of this program were moved", folder.string()));
  for (const fs::directory_entry& entry : fs::directory_iterator(folder))
    if (variant_in_file(entry.path(), request.model).step == request.name)
      refuse_name(request.name,
                  fmt::format("taken by the file {}", entry.path().lexically_normal().string()));
}

const Variant& find_parent(const std::vector<Variant>& catalog, const NewVariantRequest& request) {
  std::vector<std::string> models, names;
  for (const Variant& variant : catalog) {
    if (std::ranges::find(models, variant.model) == models.end()) models.push_back(variant.model);
    if (variant.model != request.model) continue;
    if (variant.id == request.parent || variant.step == request.parent) return variant;
    names.push_back(variant.id);
    if (has_a_number(variant)) names.push_back(variant.step);
  }
  if (names.empty())
    throw roofline::InputError("--model: " +
                               roofline::unknown_name("model", request.model, models));
  throw roofline::InputError(
      "--from: " +
      roofline::unknown_name("variant of model " + request.model, request.parent, names));
}

/// The parent's source, or an error with the reason why a model lacks the step.
std::string source_of(const fs::path& sources, const Variant& parent) {
  if (parent.source.ends_with(".md"))
    throw roofline::InputError(fmt::format("--from {}: model {} has no such step: {}", parent.id,
                                           parent.model, parent.reason));
  const std::string code = text_in(sources, parent.source);
  if (code.empty())
    throw roofline::InputError(fmt::format("--from {}: {} is not there or cannot be read",
                                           parent.id, (sources / parent.source).string()));
  return code;
}

/// The parent's file and its includes, as paths in the repository.
std::vector<std::string> files_behind(const Kernel& kernel, const fs::path& sources,
                                      const Variant& parent) {
  std::vector<std::string> files = {parent.source};
  if (!sources.empty()) {
    for (const fs::path& file : with_included_files(sources, {sources / parent.source}))
      files.push_back(fs::relative(file, sources).generic_string());
    return files;
  }
  for (const std::string& below : {kernel.folder, std::string("gpp")})
    for (std::string& file : files_included(text_in(sources, parent.source), below))
      files.push_back(std::move(file));
  return files;
}

/// Refuses a name that the parent's file or its includes already use, because it would become
/// ambiguous.
void require_unused_name(const Kernel& kernel, const fs::path& sources, const Variant& parent,
                         const std::string& name) {
  for (const std::string& file : files_behind(kernel, sources, parent))
    if (identifiers_in(text_in(sources, file)).contains(name))
      refuse_name(name, fmt::format("it means something already in {}", file));
  if (!kernel.forms.empty() && !text_in(sources, kernel.forms + "/" + name + ".h").empty())
    refuse_name(name, fmt::format("taken by {}/{}.h", kernel.forms, name));
}

std::string without_top_comment(const std::string& code) {
  return code.substr(top_comment(code).size());
}

/// The new top comment. The work is the parent's until its author changes the arithmetic.
std::string invitation(const std::string& name, const Variant& parent) {
  const std::string operations =
      parent.operations.empty() ? "" : fmt::format("// Operations: {}.\n", parent.operations);
  return fmt::format(
      "// {}: say here in one line what changes.\n"
      "//\n"
      "// Made from {}.\n"
      "{}//\n"
      "// Then say why that should be faster. Predict before you measure: what will there be less\n"
      "// of, and how far can the time fall?\n",
      name, label_of(parent), operations);
}

/// The copy without its own form. Kernels keep their names.
std::string renamed_copy(const std::string& code, const Variant& parent, const std::string& name) {
  const roofline::Pattern function("\\b(\\w+\\s+)" + parent.step +
                                   "(\\s*\\(\\s*const\\s+\\w+\\s*&)");
  const std::string body = without_top_comment(text_of_member(code, parent.step));
  if (!function.first(body))
    throw roofline::InputError(
        fmt::format("--from {}: {} does not define a function '{}(const ...& problem)'", parent.id,
                    parent.source, parent.step));
  const roofline::Pattern line("\nGPP_VARIANT\\(" + parent.step + "\\);");
  return invitation(name, parent) +
         line.replaced(function.replaced(body, "$1" + name + "$2"), "\nGPP_VARIANT(" + name + ");");
}

/// The names of types, functions and constants that a form defines.
std::set<std::string> defined_in(const std::string& form) {
  static const std::array<roofline::Pattern, 3> definitions = {
      roofline::Pattern("\\b(?:struct|class)\\s+(\\w+)\\s*\\{"),
      roofline::Pattern("\\binline\\b[^();={}]*?(\\w+)\\s*\\("),
      roofline::Pattern("\\bconstexpr\\b[^();={}]*?(\\w+)\\s*=")};
  std::set<std::string> names;
  for (const roofline::Pattern& definition : definitions)
    for (const roofline::Match& found : definition.all(form))
      if (identifiers_in(form).contains(found[1])) names.insert(found[1]);
  return names;
}

/// New names for what a form defines: of gpp/forms/power2.h, whose stem is power2, that function
/// becomes my_idea_term, and others get my_idea_ in the place of power2_, or before their names.
std::map<std::string, std::string> own_names(const std::string& form, const std::string& stem,
                                             const std::string& name) {
  std::map<std::string, std::string> names;
  for (const std::string& old : defined_in(form))
    names[old] = name + "_" +
                 (old == stem                   ? "term"
                  : old.starts_with(stem + "_") ? old.substr(stem.size() + 1)
                                                : old);
  return names;
}

/// The namespace of a variant's function.
std::string namespace_of(const std::string& code) {
  static const roofline::Pattern opened("(?:^|\\n)namespace\\s+([\\w:]+)\\s*\\{");
  const auto match = opened.first(code);
  return match ? (*match)[1] : "gpp";
}

/// Moves a form into the variant's namespace, so that different models keep separate copies.
std::string moved_into(const std::string& space, std::string form) {
  static const roofline::Pattern opened("\nnamespace gpp \\{"), closed("\\}  // namespace gpp\n");
  const std::string names = space.starts_with("gpp") ? "" : "\n\nusing namespace gpp;";
  form = opened.replaced(form, fmt::format("\nnamespace {} {{{}", space, names));
  return closed.replaced(form, fmt::format("}}  // namespace {}\n", space));
}

/// Gives the variant its own copy of a form, if it uses exactly one shared form.
void add_own_form(const Kernel& kernel, const fs::path& sources, const std::string& name,
                  NewVariant& made) {
  const std::vector<std::string> forms = forms_included(made.text, *made.parent, kernel.forms);
  if (forms.size() != 1) return;
  const std::string shared = forms.front();
  const std::string form = text_in(sources, shared);
  const fs::path file = fs::path(made.file).replace_extension(".h");
  const fs::path included = sources.empty() ? file.filename() : file;
  const std::string stem = fs::path(shared).stem().string();
  const std::map<std::string, std::string> names = own_names(form, stem, name);
  const std::string include = fmt::format("#include \"{}\"", shared);
  const std::size_t at = made.text.find(include);
  if (names.empty() || at == std::string::npos) return;
  const std::set<std::string> used = identifiers_in(made.text);
  for (const auto& [old, own] : names)
    if (used.contains(own)) refuse_name(name, fmt::format("{} means something already", own));

  made.text.replace(at, include.size(), fmt::format("#include \"{}\"", included.generic_string()));
  made.text = with_renamed_identifiers(made.text, names);
  const std::string text =
      fmt::format("// The arithmetic of {}, and of nothing else: a copy of {}, to be edited.\n{}",
                  name, shared, without_top_comment(form));
  made.shared_form = shared;
  made.form = {file, moved_into(namespace_of(made.text), with_renamed_identifiers(text, names))};
}

}  // namespace

NewVariant plan_new_variant(const std::vector<Variant>& catalog, const fs::path& sources,
                            const NewVariantRequest& request) {
  const Kernel& kernel = *request.kernel;
  const Variant& parent = find_parent(catalog, request);
  require_identifier(request.name);
  require_free_name(catalog, sources, request);
  const std::string code = source_of(sources, parent);
  require_unused_name(kernel, sources, parent, request.name);
  NewVariant made;
  made.parent = &parent;
  made.file = (sources.empty() ? fs::path(request.name) : folder_for(kernel, parent)) /
              (request.name + fs::path(parent.source).extension().string());
  made.text = renamed_copy(code, parent, request.name);
  add_own_form(kernel, sources, request.name, made);
  return made;
}

void write_new_variant(const fs::path& sources, const NewVariant& variant) {
  std::vector<NewFile> files = {variant};
  if (variant.form) files.push_back(*variant.form);
  for (const NewFile& made : files)
    if (std::error_code error; fs::exists(fs::symlink_status(sources / made.file, error)))
      throw roofline::InputError(
          fmt::format("{}: is there already; choose another name", (sources / made.file).string()));
  if (sources.empty()) fs::create_directory(variant.file.parent_path());
  for (const NewFile& made : files) {
    const fs::path file = sources / made.file;
    roofline::write_whole(file, made.text);
    // Names differ in length; without clang-format some lines may be long.
    roofline::run_program({"clang-format-14", "--fallback-style=none", "-i", file.string()});
  }
}

}  // namespace gpp
