#include "roofline/profile.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "roofline/base/machine.h"
#include "roofline/base/text.h"
#include "roofline/json.h"
#include "roofline/record/facts.h"

namespace roofline {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* mark = "roofline_profile";
constexpr int version = 1;
constexpr int most_gpus = 64;

void miss(KernelProfile& kernel, const std::string& name, const std::string& reason) {
  if (std::ranges::none_of(kernel.missing,
                           [&name](const Missing& one) { return one.name == name; }))
    kernel.missing.push_back({name, reason});
}

std::string lacking(const Metric& metric, const KernelProfile& kernel) {
  std::vector<std::string> names;
  for (const std::string& name : counters_of(metric))
    if (!kernel.counters.contains(name)) names.push_back(name);
  if (names.size() > 4)
    return fmt::format("{} and {} more are not there", names.front(), names.size() - 1);
  return fmt::format("{} not there", fmt::join(names, ", "));
}

void name_the_missing(const ModelTable& table, KernelProfile& kernel) {
  const auto look = [&](const std::string& name, const std::string& metric) {
    if (metric.empty() || metric_value(kernel.metrics, metric)) return;
    if (const Metric* row = table.find_metric(metric)) miss(kernel, name, lacking(*row, kernel));
  };
  for (const Model& model : table.models) look(work_key(model.name), model.work);
  for (const Level& level : table.levels) look(level.name, level.traffic);
  if (!kernel.seconds) miss(kernel, "seconds", "no duration, and no cycles with their rate");
}

/// Notes half precision operations that may compute nothing: compilers load constants with HFMA2,
/// which counts as four operations.
void note_constants(KernelProfile& kernel) {
  if (kernel.counters.contains(half_constants)) return;  // constants are already subtracted
  if (!(metric_value(kernel.metrics, "fp16_flop").value_or(0) > 0)) return;
  if (metric_value(kernel.metrics, "fp16_fma_fraction").value_or(0) < 1) return;
  const std::string note =
      "FP16 work of kernels without any addition or multiplication of FP16: its HFMA2 may only "
      "load constants";
  if (std::ranges::find(kernel.notes, note) == kernel.notes.end()) kernel.notes.push_back(note);
}

Metrics stated_metrics(const std::map<std::string, double>& amounts, const ModelTable& table) {
  Metrics metrics;
  const auto put = [&](const std::string& key, const std::string& metric) {
    if (const auto found = amounts.find(key); found != amounts.end() && !metric.empty())
      metrics[metric] = found->second;
  };
  for (const Model& model : table.models) put(work_key(model.name), model.work);
  for (const Level& level : table.levels) put(level.name, level.traffic);
  return metrics;
}

/// The name without the scopes of unnamed namespaces and without its list of parameters, whose "("
/// stands outside of template arguments.
std::string without_parameters(std::string name) {
  for (const std::string_view scope : {"(anonymous namespace)::", "<unnamed>::", "unnamed>::"})
    for (std::size_t at = name.find(scope); at != name.npos; at = name.find(scope, at))
      name.erase(at, scope.size());
  int depth = 0;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name[i] == '<') ++depth;
    if (name[i] == '>' && depth > 0) --depth;
    if (name[i] == '(' && depth == 0 && i > 0) return name.substr(0, i);
  }
  return name;
}

std::string without_template_arguments(std::string_view name) {
  std::string text;
  int depth = 0;
  for (const char c : name) {
    if (c == '<') ++depth;
    if (depth == 0) text += c;
    if (c == '>' && depth > 0) --depth;
  }
  return text;
}

std::string with_gpu(const std::string& name, const KernelProfile& kernel) {
  return kernel.gpu ? fmt::format("{} on GPU {}", name, *kernel.gpu) : name;
}

