#include "roofline/models/model_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "roofline/base/nearest.h"
#include "roofline/base/visible.h"
#include "roofline/formula.h"
#include "roofline/models/embedded.h"
#include "roofline/models/table_text.h"

namespace roofline {
namespace {

template <typename Row>
const Row* find_row(const std::vector<Row>& rows, std::string_view name) {
  const auto found =
      std::find_if(rows.begin(), rows.end(), [name](const Row& row) { return row.name == name; });
  return found == rows.end() ? nullptr : &*found;
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

/// The fields of one block, each taken once by its key.
class Fields {
 public:
  Fields(const TableBlock& block, const std::string& file, std::vector<std::string> known)
      : block_(block), file_(file) {
    for (const TableField& field : block.fields)
      if (std::find(known.begin(), known.end(), field.key) == known.end())
        refuse_table(file, field.at, unknown_name("field of a " + block.kind, field.key, known));
  }

  const TableField* find(std::string_view key) const {
    const TableField* found = nullptr;
    for (const TableField& field : block_.fields) {
      if (field.key != key) continue;
      if (found != nullptr) refuse_table(file_, field.at, fmt::format("a second '{}'", key));
      found = &field;
    }
    return found;
  }

  std::string text(std::string_view key) const {
    if (const TableField* field = find(key)) return field->value;
    refuse_table(file_, block_.at,
                 fmt::format("{} '{}' has no '{}'", block_.kind, visible(block_.name), key));
  }

  std::string text_or_empty(std::string_view key) const {
    const TableField* field = find(key);
    return field == nullptr ? "" : field->value;
  }

 private:
  const TableBlock& block_;
  const std::string& file_;
};

void check_formula(const TableField& field, const std::string& file) {
  try {
    Formula{field.value};
  } catch (const FormulaError& error) {
    refuse_table(file, field.place_of(error.column() - 1), error.problem());
  }
}

/// Reads blocks that name each other in any order: first the named ones, then those that name them.
class ModelTableReader {
 public:
  ModelTableReader(std::string_view text, const std::string& file)
      : file_(file), blocks_(read_blocks(text, file)) {}

  ModelTable read() {
    for (const TableBlock& block : blocks_) check_kind(block);
    each("vendor", [this](const TableBlock& block) { read_vendor(block); });
    each("source", [this](const TableBlock& block) { read_source(block); });
    each("metric", [this](const TableBlock& block) { read_metric(block); });
    each("level", [this](const TableBlock& block) { read_level(block); });
    each("model", [this](const TableBlock& block) { read_model(block); });
    each("movement", [this](const TableBlock& block) { read_movement(block); });
    each("transactions", [this](const TableBlock& block) { read_transactions(block); });
    each("wall", [this](const TableBlock& block) { read_wall(block); });
    each("instructions", [this](const TableBlock& block) { read_instructions(block); });
    each("metric", [this](const TableBlock& block) { check_metric(block); });
    if (table_.vendor.empty()) refuse_table(file_, {1, 1}, "no vendor is named");
    return std::move(table_);
  }

 private:
  struct Source {
    std::string name, text;
  };

  void each(std::string_view kind, const auto& action) {
    for (const TableBlock& block : blocks_)
      if (block.kind == kind) action(block);
  }

  void check_kind(const TableBlock& block) const {
    const std::vector<std::string> kinds = {"vendor",       "source", "metric",
                                            "level",        "model",  "movement",
                                            "transactions", "wall",   "instructions"};
    if (std::find(kinds.begin(), kinds.end(), block.kind) == kinds.end())
      refuse_table(file_, block.at, unknown_name("block", block.kind, kinds));
    for (const TableBlock& other : blocks_) {
      if (&other == &block) return;
      if (other.kind == block.kind && (other.name == block.name || block.kind == "vendor"))
        refuse_table(file_, block.at,
                     fmt::format("a second {} '{}'; the first is in line {}", block.kind,
                                 visible(block.name), other.at.line));
    }
  }

  /// Refuses a field that names something the table lacks.
  template <typename Row>
  void must_exist(const TableField* field, std::string_view kind, const std::string& name,
                  const std::vector<Row>& rows) const {
    if (field == nullptr || name.empty() || find_row(rows, name) != nullptr) return;
    std::vector<std::string> known;
    for (const Row& row : rows) known.push_back(row.name);
    refuse_table(file_, field->place_of(field->value.find(name)), unknown_name(kind, name, known));
  }

  /// The rows that a field names, which must all exist.
  template <typename Row>
  std::vector<Row> rows_named(const TableField* field, const std::string& names,
                              std::string_view kind, const std::vector<Row>& rows) const {
    std::vector<Row> named;
    for (const std::string& name : words_of(names)) {
      must_exist(field, kind, name, rows);
      named.push_back(*find_row(rows, name));
    }
    return named;
  }

  void read_vendor(const TableBlock& block) {
    const Fields fields(block, file_, {"device"});
    table_.vendor = block.name;
    table_.device = fields.text("device");
  }

  void read_source(const TableBlock& block) {
    sources_.push_back({block.name, Fields(block, file_, {"text"}).text("text")});
  }

  void read_metric(const TableBlock& block) {
    const Fields fields(block, file_,
                        {"formula", "elsewhere", "when", "above", "unit", "meaning", "source"});
    Metric metric;
    metric.name = block.name;
    for (const TableField& field : block.fields) {
      if (field.key != "formula" && field.key != "elsewhere") continue;
      check_formula(field, file_);
      if (field.key == "elsewhere") continue;
      if (metric.formula.empty())
        metric.formula = field.value;
      else
        metric.alternatives.push_back(field.value);
    }
    metric.elsewhere = fields.text_or_empty("elsewhere");
    metric.when = fields.text_or_empty("when");
    if (fields.find("above") != nullptr) metric.above = positive(fields, "above");
    metric.unit = fields.text("unit");
    metric.meaning = fields.text("meaning");
    metric.source = fields.text("source");
    must_exist(fields.find("source"), "source", metric.source, sources_);
    metric.source = find_row(sources_, metric.source)->text;
    table_.metrics.push_back(metric);
  }

  void check_metric(const TableBlock& block) const {
    for (const TableField& field : block.fields)
      if (field.key == "when" && field.value != when_asked)
        must_exist(&field, "metric", field.value, table_.metrics);
  }

  void read_level(const TableBlock& block) {
    const Fields fields(block, file_, {"label", "traffic", "roof", "beside"});
    Level level{block.name, fields.text("label"), fields.text_or_empty("traffic"),
                fields.text("roof"), false};
    must_exist(fields.find("traffic"), "metric", level.traffic, table_.metrics);
    if (const TableField* beside = fields.find("beside")) {
      if (beside->value != "yes")
        refuse_table(file_, beside->place_of(0), "'beside' is either 'yes' or left out");
      level.beside = true;
    }
    table_.levels.push_back(level);
  }

  /// What models of operations and of instructions have alike.
  Model model_in(const TableBlock& block, const Fields& fields,
                 const std::vector<Level>& levels) const {
    Model model;
    model.name = block.name;
    model.title = fields.text("title");
    model.work = fields.text("work");
    model.unit = fields.text("unit");
    model.peak = fields.text("peak");
    model.thin = words_of(fields.text_or_empty("thin"));
    model.across = fields.text("across");
    model.up = fields.text("up");
    must_exist(fields.find("work"), "metric", model.work, table_.metrics);
    model.levels = rows_named(fields.find("levels"), fields.text("levels"), "level", levels);
    return model;
  }

  void read_model(const TableBlock& block) {
    const Fields fields(block, file_,
                        {"title", "work", "unit", "peak", "thin", "levels", "fma_fraction", "pipe",
                         "across", "up"});
    Model model = model_in(block, fields, table_.levels);
    model.fma_fraction = fields.text_or_empty("fma_fraction");
    model.pipe = fields.text_or_empty("pipe");
    for (const char* key : {"fma_fraction", "pipe"})
      must_exist(fields.find(key), "metric", fields.text_or_empty(key), table_.metrics);
    table_.models.push_back(model);
  }

  void read_movement(const TableBlock& block) {
    const Fields fields(block, file_, {"title", "work", "unit", "peak", "levels", "across", "up"});
    if (table_.movement) refuse_table(file_, block.at, "a second movement");
    refuse_model_name(block);
    table_.movement = model_in(block, fields, table_.levels);
    table_.movement->moves = true;
  }

  /// Of a model of another kind.
  void refuse_model_name(const TableBlock& block) const {
    if (table_.find_model(block.name) != nullptr)
      refuse_table(file_, block.at, fmt::format("a model is called '{}', too", block.name));
  }

  void read_transactions(const TableBlock& block) {
    const Fields fields(block, file_, {"label", "count", "roof", "bytes"});
    Level level{block.name, fields.text("label"), fields.text("count"), fields.text("roof"), false};
    must_exist(fields.find("count"), "metric", level.traffic, table_.metrics);
    level.bytes_each = positive(fields, "bytes");
    transactions_.push_back(level);
  }

  void read_wall(const TableBlock& block) {
    const Fields fields(block, file_, {"label", "level", "intensity"});
    Wall wall{block.name, fields.text("label"), fields.text("level"),
              positive(fields, "intensity")};
    must_exist(fields.find("level"), "level", wall.level, transactions_);
    walls_.push_back(wall);
  }

  void read_instructions(const TableBlock& block) {
    const Fields fields(block, file_,
                        {"title", "work", "active", "unit", "rate", "peak", "thin", "levels",
                         "walls", "across", "up"});
    Model model = model_in(block, fields, transactions_);
    model.rate = fields.text("rate");
    model.active = fields.text_or_empty("active");
    must_exist(fields.find("active"), "metric", model.active, table_.metrics);
    model.walls = rows_named(fields.find("walls"), fields.text_or_empty("walls"), "wall", walls_);
    refuse_model_name(block);
    table_.instruction_models.push_back(model);
  }

  double positive(const Fields& fields, std::string_view key) const {
    const std::string text = fields.text(key);
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !(value > 0) || value > 1e9)
      refuse_table(file_, fields.find(key)->place_of(0),
                   fmt::format("'{}' is a number above 0, such as 32", key));
    return value;
  }

  const std::string& file_;
  std::vector<TableBlock> blocks_;
  std::vector<Source> sources_;
  std::vector<Level> transactions_;
  std::vector<Wall> walls_;
  ModelTable table_;
};

ModelTable embedded_table(std::string_view name) {
  for (const EmbeddedText& file : embedded_tables())
    if (file.path == name) return read_model_table(file.text, std::string(name));
  throw std::logic_error(fmt::format("the library was built without its table {}", name));
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
  return ModelTableReader(text, file).read();
}

const ModelTable& nvidia_table() {
  static const ModelTable table = embedded_table("nvidia.txt");
  return table;
}

const ModelTable& host_table() {
  static const ModelTable table = embedded_table("host.txt");
  return table;
}

const ModelTable& amd_table() {
  static const ModelTable table = embedded_table("amd.txt");
  return table;
}

const std::vector<const ModelTable*>& all_tables() {
  static const std::vector<const ModelTable*> tables = {&nvidia_table(), &host_table(),
                                                        &amd_table()};
  return tables;
}

const ModelTable& table_of(std::string_view device) {
  for (const ModelTable* table : all_tables())
    if (table->device == device) return *table;
  return nvidia_table();
}

const std::vector<std::string>& level_order() {
  // A level that only a later table has follows the one before it there.
  static const std::vector<std::string> order = [] {
    std::vector<std::string> names;
    for (const ModelTable* table : all_tables()) {
      auto after = names.begin();
      for (const Level& level : table->levels) {
        const auto known = std::find(names.begin(), names.end(), level.name);
        after = (known != names.end() ? known : names.insert(after, level.name)) + 1;
      }
    }
    return names;
  }();
  return order;
}

bool is_nearer(const std::string& level, const std::string& other) {
  const auto place = [](const std::string& name) {
    return std::find(level_order().begin(), level_order().end(), name);
  };
  return std::pair(place(level), level) < std::pair(place(other), other);
}

}  // namespace roofline
