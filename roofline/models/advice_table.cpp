#include "roofline/models/advice_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "roofline/base/visible.h"
#include "roofline/models/table_text.h"

namespace roofline {

std::vector<AdviceRow> read_advice_table(std::string_view text, const std::string& file) {
  std::map<std::string, std::string> sources;
  std::vector<AdviceRow> rows;
  for (const TableBlock& block :
       read_blocks(text, file, {{"source", {"text"}}, {"cause", {"title", "look", "source"}}})) {
    if (block.kind == "source") {
      sources.emplace(block.name, block.text("text"));
      continue;
    }
    const auto source = sources.find(block.text("source"));
    if (source == sources.end())
      block.refuse(block.find("source")->at,
                   fmt::format("no source '{}' above", visible(block.text("source"))));
    rows.push_back({block.name, block.text("title"), block.text("look"), source->second});
  }
  return rows;
}

const std::vector<AdviceRow>& advice_table() {
  static const std::vector<AdviceRow> table =
      read_advice_table(embedded_table("advice.txt"), "advice.txt");
  return table;
}

const AdviceRow* find_advice(std::string_view cause) {
  const std::vector<AdviceRow>& rows = advice_table();
  const auto found = std::ranges::find(rows, cause, &AdviceRow::cause);
  return found == rows.end() ? nullptr : &*found;
}

}  // namespace roofline