/// Values derived from counters, time and roofs.
Json derived_json(const KernelProfile& kernel, const ModelTable& table) {
  Json work = Json::object(), bytes = Json::object();
  for (const Model& model : table.models)
    if (const auto value = metric_value(kernel.metrics, model.work))
      work[work_key(model.name)] = *value;
  if (const auto value = metric_value(kernel.metrics, "int_op")) work["int"] = *value;
  for (const Level& level : table.levels)
    if (const auto value = metric_value(kernel.metrics, level.traffic)) bytes[level.name] = *value;
  Json derived = {{"work", work},
                  {"bytes", bytes},
                  {"rooflines", rooflines_json(kernel.placed.points)},
                  {"instruction_rooflines", rooflines_json(kernel.instructions.points)}};
  if (kernel.stated) derived["formula_rooflines"] = rooflines_json(kernel.stated->placed.points);
  return derived;
}

/// Adds a part's missing values, with the part's name, unless the sum already has them.
void add_missing(const std::vector<Missing>& missing, const std::string& of, KernelProfile& sum) {
  for (const Missing& one : missing) {
    if (std::ranges::find(sum.missing, one.name, &Missing::name) != sum.missing.end()) continue;
    const bool of_part = !of.empty() && one.reason.find(" in it") != one.reason.npos &&
                         !one.reason.starts_with("in ");
    sum.missing.push_back({one.name, of_part ? "in " + of + ": " + one.reason : one.reason});
  }
}

void ranges_field(Fields& field, Profile& profile) {
  field(if_any("ranges"), profile.ranges, List<NoRule>{{}, most_ranges},
        "of NVTX, each behind the one around it");
  if (!field.reads()) return;
  std::vector<int> depths;
  for (const RangeProfile& range : profile.ranges) {
    if (range.parent >= static_cast<int>(depths.size()))
      field.refuse("ranges", "a range within one that does not come before it");
    depths.push_back(range.parent < 0 ? 1 : depths[static_cast<std::size_t>(range.parent)] + 1);
    if (depths.back() > deepest_range) field.refuse("ranges", "ranges that lie too deep");
  }
}

}  // namespace

double Profile::seconds() const {
  double sum = 0;
  for (const KernelProfile& kernel : kernels) sum += kernel.seconds.value_or(0);
  return sum;
}

void derive(Profile& profile) {
  const Ceilings* roofs = profile.ceilings ? &*profile.ceilings : nullptr;
  derive(profile.kernels, profile.kind, roofs);
  const auto derive_part = [&](KernelProfile& part) {
    if (part.launches > 0) derive(part, profile.kind, roofs);
  };
  std::vector<RangeProfile>& ranges = profile.ranges;
  for (RangeProfile& range : ranges) {
    derive_part(range.own);
    range.all = {};
    range.all.name = range.own.name = range_text(range);
    add_part(range.own, range.all);
  }
  // Nested ranges come after their parent: going backwards, each is complete when it is added.
  for (std::size_t i = ranges.size(); i-- > 0;)
    if (const int parent = ranges[i].parent; parent >= 0)
      add_part(ranges[i].all, ranges[static_cast<std::size_t>(parent)].all, range_text(ranges[i]));
  for (RangeProfile& range : ranges) derive_part(range.all);
}

void derive(KernelProfile& kernel, const std::string& kind, const Ceilings* ceilings) {
  const ModelTable& table = table_of(kind);
  kernel.metrics = evaluate(kernel.counters, table);
  name_the_missing(table, kernel);
  note_constants(kernel);
  kernel.placed = {};
  kernel.instructions = {};
  const bool timed = ceilings != nullptr && kernel.seconds && *kernel.seconds > 0;
  if (std::optional<StatedWork>& stated = kernel.stated) {
    stated->metrics = stated_metrics(stated->amounts, table);
    stated->placed = {};
    if (timed)
      stated->placed =
          roofline_points(stated->metrics, *kernel.seconds, CountedBy::analytic, *ceilings);
  }
  if (!timed) return;
  kernel.placed = roofline_points(kernel.metrics, *kernel.seconds, CountedBy::cupti, *ceilings);
  kernel.instructions =
      instruction_points(kernel.metrics, *kernel.seconds, CountedBy::cupti, *ceilings);
}

