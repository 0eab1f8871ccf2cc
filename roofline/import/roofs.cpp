// Roofs by name or from a file: those of papers and data sheets, those of cards that were measured
// here, and those in a study, a profile, what `roofline ceilings --json` prints, or roofline.csv.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "roofline/base/files.h"
#include "roofline/base/json_place.h"
#include "roofline/base/text.h"
#include "roofline/import/import.h"
#include "roofline/import/tables.h"
#include "roofline/models/model_table.h"
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
  std::vector<std::string> found;
  for (const char* file : {"study.json", "profile.json", "ceilings.json"})
    if (fs::exists(fs::path(name) / file, error)) found.push_back((fs::path(name) / file).string());
  if (found.size() > 1 || (found.empty() && fs::is_directory(name, error)))
    refuse_file(name,
                "name one file in this folder: its study.json, profile.json or ceilings.json");
  return found.empty() ? name : found.front();
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

constexpr const char* anew = "write it anew";

/// How roofline.csv names a roof.
struct RoofColumn {
  const char* column;
  const char* name;
  const char* label;
};
constexpr RoofColumn roof_columns[] = {{"L1Bw", "l1", "vL1D"},
                                       {"LDSBw", "shared", "LDS"},
                                       {"L2Bw", "l2", "L2"},
                                       {"HBMBw", "dram", "HBM"},
                                       {"FP64Flops", "fp64_fma", "FP64, FMA"},
                                       {"FP32Flops", "fp32_fma", "FP32, FMA"},
                                       {"FP16Flops", "fp16_fma", "FP16, FMA"},
                                       {"MFMAF64Flops", "fp64_tensor", "FP64 MFMA"},
                                       {"MFMAF32Flops", "fp32_tensor", "FP32 MFMA"},
                                       {"MFMABF16Flops", "bf16_tensor", "BF16 MFMA"},
                                       {"MFMAF16Flops", "fp16_tensor", "FP16 MFMA"},
                                       {"MFMAF8Flops", "fp8_tensor", "FP8 MFMA"},
                                       {"MFMAF6F4Flops", "fp6_tensor", "FP6 and FP4 MFMA"},
                                       {"MFMAI8Ops", "int8_tensor", "INT8 MFMA"}};

}  // namespace

Ceilings roofs_called(const std::string& name_or_file, const std::string& kind) {
  for (Ceilings& roofs : find_roofs(name_or_file))
    if (!roofs.list.empty() && table_of(roofs.kind).vendor == table_of(kind).vendor) {
      roofs.kind = kind;
      return std::move(roofs);
    }
  refuse_file(
      "--roofs " + name_or_file,
      "no roofs of a device of this maker are in it; name a study of this profile's device, "
      "or what 'roofline ceilings --json' prints there");
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

Ceilings read_rocprof_roofs(std::string_view text, const std::string& file) {
  Ceilings ceilings;
  ceilings.kind = amd_table().device;
  bool first = true;
  for_each_row(text, file, anew, [&](const TableHeader& header, const CsvRow& row) {
    if (!std::exchange(first, false)) return;
    for (const auto& [column, name, label] : roof_columns) {
      const std::string* cell = header.find(row, {column});
      if (cell == nullptr) continue;  // of another chip
      const std::string from = fmt::format("column {} of {}", column, visible(file));
      const auto value = number_in(*cell);
      if (!value) {
        ceilings.missing.push_back({name, "no number in " + from});
        continue;
      }
      const double rate = 1e9 * *value;
      if (!bounds::roof.hold(rate))
        refuse_line(file, row.line, fmt::format("{} cannot be the rate of a GPU", column));
      const bool moves = std::string_view(column).ends_with("Bw");
      ceilings.list.push_back({name,
                               label,
                               moves ? CeilingKind::bandwidth : CeilingKind::compute,
                               rate,
                               {},
                               0,
                               from + ", as rocprof-compute measured it",
                               {}});
    }
  });
  if (first) refuse_file(file, "a header, and no row below it");
  return ceilings;
}

RocprofDevice read_rocprof_device(std::string_view text, const std::string& file) {
  RocprofDevice device;
  for_each_row(text, file, anew, [&device](const TableHeader& header, const CsvRow& row) {
    const std::string* type = header.find(row, {"Agent_Type"});
    if (type != nullptr && *type != "GPU") return;
    if (const std::string* chip = header.find(row, {"gpu_arch", "gpu_soc", "Name"}))
      device.chips.insert(visible(*chip));
    if (const std::string* name = header.find(row, {"gpu_model", "gpu_series", "Product_Name"}))
      device.name = (name->starts_with("AMD") ? "" : "AMD ") + *name;
  });
  return device;
}

}  // namespace roofline
