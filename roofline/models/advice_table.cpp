#include "roofline/models/advice_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <stdexcept>

#include "roofline/base/visible.h"
#include "roofline/models/embedded.h"
#include "roofline/models/table_text.h"

namespace roofline {
namespace {

/// The fields of a block: these, each once, and no others.
std::map<std::string, std::string> fields_of(const TableBlock& block, const std::string& file,
                                             const std::vector<std::string>& keys) {
  std::map<std::string, std::string> fields;
  for (const TableField& field : block.fields) {
    if (std::find(keys.begin(), keys.end(), field.key) == keys.end())
      refuse_table(file, field.at,
                   fmt::format("a {} has no field '{}'", block.kind, visible(field.key)));
    if (!fields.emplace(field.key, field.value).second)
      refuse_table(file, field.at, fmt::format("a second '{}'", field.key));
  }
  for (const std::string& key : keys)
    if (!fields.contains(key))
      refuse_table(file, block.at,
                   fmt::format("{} '{}' has no '{}'", block.kind, visible(block.name), key));
  return fields;
}

const AdviceRow* find_row(const std::vector<AdviceRow>& rows, std::string_view cause) {
  const auto found = std::find_if(rows.begin(), rows.end(),
                                  [cause](const AdviceRow& row) { return row.cause == cause; });
  return found == rows.end() ? nullptr : &*found;
}

}  // namespace

std::vector<AdviceRow> read_advice_table(std::string_view text, const std::string& file) {
  std::map<std::string, std::string> sources;
  std::vector<AdviceRow> rows;
  for (const TableBlock& block : read_blocks(text, file)) {
    if (block.kind == "source") {
      if (!sources.emplace(block.name, fields_of(block, file, {"text"})["text"]).second)
        refuse_table(file, block.at, fmt::format("a second source '{}'", visible(block.name)));
      continue;
    }
    if (block.kind != "cause")
      refuse_table(file, block.at, fmt::format("no kind of block: '{}'", visible(block.kind)));
    if (find_row(rows, block.name) != nullptr)
      refuse_table(file, block.at, fmt::format("a second cause '{}'", visible(block.name)));
    auto fields = fields_of(block, file, {"title", "look", "source"});
    const auto source = sources.find(fields["source"]);
    if (source == sources.end())
      refuse_table(file, block.at, fmt::format("no source '{}' above", visible(fields["source"])));
    rows.push_back({block.name, fields["title"], fields["look"], source->second});
  }
  return rows;
}

const std::vector<AdviceRow>& advice_table() {
  static const std::vector<AdviceRow> table = [] {
    for (const EmbeddedText& file : embedded_tables())
      if (file.path == "advice.txt") return read_advice_table(file.text, "advice.txt");
    throw std::logic_error("the library was built without its table advice.txt");
  }();
  return table;
}

const AdviceRow* find_advice(std::string_view cause) { return find_row(advice_table(), cause); }

}  // namespace roofline
