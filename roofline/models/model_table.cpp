#include "roofline/models/model_table.h"

#include <fmt/format.h>

#include <algorithm>
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
    const std::vector<std::string> kinds = {"vendor", "source", "metric", "level", "model"};
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

  void read_vendor(const TableBlock& block) {
    const Fields fields(block, file_, {"device"});
    table_.vendor = block.name;
    table_.device = fields.text("device");
  }

  void read_source(const TableBlock& block) {
    sources_.push_back({block.name, Fields(block, file_, {"text"}).text("text")});
  }

  void read_metric(const TableBlock& block) {
    const Fields fields(block, file_, {"formula", "when", "unit", "meaning", "source"});
    Metric metric;
    metric.name = block.name;
    for (const TableField& field : block.fields) {
      if (field.key != "formula") continue;
      check_formula(field, file_);
      if (metric.formula.empty())
        metric.formula = field.value;
      else
        metric.alternatives.push_back(field.value);
    }
    metric.when = fields.text_or_empty("when");
    metric.unit = fields.text("unit");
    metric.meaning = fields.text("meaning");
    metric.source = fields.text("source");
    must_exist(fields.find("source"), "source", metric.source, sources_);
    metric.source = find_row(sources_, metric.source)->text;
    table_.metrics.push_back(metric);
  }

  void check_metric(const TableBlock& block) const {
    for (const TableField& field : block.fields)
      if (field.key == "when") must_exist(&field, "metric", field.value, table_.metrics);
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

  void read_model(const TableBlock& block) {
    const Fields fields(block, file_,
                        {"title", "work", "unit", "peak", "thin", "levels", "fma_fraction", "pipe",
                         "across", "up"});
    Model model;
    model.name = block.name;
    model.title = fields.text("title");
    model.work = fields.text("work");
    model.unit = fields.text("unit");
    model.peak = fields.text("peak");
    model.thin = words_of(fields.text_or_empty("thin"));
    model.fma_fraction = fields.text_or_empty("fma_fraction");
    model.pipe = fields.text_or_empty("pipe");
    model.across = fields.text("across");
    model.up = fields.text("up");
    for (const char* key : {"work", "fma_fraction", "pipe"})
      must_exist(fields.find(key), "metric", fields.text_or_empty(key), table_.metrics);
    for (const std::string& name : words_of(fields.text("levels"))) {
      must_exist(fields.find("levels"), "level", name, table_.levels);
      model.levels.push_back(*find_row(table_.levels, name));
    }
    table_.models.push_back(model);
  }

  const std::string& file_;
  std::vector<TableBlock> blocks_;
  std::vector<Source> sources_;
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

const Model* ModelTable::find_model(std::string_view name) const { return find_row(models, name); }

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
