// What to look at next, by cause: roofline/models/advice.txt as data.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace roofline {

/// A cause that may bind, and where to look then.
struct AdviceRow {
  std::string cause;   ///< "compute", "long_scoreboard", "global_scattered", "launch"
  std::string title;   ///< for people: "data from memory"
  std::string look;    ///< a sentence or a few, for people
  std::string source;  ///< author and year, or the vendor's documentation
};

/// The library's own table.
const std::vector<AdviceRow>& advice_table();

/// The row of that cause, or nullptr: chips may wait for what the table does not know.
const AdviceRow* find_advice(std::string_view cause);

/// Reads such a table; `file` is its name for messages. Throws InputError with the place: a kind of
/// block or a field that is unknown, missing or there twice, a source that is not there.
std::vector<AdviceRow> read_advice_table(std::string_view text, const std::string& file);

}  // namespace roofline
