// What graders take from a scoreboard: JSON, CSV, JUnit, a page, and points by a rule.

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/scoreboard.h"
#include "roofline/base/json_place.h"
#include "roofline/base/outside.h"
#include "roofline/base/replace_file.h"
#include "roofline/base/units.h"
#include "roofline/page/assemble.h"
#include "roofline/record/facts.h"
#include "roofline/view/svg.h"

namespace gpp {

using roofline::Fields;
using roofline::may_lack;
namespace bounds = roofline::bounds;

// ---- Points -------------------------------------------------------------------------------------

void fields(Fields& field, PointsRule::Threshold& threshold) {
  field("gain", threshold.gain, bounds::not_negative);
  field("points", threshold.points, bounds::not_negative);
}

void fields(Fields& field, PointsRule::Deadline& deadline) {
  field("until", deadline.until, roofline::short_text, "ISO 8601, UTC");
  field("share", deadline.share, bounds::share);
}

void fields(Fields& field, PointsRule& rule) {
  const roofline::List<roofline::NoRule> some{{}, bounds::results};
  field(may_lack("right"), rule.right, bounds::not_negative);
  field(may_lack("thresholds"), rule.thresholds, some);
  field(may_lack("deadlines"), rule.deadlines, some);
}

PointsRule read_points(const std::filesystem::path& file) {
  const std::string remedy =
      R"(write it as {"right": 2, "thresholds": [{"gain": 1.2, "points": 5}], )"
      R"("deadlines": [{"until": "2026-12-01T00:00:00Z", "share": 1}]})";
  const nlohmann::json json =
      roofline::json_in(roofline::text_of_outside_file(file), file.string(), remedy);
  return roofline::read_facts<PointsRule>(roofline::JsonPlace(json, "", file.string()));
}

double points_of(const PointsRule& rule, const Place& place) {
  double points = 0;
  for (const PointsRule::Threshold& threshold : rule.thresholds)
    if (place.gain && place.gain->factor >= threshold.gain)
      points = std::max(points, threshold.points);
  points += rule.right;
  if (rule.deadlines.empty()) return points;
  const auto open = std::ranges::find_if(
      rule.deadlines, [&place](const auto& deadline) { return place.created <= deadline.until; });
  return open == rule.deadlines.end() ? 0 : points * open->share;
}

// ---- Files --------------------------------------------------------------------------------------

namespace {

/// RFC 4180; a cell that a spreadsheet would compute is a text.
std::string csv_cell(std::string text) {
  if (!text.empty() && std::string_view("=+-@").find(text.front()) != std::string_view::npos)
    text.insert(0, "'");
  std::string cell = "\"";
  for (const char letter : text) cell += letter == '"' ? "\"\"" : std::string(1, letter);
  return cell + '"';
}

std::string number_or_empty(const std::optional<double>& number) {
  return number ? fmt::format("{:.9g}", *number) : "";
}

nlohmann::ordered_json json_of(const std::vector<Place>& places) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const Place& place : places) {
    nlohmann::ordered_json percent = nullptr;
    if (place.percent_of_roof) percent = *place.percent_of_roof;
    rows.push_back({{"rank", place.rank},
                    {"team", place.team},
                    {"variant", place.variant},
                    {"step", place.step},
                    {"model", place.model},
                    {"kind", place.kind},
                    {"device", place.device},
                    {"parent", place.parent},
                    {"gain", place.gain ? nlohmann::ordered_json(place.gain->factor) : nullptr},
                    {"no_gain", place.no_gain},
                    {"disturbed", place.disturbed},
                    {"terms_per_s", place.terms_per_s},
                    {"median_s", place.seconds},
                    {"spread", place.spread},
                    {"percent_of_roof", percent},
                    {"bound_by", place.bound_by},
                    {"held_back_by", place.held_back_by},
                    {"analytic", place.analytic},
                    {"created", place.created}});
    if (place.points) rows.back()["points"] = *place.points;
  }
  return rows;
}

nlohmann::ordered_json json_of(const std::vector<LeftOut>& list) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const LeftOut& one : list)
    rows.push_back({{"team", one.team}, {"variant", one.variant}, {"reason", one.reason}});
  return rows;
}

std::string csv_of(const Scoreboard& board) {
  std::string text =
      "rank,team,variant,model,device,median_s,spread,gain,over,percent_of_roof,points,created,"
      "reason\n";
  for (const Place& place : board.by_gain)
    text += fmt::format(
        "{},{},{},{},{},{:.9g},{:.3g},{},{},{},{},{},\n", place.rank, csv_cell(place.team),
        csv_cell(place.variant), place.model, csv_cell(place.device), place.seconds, place.spread,
        place.gain ? fmt::format("{:.6g}", place.gain->factor) : "", csv_cell(place.parent),
        number_or_empty(place.percent_of_roof), number_or_empty(place.points), place.created);
  for (const auto* list : {&board.failed, &board.left_out})
    for (const LeftOut& one : *list)
      text += fmt::format(",{},{},,,,,,,,0,,{}\n", csv_cell(one.team), csv_cell(one.variant),
                          csv_cell(one.reason));
  return text;
}

