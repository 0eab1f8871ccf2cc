// Cheat: prints until the reader's memory is full, and has no sums.
//
// Stopped by: a bounded reader.
// Outcome: wrong.

#include <cstdio>
#include <string>

#include "gpp/variant.h"

namespace gpp::omp {

Sums prints_megabytes(const Problem& problem) {
  const std::string line(1 << 16, problem.nbands > 0 ? 'x' : 'y');
  for (int i = 0; i < 800; ++i) std::fputs(line.c_str(), i % 2 == 0 ? stdout : stderr);
  return {};
}
GPP_VARIANT(prints_megabytes);

}  // namespace gpp::omp