void derive(std::vector<KernelProfile>& kernels, const std::string& kind,
            const Ceilings* ceilings) {
  for (KernelProfile& kernel : kernels) derive(kernel, kind, ceilings);
  std::ranges::stable_sort(kernels, [](const KernelProfile& a, const KernelProfile& b) {
    return a.seconds.value_or(0) > b.seconds.value_or(0);
  });
}

std::string KernelProfile::key() const { return with_gpu(name, *this); }

std::string short_name(const std::string& name, std::size_t most) {
  std::string text(trimmed(
      without_template_arguments(without_parameters(name.substr(0, name.find(" [clone"))))));
  if (const std::size_t type = text.rfind(' '); type != std::string::npos) text.erase(0, type + 1);
  const std::size_t last = text.rfind("::");
  if (last != std::string::npos && last > 0)
    if (const std::size_t scope = text.rfind("::", last - 1); scope != std::string::npos)
      text.erase(0, scope + 2);
  if (text.empty()) text = name;
  return visible(shortened_inside(text, most, most / 3));
}

std::string label_of(const KernelProfile& kernel, std::size_t most) {
  if (kernel.shown_as.empty()) return with_gpu(short_name(kernel.name, most), kernel);
  return visible(shortened_inside(kernel.shown_as, most, most / 3));
}

std::string work_key(const std::string& model) {
  constexpr std::string_view tensor = "_tensor";
  if (!model.ends_with(tensor)) return model;
  return "tensor_" + model.substr(0, model.size() - tensor.size());
}

void add_part(const KernelProfile& part, KernelProfile& sum, const std::string& of) {
  if (part.launches == 0) return;
  add_missing(part.missing, of, sum);
  if (sum.launches == 0) {
    sum.launches = part.launches;
    sum.seconds = part.seconds;
    sum.counters = part.counters;
    return;
  }
  sum.launches = saturating_sum(sum.launches, part.launches);
  if (sum.seconds && part.seconds)
    *sum.seconds += *part.seconds;
  else
    sum.seconds.reset();
  std::erase_if(sum.counters,
                [&part](const auto& one) { return !part.counters.contains(one.first); });
  for (auto& [name, value] : sum.counters) value += part.counters.at(name);
}

std::string range_text(const RangeProfile& range) {
  if (range.name.empty() && range.domain.empty() && range.parent < 0) return "(outside of ranges)";
  return range.domain.empty() ? range.name : range.domain + "@" + range.name;
}

std::string range_path(const Profile& profile, int range) {
  std::string path;
  for (; range >= 0; range = profile.ranges[static_cast<std::size_t>(range)].parent) {
    const std::string text = range_text(profile.ranges[static_cast<std::size_t>(range)]);
    path = path.empty() ? text : text + " / " + path;
  }
  return path;
}

void fields(Fields& field, StatedWork& stated) {
  field("from", stated.from, any_text, "the file of formulas");
  field("amounts", stated.amounts, bounds::count, "operations by precision, bytes by level");
}

void fields(Fields& field, ProfiledGpu& gpu) {
  field("name", gpu.name, short_text);
  field("compute_capability", gpu.compute_capability, Whole{}, "90 for 9.0; 0: not known");
}

void fields(Fields& field, KernelProfile& kernel) {
  field("name", kernel.name, any_text, "whole, as the compiler or the profiler wrote it");
  field("launches", kernel.launches, Whole{1, bounds::large}, "those that were counted");
  field("seconds", kernel.seconds, bounds::seconds, "of all these launches; null: not known");
  if (field.reads() && kernel.seconds && !(*kernel.seconds > 0))
    field.refuse("seconds", "not a time");
  field("counters", kernel.counters, OrNull{bounds::count}, "raw, sums over the launches");
  field("missing", kernel.missing, NoRule{}, "what is not known, and why");
  field("notes", kernel.notes, any_text, "what to know of its numbers");
  field(if_any("gpu"), kernel.gpu, Whole{0, most_gpus - 1}, "its place in gpus");
  field(if_any("forms"), kernel.forms, List<NoRule>{{}, bounds::results},
        "how it was launched in the timed run, most time first");
  field("stated", kernel.stated, NoRule{}, "work that nobody counted");
}