std::string junit_of(const Scoreboard& board) {
  std::string cases;
  for (const Place& place : board.by_gain)
    cases += fmt::format("  <testcase classname=\"{}\" name=\"{} {}\" time=\"{:.9g}\"/>\n",
                         roofline::xml_text(place.team), roofline::xml_text(place.model),
                         roofline::xml_text(place.variant), place.seconds);
  std::size_t failures = 0;
  for (const auto* list : {&board.failed, &board.left_out})
    for (const LeftOut& one : *list) {
      ++failures;
      cases += fmt::format(
          "  <testcase classname=\"{}\" name=\"{}\"><failure message=\"{}\"/></testcase>\n",
          roofline::xml_text(one.team), roofline::xml_text(one.variant),
          roofline::xml_text(one.reason));
    }
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<testsuite name=\"gpp\" tests=\"{}\" failures=\"{}\">\n{}</testsuite>\n",
      board.by_gain.size() + failures, failures, cases);
}

std::string row_of(const std::vector<std::string>& cells, const char* kind) {
  std::string row;
  for (const std::string& cell : cells)
    row += fmt::format("<{0}>{1}</{0}>", kind, roofline::html_text(cell));
  return "<tr>" + row + "</tr>\n";
}

std::string rows_of(const std::vector<Place>& places) {
  std::string rows = row_of(
      {"rank", "team", "variant", "gain", "over", "time", "of roof", "points", "when"}, "th");
  for (const Place& place : places)
    rows += row_of({place.rank == 0 ? "" : std::to_string(place.rank), place.team,
                    place.model + " " + place.variant,
                    place.gain ? roofline::times_text(place.gain->factor) : "", place.parent,
                    roofline::describe_seconds(place.seconds),
                    place.percent_of_roof ? fmt::format("{:.1f}%", *place.percent_of_roof) : "",
                    number_or_empty(place.points), place.created},
                   "td");
  return "<table>\n" + rows + "</table>\n";
}

constexpr const char* page_start = R"(<!doctype html>
<html lang="en"><meta charset="utf-8"><meta http-equiv="refresh" content="15">
<meta name="viewport" content="width=device-width"><title>Scoreboard</title><style>
:root { color-scheme: light dark }
body { font: 18px/1.5 system-ui, sans-serif; margin: 2em auto; max-width: 70em; padding: 0 1em }
div { overflow-x: auto }
table { border-collapse: collapse }
th, td { padding: .3em .9em; text-align: left; border-bottom: 1px solid #8885 }
</style><h1>Scoreboard</h1>
)";

std::string page_of(const Scoreboard& board) {
  std::string text = page_start +
                     fmt::format("<p>{}</p>\n<div>\n", roofline::html_text(board.input.path)) +
                     rows_of(board.by_gain);
  if (!board.history.empty()) text += "<h2>Judged before</h2>\n" + rows_of(board.history);
  text += "</div>\n";
  std::string others;
  for (const auto* list : {&board.failed, &board.left_out})
    for (const LeftOut& one : *list)
      others += fmt::format("<li>{} {}: {}</li>\n", roofline::html_text(one.team),
                            roofline::html_text(one.variant), roofline::html_text(one.reason));
  return others.empty() ? text : text + "<h2>No place</h2>\n<ul>\n" + others + "</ul>\n";
}

}  // namespace

nlohmann::ordered_json to_json(const Scoreboard& board) {
  return {{"input", {{"path", board.input.path}, {"sha256", board.input.sha256}}},
          {"by_gain", json_of(board.by_gain)},
          {"history", json_of(board.history)},
          {"by_terms_per_s", json_of(board.by_speed)},
          {"by_percent_of_roof", json_of(board.by_roof)},
          {"without_roof", json_of(board.without_roof)},
          {"failed", json_of(board.failed)},
          {"left_out", json_of(board.left_out)},
          {"partial", json_of(board.partial)}};
}

void write_board(const Scoreboard& board, const BoardFiles& files) {
  if (!files.csv.empty()) roofline::write_whole(files.csv, csv_of(board));
  if (!files.junit.empty()) roofline::write_whole(files.junit, junit_of(board));
  if (!files.page.empty()) roofline::write_whole(files.page, page_of(board));
}

}  // namespace gpp
