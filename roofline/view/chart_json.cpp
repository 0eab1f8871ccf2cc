#include "roofline/view/chart_json.h"

#include "roofline/view/style.h"

namespace roofline {
namespace {

using Json = nlohmann::ordered_json;

/// Adds the values that are not empty.
void put(Json& json, std::initializer_list<std::pair<const char*, const std::string&>> texts) {
  for (const auto& [key, text] : texts)
    if (!text.empty()) json[key] = text;
}

void put(Json& json, const char* key, bool value) {
  if (value) json[key] = true;
}

void put_tags(Json& json, const Tags& tags) {
  for (const auto& [name, value] : tags) json["tags"][name] = value;
}

/// What marks, lines and boxes have in common.
template <class Item>
void put_item(Json& json, const Item& item) {
  put(json, {{"item", item.item}, {"of", item.of}, {"name", item.name}, {"colour", item.colour}});
  put(json, {{"headline", item.headline}});
  for (const auto& [name, value] : item.facts) json["facts"].push_back({name, value});
  put_tags(json, item.tags);
}

Json axis_json(const ChartAxis& axis) {
  Json json = {{"title", axis.title},   {"unit", axis.unit}, {"logarithmic", axis.logarithmic},
               {"low", axis.low},       {"high", axis.high}, {"categories", axis.categories},
               {"ticks", Json::array()}};
  for (const Tick& tick : axis.ticks)
    if (!tick.text.empty()) json["ticks"].push_back({{"at", tick.at}, {"text", tick.text}});
  return json;
}

Json mark_json(const ChartMark& mark) {
  Json json = {{"x", mark.at.x}, {"y", mark.at.y}, {"shape", shape_name(mark.shape)}};
  put(json, {{"source", mark.source}});
  put(json, "hollow", mark.hollow);
  put(json, "small", mark.small);
  if (mark.low) json["low"] = *mark.low;
  if (mark.high) json["high"] = *mark.high;
  put_item(json, mark);
  return json;
}

Json line_json(const ChartLine& line) {
  Json json = {{"x", Json::array()}, {"y", Json::array()}, {"width", line.width}};
  for (const ChartPoint& point : line.points) {
    json["x"].push_back(point.x);
    json["y"].push_back(point.y);
  }
  put(json, {{"dash", line.dash}});
  put(json, "arrow", line.arrow);
  put(json, "between_marks", line.between_marks);
  put_item(json, line);
  return json;
}

Json box_json(const ChartBox& box) {
  Json json = {{"left", box.left}, {"bottom", box.bottom}, {"right", box.right}, {"top", box.top}};
  put_item(json, box);
  return json;
}

Json label_json(const ChartLabel& label) {
  Json json = {{"text", label.text}, {"x", label.at.x}, {"y", label.at.y},
               {"dx", label.dx},     {"dy", label.dy},  {"angle", label.angle}};
  put(json, "led", label.led);
  put(json, "outside", label.outside);
  put(json, "small", label.small);
  put(json, {{"colour", label.colour}});
  put_tags(json, label.tags);
  return json;
}

Json key_json(const ChartKey& key) {
  Json json = {{"text", key.text}, {"colour", key.colour}};
  if (key.shape) json["shape"] = shape_name(*key.shape);
  put(json, "hollow", key.hollow);
  put(json, {{"dash", key.dash}, {"of", key.of}});
  return json;
}

Json frame_json(const ChartFrame& frame) {
  return {{"width", frame.width},   {"height", frame.height}, {"left", frame.left},
          {"bottom", frame.bottom}, {"right", frame.right},   {"top", frame.top}};
}

template <class List>
Json list_json(const List& list, Json (*one)(const typename List::value_type&)) {
  Json json = Json::array();
  for (const auto& item : list) json.push_back(one(item));
  return json;
}

}  // namespace

nlohmann::ordered_json to_json(const Chart& chart) {
  return {{"name", chart.name},
          {"title", chart.title},
          {"subtitle", chart.subtitle},
          {"description", chart.description},
          {"x", axis_json(chart.x)},
          {"y", axis_json(chart.y)},
          {"steps", chart.steps},
          {"boxes", list_json(chart.boxes, box_json)},
          {"lines", list_json(chart.lines, line_json)},
          {"marks", list_json(chart.marks, mark_json)},
          {"labels", list_json(chart.labels, label_json)},
          {"key", list_json(chart.key, key_json)},
          {"notes", chart.notes},
          {"frame", frame_json(chart.frame)}};
}

void add_charts(nlohmann::ordered_json& json, const std::vector<Chart>& charts) {
  json["charts"] = list_json(charts, to_json);
  for (const PaletteColour& colour : palette()) json["palette"][colour.name] = colour.light;
}

}  // namespace roofline
