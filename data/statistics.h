// Statistics of an input: the branches its terms take, its poles, its energies.
#pragma once

#include <cstdint>

#include "gpp/problem.h"

namespace gpp {

/// Which way terms go (the branches of gpp/forms/divide.h), counted. A group is 32 neighbouring G,
/// ig = 0..31, 32..63 and so on (the last may be shorter), of one (n1, igp, iw): the lanes of one
/// warp of the usual launch.
struct BranchMix {
  std::int64_t terms = 0;
  std::int64_t branch1 = 0;
  std::int64_t branch2 = 0;
  std::int64_t neither = 0;  ///< branch1 + branch2 + neither = terms
  std::int64_t cut = 0;      ///< of them: |ssx| > sexcut |I_eps| and wx < 0, so that ssx is dropped

  std::int64_t groups = 0;
  std::int64_t groups_branch2 = 0;  ///< at least one lane in branch 2
  std::int64_t groups_both = 0;     ///< lanes in branch 1 and in branch 2: they diverge
};

/// Bands of one class, and the energies wx they take over all frequencies, eV.
struct BandClass {
  int bands = 0;
  double wx_min = 0;  ///< 0 where there are no bands, as wx_max
  double wx_max = 0;
  int negative = 0;  ///< (band, frequency) with wx < 0
};

/// min, quartiles, 99% and max of some values; all 0 where there are none.
struct Quantiles {
  double min = 0, quarter = 0, median = 0, three_quarters = 0, percent99 = 0, max = 0;
};

struct PoleStatistics {
  std::int64_t poles = 0;
  std::int64_t invalid = 0;  ///< exactly 1e12 + 0i, the mark of BerkeleyGW
  std::int64_t zero = 0;     ///< exactly 0
  std::int64_t complex = 0;  ///< imaginary part not 0
  Quantiles valid;           ///< Re wtilde of the poles that are none of these, eV
};

/// The statistics that `gpp inspect` shows. Terms and poles are those of the sampled columns, and
/// counted exactly.
struct Statistics {
  BandClass empty;        ///< occ = 0
  BandClass occupied;     ///< occ > 0
  int half_occupied = 0;  ///< bands with occ = 1/2, part of `occupied`

  int columns = 0;          ///< G' of the problem
  int sampled_columns = 0;  ///< G' looked at: all, or every k-th

  BranchMix all;             ///< terms of all bands
  BranchMix occupied_bands;  ///< terms of bands with occ > 0
  PoleStatistics wtilde;
};

/// Looks at a problem in host memory on all cores. Where it has more than `most_terms` terms, or a
/// hundredth as many poles, only every k-th G' is looked at, with the smallest k that suffices.
/// A term whose |wdiff|^2 or |delw|^2 equals a limit of its branch to the last bits may be counted
/// on either side of it.
Statistics statistics(const Problem& problem, std::int64_t most_terms = 1'000'000'000);

}  // namespace gpp
