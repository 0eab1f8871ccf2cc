// The Smith-Waterman kernels as the harness studies them. Sources: Smith and Waterman 1981; Gotoh
// 1982; as an example of the instruction roofline in Williams 2019.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "examples/smith_waterman/pairs.h"
#include "harness/kernel.h"

namespace gpp::smith_waterman {

const Kernel& smith_waterman_kernel();

const std::vector<Variant>& catalog();

/// How the sequences of a pair are related.
enum class Kinship {
  mixed,      ///< strangers, relatives, twins and opposites, as the seed has it
  strangers,  ///< each is made for itself
  relatives,  ///< the second is the first with letters changed, left out and put in
  twins,      ///< the second repeats the first
  opposites   ///< no letter of one is in the other: the score is 0
};

struct Size {
  int pairs = 0;
  int shortest = 0;  ///< letters of a sequence; at least 1
  int longest = 0;
  Kinship kinship = Kinship::mixed;
  Scoring scoring = {2, -3, 5, 2};
};

/// An input in host memory. `seed` decides lengths and letters.
std::unique_ptr<Subject> make_subject(std::string label, const Size& size, std::uint64_t seed);

/// The score of two sequences of letters, from full tables of the three recurrences of Gotoh 1982:
/// what variants are judged by.
std::int64_t score_of(std::basic_string_view<std::uint8_t> first,
                      std::basic_string_view<std::uint8_t> second, const Scoring& scoring);

}  // namespace gpp::smith_waterman
