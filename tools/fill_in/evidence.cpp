#include "tools/fill_in/evidence.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "gpp/study/kernel.h"
#include "gpp/study/published.h"
#include "harness/record/guide.h"
#include "harness/record/ladder.h"
#include "roofline/base/units.h"
#include "tools/fill_in/arithmetic.h"
#include "tools/fill_in/evidence_tables.h"
#include "tools/fill_in/marks.h"

namespace gpp {
namespace {

constexpr double warps_of_a_multiprocessor = 64;  // compute capability 8.0 and 9.0

Quantity missing() { return {std::nullopt, std::string(not_counted)}; }
Quantity times(double factor) { return {factor, roofline::times_text(factor)}; }
Quantity percent(double value) { return {value, roofline::percent_text(value, 0)}; }
Quantity whole(double value) { return {value, fmt::format("{:.0f}", value)}; }
Quantity hundredths(double value) { return {value, fmt::format("{:.2f}", value)}; }

[[noreturn]] void unknown(std::string_view name, const std::string& why) {
  throw std::runtime_error(fmt::format("'{}' is no quantity: {}", name, why));
}

std::vector<std::string> words_of(std::string_view text) {
  std::istringstream stream{std::string(text)};
  return {std::istream_iterator<std::string>(stream), {}};
}

// ------------------------------------------------------------------------------ published

Quantity published(const std::string& id, const std::string& what, std::string_view name) {
  const PublishedStep* step = published_v100().find(id);
  if (step == nullptr) unknown(name, fmt::format("SC19 has no step {}", id));
  if (what == "time") return {step->seconds, fmt::format("{:.2f} s", step->seconds)};
  if (what == "speedup") return times(*published_v100().speedup(id));
  if (what == "tflop") return hundredths(step->tflop);
  if (what == "tflop/s") return hundredths(step->tflop_per_s);
  if (what == "flop/term") return whole(step->tflop * 1e12 / double(gpp214_terms));
  if (what == "peak") return percent(100 * step->tflop_per_s / published_v100_peak);
  if (what == "registers" && step->registers) return whole(*step->registers);
  constexpr std::string_view metric = "metric ";
  if (what.starts_with(metric))
    if (const auto told = roofline::metric_value(step->profiled, what.substr(metric.size())))
      return hundredths(*told);
  if (what == "gain") {
    const PublishedStep* before = published_v100().find(fmt::format("v{}", number_of(id) - 1));
    if (before != nullptr) return times(before->seconds / step->seconds);
  }
  unknown(name, fmt::format("SC19 does not tell '{}' of {}", what, id));
}

// ------------------------------------------------------------------------------ recorded

const Result* timed_result(const StudyRecord& study, const std::string& model,
                           const std::string& id) {
  for (const Result& result : study.results)
    if (result.model == model && result.variant == id && result.timed()) return &result;
  return nullptr;
}

/// The timed step before it, in the same model.
const Result* step_before(const StudyRecord& study, const Result& result) {
  const Result* best = nullptr;
  for (const Result& other : study.results) {
    if (other.model != result.model || other.kind != result.kind || !other.timed()) continue;
    const int number = number_of(other.variant);
    if (number == 0 || number >= number_of(result.variant)) continue;
    if (best == nullptr || number > number_of(best->variant)) best = &other;
  }
  return best;
}

/// Over the timed step before it, or over the one that it changes on the ladder that was studied.
Quantity gain(const StudyRecord& study, const Result& result, std::string_view name) {
  for (const LadderRun& run : ladder_runs(study))
    for (const LadderRow& row : run.rows)
      if (row.result == &result && row.measured.gain) return times(*row.measured.gain);
  const Result* before = study.ladder.empty() ? step_before(study, result) : nullptr;
  if (before == nullptr) unknown(name, "no step before it was timed");
  return times(before->timing().median / result.timing().median);
}

/// The step's own kernels, without the helpers that take a small part of the work: those with the
/// step in their name, as in earlier records, else those called `kernel`.
std::vector<Launch> own_launches(const Result& result) {
  std::vector<Launch> own;
  for (const std::string& name : {result.step + "_kernel", std::string("::kernel")}) {
    for (const Launch& launch : result.launches)
      if (launch.kernel.find(name) != std::string::npos) own.push_back(launch);
    if (!own.empty()) return own;
  }
  return result.launches;
}

/// One value, or "118 and 128" where the kernels differ; the value is the largest.
template <class Read>
Quantity of_launches(const Result& result, std::string_view name, std::string_view unit,
                     Read read) {
  std::set<long long> values;
  for (const Launch& launch : own_launches(result)) values.insert(std::llround(read(launch)));
  if (values.empty()) unknown(name, "nothing was launched");
  std::vector<std::string> texts;
  for (const long long value : values) texts.push_back(fmt::format("{}{}", value, unit));
  return {static_cast<double>(*values.rbegin()), fmt::format("{}", fmt::join(texts, " and "))};
}

std::optional<Quantity> of_launch(const Result& result, const std::string& what,
                                  std::string_view name) {
  if (what == "registers")
    return of_launches(result, name, "",
                       [](const Launch& launch) { return double(launch.registers); });
  if (what == "threads")
    return of_launches(result, name, "",
                       [](const Launch& launch) { return double(launch.threads_per_block); });
  if (what == "spills")
    return of_launches(result, name, " B",
                       [](const Launch& launch) { return double(launch.spill_bytes); });
  if (what == "occupancy")
    return of_launches(result, name, "%",
                       [](const Launch& launch) { return 100 * launch.occupancy; });
  if (what == "warps")
    return of_launches(result, name, "", [](const Launch& launch) {
      return warps_of_a_multiprocessor * launch.occupancy;
    });
  return std::nullopt;
}

Quantity rate(double per_s, const char* unit = "FLOP/s") {
  return {per_s, roofline::with_prefix(per_s, unit)};
}

/// "roof fp64_scalar_fma": of the result's device.
Quantity roof(const StudyRecord& study, const Result& result, const std::string& wanted,
              std::string_view name) {
  for (const roofline::Ceilings& ceilings : study.ceilings)
    if (ceilings.kind == result.kind)
      if (const roofline::Ceiling* found = ceilings.find(wanted)) return rate(found->measured);
  unknown(name, fmt::format("its record has no roof '{}'", wanted));
}

/// "code packed_256": instructions of that kind.
Quantity code(const Result& result, const std::string& wanted, std::string_view name) {
  if (result.code.scalar_share() < 0) unknown(name, "its record has no machine code");
  if (wanted == "scalar") return whole(result.code.scalar);
  if (wanted == "packed_256") return whole(result.code.packed_256);
  unknown(name, fmt::format("there is no kind of instruction '{}'", wanted));
}

/// "intensity dram", "share dram": of the operations and bytes that the result was placed by.
std::optional<Quantity> of_level(const Result& result, const std::string& what,
                                 std::string_view name) {
  constexpr std::string_view intensity = "intensity ", share = "share ";
  const bool of_bytes = what.starts_with(share);
  if (!of_bytes && !what.starts_with(intensity)) return std::nullopt;
  if (result.roofline() == nullptr) return missing();
  const std::string wanted = what.substr(of_bytes ? share.size() : intensity.size());
  const roofline::LevelPoint* const level = result.roofline()->find_level(wanted);
  if (level == nullptr) unknown(name, fmt::format("its record has no level '{}'", wanted));
  if (!of_bytes) return Quantity{level->intensity, intensity_text(level->intensity)};
  const double used = 100 * level->seconds / result.roofline()->seconds;
  return Quantity{used, roofline::percent_text(used)};
}

/// "clock", "speedup in cycles": what times would be at one clock.
std::optional<Quantity> of_clock(const StudyRecord& study, const Result& result,
                                 const std::string& what) {
  if (what == "speedup in cycles") {
    const std::optional<double> gain = speedup_in_cycles(study, result);
    return gain ? times(*gain) : missing();
  }
  if (what != "clock") return std::nullopt;
  if (result.clocks.samples.empty()) return missing();
  const double median = summarize(result.clocks.samples).median;
  return Quantity{median, fmt::format("{:.0f} MHz", median)};
}

/// "watts", "joules", "joules saved": of a variant whose energy was measured.
std::optional<Quantity> of_energy(const StudyRecord& study, const Result& result,
                                  const std::string& what) {
  if (what != "watts" && what != "joules" && what != "joules saved") return std::nullopt;
  const std::optional<double> joules = joules_per_billion(study, result);
  if (!joules) return missing();
  if (what == "joules saved") {
    const Result* before = step_before(study, result);
    const auto old = before == nullptr ? std::nullopt : joules_per_billion(study, *before);
    return old ? percent(100 * (1 - *joules / *old)) : missing();
  }
  if (what == "joules") return Quantity{*joules, fmt::format("{:.3g} J", *joules)};
  return Quantity{result.energy->watts(), fmt::format("{:.0f} W", result.energy->watts())};
}

/// "line cutoff wait": the share of that stall in the samples of the lines that play the part.
std::optional<Quantity> of_line(const Result& result, const std::string& what,
                                std::string_view name) {
  const std::vector<std::string> words = words_of(what);
  if (words.size() != 3 || words[0] != "line") return std::nullopt;
  if (!result.lines) return missing();
  for (const LineRole& role : guide_of(gpp_kernel()).roles) {
    if (role.name != words[1]) continue;
    const std::optional<RoleEvidence> found = evidence_of(role, *result.lines);
    if (!found || found->samples() == 0) return missing();
    return percent(100 * double(roofline::events_of(found->stalls, words[2])) /
                   double(found->samples()));
  }
  unknown(name, fmt::format("no line is marked as '{}'", words[1]));
}

/// "at 29 samples", "at 29 wait": the share of line 29 of the variant's own file in all samples,
/// with what is inlined there, or of that stall in the line's.
std::optional<Quantity> of_own_line(const Result& result, const std::string& what,
                                    std::string_view name) {
  const std::vector<std::string> words = words_of(what);
  if (words.size() != 3 || words[0] != "at") return std::nullopt;
  if (!result.lines) return missing();
  const auto& lines = result.lines->lines;
  for (const roofline::LineGroup& group : roofline::by_variant_line(lines)) {
    if (std::to_string(group.place.line) != words[1] || group.samples() == 0) continue;
    if (!group.place.file.starts_with("variants/")) continue;
    const bool of_all = words[2] == "samples";
    const auto part = of_all ? group.samples() : roofline::events_of(group.stalls, words[2]);
    const auto whole = of_all ? roofline::sum_of(roofline::total_stalls(lines)) : group.samples();
    return percent(100 * double(part) / double(whole));
  }
  unknown(name, fmt::format("no sample fell on line {}", words[1]));
}

Quantity counted(const StudyRecord& study, const Result& result, const std::string& what,
                 std::string_view name) {
  const auto& metrics = result.counted.metrics;
  const auto flop = metrics.find("fp64_flop");
  // A host may have no counters: there operations are computed from the source and the input.
  const bool told = roofline::is_hardware(result.counted.source) || result.kind == "host";
  const bool known = told && flop != metrics.end();
  if (what == "tflop") return known ? hundredths(flop->second / 1e12) : missing();
  if (what == "flop/term")
    return known ? Quantity{flop->second / double(study.input.terms),
                            fmt::format("{:.1f}", flop->second / double(study.input.terms))}
                 : missing();
  if (what == "tflop/s")
    return known ? hundredths(flop->second / result.timing().median / 1e12) : missing();
  const bool placed = known && result.roofline() != nullptr;
  if (what == "speed" && placed)
    return rate(result.roofline()->flop_per_s,
                roofline::only_moves(*result.roofline()) ? "B/s" : "FLOP/s");
  if (what == "speed") return missing();
  if (what == "peak") return placed ? percent(result.roofline()->percent_of_peak) : missing();
  if (what == "mix")
    return placed && result.roofline()->fma_mix_ceiling
               ? percent(100 * result.roofline()->flop_per_s / *result.roofline()->fma_mix_ceiling)
               : missing();
  constexpr std::string_view raw = "counter ", metric = "metric ";
  if (what.starts_with(raw)) {
    const auto counter = result.counted.counters.find(what.substr(raw.size()));
    if (counter == result.counted.counters.end()) return missing();
    return {counter->second, fmt::format("{:.2e}", counter->second)};
  }
  if (!what.starts_with(metric)) unknown(name, fmt::format("what is '{}'?", what));
  const std::string wanted = what.substr(metric.size());
  if (roofline::find_metric(wanted) == nullptr)
    unknown(name, fmt::format("there is no metric '{}'", wanted));
  const auto found = metrics.find(wanted);
  return found == metrics.end() ? missing() : hundredths(found->second);
}

Quantity recorded(const StudyRecord& study, const Result& result, const std::string& what,
                  std::string_view name) {
  const double time = result.timing().median;
  if (what == "time") return {time, roofline::describe_seconds(time)};
  if (what == "terms/s") {
    const double speed = terms_per_second(study, result);
    return {speed, fmt::format("{:.2e}", speed)};
  }
  if (what == "speedup") {
    const std::optional<double> over_first = speedup(study, result);
    if (!over_first) unknown(name, "v1 was not timed");
    return times(*over_first);
  }
  if (what == "gain") return gain(study, result, name);
  if (what == "error")
    return {result.check.max_relative_error,
            fmt::format("{:.1e}", result.check.max_relative_error)};
  constexpr std::string_view of_roof = "roof ", of_code = "code ";
  if (what.starts_with(of_roof)) return roof(study, result, what.substr(of_roof.size()), name);
  if (what.starts_with(of_code)) return code(result, what.substr(of_code.size()), name);
  if (what == "throttled") return whole(result.clocks.throttled);
  if (const auto clock = of_clock(study, result, what)) return *clock;
  if (const auto energy = of_energy(study, result, what)) return *energy;
  if (const auto level = of_level(result, what, name)) return *level;
  if (const auto line = of_line(result, what, name)) return *line;
  if (const auto line = of_own_line(result, what, name)) return *line;
  if (const std::optional<Quantity> launched = of_launch(result, what, name)) return *launched;
  return counted(study, result, what, name);
}

std::string joined_from(const std::vector<std::string>& words, std::size_t first) {
  std::string text;
  for (std::size_t i = first; i < words.size(); ++i) text += (i > first ? " " : "") + words[i];
  return text;
}

}  // namespace

std::string intensity_text(double flop_per_byte) {
  return fmt::format("{:.{}f}", flop_per_byte, flop_per_byte < 100 ? 1 : 0);
}

bool Evidence::has_study(const std::string& name) const {
  return std::filesystem::exists(repository_ / "results" / name / "study.json");
}

const StudyRecord& Evidence::study(const std::string& name) const {
  const auto known = studies_.find(name);
  if (known != studies_.end()) return known->second;
  return studies_.emplace(name, read_record(repository_ / "results" / name)).first->second;
}

Quantity Evidence::quantity(std::string_view name) const {
  const std::vector<std::string> words = words_of(name);
  std::size_t at = 0;
  std::string where = "h200/gpp214", model = "cuda";
  const bool v100 = !words.empty() && words[0] == "V100";
  if (v100) {
    ++at;
  } else if (!words.empty() && words[0].find('/') != std::string::npos) {
    where = words[at++];
  }
  if (!v100 && at < words.size() && number_of(words[at]) == 0) model = words[at++];
  if (at + 1 >= words.size()) unknown(name, "it needs a step and what of it");
  const std::string id = words[at], what = joined_from(words, at + 1);
  if (v100) return published(id, what, name);
  const Result* result = timed_result(study(where), model, id);
  if (result == nullptr)
    unknown(name, fmt::format("results/{} has no time of {} {}", where, model, id));
  return recorded(study(where), *result, what, name);
}

double Evidence::value_of(std::string_view name) const {
  const std::optional<double> known = quantity(name).value;
  if (!known) throw std::runtime_error(fmt::format("'{}' is not counted yet", name));
  return *known;
}

void Evidence::require(std::string_view claim) const {
  const std::size_t sign = claim.find_first_of("<>");
  if (sign == std::string_view::npos)
    throw std::runtime_error(fmt::format("'{}' claims nothing: it needs < or >", claim));
  const auto value = [this](std::string_view side) {
    const std::vector<std::string> words = words_of(side);
    return words.size() == 1 ? std::stod(words[0]) : value_of(side);
  };
  const double left = value(claim.substr(0, sign)), right = value(claim.substr(sign + 1));
  if (claim[sign] == '<' ? !(left < right) : !(left > right))
    throw std::runtime_error(
        fmt::format("'{}' does not hold: {:.4g} against {:.4g}", claim, left, right));
}

std::string Evidence::file_text(const std::string& file) const {
  std::ifstream stream(repository_ / file, std::ios::binary);
  if (!stream) throw std::runtime_error(fmt::format("{} cannot be read", file));
  return {std::istreambuf_iterator<char>(stream), {}};
}

void Evidence::require_quotation(const std::string& file, std::string_view words,
                                 std::string_view number) const {
  constexpr std::size_t shortest = 10;  // less than that stands anywhere
  if (words.size() < shortest)
    throw std::runtime_error(fmt::format("'{}' is too short to be found in {}", words, file));
  if (words.find(number) == words.npos)
    throw std::runtime_error(fmt::format("'{}' is not one of '{}'", number, words));
  const auto one_line = [](std::string_view text) {
    return joined_from(words_of(text), 0);  // line breaks do not matter
  };
  if (one_line(file_text(file)).find(one_line(words)) == std::string::npos)
    throw std::runtime_error(fmt::format("'{}' does not stand in {}", words, file));
}

std::string Evidence::line_with(const std::string& file, std::string_view words) const {
  std::istringstream lines(file_text(file));
  const std::vector<std::string> wanted = words_of(words);
  for (std::string line; std::getline(lines, line);) {
    std::size_t at = 0;
    for (const std::string& word : wanted) {
      at = line.find(word, at);
      if (at == line.npos) break;
      at += word.size();
    }
    if (at != line.npos) return line;
  }
  throw std::runtime_error(fmt::format("{} has no line with the words '{}'", file, words));
}

void Evidence::require_in_line(const std::string& line, std::string_view expression,
                               std::string_view old) const {
  const std::vector<double> there = numbers_in(line);
  const auto stands = [&there](std::string_view number) {
    return std::ranges::any_of(there, [&](double one) { return rounds_to(one, number); });
  };
  if (expression.empty() && stands(old)) return;
  const auto is_power_of_ten = [](double one) {
    return std::log10(one) == std::round(std::log10(one));
  };
  for (const double part : numbers_in(expression))
    if (!is_power_of_ten(part) && !stands(fmt::format("{}", part)))
      throw std::runtime_error(fmt::format("{} does not stand in the line: {}", part, line));
  if (expression.empty() || !rounds_to(computed(expression, {}), old))
    throw std::runtime_error(
        fmt::format("'{}' is not '{}' of the line: {}", old, expression, line));
}

std::string Evidence::sourced(std::string_view source, std::string_view old) const {
  constexpr std::string_view in = "in ", table = "table ", told = "told: ", sum = "computed: ";
  if (source.starts_with(table)) return evidence_table(*this, source.substr(table.size()));
  const std::string kept(old);
  if (source.starts_with(told)) return kept;
  if (source.starts_with(sum)) {
    const double value = computed(source.substr(sum.size()),
                                  [this](std::string_view name) { return value_of(name); });
    if (rounds_to(value, old)) return kept;
    throw std::runtime_error(fmt::format("'{}' is not '{}': {:.6g}", old, source, value));
  }
  if (!source.starts_with(in)) return quantity(source).text;
  const std::string_view place = source.substr(in.size());
  const std::size_t quote = place.find(" \""), end = place.rfind('"');
  if (quote != place.npos && quote + 1 < end) {
    const std::string_view words = place.substr(quote + 2, end - quote - 2);
    require_in_line(line_with(std::string(place.substr(0, quote)), words), place.substr(end + 1),
                    old);
    return kept;
  }
  const std::size_t colon = place.find(": ");
  require_quotation(std::string(place.substr(0, colon)),
                    colon == place.npos ? old : place.substr(colon + 2), old);
  return kept;
}

std::string Evidence::fill_in(std::string_view text) const {
  return filled(
      text, [this](std::string_view source, std::string_view old) { return sourced(source, old); },
      [this](std::string_view claim) { require(claim); });
}

}  // namespace gpp
