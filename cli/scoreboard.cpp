#include "cli/scoreboard.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "harness/measure/measure.h"
#include "harness/record/comparison.h"
#include "harness/record/derive.h"
#include "harness/view/summary.h"
#include "roofline/base/error.h"
#include "roofline/base/table.h"
#include "roofline/base/terminal.h"
#include "roofline/base/units.h"
#include "roofline/base/visible.h"
#include "roofline/verdict.h"

namespace gpp {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t board_width = 100;

bool is_of_a_ladder(const StudyRecord& study, const Result& result) {
  return result.variant != result.step || is_of_ladders_alone(kernel_of(study), result.variant);
}

/// Passed, and not only because a team allowed larger errors than others.
bool is_right(const StudyRecord& study, const Result& result) {
  return result.status == Status::passed &&
         result.check.max_relative_error <= kernel_of(study).tolerance(result.step);
}

/// Fit for a place: what `own` lets in, right and timed.
bool counts(const StudyRecord& study, const Result& result, const ScoreboardOptions& options) {
  return is_right(study, result) && result.timed() &&
         !(options.own && is_of_a_ladder(study, result));
}

/// Why a result is wrong.
std::string fault_of(const StudyRecord& study, const Result& result) {
  if (result.status == Status::failed) return result.reason;
  return fmt::format("its error of {:.1e} passed with --tolerance {:g} only, not with {:g}",
                     result.check.max_relative_error, result.check.tolerance,
                     kernel_of(study).tolerance(result.step));
}

/// The parent of a result, in the same study; else nullptr.
const Result* parent_in(const StudyRecord& study, const Result& result) {
  for (const Result& other : study.results)
    if (!result.parent.empty() && other.variant == result.parent && other.model == result.model &&
        other.kind == result.kind)
      return &other;
  return nullptr;
}

/// Why a result has no gain over its parent; empty where it has one.
std::string no_gain(const StudyRecord& study, const Result& result, const Result* parent) {
  if (result.parent.empty()) return "its record names no parent";
  const std::string whose = fmt::format("its parent {}", result.parent);
  if (parent == nullptr || parent->status == Status::unavailable)
    return whose + " was not measured in the same study";
  if (!is_right(study, *parent)) return whose + " is wrong";
  if (!parent->timed()) return whose + " was not timed";
  return parent->trusted().disturbed ? "others disturbed the runs of " + whose : "";
}

Gain gain_over(const Result& parent, const Result& child) {
  const Timing before = parent.timing();
  const Timing after = child.timing();
  Gain gain{before.median / after.median, before.low / after.high, before.high / after.low};
  gain.few =
      std::min(parent.trusted().samples.size(), child.trusted().samples.size()) < least_samples;
  return gain;
}

Place place_of(const NamedStudy& named, const Result& result, const ScoreboardOptions& options) {
  const Result* parent = parent_in(named.study, result);
  const Trusted trusted = result.trusted();
  Place place;
  place.parent = result.parent;
  place.no_gain = no_gain(named.study, result, parent);
  if (place.no_gain.empty()) place.gain = gain_over(*parent, result);
  place.disturbed = trusted.disturbed;
  place.team = named.name;
  place.variant = result.variant;
  place.step = result.step;
  place.model = result.model;
  place.kind = result.kind;
  place.device = result.device;
  place.terms_per_s = terms_per_second(named.study, result);
  place.seconds = result.timing().median;
  place.spread = result.timing().spread();
  place.samples = trusted.samples;
  if (result.roofline() && result.roofline()->defects.empty()) {
    place.percent_of_roof = result.roofline()->percent_of_roof;
    place.bound_by = result.roofline()->bound_by;
    place.held_back_by = verdict(*result.roofline(), result.counted.metrics).by;
    place.analytic = result.roofline()->analytic;
  }
  place.created = named.study.created;
  if (options.points) place.points = points_of(*options.points, place);
  return place;
}

bool slower(const Place& a, const Place& b) {
  if (a.disturbed != b.disturbed) return a.disturbed;
  return a.terms_per_s < b.terms_per_s;
}

bool gains_less(const Place& a, const Place& b) {
  if (a.disturbed != b.disturbed) return a.disturbed;
  if (a.gain.has_value() != b.gain.has_value()) return b.gain.has_value();
  return a.gain && !a.disturbed ? a.gain->factor < b.gain->factor : slower(a, b);
}

double as_shown(double percent) { return std::round(10 * percent); }

bool further_from_roof(const Place& a, const Place& b) {
  if (a.disturbed != b.disturbed) return a.disturbed;
  return a.percent_of_roof.value_or(-1) < b.percent_of_roof.value_or(-1);
}

/// The inputs are the same, and so are the terms.
bool as_fast(const Place& a, const Place& b) {
  if (a.disturbed || b.disturbed) return false;
  if (a.terms_per_s == b.terms_per_s) return true;
  return compare_times(a.samples, b.samples, 1, 1) == Verdict::same;
}

bool gains_as_much(const Place& a, const Place& b) {
  if (a.gain.has_value() != b.gain.has_value() || a.disturbed || b.disturbed) return false;
  if (!a.gain) return as_fast(a, b);
  if (a.gain->factor == b.gain->factor) return true;
  if (a.gain->few || b.gain->few) return false;
  const auto [less, more] = std::minmax(a.gain->factor, b.gain->factor);
  return more / less <= 1 + least_difference ||
         (a.gain->low <= b.gain->high && b.gain->low <= a.gain->high);
}

bool as_near_the_roof(const Place& a, const Place& b) {
  if (a.disturbed || b.disturbed) return false;
  return as_shown(*a.percent_of_roof) == as_shown(*b.percent_of_roof);
}

/// Orders the places, the best first, and equals by name. Whoever cannot be told apart from the
/// first of a place shares it; the next place is counted on from all before it.
void rank(std::vector<Place>& places, bool (*worse)(const Place&, const Place&),
          bool (*same)(const Place&, const Place&)) {
  const auto before = [worse](const Place& a, const Place& b) {
    if (worse(b, a) || worse(a, b)) return worse(b, a);
    return std::tie(a.team, a.variant, a.model) < std::tie(b.team, b.variant, b.model);
  };
  std::ranges::sort(places, before);
  std::size_t first = 0;
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (!same(places[first], places[i])) first = i;
    places[i].rank = static_cast<int>(first) + 1;
  }
}

