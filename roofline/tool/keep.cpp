// Stores a profile: profile.json, its charts and its page in one folder.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "roofline/base/error.h"
#include "roofline/base/replace_file.h"
#include "roofline/base/visible.h"
#include "roofline/tool/page.h"
#include "roofline/tool/show.h"
#include "roofline/view/chart_files.h"

namespace roofline {

namespace fs = std::filesystem;

void refuse_to_overwrite(const fs::path& file, bool replace) {
  std::error_code error;
  if (fs::exists(fs::symlink_status(file, error)) && !replace)
    throw InputError(fmt::format("{} is there already; name another folder, or say --replace",
                                 visible(file.string())));
}

namespace {

/// Removes the charts of an earlier profile, because the new one may have other charts.
void remove_charts(const fs::path& folder) {
  std::error_code ignored;
  for (const ModelTable* table : all_tables())
    for (const auto* models : {&table->models, &table->instruction_models})
      for (const Model& model : *models)
        for (const char* ending : {".svg", ".csv"})
          fs::remove(folder / ("roofline-" + model.name + ending), ignored);
}

}  // namespace

std::string write_profile(const Profile& profile, const fs::path& folder, bool replace) {
  const fs::path file = folder / "profile.json";
  refuse_to_overwrite(file, replace);
  std::error_code error;
  fs::create_directories(folder, error);
  if (!fs::is_directory(folder, error))
    throw InputError(fmt::format("{}: this folder cannot be made", visible(folder.string())));
  const bool replaces = fs::exists(file, error);
  write_whole(file, profile_json(profile).dump(1) + "\n");
  if (replaces) remove_charts(folder);
  const WrittenCharts charts = write_charts(folder, profile_pictures(profile));
  const fs::path report = folder / "report.html";
  write_profile_page(report, {{folder, profile}});
  return fmt::format("Recorded in {}\n{}{}Report: {}\n", visible(folder.string()), charts.note,
                     charts.note.empty() ? "" : "\n", visible(report.string()));
}

}  // namespace roofline
