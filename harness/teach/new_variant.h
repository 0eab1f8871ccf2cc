// Makes a new variant as a copy of another one, for `gpp new`. In the program's source tree it
// joins the others. Elsewhere (where the tree is "") it becomes a plug-in in a folder of its own.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "harness/kernel.h"

namespace gpp {

/// The request.
struct NewVariantRequest {
  std::string name;    ///< name of the variant, its function and its file
  std::string parent;  ///< id or step of the variant to copy
  std::string model;
  const Kernel* kernel = kernels().front();  ///< kernel whose catalog it joins
};

/// A file to be written.
struct NewFile {
  std::filesystem::path file;  ///< "variants/omp/my_idea.cpp", or "my_idea/my_idea.cpp"
  std::string text;
};

/// A variant to be written.
struct NewVariant : NewFile {
  const Variant* parent = nullptr;
  std::string shared_form;      ///< the parent's arithmetic form: "gpp/forms/power2.h"
  std::optional<NewFile> form;  ///< the variant's own copy of the form: "variants/omp/my_idea.h"
};

/// Plans the new variant in the source tree `sources`: the parent's source with the function
/// renamed and a comment at the top that asks for a description. Functions that the parent calls
/// keep their names, but for those of its form, of which the variant gets its own. Throws
/// InputError for an unknown model or parent, a step that the model lacks or that has no function
/// of its own, a name that is no identifier, is taken, or occurs in the parent's source, and for a
/// missing tree.
NewVariant plan_new_variant(const std::vector<Variant>& catalog,
                            const std::filesystem::path& sources, const NewVariantRequest& request);

/// Writes the variant and its form into the tree without overwriting files. Throws InputError.
/// Files are formatted if clang-format is available, because names differ in length.
void write_new_variant(const std::filesystem::path& sources, const NewVariant& variant);

}  // namespace gpp
