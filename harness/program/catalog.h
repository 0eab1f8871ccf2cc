// A kernel's catalog: the variants that its files name, with what the program holds of them.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/program/embedded.h"
#include "harness/variant.h"

namespace gpp {

/// All variants of the kernel in `folder`, built or not, in the recipes' order of models, first
/// those without a number and then by number. A text says in its first line why its model lacks the
/// step.
std::vector<Variant> make_catalog(const std::string& folder, const std::vector<Recipe>& recipes,
                                  std::span<const embedded::File> sources);

/// The variants that the lines "GPP_VARIANT(step);" of a file name, without builds: first those
/// that are called as the file is.
std::vector<Variant> variants_in(const std::filesystem::path& source, const std::string& model,
                                 std::string_view text);

/// The comment that a text begins with, line by line.
std::string top_comment(std::string_view text);

/// A family's file as if this member were alone in it: without the paragraphs that register only
/// others, and with the member's own comment at the top, if that tells its operations.
std::string text_of_member(std::string_view text, std::string_view step);

/// The variant's source, as if it were alone in its file; "" if that is not known.
std::string text_of(const Variant& variant);

/// The variant's registration for a kind of device in a list; nullptr if there is none.
const Registration* registered(const Registration* list, const Variant& variant,
                               std::string_view kind);

}  // namespace gpp
