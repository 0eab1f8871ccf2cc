// A page's content as data for its script (roofline/page/page.js): sections of blocks.
//
// The model is {"kicker", "footer", "pages": [page]}; a page is {"name", "heading", "masthead":
// [block], "notices": [block], "scope": [switch], "switches": {name: switch}, "sections":
// [section]}. A block with "tags": {switch: choice} is hidden unless the choice is on.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "roofline/view/chart.h"
#include "roofline/view/table.h"

namespace roofline::page {

using Json = nlohmann::ordered_json;
using Pairs = std::vector<std::pair<std::string, std::string>>;

/// A paragraph. `content` is a text, or a list of texts and {"html"}, which this program wrote and
/// escaped.
Json text(const Json& content, const std::string& style = {}, const std::string& id = {});
/// A notice with an optional list below it.
Json notice(const Json& content, const std::vector<std::string>& items = {},
            const std::string& id = {});
Json code(const std::string& text);
/// Terms with their values; those without a value are left out.
Json facts(const Pairs& items);
/// Reasons with the items that they apply to, from pairs of a reason and one item.
Json reasons(const Pairs& items);
Json heading(int level, const std::string& text);
/// A chart with its picture, which is shown if the program was built without Plotly.
Json chart(const Chart& chart, const std::string& id);
/// A table. `settings` are those of table.js: "id", "sortable", "opens", "heat", "class".
Json table(const ViewTable& table, Json settings = Json::object());
Json group(Json blocks, const std::string& style = {}, const std::string& id = {});
/// Blocks that a click on the summary shows.
Json folded(const std::string& summary, Json blocks, const std::string& style = {},
            bool open = false);
Json with_tags(Json block, const Tags& tags);
Json tags_json(const Tags& tags);

Json switch_place(const std::string& name);

struct Choice {
  std::string key, label;
  Tags tags = {};  ///< the choice is hidden together with these
};
/// A switch with exactly one choice.
Json one_of(const std::string& label, const std::vector<Choice>& choices,
            const std::string& chosen);
/// A switch of checkboxes, all initially on.
Json some_of(const std::string& label, const std::vector<Choice>& choices);
/// A switch of one checkbox, whose choice is "yes".
Json on_or_off(const std::string& label, bool on);

/// A section; an empty lead is left out.
Json section(const std::string& id, const std::string& title, const std::string& lead, Json blocks);

/// Appends a block unless it is null.
void add(Json& blocks, Json block);

}  // namespace roofline::page
