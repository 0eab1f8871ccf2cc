#include "roofline/models/table_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <stdexcept>

#include "roofline/base/text.h"

namespace roofline {
namespace {

/// The kind of a new block, which must not stand there before.
const BlockKind& kind_of(const TableBlock& block, const std::vector<TableBlock>& before,
                         const std::vector<BlockKind>& kinds) {
  const auto kind = std::ranges::find(kinds, block.kind, &BlockKind::name);
  if (kind == kinds.end()) block.refuse(block.line, fmt::format("unknown block '{}'", block.kind));
  for (const TableBlock& other : before)
    if (other.kind == block.kind && other.name == block.name)
      block.refuse(block.line, fmt::format("a second {} '{}'", block.kind, block.name));
  return *kind;
}

}  // namespace

const TableField* TableBlock::find(std::string_view key) const {
  const auto found = std::ranges::find(fields, key, &TableField::key);
  return found == fields.end() ? nullptr : &*found;
}

const std::string& TableBlock::text(std::string_view key) const {
  const TableField* field = find(key);
  if (field == nullptr) refuse(line, fmt::format("{} '{}' has no '{}'", kind, name, key));
  return field->value;
}

std::string TableBlock::text_or_empty(std::string_view key) const {
  return find(key) == nullptr ? "" : text(key);
}

double TableBlock::positive(std::string_view key) const {
  const std::string& digits = text(key);
  const char* const behind = digits.data() + digits.size();
  double value = 0;
  const auto [end, error] = std::from_chars(digits.data(), behind, value);
  if (error != std::errc() || end != behind || !(value > 0) || value > 1e9)
    refuse(find(key)->line, fmt::format("'{}' is a number above 0, such as 32", key));
  return value;
}

Formula TableBlock::formula(const TableField& field) const {
  try {
    return Formula(field.value);
  } catch (const FormulaError& error) {
    refuse(field.line, error.what());
  }
}

void TableBlock::refuse(int at, std::string_view what) const {
  throw InputError(fmt::format("{}:{}: {}", file, at, visible(what)));
}

std::string_view embedded_table(std::string_view name) {
  for (const EmbeddedText& file : embedded_tables())
    if (file.path == name) return file.text;
  throw std::logic_error(fmt::format("the library was built without its table {}", name));
}

std::vector<TableBlock> read_blocks(std::string_view text, const std::string& file,
                                    const std::vector<BlockKind>& kinds) {
  std::vector<TableBlock> blocks;
  const BlockKind* kind = nullptr;
  std::size_t margin = 0;  // of the fields of the current block
  for (int number = 1; !text.empty(); ++number) {
    const std::string_view line = text.substr(0, text.find('\n')), words = trimmed(line);
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (words.empty() || words.front() == '#') continue;
    const std::size_t indent = line.find(words.front());
    if (kind != nullptr && !blocks.back().fields.empty() && indent > margin) {
      blocks.back().fields.back().value += fmt::format(" {}", words);
      continue;
    }
    const std::size_t end = std::min(words.find(' '), words.size());
    const std::string first(words.substr(0, end)), rest(trimmed(words.substr(end)));
    TableBlock block{first, rest, file, number};
    if (rest.empty()) block.refuse(number, fmt::format("nothing stands behind '{}'", first));
    if (indent == 0) {
      kind = &kind_of(block, blocks, kinds);
      margin = std::string_view::npos;
      blocks.push_back(std::move(block));
      continue;
    }
    if (kind == nullptr) block.refuse(number, "a field before any block");
    if (std::ranges::find(kind->fields, first) == kind->fields.end())
      block.refuse(number, unknown_name("field of a " + kind->name, first, kind->fields));
    if (first != kind->repeated && blocks.back().find(first) != nullptr)
      block.refuse(number, fmt::format("a second '{}'", first));
    blocks.back().fields.push_back({first, rest, number});
    margin = indent;
  }
  return blocks;
}

}  // namespace roofline
