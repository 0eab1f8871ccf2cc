// What a page shows, as data for its script (roofline/page/page.js): sections of blocks.
//
// The model is {"kicker", "footer", "pages": [page]}; a page is {"name", "heading", "masthead":
// [block], "notices": [block], "scope": [switch], "switches": {name: switch}, "sections":
// [section]}. Every block may have "tags": {switch: choice} hides it unless the choice is on.
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

/// A paragraph. `content` is a text, or a list of texts and of {"html"}: what this program made and
/// escaped itself.
Json text(const Json& content, const std::string& style = {}, const std::string& id = {});
/// Something to know before the rest, with a list below it.
Json notice(const Json& content, const std::vector<std::string>& items = {},
            const std::string& id = {});
Json code(const std::string& text);
/// Terms and what is known of them; those without a value are left out.
Json facts(const Pairs& items);
/// Reasons, each above what it holds for: pairs of a reason and one thing, gathered by reason.
Json reasons(const Pairs& items);
Json heading(int level, const std::string& text);
/// The chart; its picture stands in where the program was built without Plotly.
Json chart(const Chart& chart, const std::string& id);
/// `settings` as in table.js: "id", "sortable", "opens", "heat", "class".
Json table(const ViewTable& table, Json settings = Json::object());
Json group(Json blocks, const std::string& style = {}, const std::string& id = {});
/// Blocks behind a line that opens them.
Json folded(const std::string& summary, Json blocks, const std::string& style = {},
            bool open = false);
Json with_tags(Json block, const Tags& tags);
Json tags_json(const Tags& tags);

Json switch_place(const std::string& name);

struct Choice {
  std::string key, label;
  Tags tags = {};  ///< the choice is hidden with these
};
/// One choice of several.
Json one_of(const std::string& label, const std::vector<Choice>& choices,
            const std::string& chosen);
/// Boxes to tick, all of them on at first.
Json some_of(const std::string& label, const std::vector<Choice>& choices);
/// A box to tick, whose choice is "yes".
Json on_or_off(const std::string& label, bool on);

/// Without a lead where that is empty.
Json section(const std::string& id, const std::string& title, const std::string& lead, Json blocks);

/// Puts a block behind the others where there is one.
void add(Json& blocks, Json block);

}  // namespace roofline::page
