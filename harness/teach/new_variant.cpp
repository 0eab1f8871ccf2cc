#include "harness/teach/new_variant.h"

#include <fmt/format.h>

#include <algorithm>

#include "harness/program/catalog.h"
#include "harness/program/source_files.h"
#include "roofline/base/files.h"
#include "roofline/base/text.h"

namespace gpp {
namespace {

namespace fs = std::filesystem;

/// The text of a repository file. If `sources` is empty, the program's own copy is used.
std::string text_in(const fs::path& sources, const std::string& path) {
  return sources.empty() ? source_text(path).value_or("") : text_of(sources / path);
}

/// Words of C++ occur in the parent's code and are refused with all that means something there.
void require_free_name(const Kernel& kernel, const std::string& name, const Variant& parent,
                       const std::string& code) {
  static const roofline::Pattern identifier("[a-z][a-z0-9]*(_[a-z0-9]+)*"), step("v[0-9]+(_.*)?"),
      comment("//[^\n]*");
  constexpr std::size_t longest = 40;
  std::string why;
  if (name.size() > longest || !identifier.whole(name))
    why =
        "not a name for a function here: up to 40 lower-case letters, digits and single "
        "underscores, a letter first, as in my_idea";
  else if (step.whole(name))
    why = "numbers belong to the steps of the ladder";
  else if (roofline::Pattern("\\b" + name + "\\b").first(comment.replaced(code, "")))
    why = "it means something already in " + parent.source;
  for (const Variant& variant : kernel.catalog())
    if (variant.step == name && variant.model == parent.model)
      why = fmt::format("taken by {} of model {}", variant.id, variant.model);
  if (!why.empty())
    throw roofline::InputError(fmt::format("NAME '{}': {}; choose another", name, why));
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

std::string without_top_comment(const std::string& code) {
  return code.substr(top_comment(code).size());
}

/// The copy without its own form. Kernels keep their names.
std::string renamed_copy(const std::string& code, const Variant& parent, const std::string& name) {
  const roofline::Pattern function("\\b(\\w+\\s+)" + parent.step +
                                   "(\\s*\\(\\s*const\\s+\\w+\\s*&)");
  const std::string body = without_top_comment(text_of_member(code, parent.step));
  if (!function.first(body))
    throw roofline::InputError(fmt::format(
        "--from {}: {} does not define a function '{}(const ...& problem)'{}", parent.id,
        parent.source, parent.step, parent.reason.empty() ? "" : ": " + parent.reason));
  const roofline::Pattern line("\nGPP_VARIANT\\(" + parent.step + "\\);");
  return invitation(name, parent) +
         line.replaced(function.replaced(body, "$1" + name + "$2"), "\nGPP_VARIANT(" + name + ");");
}

/// Gives the variant its own copy of the form, if it uses exactly one. An inline namespace keeps
/// all names as they are, and yet tells the copies of different variants apart in one program.
void add_own_form(const Kernel& kernel, const fs::path& sources, const std::string& name,
                  const Variant& parent, NewVariant& made) {
  static const roofline::Pattern opened("\nnamespace gpp(::inline \\w+)? \\{"),
      closed("\\}  // namespace gpp(::inline \\w+)?\n");
  const std::vector<std::string> forms = forms_included(made.text, parent, kernel.forms);
  if (forms.size() != 1) return;
  const std::string shared = forms.front(), include = fmt::format("#include \"{}\"", shared);
  const std::size_t at = made.text.find(include);
  for (const std::string& helper : files_included(made.text, kernel.folder))
    if (source_text(helper).value_or("").find(include) != std::string::npos) return;
  const std::string text = without_top_comment(text_in(sources, shared));
  if (at == std::string::npos || !opened.first(text)) return;
  const fs::path file = fs::path(made.file).replace_extension(".h");
  const fs::path included = sources.empty() ? file.filename() : file;
  made.text.replace(at, include.size(), fmt::format("#include \"{}\"", included.generic_string()));
  const std::string space = fmt::format("namespace gpp::inline {}_{}", name, parent.model);
  made.shared_form = shared;
  made.form = {file,
               fmt::format("// The arithmetic of {}, and of nothing else: a copy of {}, to be "
                           "edited.\n{}",
                           name, shared,
                           closed.replaced(opened.replaced(text, "\n" + space + " {"),
                                           "}  // " + space + "\n"))};
}

}  // namespace

NewVariant plan_new_variant(const Kernel& kernel, const fs::path& sources, const std::string& name,
                            const Variant& parent) {
  const std::string code = text_in(sources, parent.source);
  require_free_name(kernel, name, parent, code);
  // What is compiled for Hopper alone lies in a folder of its own.
  const fs::path own = fs::path(parent.source).parent_path();
  const fs::path folder = own.filename() == "hopper" ? own : fs::path(kernel.folder) / parent.model;
  NewVariant made;
  made.file = (sources.empty() ? fs::path(name) : folder) /
              (name + fs::path(parent.source).extension().string());
  made.text = renamed_copy(code, parent, name);
  add_own_form(kernel, sources, name, parent, made);
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
  for (const NewFile& made : files) roofline::write_whole(sources / made.file, made.text);
}

}  // namespace gpp
