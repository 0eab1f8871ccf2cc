#include "roofline/tool/kept.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "roofline/base/error.h"
#include "roofline/base/visible.h"
#include "roofline/import/import.h"
#include "roofline/import/tables.h"

namespace roofline {

namespace fs = std::filesystem;

KeptProfile kept_profile(const std::string& record, const std::string& roofs) {
  std::error_code error;
  const bool is_folder = fs::is_directory(record, error);
  const fs::path file = is_folder ? fs::path(record) / "profile.json" : fs::path(record);
  if (is_folder && !fs::exists(file, error))
    throw InputError(
        fmt::format("{}: no profile.json in this folder; `roofline import FILE -o "
                    "FOLDER` keeps one",
                    visible(record)));
  const nlohmann::json json = nlohmann::json::parse(text_of_table(file.string()), nullptr, false);
  if (json.is_discarded())
    throw InputError(visible(file.string()) + ": not JSON, or cut off; import it anew");
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  KeptProfile kept{folder, read_profile(json, file.string())};
  if (!roofs.empty()) {
    kept.profile.ceilings = roofs_called(roofs, kept.profile.kind);
    derive(kept.profile);
  }
  return kept;
}

std::string kept_name(const KeptProfile& kept) {
  const fs::path folder = fs::absolute(kept.folder).lexically_normal();
  const fs::path name = folder.has_filename() ? folder.filename() : folder.parent_path().filename();
  return visible(name.string());
}

void add_roofs_option(CLI::App& command, std::string& roofs) {
  command.add_option("--roofs", roofs, "Other roofs: v100, mi250x, or a file");
}

}  // namespace roofline
