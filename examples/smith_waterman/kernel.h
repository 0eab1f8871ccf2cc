// The Smith-Waterman kernels for the harness. Sources: Smith and Waterman 1981, Gotoh 1982;
// Williams 2019 uses it as an example of the instruction roofline.
#pragma once

#include "examples/made_kernel.h"
#include "examples/smith_waterman/pairs.h"

namespace gpp::smith_waterman {

const std::vector<Variant>& catalog();
KernelBuilt built();

/// The kinds of relation between the two sequences of a pair.
enum class Kinship {
  mixed,      ///< strangers, relatives, twins and opposites, chosen by the seed
  strangers,  ///< both sequences are independent
  relatives,  ///< the second is the first with letters changed, deleted and inserted
  twins,      ///< the second repeats the first
  opposites   ///< the sequences share no letter, so the score is 0
};

struct Size {
  int pairs = 0;
  int shortest = 0;  ///< letters per sequence, at least 1
  int longest = 0;
  Kinship kinship = Kinship::mixed;
  Scoring scoring = {2, -3, 5, 2};
};

/// The reference: the score of a pair in host memory, from the full tables of the three recurrences
/// of Gotoh 1982.
std::int64_t score_of(const Pairs& pairs, int pair);

const examples::Example<Size>& example();

}  // namespace gpp::smith_waterman
