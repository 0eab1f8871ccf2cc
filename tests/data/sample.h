// A small valid input and its bytes, for tests that need one to read, write or spoil.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "data/gpp214.h"
#include "gpp/input.h"
#include "tests/text.h"

namespace gpp::test {

/// Valid, with all dimensions different, padded index arrays and bands, a G' that maps outside, and
/// no two numbers alike.
Input sample_input();

/// Every single whole and real number of an input, in the order of the file.
std::vector<std::int32_t> whole_numbers(const Input& input);
std::vector<double> real_numbers(const Input& input);

/// The bytes that write_gpp214 makes of an input.
std::string bytes_of(const Input& input, const WriteOptions& options = {});

/// Reads bytes as a file named `sample.dat`.
Input read_bytes(const std::string& bytes);

/// The message read_bytes fails with; empty where it does not fail.
std::string refusal(const std::string& bytes);

/// The place of one subrecord in the bytes of a file.
struct Frame {
  int record = 0;           ///< from 1
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
