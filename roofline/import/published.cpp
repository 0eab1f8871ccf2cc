// The roofs that have names: those of papers and data sheets, and those of cards that were measured
// here.
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "roofline/import/import.h"
#include "roofline/import/tables.h"
#include "roofline/models/table_text.h"

namespace roofline {
namespace {

/// By name, what `roofline ceilings --json` would print. The order is that of the help.
const nlohmann::ordered_json& published() {
  static const auto json = nlohmann::ordered_json::parse(embedded_table("published.json"));
  return json;
}

/// A measured card is called by the folder of its results.
std::string_view name_of(const EmbeddedText& record) {
  return record.path.substr(0, record.path.find('/'));
}

/// Records are read when they are needed: they are long, and each help lists the names.
Ceilings measured(const EmbeddedText& record) {
  for (Ceilings& ceilings :
       read_roofs(std::string(record.text), "results/" + std::string(record.path)))
    if (ceilings.kind == "gpu") return std::move(ceilings);
  throw std::logic_error("no roofs of a GPU in results/" + std::string(record.path));
}

}  // namespace

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
  for (const EmbeddedText& record : embedded_roofs()) names.emplace_back(name_of(record));
  return names;
}

std::string published_name(const std::string& device, const std::string& kind) {
  const auto says = [&device](const char* part) { return device.find(part) != device.npos; };
  // A part of a card, by MIG, is none.
  if (kind == "gpu" && (says("A100-") || says("A100 ")) && !says("MIG"))
    return !says("80GB") ? "a100" : says("PCIe") ? "a100-80gb-pcie" : "a100-80gb";
  for (const EmbeddedText& record : embedded_roofs())
    if (kind == "gpu" && measured(record).device == device) return std::string(name_of(record));
  return {};
}

}  // namespace roofline
