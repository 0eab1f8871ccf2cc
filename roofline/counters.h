// Raw counters by name, and missing counters.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace roofline {

/// Values by the hardware's counter names: "dram__bytes.sum". A counter that was not measured is
/// absent, never 0.
using Counters = std::map<std::string, double>;

/// A requested counter or metric that is missing.
struct Missing {
  std::string name;    ///< name of the counter or metric
  std::string reason;  ///< "GA102 has no such counter"
};

class Fields;
void fields(Fields& field, Missing& missing);  ///< see roofline/record/fields.h

}  // namespace roofline
