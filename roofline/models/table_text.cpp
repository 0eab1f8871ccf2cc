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

[[noreturn]] void refuse_line(std::string_view file, int line, std::string_view what) {
  throw InputError(fmt::format("{}:{}: {}", file, line, what));
}

class BlockReader {
 public:
  BlockReader(const std::string& file, const std::vector<BlockKind>& kinds)
      : file_(file), kinds_(kinds) {}

  void read(std::string_view line) {
    ++line_;
    if (line.find('\t') != std::string_view::npos) refuse("a tab; indent with blanks");
    const std::string_view words = trimmed(line);
    if (words.empty() || words.front() == '#') return;
    const std::size_t indent = line.find(words.front());
    if (indent > 0 && blocks_.empty())
      refuse("a field before any block; a block begins at the left margin");
    if (indent > 0 && !blocks_.back().fields.empty() && indent > indent_) {
      blocks_.back().fields.back().value += fmt::format(" {}", words);
      return;
    }
    const std::size_t end = std::min(words.find(' '), words.size());
    const std::string first(words.substr(0, end)), rest(trimmed(words.substr(end)));
    if (rest.empty())
      refuse(fmt::format("a {} is missing behind '{}'", indent == 0 ? "name" : "value",
                         visible(first)));
    if (indent == 0) return begin_block({first, rest, file_, line_});
    if (!blocks_.back().fields.empty() && indent != indent_)
      refuse(fmt::format("indented by {}, where the fields above are indented by {}", indent,
                         indent_));
    indent_ = indent;
    begin_field(blocks_.back(), {first, rest, line_});
  }

  std::vector<TableBlock> take() { return std::move(blocks_); }

 private:
  [[noreturn]] void refuse(std::string_view what) const { refuse_line(file_, line_, what); }

  void begin_block(TableBlock block) {
    std::vector<std::string> names;
    for (const BlockKind& kind : kinds_) names.push_back(kind.name);
    const auto kind = std::ranges::find(names, block.kind);
    if (kind == names.end()) refuse(unknown_name("block", block.kind, names));
    kind_ = &kinds_[static_cast<std::size_t>(kind - names.begin())];
    for (const TableBlock& other : blocks_)
      if (other.kind == block.kind && other.name == block.name)
        refuse(fmt::format("a second {} '{}'; the first is in line {}", block.kind,
                           visible(block.name), other.line));
    blocks_.push_back(std::move(block));
  }

  void begin_field(TableBlock& block, TableField field) const {
    if (std::ranges::find(kind_->fields, field.key) == kind_->fields.end())
      refuse(unknown_name("field of a " + kind_->name, field.key, kind_->fields));
    if (field.key != kind_->repeated && block.find(field.key) != nullptr)
      refuse(fmt::format("a second '{}'", field.key));
    block.fields.push_back(std::move(field));
  }

  const std::string& file_;
  const std::vector<BlockKind>& kinds_;
  int line_ = 0;
  std::size_t indent_ = 0;           ///< of the fields of the current block
  const BlockKind* kind_ = nullptr;  ///< of the current block
  std::vector<TableBlock> blocks_;
};

}  // namespace

const TableField* TableBlock::find(std::string_view key) const {
  const auto found = std::ranges::find(fields, key, &TableField::key);
  return found == fields.end() ? nullptr : &*found;
}

const std::string& TableBlock::text(std::string_view key) const {
  const TableField* field = find(key);
  if (field == nullptr) refuse(line, fmt::format("{} '{}' has no '{}'", kind, visible(name), key));
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
    refuse(field.line, visible(error.what()));
  }
}

void TableBlock::refuse(int at, std::string_view what) const { refuse_line(file, at, what); }

std::string_view embedded_table(std::string_view name) {
  for (const EmbeddedText& file : embedded_tables())
    if (file.path == name) return file.text;
  throw std::logic_error(fmt::format("the library was built without its table {}", name));
}

std::vector<TableBlock> read_blocks(std::string_view text, const std::string& file,
                                    const std::vector<BlockKind>& kinds) {
  BlockReader reader(file, kinds);
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    reader.read(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return reader.take();
}

}  // namespace roofline
