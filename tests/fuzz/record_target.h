// The target of the record's fuzzer, for the tests that replay it too.
#pragma once

#include <string>

namespace gpp::fuzz {

/// Reads a study.json and shows it in every way. Returns whether it was accepted; a refusal comes
/// with a message that names the source. Anything else ends the program.
bool show_record(const std::string& text);

}  // namespace gpp::fuzz
