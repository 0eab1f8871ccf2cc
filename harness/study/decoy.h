// A small problem that is not the one studied.
#pragma once

#include "gpp/input.h"

namespace gpp {

/// A piece of an input with changed band data, at most 37 G, 5 G' and 11 bands, that keeps its
/// frequencies. Every variant runs it first: one that hands back an earlier result, or that only
/// knows one shape, is caught before anything is measured. The sums differ from those of `input`
/// even where that is as small itself.
Input decoy_of(const Input& input);

}  // namespace gpp
