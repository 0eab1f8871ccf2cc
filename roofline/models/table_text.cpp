#include "roofline/models/table_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <stdexcept>

#include "roofline/base/error.h"
#include "roofline/base/text.h"
#include "roofline/base/visible.h"

namespace roofline {
namespace {

constexpr std::string_view blank = " ";

/// The first word and what follows it, without the blanks between and behind.
struct Words {
  std::string first;
  std::string rest;
  std::size_t rest_offset = 0;  ///< in the line
};

Words split(std::string_view line, std::size_t begin) {
  const std::size_t end = std::min(line.find(' ', begin), line.size());
  Words words{std::string(line.substr(begin, end - begin)), "", end};
  const std::size_t rest = line.find_first_not_of(blank, end);
  if (rest == std::string_view::npos) return words;
  words.rest = line.substr(rest, line.find_last_not_of(blank) + 1 - rest);
  words.rest_offset = rest;
  return words;
}

class BlockReader {
 public:
  explicit BlockReader(const std::string& file) : file_(file) {}

  void read(std::string_view line) {
    ++line_;
    if (const std::size_t tab = line.find('\t'); tab != std::string_view::npos)
      refuse(tab, "a tab; indent with blanks");
    const std::size_t indent = line.find_first_not_of(blank);
    if (indent == std::string_view::npos || line[indent] == '#') return;
    if (indent == 0)
      begin_block(line);
    else if (blocks_.empty())
      refuse(indent, "a field before any block; a block begins at the left margin");
    else if (blocks_.back().fields.empty() || indent <= indent_)
      begin_field(line, indent);
    else
      go_on(line, indent);
  }

  std::vector<TableBlock> take() { return std::move(blocks_); }

 private:
  [[noreturn]] void refuse(std::size_t offset, std::string_view what) const {
    refuse_table(file_, {line_, offset + 1}, what);
  }

  void begin_block(std::string_view line) {
    const Words words = split(line, 0);
    if (words.rest.empty())
      refuse(line.size(), fmt::format("a name is missing behind '{}'", visible(words.first)));
    blocks_.push_back({words.first, words.rest, {line_, 1}, {}, file_});
  }

  void begin_field(std::string_view line, std::size_t indent) {
    std::vector<TableField>& fields = blocks_.back().fields;
    if (!fields.empty() && indent != indent_)
      refuse(indent, fmt::format("indented by {}, where the fields above are indented by {}",
                                 indent, indent_));
    indent_ = indent;
    const Words words = split(line, indent);
    if (words.rest.empty())
      refuse(line.size(), fmt::format("a value is missing behind '{}'", visible(words.first)));
    fields.push_back(
        {words.first, words.rest, {line_, indent + 1}, {{0, {line_, words.rest_offset + 1}}}});
  }

  void go_on(std::string_view line, std::size_t indent) {
    TableField& field = blocks_.back().fields.back();
    field.pieces.push_back({field.value.size() + 1, {line_, indent + 1}});
    field.value +=
        fmt::format(" {}", line.substr(indent, line.find_last_not_of(blank) + 1 - indent));
  }

  const std::string& file_;
  std::size_t line_ = 0;
  std::size_t indent_ = 0;  ///< of the fields of the current block
  std::vector<TableBlock> blocks_;
};

void check_fields(const TableBlock& block, const BlockKind& kind) {
  for (const TableField& field : block.fields) {
    if (std::ranges::find(kind.fields, field.key) == kind.fields.end())
      block.refuse(field.at, unknown_name("field of a " + kind.name, field.key, kind.fields));
    if (block.find(field.key) != &field && field.key != kind.repeated)
      block.refuse(field.at, fmt::format("a second '{}'", field.key));
  }
}

}  // namespace

const TableField* TableBlock::find(std::string_view key) const {
  const auto found = std::ranges::find(fields, key, &TableField::key);
  return found == fields.end() ? nullptr : &*found;
}

const std::string& TableBlock::text(std::string_view key) const {
  const TableField* field = find(key);
  if (field == nullptr) refuse(at, fmt::format("{} '{}' has no '{}'", kind, visible(name), key));
  return field->value;
}

std::string TableBlock::text_or_empty(std::string_view key) const {
  const TableField* field = find(key);
  return field == nullptr ? "" : field->value;
}

double TableBlock::positive(std::string_view key) const {
  const std::string& digits = text(key);
  const char* const behind = digits.data() + digits.size();
  double value = 0;
  const auto [end, error] = std::from_chars(digits.data(), behind, value);
  if (error != std::errc() || end != behind || !(value > 0) || value > 1e9)
    refuse(find(key)->place_of(0), fmt::format("'{}' is a number above 0, such as 32", key));
  return value;
}

void TableBlock::refuse(TextPlace place, std::string_view what) const {
  refuse_table(file, place, what);
}

TextPlace TableField::place_of(std::size_t offset) const {
  TextPlace place = at;
  for (const Piece& piece : pieces)
    if (piece.offset <= offset) place = {piece.at.line, piece.at.column + (offset - piece.offset)};
  return place;
}

void refuse_table(std::string_view file, TextPlace at, std::string_view what) {
  throw InputError(fmt::format("{}:{}:{}: {}", file, at.line, at.column, what));
}

std::string_view embedded_table(std::string_view name) {
  for (const EmbeddedText& file : embedded_tables())
    if (file.path == name) return file.text;
  throw std::logic_error(fmt::format("the library was built without its table {}", name));
}

std::vector<TableBlock> read_blocks(std::string_view text, const std::string& file) {
  BlockReader reader(file);
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    reader.read(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return reader.take();
}

std::vector<TableBlock> read_blocks(std::string_view text, const std::string& file,
                                    const std::vector<BlockKind>& kinds) {
  std::vector<TableBlock> blocks = read_blocks(text, file);
  std::vector<std::string> names;
  for (const BlockKind& kind : kinds) names.push_back(kind.name);
  for (const TableBlock& block : blocks) {
    const auto found = std::ranges::find(names, block.kind);
    if (found == names.end()) block.refuse(block.at, unknown_name("block", block.kind, names));
    const BlockKind& kind = kinds[static_cast<std::size_t>(found - names.begin())];
    for (const TableBlock& other : blocks) {
      if (&other == &block) break;
      if (other.kind == block.kind && (other.name == block.name || kind.once))
        block.refuse(block.at, fmt::format("a second {} '{}'; the first is in line {}", block.kind,
                                           visible(block.name), other.at.line));
    }
    check_fields(block, kind);
  }
  return blocks;
}

}  // namespace roofline
