// The error of everything a person handed us that cannot be used.
#pragma once

#include <stdexcept>

namespace roofline {

/// An input, an output path or a request is unusable. The message is complete for a person: what is
/// wrong, where (file, record, byte), and what to do about it. Programs end with status 2.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace roofline
