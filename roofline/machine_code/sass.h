// The machine code of a GPU's functions for people, read with nvdisasm of the CUDA Toolkit.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace roofline {

/// A line for each instruction, of 16 bytes each (since Volta), by the symbol of the function.
using Sass = std::map<std::string, std::vector<std::string>>;

/// All functions of a cubin. Empty where nvdisasm is missing or fails; `problem` gets the reason.
Sass sass_in(const std::filesystem::path& cubin, std::string& problem);

/// Reads what nvdisasm -c prints. Lines that it does not know are passed over.
Sass parse_nvdisasm(std::string_view text);

}  // namespace roofline
