// A new variant as a copy of an old one: what `gpp new` writes. In the source tree of the program
// it joins the others; elsewhere, where the tree is called "", it is a plug-in in a folder of its
// own, here.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/kernel.h"

namespace gpp {

/// The request.
struct NewVariantRequest {
  std::string name;    ///< of the new variant, its function and its file
  std::string parent;  ///< id or step of the variant to copy
  std::string model;
  const Kernel* kernel = kernels().front();  ///< whose catalog it joins
};

/// A file that is not written yet.
struct NewFile {
  std::filesystem::path file;  ///< "variants/omp/my_idea.cpp", or "my_idea/my_idea.cpp"
  std::string text;
};

/// A variant that is not written yet.
struct NewVariant : NewFile {
  const Variant* parent = nullptr;
  std::string shared_form;      ///< the arithmetic form of the parent: "gpp/forms/power2.h"
  std::optional<NewFile> form;  ///< the variant's own copy of it: "variants/omp/my_idea.h"
};

/// The parent's source under a new name: its function is called `name`, and the comment at the top
/// invites to say what is new. What the parent calls keeps its name, even where it has the
/// parent's: power2 the variant calls power2 the form, until own_names are given. Kernels keep
/// theirs. Throws InputError where `code` does not define the parent's function.
std::string renamed_copy(const std::string& code, const Variant& parent, const std::string& name);

/// The names, after `name`, of its own versions of a form's types, functions and constants:
/// power2 of gpp/forms/power2.h is my_idea_term, a type SomePole is MyIdeaPole.
std::map<std::string, std::string> own_names(const std::string& form, const std::string& stem,
                                             const std::string& name);

/// Plans the new variant in the source tree `sources`. Throws InputError: an unknown model or
/// parent, a step that the model lacks, a name that is not an identifier, that is taken, or that
/// means something in the parent's source; a tree that is not there.
NewVariant plan_new_variant(const std::vector<Variant>& catalog,
                            const std::filesystem::path& sources, const NewVariantRequest& request);

/// Writes it and its form into the tree, never over a file. Throws InputError. Formats it where
/// clang-format is at hand, since names differ in length.
void write_new_variant(const std::filesystem::path& sources, const NewVariant& variant);

}  // namespace gpp