/// The input that most studies have; of several, the one that comes first.
const InputRecord& common_input(const std::vector<NamedStudy>& studies) {
  std::map<std::string, int> votes;
  for (const NamedStudy& named : studies) ++votes[named.study.input.sha256];
  const NamedStudy* best = &studies.front();
  for (const NamedStudy& named : studies)
    if (votes[named.study.input.sha256] > votes[best->study.input.sha256]) best = &named;
  return best->study.input;
}

void add_failures(const NamedStudy& named, Scoreboard& board) {
  for (const Result& result : named.study.results)
    if (result.status != Status::unavailable && !is_right(named.study, result))
      board.failed.push_back(
          {named.name, fmt::format("{} {}", model_label(result.model, result.kind), result.variant),
           fault_of(named.study, result)});
}

/// Why a study has no place beside those of a referee; empty where it may have one.
std::string not_judged(const StudyRecord& study, const ScoreboardOptions& options) {
  if (!study.judge) return "no referee made it (gpp judge)";
  if (const std::string lacks = study.judge->lacks(); !lacks.empty())
    return "it was judged without " + lacks;
  return options.key ? forgery_in(study, *options.key) : "";
}

/// Of a study that a referee made, only the submission has a rank.
ScoreboardOptions options_for(const StudyRecord& study, ScoreboardOptions options) {
  options.own = options.own || (study.judge && !study.judge->source_sha256.empty());
  return options;
}

/// One place for each team, its best; returns the rest.
std::vector<Place> keep_the_best(std::vector<Place>& places,
                                 bool (*worse)(const Place&, const Place&)) {
  std::map<std::string, Place> best;
  std::vector<Place> rest;
  for (const Place& place : places) {
    const auto [first, is_new] = best.try_emplace(place.team, place);
    if (is_new) continue;
    const bool better = worse(first->second, place);
    rest.push_back(better ? std::exchange(first->second, place) : place);
  }
  places.clear();
  for (auto& [team, place] : best) places.push_back(std::move(place));
  return rest;
}

void add_team(const NamedStudy& named, const ScoreboardOptions& options, Scoreboard& board) {
  add_failures(named, board);
  if (!named.study.complete)
    board.partial.push_back({named.name, "",
                             "this study was interrupted or killed, or is still under way; what it "
                             "timed until then is ranked"});
  if (named.study.input.sha256 != board.input.sha256) {
    board.left_out.push_back(
        {named.name, "",
         fmt::format("ran another input, {} (sha256 {}...)", named.study.input.path,
                     named.study.input.sha256.substr(0, 8))});
    return;
  }
  std::vector<Place> places;
  std::string why_not = options.own ? "no variant of its own passed and was timed"
                                    : "no variant passed and was timed";
  for (const Result& result : named.study.results) {
    if (!counts(named.study, result, options)) continue;
    if (const std::string why = contradicts_machine(named.study, result); !why.empty())
      why_not = "its record cannot be believed: " + why;
    else
      places.push_back(place_of(named, result, options));
  }
  if (places.empty()) {
    board.left_out.push_back({named.name, "", why_not});
    return;
  }
  board.by_gain.push_back(*std::ranges::max_element(places, gains_less));
  board.by_speed.push_back(*std::ranges::max_element(places, slower));
  const Place& nearest = *std::ranges::max_element(places, further_from_roof);
  if (nearest.percent_of_roof)
    board.by_roof.push_back(nearest);
  else
    board.without_roof.push_back({named.name, "", "no sound roofline point in its record"});
}

