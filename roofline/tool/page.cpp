#include "roofline/tool/page.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

#include "roofline/base/replace_file.h"
#include "roofline/base/visible.h"
#include "roofline/json.h"
#include "roofline/page/parts.h"
#include "roofline/tool/show.h"

namespace roofline {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// The models, precisions and those of instructions, whose chart shows each kernel, by the number
/// of the kernel.
std::map<std::string, std::vector<std::string>> drawn_kernels(const Profile& profile) {
  std::map<std::string, std::vector<std::string>> drawn;
  for (const auto& charts : {profile_rooflines(profile), profile_instruction_rooflines(profile)})
    for (const RooflineChart& chart : charts)
      for (const Step& step : chart.steps) drawn[step.label].push_back(chart.model.name);
  return drawn;
}

Json instructions_of(const KernelProfile& kernel) {
  if (!kernel.seconds) return nullptr;
  return instructions_json({kernel.name, instruction_facts(kernel.metrics, *kernel.seconds),
                            kernel.instructions.points});
}

Json busiest_json(const Profile& profile, const KernelProfile& kernel) {
  const auto busiest = busiest_level(profile, kernel);
  if (!busiest) return nullptr;
  return {{"level", busiest->level},
          {"bytes_per_s", json_number(busiest->bytes_per_s)},
          {"percent", json_number(busiest->percent)}};
}

Json kernel_json(const Profile& profile, const KernelProfile& kernel) {
  const ModelTable& table = table_of(profile.kind);
  Json work = Json::object(), bytes = Json::object();
  for (const Model& model : table.models)
    if (const auto value = metric_value(kernel.metrics, model.work)) work[model.name] = *value;
  for (const Level& level : table.levels)
    if (const auto value = metric_value(kernel.metrics, level.traffic)) bytes[level.name] = *value;
  return {{"short", short_name(kernel.name)},
          {"name", kernel.name},
          {"launches", kernel.launches},
          {"seconds", kernel.seconds ? json_number(*kernel.seconds) : Json()},
          {"work", work},
          {"bytes", bytes},
          {"rooflines", rooflines_json(kernel.placed.points)},
          {"instruction_rooflines", rooflines_json(kernel.instructions.points)},
          {"instructions", instructions_of(kernel)},
          {"no_instructions", missing_json(kernel.instructions.missing)},
          {"busiest", busiest_json(profile, kernel)},
          {"missing", missing_json(kernel.missing)},
          {"notes", kernel.notes}};
}

Json kernels_json(const Profile& profile) {
  const auto drawn = drawn_kernels(profile);
  Json list = Json::array();
  for (const KernelProfile& kernel : profile.kernels) {
    Json one = kernel_json(profile, kernel);
    const std::string number = std::to_string(list.size() + 1);
    one["number"] = number;
    one["drawn"] = drawn.contains(number) ? Json(drawn.at(number)) : Json::array();
    list.push_back(std::move(one));
  }
  return list;
}

Json models_of(const std::string& kind, const Json& models) {
  Json list = Json::array();
  for (const Json& model : models)
    if (model["device"] == kind) list.push_back(model);
  return list;
}

/// "vcopy on AMD MI200"; of several their devices.
std::string title_of(const std::vector<KeptProfile>& kept) {
  if (kept.size() == 1 && !kept.front().profile.device.empty())
    return kept.front().profile.program + " on " + kept.front().profile.device;
  if (kept.size() == 1) return kept.front().profile.program;
  std::set<std::string> devices;
  for (const KeptProfile& one : kept) devices.insert(one.profile.device);
  return fmt::format("{} profiles on {}", kept.size(), fmt::join(devices, ", "));
}

/// The name of each, with a number where two have the same.
std::vector<std::string> names_of(const std::vector<KeptProfile>& kept) {
  std::vector<std::string> names;
  std::map<std::string, int> met;
  for (const KeptProfile& one : kept) {
    const std::string name = kept_name(one);
    const int count = ++met[name];
    names.push_back(count == 1 ? name : fmt::format("{} ({})", name, count));
  }
  return names;
}

}  // namespace

PageParts profile_page_parts() {
  PageParts parts = page_parts();
  for (const EmbeddedText& file : embedded_profile_page()) parts.add(file.path, file.text);
  parts.without_script =
      "Everything it shows is in the file profile.json beside it; <code>roofline show "
      "FOLDER</code> "
      "prints the tables.";
  return parts;
}

Json profile_page_data(const KeptProfile& kept, const StaticCharts& charts) {
  const Profile& profile = kept.profile;
  Json data = with_visible_texts(
      {{"program", profile.program},
       {"device", profile.device},
       {"kind", profile.kind},
       {"source", profile.source},
       {"created", profile.created},
       {"seconds", json_number(profile.seconds())},
       {"notes", profile.notes},
       {"ceilings", profile.ceilings ? ceilings_json(*profile.ceilings) : Json()},
       {"kernels", kernels_json(profile)}});
  data["models"] = models_of(profile.kind, models_json());
  data["instruction_models"] = models_of(profile.kind, instruction_models_json());
  data["charts"] = charts;
  return data;
}

void write_profile_page(const fs::path& file, const std::vector<KeptProfile>& kept) {
  const PageParts parts = profile_page_parts();
  const std::vector<std::string> names = names_of(kept);
  Json profiles = Json::array();
  for (std::size_t i = 0; i < kept.size(); ++i) {
    // With Plotly inside, static charts would only make the file larger.
    const StaticCharts charts =
        parts.plotly.empty() ? static_charts(kept[i].folder) : StaticCharts{};
    profiles.push_back(profile_page_data(kept[i], charts));
    profiles.back()["name"] = names[i];
  }
  const Json data = {
      {"profiles", profiles}, {"most_shown", most_shown}, {"version", ROOFLINE_VERSION}};
  write_whole(file, assemble_page(parts, visible(title_of(kept)), data));
}

}  // namespace roofline
