// A small valid input and its bytes, for tests that read, write or damage one.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "data/gpp214.h"
#include "gpp/input.h"
#include "tests/text.h"

namespace gpp::test {

/// A valid input with different dimensions, padded index arrays and bands, a G' that maps outside,
/// and all different numbers.
Input sample_input();

/// All integers of an input, and all reals, in file order.
std::vector<std::int32_t> whole_numbers(const Input& input);
std::vector<double> real_numbers(const Input& input);

/// The bytes that write_gpp214 makes of an input.
std::string bytes_of(const Input& input, const WriteOptions& options = {});

/// Reads bytes as a file named `sample.dat`.
Input read_bytes(const std::string& bytes);

/// The error message of read_bytes; empty without an error.
std::string refusal(const std::string& bytes);

/// The position of a subrecord in a file's bytes.
struct Frame {
  int record = 0;           ///< number of the record, from 1
  std::size_t leading = 0;  ///< byte offset of the leading marker
  std::size_t content = 0;
  std::size_t trailing = 0;  ///< byte offset of the trailing marker
  std::size_t end() const { return trailing + sizeof(std::int32_t); }
};

/// The frames of a valid file, found from its markers alone.
std::vector<Frame> frames_of(const std::string& bytes);

std::int32_t int_at(const std::string& bytes, std::size_t offset);
/// Copies the bytes with one value replaced.
template <class Value>
std::string with(std::string bytes, std::size_t offset, Value value) {
  bytes.replace(offset, sizeof(Value), reinterpret_cast<const char*>(&value), sizeof(Value));
  return bytes;
}

void write_content(const std::filesystem::path& path, const std::string& content);

}  // namespace gpp::test