void fields(Fields& field, RangeKernel& kernel) {
  field("name", kernel.name, any_text, "whole, as the compiler wrote it");
  field("launches", kernel.launches, Whole{1, bounds::large}, "in the timed run");
  field("seconds", kernel.seconds, bounds::seconds, "of these");
}

void fields(Fields& field, RangeProfile& range) {
  field("domain", range.domain, any_text, "of NVTX; empty: the default one");
  field("name", range.name, any_text, "empty: what was launched outside of all ranges");
  field("parent", range.parent, Whole{-1}, "in 'ranges', from 0; -1: none");
  field("launches", range.own.launches, any_size, "directly in it");
  field("seconds", range.own.seconds, bounds::seconds, "of these; null: not known");
  field("counters", range.own.counters, OrNull{bounds::count}, "raw, sums over these");
  field("missing", range.own.missing, NoRule{}, "what is not known, and why");
  field("notes", range.own.notes, any_text, "what to know of its numbers");
  field(may_lack("kernels"), range.kernels, "launched directly in it");
}

void fields(Fields& field, EnergyUsed& energy) {
  field("joules", energy.joules, bounds::not_negative, "from a move of the counter to a later one");
  field("seconds", energy.seconds, bounds::run_seconds, "between these two");
  field("updates", energy.updates, Whole{1}, "moves of the counter, after the first");
}

void fields(Fields& field, Profile& profile) {
  int its_version = version;
  field(mark, its_version, Whole{version, version}, "of this form of file");
  field("source", profile.source, short_text, "who counted: cupti, ncu, rocprof");
  field("program", profile.program, any_text, "command line or names of files");
  field("device", profile.device, short_text);
  field(if_any("gpus"), profile.gpus, List<NoRule>{{}, most_gpus}, "that kernels ran on");
  field("kind", profile.kind, Choice{{"gpu", "amd", "gfx94x", "gfx950"}});
  date_field(field, profile.created, "ISO 8601, UTC");
  field("kernels", profile.kernels, NoRule{});
  std::vector<Ceilings> ceilings;
  if (profile.ceilings) ceilings.push_back(*profile.ceilings);
  ceilings_field(field, ceilings);
  std::string from = profile.ceilings ? profile.ceilings->from : "";
  field(if_any("roofs_from"), from, any_text, "file or record that the roofs were taken from");
  field("energy", profile.energy, NoRule{},
        "of the whole device while the program was timed, whoever used it");
  field("notes", profile.notes, any_text, "what to know of all of it");
  ranges_field(field, profile);
  if (!field.reads()) return;
  for (Ceilings& one : ceilings)
    if (one.kind == profile.kind) profile.ceilings = std::move(one);
  if (profile.ceilings) profile.ceilings->from = from;
}

Json kernels_json(const std::vector<KernelProfile>& kernels, const std::string& kind) {
  Json list = Json::array();
  for (const KernelProfile& kernel : kernels) {
    list.push_back(facts_json(kernel));
    list.back().update(derived_json(kernel, table_of(kind)));
  }
  return list;
}

Json profile_json(const Profile& profile) {
  Json json = facts_json(profile);
  json["kernels"] = kernels_json(profile.kernels, profile.kind);
  for (std::size_t i = 0; i < profile.ranges.size(); ++i) {
    const KernelProfile& all = profile.ranges[i].all;
    json["ranges"][i]["all"] = {{"launches", all.launches}, {"seconds", nullptr}};
    if (all.seconds) json["ranges"][i]["all"]["seconds"] = *all.seconds;
    json["ranges"][i]["all"].update(derived_json(all, table_of(profile.kind)));
  }
  return json;
}

Profile read_profile(const nlohmann::json& json, const std::string& source) {
  const JsonPlace place(json, "", source);
  if (!place.has(mark)) throw InputError(visible(source) + ": JSON, but no profile of kernels");
  if (place[mark].integer(1, bounds::small) != version)
    throw InputError(visible(source) + ": a profile of a later version of this program");
  Profile profile = read_facts<Profile>(place);
  derive(profile);
  return profile;
}

}  // namespace roofline
