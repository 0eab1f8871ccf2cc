// Makes a new variant as a copy of another one, for `gpp new`. In the program's source tree it
// joins the others. Elsewhere (where the tree is "") it becomes a plug-in in a folder of its own.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "harness/kernel.h"

namespace gpp {

/// A file to be written.
struct NewFile {
  std::filesystem::path file;  ///< "variants/omp/my_idea.cpp", or "my_idea/my_idea.cpp"
  std::string text;
};

/// A variant to be written.
struct NewVariant : NewFile {
  std::string shared_form = {};      ///< the parent's arithmetic form: "gpp/forms/power2.h"
  std::optional<NewFile> form = {};  ///< the variant's own copy of the form
};

/// Plans the variant `name` in the source tree `sources`: the parent's source with the function
/// renamed and a comment at the top that asks for a description. It gets its own copy of the form
/// that the parent includes, in a namespace of its own, unless a helper includes that form, too.
/// Throws InputError for a name that is no identifier, is taken, or occurs in the parent's source,
/// and for a parent that has no function of its own.
NewVariant plan_new_variant(const Kernel& kernel, const std::filesystem::path& sources,
                            const std::string& name, const Variant& parent);

/// Writes the variant and its form into the tree without overwriting files. Throws InputError.
void write_new_variant(const std::filesystem::path& sources, const NewVariant& variant);

}  // namespace gpp
