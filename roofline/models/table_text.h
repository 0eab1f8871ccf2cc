// The text of a table of metrics, levels and models, as blocks with their places.
//
//   # a comment
//   metric fp64_flop
//     formula dadd.sum + dmul.sum +
//       2 * dfma.sum
//     unit FLOP
//
// A block begins at the left margin with its kind and its name. Its fields are indented, each with
// a key and a value; a line that is indented further goes on with the value above. A line that
// begins with # is a comment. There are no tabs.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace roofline {

/// A place in a text, both from 1.
struct TextPlace {
  std::size_t line = 0;
  std::size_t column = 0;
};

struct TableField {
  std::string key;
  std::string value;  ///< its lines joined by one blank each
  TextPlace at;       ///< of the key

  /// Where the character at `offset` of the value stands.
  TextPlace place_of(std::size_t offset) const;

  /// Where a line of the value begins.
  struct Piece {
    std::size_t offset;
    TextPlace at;
  };
  std::vector<Piece> pieces;
};

struct TableBlock {
  std::string kind;
  std::string name;
  TextPlace at;
  std::vector<TableField> fields;
};

/// Throws InputError: "nvidia.txt:12:3: ...".
[[noreturn]] void refuse_table(std::string_view file, TextPlace at, std::string_view what);

/// Reads the text. `file` is its name for messages. Throws InputError.
std::vector<TableBlock> read_blocks(std::string_view text, std::string_view file);

}  // namespace roofline
