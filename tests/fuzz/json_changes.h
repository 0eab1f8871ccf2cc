// Random changes of JSON, for the fuzzers of all JSON readers and for tests that replay them.
#pragma once

#include <nlohmann/json.hpp>
#include <random>

namespace roofline::fuzz {

/// Makes one change: a number becomes awkward, a text hostile, or an element is duplicated or
/// removed.
void change_somewhere(nlohmann::json& json, std::mt19937& random);

}  // namespace roofline::fuzz
