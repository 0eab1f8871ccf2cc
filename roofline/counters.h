// The results of a recorder: raw counters by name, and those that are missing.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace roofline {

/// Values by name, as the hardware's own names go: "dram__bytes.sum". A counter that was not
/// measured is not in here: it is never 0.
using Counters = std::map<std::string, double>;

/// Something asked for and not had.
struct Missing {
  std::string name;    ///< of the counter or metric
  std::string reason;  ///< "GA102 has no such counter"
};

class Fields;
void fields(Fields& field, Missing& missing);  ///< roofline/record/fields.h

/// The result of a recording.
struct Recording {
  Counters counters;
  std::vector<Missing> missing;
  std::vector<std::string> defects;  ///< what makes the values doubtful: dropped ranges, ...
  int passes = 0;                    ///< how often the work was run
};

}  // namespace roofline
