// The error for unusable input from a person.
#pragma once

#include <stdexcept>
#include <string_view>

namespace roofline {

/// An input, an output path or a request is unusable. The message is complete: what is wrong, where
/// (file, record, byte), and what to do. Programs then end with status 2.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Throws InputError "FILE: what", with a printable file name.
[[noreturn]] void refuse_file(std::string_view file, std::string_view what);

}  // namespace roofline