std::string variant_cell(const Place& place) {
  const std::string model = model_label(place.model, place.kind);
  return place.variant == place.step ? fmt::format("{} {}", model, place.variant)
                                     : fmt::format("{} {} {}", model, place.variant, place.step);
}

std::string roof_cell(const Place& place) {
  if (!place.percent_of_roof) return "-";
  return fmt::format("{:.1f}%{}", *place.percent_of_roof, place.analytic ? "~" : " ");
}

std::string gain_cell(const Place& place) {
  return place.gain ? roofline::times_text(place.gain->factor) : "-";
}

std::string spread_cell(const Place& place) {
  if (place.disturbed) return "disturbed";
  return place.samples.size() < 2 ? "-" : roofline::percent_text(100 * place.spread);
}

std::string table_of(const std::vector<Place>& places) {
  using enum roofline::Table::Align;
  roofline::Table table({{"rank", right},
                         {"team", left},
                         {"variant", left},
                         {"gain", right},
                         {"over", left},
                         {"terms/s", right},
                         {"time", right},
                         {"+-", right},
                         {"% of roof ", right},
                         {"bound by", left},
                         {"device", left}});
  for (const Place& place : places)
    table.add({place.rank == 0 ? place.created : std::to_string(place.rank), place.team,
               variant_cell(place), gain_cell(place), place.parent.empty() ? "-" : place.parent,
               fmt::format("{:.3e}", place.terms_per_s), roofline::describe_seconds(place.seconds),
               spread_cell(place), roof_cell(place),
               place.held_back_by.empty() ? "-" : place.held_back_by, place.device});
  return table.text();
}

std::string lines_of(const std::vector<LeftOut>& list, const std::string& what) {
  std::string text;
  for (const LeftOut& one : list)
    text += fmt::format("{}\n", roofline::wrapped(fmt::format("{}: {}{}{}: {}", what, one.team,
                                                              one.variant.empty() ? "" : ", ",
                                                              one.variant, one.reason),
                                                  board_width, 2));
  return text;
}

bool any(const std::vector<Place>& places, bool (*has)(const Place&)) {
  return std::ranges::any_of(places, has);
}

/// Who is ranked after all that have a gain, and why.
std::string without_gain(const std::vector<Place>& places) {
  std::vector<LeftOut> list;
  for (const Place& place : places)
    if (!place.gain) list.push_back({place.team, variant_cell(place), place.no_gain});
  return lines_of(list, "no gain");
}

std::string heading(const std::vector<Place>& places) {
  const bool gains = any(places, [](const Place& place) { return place.gain.has_value(); });
  return gains ? "By gain over the parent, in time" : "By speed: no gain over a parent is recorded";
}

std::string remarks(const Scoreboard& board) {
  std::string text;
  std::set<std::string> devices;
  for (const Place& place : board.by_speed) devices.insert(place.device);
  if (devices.size() > 1)
    text += "Devices differ: speeds compare them, too; gains and shares of the roof do not.\n";
  if (any(board.by_gain, [](const Place& place) { return place.disturbed; }))
    text += fmt::format(
        "disturbed: others took more than {:.0f}% of the processor; such times come last. Run "
        "again "
        "on an idle machine.\n",
        100 * disturbed_threshold);
  if (any(board.by_speed, [](const Place& place) { return place.samples.size() < least_samples; }))
    text +=
        fmt::format("Fewer than {} runs of a variant say nothing about noise.\n", least_samples);
  if (any(board.by_roof, [](const Place& place) { return place.analytic; }))
    text += "~: operations and bytes computed, not counted by hardware.\n";
  return text;
}

/// The studies in a folder: its own, or those of a judge, DIR/TEAM/TIME/study.json.
void add_studies_below(const fs::path& path, int levels, std::vector<fs::path>& found) {
  std::error_code error;
  std::vector<fs::path> folders;
  if (levels > 0 && !fs::exists(path / "study.json", error))
    for (const fs::directory_entry& entry : fs::directory_iterator(path, error))
      if (entry.is_directory(error) && !entry.is_symlink(error)) folders.push_back(entry.path());
  std::ranges::sort(folders);
  const std::size_t before = found.size();
  for (const fs::path& folder : folders) add_studies_below(folder, levels - 1, found);
  if (found.size() == before) found.push_back(path);
}

