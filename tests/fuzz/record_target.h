// The target of the record's fuzzer, for the tests that replay it too.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <random>
#include <string>

namespace gpp::fuzz {

/// Reads a study.json and shows it in every way. Returns whether it was accepted; a refusal comes
/// with a message that names the source. Anything else ends the program.
bool show_record(const std::string& text);

/// One change somewhere in a record: a number becomes an awkward one, a text a hostile one, an
/// element is doubled or goes.
void change_somewhere(nlohmann::json& json, std::mt19937& random);

}  // namespace gpp::fuzz
