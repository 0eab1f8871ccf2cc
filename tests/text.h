// Helpers for texts in tests and for texts of files.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace gpp::test {

using Texts = std::vector<std::string>;

/// True if `text` contains `part`. A failed expectation shows both.
inline testing::AssertionResult contains(std::string_view text, std::string_view part) {
  const bool found = text.find(part) != std::string_view::npos;
  return (found ? testing::AssertionSuccess() : ::testing::AssertionFailure())
         << "'" << part << (found ? "' stands in\n" : "' is missing in\n") << text;
}

/// True if `text` contains all parts, in any order.
inline testing::AssertionResult contains_all(std::string_view text, const Texts& parts) {
  for (const std::string& part : parts)
    if (const testing::AssertionResult one = contains(text, part); !one) return one;
  return testing::AssertionSuccess();
}

/// True if `text` contains the parts in this order.
inline testing::AssertionResult contains_in_order(std::string_view text, const Texts& parts) {
  std::size_t at = 0;
  for (const std::string& part : parts) {
    const std::size_t found = text.find(part, at);
    if (found == std::string_view::npos)
      return testing::AssertionFailure() << "'" << part << "' is missing or out of order in\n"
                                         << text;
    at = found + part.size();
  }
  return testing::AssertionSuccess();
}

/// The longest line's length in bytes.
inline std::size_t longest_line(const std::string& text) {
  std::istringstream lines(text);
  std::size_t longest = 0;
  for (std::string line; std::getline(lines, line);) longest = std::max(longest, line.size());
  return longest;
}

/// The only element of a list; the test fails for any other length.
template <class List>
const auto& only(const List& list) {
  if (list.size() != 1)
    throw std::length_error(std::to_string(list.size()) + " are there instead of one");
  return *list.begin();
}

/// The message of the Error that `action` throws; empty without an error.
template <class Error, class Action>
std::string thrown(const Action& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

/// The text of a file; empty if it is missing.
inline std::string file_text(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// Expects `text` to equal the file with this name in tests/. With GPP_KEEP_TEXTS in the
/// environment the file is written instead; check its diff.
inline void expect_kept(const std::string& name, const std::string& text) {
  const std::string file = GPP_SOURCE_DIR "/tests/" + name;
  if (std::getenv("GPP_KEEP_TEXTS") != nullptr) std::ofstream(file) << text;
  const std::string kept = file_text(file);
  const auto place = std::ranges::mismatch(text, kept).in1 - text.begin();
  EXPECT_TRUE(text == kept) << file << " differs from here on:\n"
                            << text.substr(static_cast<std::size_t>(place), 500);
}

}  // namespace gpp::test

namespace roofline::test {
using namespace gpp::test;
}
