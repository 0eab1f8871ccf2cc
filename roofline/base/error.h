// The error of everything a person handed us that cannot be used.
#pragma once

#include <stdexcept>
#include <string_view>

namespace roofline {

/// An input, an output path or a request is unusable. The message is complete for a person: what is
/// wrong, where (file, record, byte), and what to do about it. Programs end with status 2.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// "FILE: what", with the file's name as it may be shown. Throws InputError.
[[noreturn]] void refuse_file(std::string_view file, std::string_view what);

}  // namespace roofline
