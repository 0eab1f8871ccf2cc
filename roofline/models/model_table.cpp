#include "roofline/models/model_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <sstream>
#include <utility>

#include "roofline/base/text.h"
#include "roofline/formula.h"
#include "roofline/models/table_text.h"

namespace roofline {
namespace {

template <typename Row>
const Row* find_row(const std::vector<Row>& rows, std::string_view name) {
  const auto found = std::ranges::find(rows, name, &Row::name);
  return found == rows.end() ? nullptr : &*found;
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

const std::vector<BlockKind>& kinds() {
  static const std::vector<BlockKind> kinds = {
      {"vendor", {"device"}, {}, true},
      {"source", {"text"}},
      {"metric", {"formula", "elsewhere", "when", "above", "unit", "meaning", "source"}, "formula"},
      {"level", {"label", "traffic", "roof", "beside"}},
      {"model",
       {"title", "work", "unit", "peak", "thin", "levels", "fma_fraction", "pipe", "across", "up"}},
      {"movement", {"title", "work", "unit", "peak", "levels", "across", "up"}, {}, true},
      {"transactions", {"label", "count", "roof", "bytes"}},
      {"wall", {"label", "level", "intensity"}},
      {"instructions",
       {"title", "work", "active", "unit", "rate", "peak", "thin", "levels", "walls", "across",
        "up"}}};
  return kinds;
}

void check_formula(const TableBlock& block, const TableField& field) {
  try {
    Formula{field.value};
  } catch (const FormulaError& error) {
    block.refuse(field.place_of(error.column() - 1), error.problem());
  }
}

/// Refuses the name that a field of the block gives unless a row has it.
template <typename Row>
void must_exist(const TableBlock& block, std::string_view key, std::string_view kind,
                const std::string& name, const std::vector<Row>& rows) {
  if (name.empty() || find_row(rows, name) != nullptr) return;
  std::vector<std::string> known;
  for (const Row& row : rows) known.push_back(row.name);
  const TableField& field = *block.find(key);
  block.refuse(field.place_of(field.value.find(name)), unknown_name(kind, name, known));
}

/// The rows whose names a field gives, one after the other.
template <typename Row>
std::vector<Row> rows_named(const TableBlock& block, std::string_view key, std::string_view kind,
                            const std::vector<Row>& rows) {
  std::vector<Row> named;
  for (const std::string& name : words_of(block.text_or_empty(key))) {
    must_exist(block, key, kind, name, rows);
    named.push_back(*find_row(rows, name));
  }
  return named;
}

/// Reads blocks that name each other in any order: first the named ones, then those that name them.
class ModelTableReader {
 public:
  ModelTableReader(std::vector<TableBlock> blocks, const std::string& file)
      : file_(file), blocks_(std::move(blocks)) {}

  ModelTable read() {
    for (const auto& [kind, action] : std::initializer_list<
             std::pair<std::string_view, void (ModelTableReader::*)(const TableBlock&)>>{
             {"vendor", &ModelTableReader::read_vendor},
             {"source", &ModelTableReader::read_source},
             {"metric", &ModelTableReader::read_metric},
             {"level", &ModelTableReader::read_level},
             {"model", &ModelTableReader::read_model},
             {"movement", &ModelTableReader::read_movement},
             {"transactions", &ModelTableReader::read_transactions},
             {"wall", &ModelTableReader::read_wall},
             {"instructions", &ModelTableReader::read_instructions},
             {"metric", &ModelTableReader::check_metric}})
      for (const TableBlock& block : blocks_)
        if (block.kind == kind) (this->*action)(block);
    if (table_.vendor.empty()) refuse_table(file_, {1, 1}, "no vendor is named");
    return std::move(table_);
  }

 private:
  struct Source {
    std::string name, text;
  };

  /// The name of the metric that a field gives; empty where the block does not have the field.
  std::string metric_named(const TableBlock& block, std::string_view key) const {
    std::string name = block.text_or_empty(key);
    must_exist(block, key, "metric", name, table_.metrics);
    return name;
  }

  void read_vendor(const TableBlock& block) {
    table_.vendor = block.name;
    table_.device = block.text("device");
  }

  void read_source(const TableBlock& block) {
    sources_.push_back({block.name, block.text("text")});
  }

  void read_metric(const TableBlock& block) {
    Metric metric;
    metric.name = block.name;
    for (const TableField& field : block.fields) {
      if (field.key != "formula" && field.key != "elsewhere") continue;
      check_formula(block, field);
      if (field.key == "elsewhere")
        metric.elsewhere = field.value;
      else if (metric.formula.empty())
        metric.formula = field.value;
      else
        metric.alternatives.push_back(field.value);
    }
    metric.when = block.text_or_empty("when");
    if (block.find("above") != nullptr) metric.above = block.positive("above");
    metric.unit = block.text("unit");
    metric.meaning = block.text("meaning");
    const std::string& source = block.text("source");
    must_exist(block, "source", "source", source, sources_);
    metric.source = find_row(sources_, source)->text;
    table_.metrics.push_back(metric);
  }

  /// A metric may name one that stands below it.
  void check_metric(const TableBlock& block) {
    if (block.text_or_empty("when") != when_asked) metric_named(block, "when");
  }

  void read_level(const TableBlock& block) {
    Level level{block.name, block.text("label"), metric_named(block, "traffic"), block.text("roof"),
                false};
    if (const TableField* beside = block.find("beside")) {
      if (beside->value != "yes")
        block.refuse(beside->place_of(0), "'beside' is either 'yes' or left out");
      level.beside = true;
    }
    table_.levels.push_back(level);
  }

  /// Reads the fields that models of operations, of instructions and of movement share. No two of
  /// different kinds have the same name.
  Model model_in(const TableBlock& block, const std::vector<Level>& levels) const {
    if (table_.find_model(block.name) != nullptr)
      block.refuse(block.at, fmt::format("a model is called '{}', too", block.name));
    Model model;
    model.name = block.name;
    model.title = block.text("title");
    model.work = block.text("work");
    model.unit = block.text("unit");
    model.peak = block.text("peak");
    model.thin = words_of(block.text_or_empty("thin"));
    model.across = block.text("across");
    model.up = block.text("up");
    metric_named(block, "work");
    block.text("levels");
    model.levels = rows_named(block, "levels", "level", levels);
    return model;
  }

  void read_model(const TableBlock& block) {
    Model model = model_in(block, table_.levels);
    model.fma_fraction = metric_named(block, "fma_fraction");
    model.pipe = metric_named(block, "pipe");
    table_.models.push_back(model);
  }

  void read_movement(const TableBlock& block) {
    table_.movement = model_in(block, table_.levels);
    table_.movement->moves = true;
  }

  void read_transactions(const TableBlock& block) {
    Level level{block.name, block.text("label"), block.text("count"), block.text("roof"), false};
    metric_named(block, "count");
    level.bytes_each = block.positive("bytes");
    transactions_.push_back(level);
  }

  void read_wall(const TableBlock& block) {
    const Wall wall{block.name, block.text("label"), block.text("level"),
                    block.positive("intensity")};
    must_exist(block, "level", "level", wall.level, transactions_);
    walls_.push_back(wall);
  }

  void read_instructions(const TableBlock& block) {
    Model model = model_in(block, transactions_);
    model.rate = block.text("rate");
    model.active = metric_named(block, "active");
    model.walls = rows_named(block, "walls", "wall", walls_);
    table_.instruction_models.push_back(model);
  }

  const std::string& file_;
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
        return one.kind == block.kind && one.name == block.name;
      });
      *(same == blocks.end() ? blocks.insert(same, block) : same) = block;
    }
  return ModelTableReader(std::move(blocks), names.back()).read();
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
  return ModelTableReader(read_blocks(text, file, kinds()), file).read();
}

