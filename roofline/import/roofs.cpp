// Roofs by name or from a file: those of papers and data sheets, those of cards that were measured
// here, and those in a study, a profile, what `roofline ceilings --json` prints, or roofline.csv.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "roofline/base/error.h"
#include "roofline/base/json_place.h"
#include "roofline/base/outside.h"
#include "roofline/base/text.h"
#include "roofline/base/visible.h"
#include "roofline/import/import.h"
#include "roofline/import/tables.h"
#include "roofline/models/table_text.h"
#include "roofline/record/facts.h"

namespace roofline {
namespace {

/// By name, what `roofline ceilings --json` would print. The order is that of the help.
const nlohmann::ordered_json& published() {
  static const auto json = nlohmann::ordered_json::parse(embedded_table("published.json"));
  return json;
}

/// A measured card is called by the folder of its results.
std::string name_of(const EmbeddedText& record) {
  return std::string(record.path.substr(0, record.path.find('/')));
}

/// The roofs of each device in a text. Throws InputError.
std::vector<Ceilings> read_roofs(std::string_view text, const std::string& file) {
  std::vector<Ceilings> all;
  if (kind_of(text) == TableKind::roofs) {
    all.push_back(read_rocprof_roofs(text, file));
  } else {
    constexpr const char* no_roofs =
        "holds no roofs: neither JSON nor rocprof-compute's roofline.csv";
    nlohmann::json json = json_in(text, file, no_roofs);
    if (!json.is_object()) refuse_file(file, no_roofs);
    if (!json.contains("ceilings")) json = nlohmann::json{{"ceilings", std::move(json)}};
    read(JsonPlace(json, "", file), [&](Fields& field) { ceilings_field(field, all); });
  }
  for (Ceilings& ceilings : all) ceilings.from = visible(file);
  return all;
}

/// Records are read when they are needed: they are long, and each help lists the names.
Ceilings measured(const EmbeddedText& record) {
  for (Ceilings& ceilings : read_roofs(record.text, "results/" + std::string(record.path)))
    if (ceilings.kind == "gpu") return std::move(ceilings);
  throw std::logic_error("no roofs of a GPU in results/" + std::string(record.path));
}

/// The file with roofs in a folder; any other name as it is. Throws InputError.
std::string file_with_roofs(const std::string& name) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (!fs::is_directory(name, error)) return name;
  std::vector<std::string> found;
  for (const char* file : {"study.json", "profile.json", "ceilings.json"})
    if (fs::exists(fs::path(name) / file, error)) found.emplace_back(file);
  if (found.size() == 1) return (fs::path(name) / found.front()).string();
  refuse_file(name, found.empty() ? "none of study.json, profile.json, ceilings.json is in this "
                                    "folder; name that of one study or profile, or a file"
                                  : fmt::format("{} are in this folder; name one of these files",
                                                fmt::join(found, " and ")));
}

std::vector<Ceilings> find_roofs(const std::string& name) {
  if (std::optional<Ceilings> published = published_roofs(in_lower_case(name)))
    return {*std::move(published)};
  std::error_code error;
  if (!std::filesystem::exists(name, error))
    throw InputError(fmt::format(
        "--roofs: {} A file or its folder may be named, too: a study, a profile, what 'roofline "
        "ceilings --json' prints, or roofline.csv",
        unknown_name("device", visible(name), published_names())));
  const std::string file = file_with_roofs(name);
  return read_roofs(text_of_table(file), file);
}

}  // namespace

Ceilings roofs_called(const std::string& name_or_file, const std::string& kind) {
  std::string others;
  for (Ceilings& roofs : find_roofs(name_or_file)) {
    if (roofs.list.empty()) continue;
    if (table_of(roofs.kind).vendor == table_of(kind).vendor) {
      roofs.kind = kind;
      return std::move(roofs);
    }
    others +=
        (others.empty() ? "the roofs of another maker's device, " : ", ") + visible(roofs.device);
  }
  refuse_file("--roofs " + name_or_file,
              (others.empty() ? "no roofs are in it" : others) +
                  "; name a study of this profile's device, or what 'roofline ceilings --json' "
                  "prints there");
}

std::string roofs_to_call() {
  return fmt::format("{}, or a file or folder with roofs", fmt::join(published_names(), ", "));
}

std::optional<Ceilings> published_roofs(std::string_view name) {
  for (const EmbeddedText& record : embedded_roofs())
    if (name_of(record) == name) return measured(record);
  const auto found = published().find(name);
  if (found == published().end()) return std::nullopt;
  Ceilings roofs = read_roofs(found->dump(), "published.json").front();
  roofs.from.clear();
  return roofs;
}

std::vector<std::string> published_names() {
  std::vector<std::string> names;
  for (const auto& [name, roofs] : published().items()) names.push_back(name);
  for (const EmbeddedText& record : embedded_roofs()) names.push_back(name_of(record));
  return names;
}

std::string published_name(const std::string& device, const std::string& kind) {
  const auto says = [&device](const char* part) { return device.find(part) != device.npos; };
  // A part of a card, by MIG, is none.
  if (kind == "gpu" && (says("A100-") || says("A100 ")) && !says("MIG"))
    return !says("80GB") ? "a100" : says("PCIe") ? "a100-80gb-pcie" : "a100-80gb";
  for (const EmbeddedText& record : embedded_roofs())
    if (kind == "gpu" && measured(record).device == device) return name_of(record);
  return {};
}

}  // namespace roofline
