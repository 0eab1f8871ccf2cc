// Several studies in one table.
#pragma once

#include <string>
#include <vector>

#include "harness/record/record.h"

namespace gpp {

/// A recorded study and where it lies.
struct NamedStudy {
  std::string name;
  StudyRecord study;
};

/// A key to the studies, then terms/s of each variant in each, which is comparable across inputs
/// and machines. Failures are named in the end.
std::string side_by_side(const std::vector<NamedStudy>& studies, bool colours);

}  // namespace gpp