const ModelTable& nvidia_table() {
  static const ModelTable table = own_table({"nvidia.txt"});
  return table;
}

const ModelTable& host_table() {
  static const ModelTable table = own_table({"host.txt"});
  return table;
}

const ModelTable& amd_table() {
  static const ModelTable table = own_table({"amd.txt"});
  return table;
}

const std::vector<const ModelTable*>& all_tables() {
  static const ModelTable gfx94x = own_table({"amd.txt", "gfx94x.txt"});
  static const ModelTable gfx950 = own_table({"amd.txt", "gfx94x.txt", "gfx950.txt"});
  static const std::vector<const ModelTable*> tables = {&nvidia_table(), &host_table(),
                                                        &amd_table(), &gfx94x, &gfx950};
  return tables;
}

const ModelTable* table_of_chip(std::string_view chip) {
  const std::string family = in_lower_case(chip.substr(0, chip.find(':')));
  if (family == "gfx90a") return &amd_table();
  if (family == "gfx940" || family == "gfx941" || family == "gfx942") return &table_of("gfx94x");
  return family == "gfx950" ? &table_of("gfx950") : nullptr;
}

const ModelTable& table_of(std::string_view device) {
  for (const ModelTable* table : all_tables())
    if (table->device == device) return *table;
  return nvidia_table();
}

std::string level_label(std::string_view device, const std::string& level) {
  for (const Level& one : table_of(device).levels)
    if (one.name == level) return one.label;
  return level;
}

bool is_nearer(const std::string& level, const std::string& other) {
  // A level that only a later table has follows the one before it there.
  static const std::vector<std::string> order = [] {
    std::vector<std::string> names;
    for (const ModelTable* table : all_tables()) {
      auto after = names.begin();
      for (const Level& one : table->levels) {
        const auto known = std::ranges::find(names, one.name);
        after = (known != names.end() ? known : names.insert(after, one.name)) + 1;
      }
    }
    return names;
  }();
  const auto place = [](const std::string& name) { return std::ranges::find(order, name); };
  return std::pair(place(level), level) < std::pair(place(other), other);
}

}  // namespace roofline
