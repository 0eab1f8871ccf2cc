#include "roofline/ceilings.h"

#include <algorithm>

namespace roofline {

const Ceiling* Ceilings::find(const std::string& name) const {
  const auto found = std::find_if(list.begin(), list.end(),
                                  [&name](const Ceiling& ceiling) { return ceiling.name == name; });
  return found == list.end() ? nullptr : &*found;
}

}  // namespace roofline
