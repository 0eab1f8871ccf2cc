// Statistics of an input: branches of its terms, poles, energies.
#pragma once

#include <cstdint>

#include "gpp/problem.h"

namespace gpp {

/// Counts which way terms go (the branches of gpp/forms/divide.h). A group is 32 neighbouring G, ig
/// = 0..31, 32..63 and so on (the last may be shorter), of one (n1, igp, iw): one warp of the usual
/// launch.
struct BranchMix {
  std::int64_t terms = 0;
  std::int64_t branch1 = 0;
  std::int64_t branch2 = 0;
  std::int64_t neither = 0;  ///< branch1 + branch2 + neither = terms
  std::int64_t cut = 0;      ///< terms with |ssx| > sexcut |I_eps| and wx < 0, whose ssx is dropped

  std::int64_t groups = 0;
  std::int64_t groups_branch2 = 0;  ///< groups with a lane in branch 2
  std::int64_t groups_both = 0;     ///< groups with lanes in branches 1 and 2, which diverge
};

/// The bands of one class, and the range of their energies wx over all frequencies, eV.
struct BandClass {
  int bands = 0;
  double wx_min = 0;  ///< 0 without bands, as is wx_max
  double wx_max = 0;
  int negative = 0;  ///< number of (band, frequency) with wx < 0
};

/// The minimum, quartiles, 99% and maximum of some values; all 0 without values.
struct Quantiles {
  double min = 0, quarter = 0, median = 0, three_quarters = 0, percent99 = 0, max = 0;
};

struct PoleStatistics {
  std::int64_t poles = 0;
  std::int64_t invalid = 0;  ///< exactly 1e12 + 0i, BerkeleyGW's mark of an invalid pole
  std::int64_t zero = 0;     ///< poles that are exactly 0
  std::int64_t complex = 0;  ///< poles with an imaginary part
  Quantiles valid;           ///< Re wtilde of all other poles, eV
};

/// The statistics that `gpp inspect` shows. Terms and poles are counted exactly in the sampled
/// columns.
struct Statistics {
  BandClass empty;        ///< occ = 0
  BandClass occupied;     ///< occ > 0
  int half_occupied = 0;  ///< bands with occ = 1/2, part of `occupied`

  int columns = 0;          ///< number of the problem's G'
  int sampled_columns = 0;  ///< number of G' examined: all, or every k-th

  BranchMix all;             ///< terms of all bands
  BranchMix occupied_bands;  ///< terms of bands with occ > 0
  PoleStatistics wtilde;
};

/// Examines a problem in host memory on all cores. If it has more than `most_terms` terms, or more
/// than a hundredth as many poles, only every k-th G' is examined, with the smallest sufficient k.
/// A term whose |wdiff|^2 or |delw|^2 nearly equals a branch limit may be counted on either side.
Statistics statistics(const Problem& problem, std::int64_t most_terms = 1'000'000'000);

}  // namespace gpp
