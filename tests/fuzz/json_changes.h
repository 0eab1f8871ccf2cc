// Changes of JSON, for the fuzzers of all that is read from JSON and for the tests that replay
// them.
#pragma once

#include <nlohmann/json.hpp>
#include <random>

namespace roofline::fuzz {

/// One change somewhere: a number becomes an awkward one, a text a hostile one, an element is
/// doubled or goes.
void change_somewhere(nlohmann::json& json, std::mt19937& random);

}  // namespace roofline::fuzz
