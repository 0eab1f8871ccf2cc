#include "roofline/models/model_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <sstream>
#include <utility>

#include "roofline/base/error.h"
#include "roofline/base/text.h"
#include "roofline/models/table_text.h"

namespace roofline {
namespace {

const std::vector<BlockKind>& kinds() {
  static const std::vector<BlockKind> kinds = {
      {"vendor", {"device"}},
      {"source", {"text"}},
      {"metric", {"formula", "elsewhere", "when", "above", "unit", "meaning", "source"}, "formula"},
      {"level", {"label", "traffic", "roof", "beside"}},
      {"model",
       {"title", "work", "unit", "peak", "thin", "levels", "fma_fraction", "pipe", "across", "up"}},
      {"movement", {"title", "work", "unit", "peak", "levels", "across", "up"}},
      {"transactions", {"label", "count", "roof", "bytes"}},
      {"wall", {"label", "level", "intensity"}},
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
    if (row == nullptr) {
      std::vector<std::string> known;
      for (const Row& one : rows) known.push_back(one.name);
      block.refuse(block.find(key)->line, unknown_name(key, name, known));
    }
    named.push_back(*row);
  }
  return named;
}

struct Source {
  std::string name, text;
};

/// Reads blocks that name each other in any order: first the named ones, then those that name them.
class ModelTableReader {
 public:
  explicit ModelTableReader(std::vector<TableBlock> blocks) : blocks_(std::move(blocks)) {}

  ModelTable read() {
    for (const TableBlock& block : of("vendor")) {
      table_.vendor = block.name;
      table_.device = block.text("device");
    }
    for (const TableBlock& block : of("source"))
      sources_.push_back({block.name, block.text("text")});
    for (const TableBlock& block : of("metric")) table_.metrics.push_back(metric_in(block));
    for (const TableBlock& block : of("metric"))
      if (block.text_or_empty("when") != when_asked) metric_named(block, "when");
    for (const TableBlock& block : of("level"))
      table_.levels.push_back({block.name, block.text("label"), metric_named(block, "traffic"),
                               block.text("roof"), block.text_or_empty("beside") == "yes"});
    for (const TableBlock& block : of("transactions"))
      transactions_.push_back({block.name, block.text("label"), metric_named(block, "count"),
                               block.text("roof"), false, block.positive("bytes")});
    for (const TableBlock& block : of("wall")) {
      rows_named(block, "level", transactions_);
      walls_.push_back(
          {block.name, block.text("label"), block.text("level"), block.positive("intensity")});
    }
    for (const TableBlock& block : of("model"))
      table_.models.push_back(model_in(block, table_.levels));
    for (const TableBlock& block : of("instructions"))
      table_.instruction_models.push_back(model_in(block, transactions_));
    for (const TableBlock& block : of("movement")) {
      table_.movement = model_in(block, table_.levels);
      table_.movement->moves = true;
    }
    return std::move(table_);
  }

 private:
  std::vector<TableBlock> of(std::string_view kind) const {
    std::vector<TableBlock> list;
    std::ranges::copy_if(blocks_, std::back_inserter(list),
                         [kind](const TableBlock& block) { return block.kind == kind; });
    return list;
  }

  /// The name of the metric that a field gives; empty where the block does not have the field.
  std::string metric_named(const TableBlock& block, std::string_view key) const {
    rows_named(block, key, table_.metrics);
    return block.text_or_empty(key);
  }

  Metric metric_in(const TableBlock& block) const {
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
    block.text("source");
    metric.source = rows_named(block, "source", sources_).front().text;
    return metric;
  }

  /// A model of operations, of instructions or of movement: fields that it lacks are empty.
  Model model_in(const TableBlock& block, const std::vector<Level>& levels) const {
    Model model;
    model.name = block.name;
    model.title = block.text("title");
    model.work = block.text("work");
    metric_named(block, "work");
    model.unit = block.text("unit");
    model.peak = block.text("peak");
    model.thin = words_of(block.text_or_empty("thin"));
    block.text("levels");
    model.levels = rows_named(block, "levels", levels);
    model.fma_fraction = metric_named(block, "fma_fraction");
    model.pipe = metric_named(block, "pipe");
    model.across = block.text("across");
    model.up = block.text("up");
    model.rate = block.text_or_empty("rate");
    model.active = metric_named(block, "active");
    model.walls = rows_named(block, "walls", walls_);
    return model;
  }

  std::vector<TableBlock> blocks_;
  std::vector<Source> sources_;
  std::vector<Level> transactions_;
  std::vector<Wall> walls_;
  ModelTable table_;
};

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
  return ModelTableReader(std::move(blocks)).read();
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

ModelTable read_model_table(std::string_view text, const std::string& file) {
  return ModelTableReader(read_blocks(text, file, kinds())).read();
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

}  // namespace roofline
