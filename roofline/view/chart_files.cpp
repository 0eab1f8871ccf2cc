#include "roofline/view/chart_files.h"

#include <fmt/format.h>

#include <cctype>
#include <map>
#include <nlohmann/json.hpp>

#include "roofline/base/replace_file.h"
#include "roofline/view/style.h"
#include "roofline/view/svg.h"

namespace roofline {
namespace {

using Json = nlohmann::ordered_json;

Json item_json(const ChartItem& item, const Json& own) {
  Json json = {{"item", item.item},
               {"of", item.of},
               {"name", item.name},
               {"colour", item.colour},
               {"headline", item.headline},
               {"facts", item.facts},
               {"tags", std::map(item.tags.begin(), item.tags.end())}};
  json.update(own);
  return json;
}

Json axis_json(const ChartAxis& axis) {
  Json ticks = Json::array();
  for (const Tick& tick : axis.ticks) ticks.push_back({{"at", tick.at}, {"text", tick.text}});
  return {{"title", axis.title}, {"unit", axis.unit}, {"logarithmic", axis.logarithmic},
          {"low", axis.low},     {"high", axis.high}, {"categories", axis.categories},
          {"ticks", ticks}};
}

Json one_json(const ChartMark& mark) {
  return item_json(mark, {{"x", mark.at.x},
                          {"y", mark.at.y},
                          {"shape", shape_name(mark.shape)},
                          {"source", mark.source},
                          {"hollow", mark.hollow}});
}

Json one_json(const ChartLine& line) {
  Json x = Json::array(), y = Json::array();
  for (const ChartPoint& point : line.points) {
    x.push_back(point.x);
    y.push_back(point.y);
  }
  return item_json(
      line,
      {{"x", x}, {"y", y}, {"width", line.width}, {"dash", line.dash}, {"arrow", line.arrow}});
}

Json one_json(const ChartBox& box) {
  return item_json(
      box, {{"left", box.left}, {"bottom", box.bottom}, {"right", box.right}, {"top", box.top}});
}

Json one_json(const ChartLabel& label) {
  return {{"text", label.text}, {"x", label.at.x},        {"y", label.at.y},
          {"dx", label.dx},     {"dy", label.dy},         {"angle", label.angle},
          {"led", label.led},   {"colour", label.colour}, {"outside", label.outside}};
}

Json one_json(const ChartKey& key) {
  return {{"text", key.text},
          {"colour", key.colour},
          {"shape", key.shape ? shape_name(*key.shape) : ""},
          {"hollow", key.hollow},
          {"dash", key.dash}};
}

Json one_json(const Chart& chart) {
  const auto list = [](const auto& items) {
    Json json = Json::array();
    for (const auto& item : items) json.push_back(one_json(item));
    return json;
  };
  const ChartFrame& frame = chart.frame;
  return {{"name", chart.name},
          {"title", chart.title},
          {"subtitle", chart.subtitle},
          {"description", chart.description},
          {"x", axis_json(chart.x)},
          {"y", axis_json(chart.y)},
          {"steps", chart.steps},
          {"boxes", list(chart.boxes)},
          {"lines", list(chart.lines)},
          {"marks", list(chart.marks)},
          {"labels", list(chart.labels)},
          {"key", list(chart.key)},
          {"notes", chart.notes},
          {"frame",
           {{"width", frame.width},
            {"height", frame.height},
            {"left", frame.left},
            {"bottom", frame.bottom},
            {"right", frame.right},
            {"top", frame.top}}}};
}

}  // namespace

std::string file_stem(std::string_view text) {
  std::string stem(text);
  for (char& c : stem) {
    const auto letter = static_cast<unsigned char>(c);
    if (letter >= 0x80 || (!std::isalnum(letter) && c != '.' && c != '-' && c != '_')) c = '_';
  }
  return stem;
}

Table chart_table(const Chart& chart) {
  Table table{chart.name, chart.title, {}, {}, {}};
  for (const char* name : {"item", "of", "name", "source", "x", "y", "to_x", "to_y"})
    table.columns.push_back({name, name});
  const auto add = [&table](const ChartItem& item, const std::string& source,
                            std::initializer_list<double> places) {
    TableRow row{{{item.item}, {item.of}, {item.name}, {source}}};
    for (const double place : places) row.cells.push_back({fmt::format("{}", place), place});
    row.cells.resize(table.columns.size());
    table.rows.push_back(std::move(row));
  };
  for (const ChartBox& box : chart.boxes) add(box, "", {box.left, box.bottom, box.right, box.top});
  for (const ChartLine& line : chart.lines)
    for (std::size_t i = 1; i < line.points.size(); ++i)
      add(line, "",
          {line.points[i - 1].x, line.points[i - 1].y, line.points[i].x, line.points[i].y});
  for (const ChartMark& mark : chart.marks) add(mark, mark.source, {mark.at.x, mark.at.y});
  return table;
}

WrittenCharts write_charts(const std::filesystem::path& folder, const std::vector<Chart>& charts) {
  WrittenCharts written;
  try {
    for (const Chart& chart : charts) {
      write_whole(folder / (chart.name + ".svg"), svg_text(chart));
      write_whole(folder / (chart.name + ".csv"), csv_text(chart_table(chart)));
      written.note += (written.note.empty() ? "Charts: " : " ") + chart.name + ".svg";
    }
  } catch (const std::exception& error) {
    written.complete = false;
    written.note +=
        fmt::format("{}Charts: not written: {}", written.note.empty() ? "" : ". ", error.what());
  }
  return written;
}

void add_charts(nlohmann::ordered_json& json, const std::vector<Chart>& charts) {
  json["charts"] = Json::array();
  for (const Chart& chart : charts) json["charts"].push_back(one_json(chart));
  for (const PaletteColour& colour : palette()) json["palette"][colour.name] = colour.light;
}

}  // namespace roofline
