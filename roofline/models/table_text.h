// The text of a table, as blocks with their lines.
//
//   # a comment
//   metric fp64_flop
//     formula dadd.sum + dmul.sum +
//       2 * dfma.sum
//     unit FLOP
//
// A block begins at the left margin with its kind and its name. Its fields are indented, each with
// a key and a value; a line that is indented further goes on with the value above. A line that
// begins with # is a comment.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "roofline/base/text.h"
#include "roofline/formula.h"

namespace roofline {

struct TableField {
  std::string key;
  std::string value;  ///< its lines joined by one blank each
  int line = 0;       ///< where it begins, from 1
};

struct TableBlock {
  std::string kind;
  std::string name;
  std::string file;  ///< the text's name for messages
  int line = 0;
  std::vector<TableField> fields = {};

  /// The first field of that key, or nullptr.
  const TableField* find(std::string_view key) const;
  /// Its value. Throws InputError where the block has none.
  const std::string& text(std::string_view key) const;
  std::string text_or_empty(std::string_view key) const;
  /// Its value as a number. Throws InputError unless it is above 0 and sensible.
  double positive(std::string_view key) const;
  /// A value as a formula. Throws InputError.
  Formula formula(const TableField& field) const;

  /// Throws InputError: "nvidia.txt:12: ...".
  [[noreturn]] void refuse(int at, std::string_view what) const;
};

struct BlockKind {
  std::string name;
  std::vector<std::string> fields;
  std::string repeated = {};  ///< the field that a block may hold several times; or empty
};

/// Reads a text of these kinds; `file` is its name for messages. Throws InputError for another kind
/// or field, and for a name or a field that stands there twice.
std::vector<TableBlock> read_blocks(std::string_view text, const std::string& file,
                                    const std::vector<BlockKind>& kinds);

std::span<const EmbeddedText> embedded_tables();  ///< the texts of roofline/models/

/// One of them, by its name. Throws std::logic_error where the library lacks it.
std::string_view embedded_table(std::string_view name);

}  // namespace roofline
