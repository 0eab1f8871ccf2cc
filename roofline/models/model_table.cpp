#include "roofline/models/model_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "roofline/base/text.h"

namespace roofline {
namespace {

/// In an order in which each names only those before it.
const std::vector<BlockKind>& kinds() {
  static const std::vector<BlockKind> kinds = {
      {"vendor", {"device"}},
      {"source", {"text"}},
      {"metric", {"formula", "elsewhere", "when", "above", "unit", "meaning", "source"}, "formula"},
      {"level", {"label", "traffic", "roof", "beside"}},
      {"transactions", {"label", "count", "roof", "bytes"}},
      {"wall", {"label", "level", "intensity"}},
      {"model",
       {"title", "work", "unit", "peak", "thin", "levels", "fma_fraction", "pipe", "across", "up"}},
      {"movement", {"title", "work", "unit", "peak", "levels", "across", "up"}},
      {"instructions",
       {"title", "work", "active", "unit", "rate", "peak", "thin", "levels", "walls", "across",
        "up"}}};
  return kinds;
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

template <typename Row>
const Row* find_row(const std::vector<Row>& rows, std::string_view name) {
  const auto found = std::ranges::find(rows, name, &Row::name);
  return found == rows.end() ? nullptr : &*found;
}

/// The rows whose names a field gives, one after the other.
template <typename Row>
std::vector<Row> rows_named(const TableBlock& block, std::string_view key,
                            const std::vector<Row>& rows) {
  std::vector<Row> named;
  for (const std::string& name : words_of(block.text_or_empty(key))) {
    const Row* row = find_row(rows, name);
    if (row == nullptr) block.refuse(block.line, fmt::format("unknown {} '{}'", key, name));
    named.push_back(*row);
  }
  return named;
}

Metric metric_in(const TableBlock& block, const ModelTable& table) {
  Metric metric;
  metric.name = block.name;
  for (const TableField& field : block.fields)
    if (field.key == "formula")
      metric.formulas.push_back(block.formula(field));
    else if (field.key == "elsewhere")
      metric.elsewhere = block.formula(field);
  metric.when = block.text_or_empty("when");
  if (block.find("above") != nullptr) metric.above = block.positive("above");
  metric.unit = block.text("unit");
  metric.meaning = block.text("meaning");
  metric.source = rows_named(block, "source", table.sources).at(0).text;
  return metric;
}

/// A model of operations, of instructions or of movement: fields that it lacks are empty.
Model model_in(const TableBlock& block, const std::vector<Level>& levels,
               const std::vector<Wall>& walls) {
  Model model;
  model.name = block.name;
  for (const auto& [key, value] : {std::pair("title", &model.title),
                                   {"work", &model.work},
                                   {"unit", &model.unit},
                                   {"peak", &model.peak},
                                   {"across", &model.across},
                                   {"up", &model.up}})
    *value = block.text(key);
  for (const auto& [key, value] : {std::pair("fma_fraction", &model.fma_fraction),
                                   {"pipe", &model.pipe},
                                   {"rate", &model.rate},
                                   {"active", &model.active}})
    *value = block.text_or_empty(key);
  model.thin = words_of(block.text_or_empty("thin"));
  model.levels = rows_named(block, "levels", levels);
  model.walls = rows_named(block, "walls", walls);
  model.moves = block.kind == "movement";
  return model;
}

ModelTable table_in(const std::vector<TableBlock>& blocks) {
  ModelTable table;
  std::vector<Level> transactions;
  std::vector<Wall> walls;
  const auto read = [&](const TableBlock& block) {
    const std::string &name = block.name, &kind = block.kind;
    if (kind == "vendor") {
      table.vendor = name;
      table.device = block.text("device");
    } else if (kind == "source") {
      table.sources.push_back({name, block.text("text")});
    } else if (kind == "metric") {
      table.metrics.push_back(metric_in(block, table));
    } else if (kind == "level") {
      table.levels.push_back({name, block.text("label"), block.text_or_empty("traffic"),
                              block.text("roof"), block.text_or_empty("beside") == "yes"});
    } else if (kind == "transactions") {
      transactions.push_back({name, block.text("label"), block.text("count"), block.text("roof"),
                              false, block.positive("bytes")});
    } else if (kind == "wall") {
      walls.push_back(
          {name, block.text("label"), block.text("level"), block.positive("intensity")});
    } else if (kind == "instructions") {
      table.instruction_models.push_back(model_in(block, transactions, walls));
    } else if (kind == "movement") {
      table.movement = model_in(block, table.levels, walls);
    } else {
      table.models.push_back(model_in(block, table.levels, walls));
    }
  };
  for (const BlockKind& kind : kinds())
    for (const TableBlock& block : blocks)
      if (block.kind == kind.name) read(block);
  return table;
}

/// The table of a text, and of others that change it block by block.
ModelTable own_table(const std::vector<std::string>& names) {
  std::vector<TableBlock> blocks;
  for (const std::string& name : names)
    for (TableBlock& block : read_blocks(embedded_table(name), name, kinds())) {
      const auto same = std::ranges::find_if(blocks, [&block](const TableBlock& one) {
        return one.kind == block.kind && (one.name == block.name || one.kind == "vendor");
      });
      *(same == blocks.end() ? blocks.insert(same, block) : same) = block;
    }
  return table_in(blocks);
}

}  // namespace

const Level* Model::find_level(std::string_view level) const { return find_row(levels, level); }

const Metric* ModelTable::find_metric(std::string_view name) const {
  return find_row(metrics, name);
}

const Model* ModelTable::find_model(std::string_view name) const {
  if (movement && movement->name == name) return &*movement;
  const Model* model = find_row(models, name);
  return model != nullptr ? model : find_row(instruction_models, name);
}

const std::vector<const ModelTable*>& all_tables() {
  static const ModelTable nvidia = own_table({"nvidia.txt"}), host = own_table({"host.txt"}),
                          amd = own_table({"amd.txt"}),
                          gfx94x = own_table({"amd.txt", "gfx94x.txt"}),
                          gfx950 = own_table({"amd.txt", "gfx94x.txt", "gfx950.txt"});
  static const std::vector<const ModelTable*> tables = {&nvidia, &host, &amd, &gfx94x, &gfx950};
  return tables;
}

const ModelTable& nvidia_table() { return *all_tables()[0]; }
const ModelTable& host_table() { return *all_tables()[1]; }
const ModelTable& amd_table() { return *all_tables()[2]; }

const ModelTable& table_of(std::string_view device) {
  for (const ModelTable* table : all_tables())
    if (table->device == device) return *table;
  return nvidia_table();
}

const ModelTable* table_of_chip(std::string_view chip) {
  const std::string family = in_lower_case(chip.substr(0, chip.find(':')));
  for (const auto& [name, device] : {std::pair("gfx90a", "amd"),
                                     {"gfx940", "gfx94x"},
                                     {"gfx941", "gfx94x"},
                                     {"gfx942", "gfx94x"},
                                     {"gfx950", "gfx950"}})
    if (family == name) return &table_of(device);
  return nullptr;
}

std::string level_label(std::string_view device, const std::string& level) {
  const Level* known = find_row(table_of(device).levels, level);
  return known == nullptr ? level : known->label;
}

bool is_nearer(const std::string& level, const std::string& other) {
  constexpr std::string_view order[] = {"l1", "shared", "l2", "l3", "dram"};
  const auto place = [&order](const std::string& name) { return std::ranges::find(order, name); };
  return std::pair(place(level), level) < std::pair(place(other), other);
}

namespace {

/// The kind of a new block, which must not stand there before.
const BlockKind& kind_of(const TableBlock& block, const std::vector<TableBlock>& before,
                         const std::vector<BlockKind>& kinds) {
  const auto kind = std::ranges::find(kinds, block.kind, &BlockKind::name);
  if (kind == kinds.end()) block.refuse(block.line, fmt::format("unknown block '{}'", block.kind));
  for (const TableBlock& other : before)
    if (other.kind == block.kind && other.name == block.name)
      block.refuse(block.line, fmt::format("a second {} '{}'", block.kind, block.name));
  return *kind;
}

}  // namespace

const TableField* TableBlock::find(std::string_view key) const {
  const auto found = std::ranges::find(fields, key, &TableField::key);
  return found == fields.end() ? nullptr : &*found;
}

const std::string& TableBlock::text(std::string_view key) const {
  const TableField* field = find(key);
  if (field == nullptr) refuse(line, fmt::format("{} '{}' has no '{}'", kind, name, key));
  return field->value;
}

std::string TableBlock::text_or_empty(std::string_view key) const {
  return find(key) == nullptr ? "" : text(key);
}

double TableBlock::positive(std::string_view key) const {
  const std::string& digits = text(key);
  const char* const behind = digits.data() + digits.size();
  double value = 0;
  const auto [end, error] = std::from_chars(digits.data(), behind, value);
  if (error != std::errc() || end != behind || !(value > 0) || value > 1e9)
    refuse(find(key)->line, fmt::format("'{}' is a number above 0, such as 32", key));
  return value;
}

Formula TableBlock::formula(const TableField& field) const {
  try {
    return Formula(field.value);
  } catch (const FormulaError& error) {
    refuse(field.line, error.what());
  }
}

void TableBlock::refuse(int at, std::string_view what) const {
  throw InputError(fmt::format("{}:{}: {}", file, at, visible(what)));
}

std::string_view embedded_table(std::string_view name) {
  for (const EmbeddedText& file : embedded_tables())
    if (file.path == name) return file.text;
  throw std::logic_error(fmt::format("the library was built without its table {}", name));
}

std::vector<TableBlock> read_blocks(std::string_view text, const std::string& file,
                                    const std::vector<BlockKind>& kinds) {
  std::vector<TableBlock> blocks;
  const BlockKind* kind = nullptr;
  std::size_t margin = 0;  // of the fields of the current block
  for (int number = 1; !text.empty(); ++number) {
    const std::string_view line = text.substr(0, text.find('\n')), words = trimmed(line);
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (words.empty() || words.front() == '#') continue;
    const std::size_t indent = line.find(words.front());
    if (kind != nullptr && !blocks.back().fields.empty() && indent > margin) {
      blocks.back().fields.back().value += fmt::format(" {}", words);
      continue;
    }
    const std::size_t end = std::min(words.find(' '), words.size());
    const std::string first(words.substr(0, end)), rest(trimmed(words.substr(end)));
    TableBlock block{first, rest, file, number};
    if (rest.empty()) block.refuse(number, fmt::format("nothing stands behind '{}'", first));
    if (indent == 0) {
      kind = &kind_of(block, blocks, kinds);
      margin = std::string_view::npos;
      blocks.push_back(std::move(block));
      continue;
    }
    if (kind == nullptr) block.refuse(number, "a field before any block");
    if (std::ranges::find(kind->fields, first) == kind->fields.end())
      block.refuse(number, unknown_name("field of a " + kind->name, first, kind->fields));
    if (first != kind->repeated && blocks.back().find(first) != nullptr)
      block.refuse(number, fmt::format("a second '{}'", first));
    blocks.back().fields.push_back({first, rest, number});
    margin = indent;
  }
  return blocks;
}

}  // namespace roofline
