// The variants that a test's build compiled once more, under a kind of device of their own.
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "runtimes/registration.h"

namespace gpp::test {

/// The name of a variant's file: "v08_power2".
inline std::string file_name(const Registration& variant) {
  return std::filesystem::path(variant.file).stem().string();
}

/// All of that kind whose file's name begins so, sorted by it.
inline std::vector<const Registration*> compiled_for(std::string_view kind,
                                                     std::string_view begin = "") {
  std::vector<const Registration*> found;
  for (const Registration* one = Registration::first; one != nullptr; one = one->next)
    if (kind == one->kind && file_name(*one).starts_with(begin)) found.push_back(one);
  std::ranges::sort(found, {}, [](const Registration* one) { return std::string(one->file); });
  return found;
}

}  // namespace gpp::test
