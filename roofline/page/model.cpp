#include "roofline/page/model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "roofline/page/assemble.h"
#include "roofline/view/chart_json.h"
#include "roofline/view/svg.h"

namespace roofline::page {

Json text(const Json& content, const std::string& style, const std::string& id) {
  return {{"kind", "text"}, {"text", content}, {"class", style}, {"id", id}};
}

Json notice(const Json& content, const std::vector<std::string>& items, const std::string& id) {
  Json block = text(content, "notice", id);
  if (!items.empty()) block["items"] = items;
  return block;
}

Json code(const std::string& text) { return {{"html", "<code>" + html_text(text) + "</code>"}}; }

Json facts(const Pairs& items) {
  Json list = Json::array();
  for (const auto& [name, value] : items)
    if (!value.empty()) list.push_back({name, value});
  return {{"kind", "facts"}, {"items", list}};
}

Json reasons(const Pairs& items) {
  Pairs gathered;
  for (const auto& [reason, what] : items) {
    const auto found = std::ranges::find_if(
        gathered, [&reason = reason](const auto& one) { return one.first == reason; });
    if (found == gathered.end())
      gathered.emplace_back(reason, what);
    else
      found->second += ", " + what;
  }
  Json list = Json::array();
  for (const auto& [reason, what] : gathered) list.push_back({reason, what});
  return {{"kind", "reasons"}, {"items", list}};
}

Json heading(int level, const std::string& text) {
  return {{"kind", "heading"}, {"level", level}, {"text", text}};
}

namespace {

/// Rounds numbers to seven digits: less than a thousandth of a pixel, even after zooming.
Json drawn(Json part) {
  if (part.is_number_float())
    return std::strtod(fmt::format("{:.7g}", part.get<double>()).c_str(), nullptr);
  if (part.is_structured())
    for (Json& inner : part) inner = drawn(std::move(inner));
  return part;
}

}  // namespace

Json chart(const Chart& chart, const std::string& id) {
  Json block = {{"kind", "chart"}, {"id", id}, {"chart", drawn(to_json(chart))}};
  if (page_parts().plotly.empty()) block["image"] = svg_data_uri(svg_text(chart));
  return block;
}

Json table(const ViewTable& table, Json settings) {
  settings["kind"] = "table";
  settings["table"] = to_json(table);
  return settings;
}

namespace {

/// Makes a list explicitly, because for `{one}` g++ makes a list and clang a copy.
Json listed(Json blocks) {
  return blocks.is_object() ? Json::array({std::move(blocks)}) : std::move(blocks);
}

}  // namespace

Json group(Json blocks, const std::string& style, const std::string& id) {
  return {{"kind", "group"}, {"blocks", listed(std::move(blocks))}, {"class", style}, {"id", id}};
}

Json folded(const std::string& summary, Json blocks, const std::string& style, bool open) {
  return {{"kind", "details"},
          {"summary", {{{"text", summary}}}},
          {"class", style},
          {"open", open},
          {"blocks", listed(std::move(blocks))}};
}

Json tags_json(const Tags& tags) {
  Json json = Json::object();
  for (const auto& [name, value] : tags) {
    if (!json.contains(name)) json[name] = Json::array();
    json[name].push_back(value);
  }
  return json;
}

Json with_tags(Json block, const Tags& tags) {
  if (!tags.empty()) block["tags"] = tags_json(tags);
  return block;
}

Json switch_place(const std::string& name) { return {{"kind", "switch"}, {"name", name}}; }

namespace {

Json choices_json(const std::vector<Choice>& choices) {
  Json list = Json::array();
  for (const Choice& choice : choices)
    list.push_back(with_tags({{"key", choice.key}, {"label", choice.label}}, choice.tags));
  return list;
}

}  // namespace

Json one_of(const std::string& label, const std::vector<Choice>& choices,
            const std::string& chosen) {
  return {{"label", label},
          {"kind", "one"},
          {"choices", choices_json(choices)},
          {"chosen", Json::array({chosen})}};
}

Json some_of(const std::string& label, const std::vector<Choice>& choices) {
  return {{"label", label}, {"kind", "some"}, {"choices", choices_json(choices)}};
}

Json on_or_off(const std::string& label, bool on) {
  Json one = some_of("", {{"yes", label}});
  one["chosen"] = on ? Json::array({"yes"}) : Json::array();
  return one;
}

Json section(const std::string& id, const std::string& title, const std::string& lead,
             Json blocks) {
  return {{"id", id}, {"title", title}, {"lead", lead}, {"blocks", listed(std::move(blocks))}};
}

void add(Json& blocks, Json block) {
  if (!block.is_null()) blocks.push_back(std::move(block));
}

}  // namespace roofline::page