/// The folder of a study, and the last `parts` of its path as a name.
std::string team_of(const fs::path& path, int parts) {
  std::error_code error;
  fs::path folder = fs::absolute(path).lexically_normal();
  if (!fs::is_directory(path, error)) folder = folder.parent_path();
  if (!folder.has_filename()) folder = folder.parent_path();
  fs::path name = folder.filename();
  for (int part = 1; part < parts && folder.has_relative_path(); ++part) {
    folder = folder.parent_path();
    name = folder.filename() / name;
  }
  return roofline::visible(name.string());
}

/// The shortest names that tell the teams apart.
std::vector<std::string> teams_of(const std::vector<fs::path>& paths) {
  std::vector<std::string> teams;
  for (int parts = 1; parts <= 8; ++parts) {
    teams.clear();
    for (const fs::path& path : paths) teams.push_back(team_of(path, parts));
    if (std::set(teams.begin(), teams.end()).size() == teams.size()) return teams;
  }
  throw roofline::InputError(
      "a folder is named twice; the scoreboard takes every team's folder once");
}

}  // namespace

Scoreboard scoreboard(const std::vector<NamedStudy>& studies, const ScoreboardOptions& options) {
  Scoreboard board;
  if (studies.empty()) return board;
  board.input = common_input(studies);
  const bool judged = std::ranges::any_of(
      studies, [](const NamedStudy& named) { return named.study.judge.has_value(); });
  for (const NamedStudy& named : studies) {
    const std::string why = judged ? not_judged(named.study, options) : "";
    if (why.empty())
      add_team(named, options_for(named.study, options), board);
    else
      board.left_out.push_back({named.name, "", why});
  }
  board.history = keep_the_best(board.by_gain, gains_less);
  std::ranges::sort(board.history, {}, &Place::created);
  keep_the_best(board.by_speed, slower);
  keep_the_best(board.by_roof, further_from_roof);
  rank(board.by_gain, gains_less, gains_as_much);
  rank(board.by_speed, slower, as_fast);
  rank(board.by_roof, further_from_roof, as_near_the_roof);
  return board;
}

std::string text_of(const Scoreboard& board, bool colours) {
  std::string text = fmt::format("Input: {}, {} terms\n", board.input.path,
                                 roofline::describe_count(static_cast<double>(board.input.terms)));
  if (!board.by_gain.empty())
    text += fmt::format("\n{}\n{}",
                        roofline::coloured(heading(board.by_gain), roofline::Colour::bold, colours),
                        table_of(board.by_gain));
  if (!board.by_roof.empty())
    text += fmt::format("\n{}\n{}",
                        roofline::coloured("By share of the roof", roofline::Colour::bold, colours),
                        table_of(board.by_roof));
  if (!board.history.empty())
    text += fmt::format("\n{}\n{}",
                        roofline::coloured("Judged before", roofline::Colour::bold, colours),
                        table_of(board.history));
  for (const Place& place : board.by_gain)
    if (place.points) text += fmt::format("{}: {:g} points\n", place.team, *place.points);
  const std::string rest = remarks(board) + without_gain(board.by_gain) +
                           lines_of(board.without_roof, "no share of the roof") +
                           lines_of(board.left_out, "not ranked");
  if (!rest.empty()) text.append("\n").append(rest);
  if (!board.partial.empty())
    text += fmt::format("\n{}", roofline::coloured(lines_of(board.partial, "PARTIAL"),
                                                   roofline::Colour::red, colours));
  if (!board.failed.empty())
    text += fmt::format("\n{}", roofline::coloured(lines_of(board.failed, "FAILED"),
                                                   roofline::Colour::red, colours));
  return text;
}

int show_scoreboard(const std::vector<fs::path>& paths, const ScoreboardOptions& options,
                    const BoardFiles& files, bool json) {
  std::vector<fs::path> folders;
  constexpr int levels = 2;  // the team's and the time's
  for (const fs::path& path : paths) add_studies_below(path, levels, folders);
  const std::vector<std::string> teams = teams_of(folders);
  std::vector<NamedStudy> studies;
  std::vector<LeftOut> unreadable;
  for (std::size_t i = 0; i < folders.size(); ++i) {
    try {
      StudyRecord study = read_record(folders[i]);
      const std::string team = study.judge ? study.judge->team : teams[i];
      studies.push_back({team, std::move(study)});
    } catch (const roofline::InputError& error) {
      unreadable.push_back({teams[i], "", error.what()});
    }
  }
  if (studies.empty()) throw roofline::InputError(unreadable.front().reason);
  Scoreboard board = scoreboard(studies, options);
  board.left_out.insert(board.left_out.end(), unreadable.begin(), unreadable.end());
  write_board(board, files);
  if (json)
    fmt::print("{}\n", to_json(board).dump(1));
  else
    fmt::print("{}", text_of(board, roofline::colours_wanted()));
  const bool complete = board.failed.empty() && board.partial.empty() && unreadable.empty() &&
                        !board.by_speed.empty();
  return complete ? every_check_passed : something_failed;
}

}  // namespace gpp
