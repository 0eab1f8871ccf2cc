// The target of the record's fuzzer, also used by tests that replay it.
#pragma once

#include <string>

namespace gpp::fuzz {

/// Reads a study.json and shows it in every way. Returns whether it was accepted; a refusal must
/// have a message that names the source. Any other result ends the program.
bool show_record(const std::string& text);

}  // namespace gpp::fuzz
