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
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "roofline/base/embedded.h"

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

  /// The place of the character at `offset` of the value.
  TextPlace place_of(std::size_t offset) const;

  /// The beginning of a line of the value.
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
  std::string file;  ///< the text's name for messages

  /// The first field of that key, or nullptr.
  const TableField* find(std::string_view key) const;
  /// Its value. Throws InputError where the block has none.
  const std::string& text(std::string_view key) const;
  std::string text_or_empty(std::string_view key) const;
  /// Its value as a number. Throws InputError unless it is above 0 and sensible.
  double positive(std::string_view key) const;

  /// Throws InputError: "nvidia.txt:12:3: ...".
  [[noreturn]] void refuse(TextPlace place, std::string_view what) const;
};

struct BlockKind {
  std::string name;
  std::vector<std::string> fields;
  std::string repeated = {};  ///< the field that a block may hold several times; or empty
  bool once = false;          ///< whether a text holds one such block at most
};

/// Throws InputError: "nvidia.txt:12:3: ...".
[[noreturn]] void refuse_table(std::string_view file, TextPlace at, std::string_view what);

/// Reads the text. `file` is its name for messages. Throws InputError.
std::vector<TableBlock> read_blocks(std::string_view text, const std::string& file);

/// Reads a text of these kinds. Throws InputError for another kind or field as well, and for a name
/// or a field that stands there twice.
std::vector<TableBlock> read_blocks(std::string_view text, const std::string& file,
                                    const std::vector<BlockKind>& kinds);

std::span<const EmbeddedText> embedded_tables();  ///< the texts of roofline/models/

/// The text of one of them, by its name. Throws std::logic_error where the library lacks it.
std::string_view embedded_table(std::string_view name);

}  // namespace roofline
