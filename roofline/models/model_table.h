// Roofline models as data: metrics, levels of memory and models of a kind of device. The tables lie
// beside this file as texts, one for each vendor, and are part of the library.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "roofline/base/text.h"
#include "roofline/counters.h"

namespace roofline {

/// Metric::when of what takes further runs and is counted only for those who ask for all.
inline constexpr const char* when_asked = "asked";

/// A quantity that follows from raw counters.
struct Metric {
  std::string name;  ///< "fp64_flop"
  /// Of the vendor's names. The first holds whose counters the chip has; none: stated, not counted.
  std::vector<Formula> formulas = {};
  std::optional<Formula> elsewhere = {};  ///< of counters that only other profilers' files hold
  /// A metric: counted only where that is above `above`. Or `when_asked`. Empty: always.
  std::string when;
  double above = 0;
  std::string unit;     ///< "FLOP", "B", "%", "warp instruction"; decimal prefixes, never binary
  std::string meaning;  ///< a sentence for people
  std::string source;   ///< author and year, or the vendor's documentation
};

/// A level of memory that work moves bytes at.
struct Level {
  std::string name;     ///< "l1", "shared", "dram"
  std::string label;    ///< for people: "shared memory"
  std::string traffic;  ///< the metric that counts its bytes; empty where none does
  std::string roof;     ///< the ceiling of its bandwidth
  /// Not on the way from DRAM to the registers: bytes need not descend with it.
  bool beside = false;
  /// Bytes of one of what `traffic` counts: 1, or 32 where those are sectors.
  double bytes_each = 1;
};

/// An intensity that a pattern of access has, whatever else a kernel does.
struct Wall {
  std::string name;   ///< "global_unit_8"
  std::string label;  ///< for people: "unit stride, 8 B"
  std::string level;  ///< whose roof it ends at
  double intensity = 0;
};

/// A roofline model: one kind of work, its roofs, and the levels of memory it is set against.
/// Its work is operations of one precision, or instructions.
struct Model {
  std::string name;               ///< the precision: "fp64"; "instructions"
  std::string title;              ///< for people: "FP64"
  std::string work;               ///< the metric that counts it
  std::string unit;               ///< of the work: "FLOP"
  std::string peak;               ///< the ceiling of its arithmetic
  std::vector<std::string> thin;  ///< ceilings below the peak, drawn thin
  std::vector<Level> levels;      ///< nearest to the arithmetic first
  std::string fma_fraction;       ///< the metric of its share of fused multiply-adds; or empty
  std::string pipe;               ///< the metric that says how busy its pipe was, in %; or empty
  std::string across;             ///< what the intensity is: "FLOP per byte moved at each level"
  std::string up;                 ///< what the rate is: "FP64 operations per second"
  // Instruction models only:
  std::string rate = {};         ///< unit of the rate: "IPS"; empty: that of the work per second
  std::string active = {};       ///< the metric of the work that was not switched off; or empty
  std::vector<Wall> walls = {};  ///< greatest intensity first
  /// The work is bytes, of work without operations: its peak is the roof of a level.
  bool moves = false;

  /// The level of that name, or nullptr.
  const Level* find_level(std::string_view level) const;
  /// "FLOP/s", "IPS".
  std::string rate_unit() const { return rate.empty() ? unit + "/s" : rate; }
  /// Whether levels are set against in transactions, not bytes.
  bool counts_transactions() const { return !rate.empty(); }
};

/// Where formulas are from: author and year, or the vendor's documentation.
struct Source {
  std::string name, text;
};

/// The table of one vendor.
struct ModelTable {
  std::string vendor;  ///< "nvidia"
  std::string device;  ///< kind of device: "gpu" (NVIDIA's), "amd" (gfx90a), "gfx94x", "host"
  std::vector<Source> sources;
  std::vector<Metric> metrics;
  std::vector<Level> levels;
  std::vector<Model> models;
  /// Instruction rooflines, whose levels count transactions; empty where nothing counts them.
  std::vector<Model> instruction_models;
  /// The model of work without any operation; empty where a table has none.
  std::optional<Model> movement;

  /// The row of that name, or nullptr. Models: those of instructions and of movement among them.
  const Metric* find_metric(std::string_view name) const;
  const Model* find_model(std::string_view name) const;
};

/// CUPTI's counters, for NVIDIA's GPUs.
const ModelTable& nvidia_table();

/// Counters of processors.
const ModelTable& host_table();

/// rocprof's counters, for AMD's GPUs of the family gfx90a.
const ModelTable& amd_table();

/// The table of AMD's chip "gfx942" or "gfx90a:xnack-"; nullptr where no formulas are known.
const ModelTable* table_of_chip(std::string_view chip);
inline constexpr const char* chips_with_tables = "gfx90a, gfx940, gfx941, gfx942 and gfx950";

/// All of them. What is ordered by them follows the first that knows it.
const std::vector<const ModelTable*>& all_tables();

/// The table for a kind of device: "host", "gpu" (NVIDIA's), "amd", "gfx94x" or "gfx950".
const ModelTable& table_of(std::string_view device);

/// A level of memory for people, "DRAM" of "dram"; other words stay as they are.
std::string level_label(std::string_view device, const std::string& level);

/// Whether one level comes before another; levels that no table knows come last, by name.
bool is_nearer(const std::string& level, const std::string& other);

// The text of a table, as blocks with their lines.
//
//   # a comment
//   metric fp64_flop
//     formula dadd.sum + dmul.sum +
//       2 * dfma.sum
//     unit FLOP
//
// A block begins at the left margin with its kind and its name. Its fields are indented, each with
// a key and a value; a line that is indented further goes on with the value above. A line that
// begins with # is a comment.

struct TableField {
  std::string key;
  std::string value;  ///< its lines joined by one blank each
  int line = 0;       ///< where it begins, from 1
};

struct TableBlock {
  std::string kind;
  std::string name;
  std::string file;  ///< the text's name for messages
  int line = 0;
  std::vector<TableField> fields = {};

  /// The first field of that key, or nullptr.
  const TableField* find(std::string_view key) const;
  /// Its value. Throws InputError where the block has none.
  const std::string& text(std::string_view key) const;
  std::string text_or_empty(std::string_view key) const;
  /// Its value as a number. Throws InputError unless it is above 0 and sensible.
  double positive(std::string_view key) const;
  /// A value as a formula. Throws InputError.
  Formula formula(const TableField& field) const;

  /// Throws InputError: "nvidia.txt:12: ...".
  [[noreturn]] void refuse(int at, std::string_view what) const;
};

struct BlockKind {
  std::string name;
  std::vector<std::string> fields;
  std::string repeated = {};  ///< the field that a block may hold several times; or empty
};

/// Reads a text of these kinds; `file` is its name for messages. Throws InputError for another kind
/// or field, and for a name or a field that stands there twice.
std::vector<TableBlock> read_blocks(std::string_view text, const std::string& file,
                                    const std::vector<BlockKind>& kinds);

std::span<const EmbeddedText> embedded_tables();  ///< the texts of roofline/models/

/// One of them, by its name. Throws std::logic_error where the library lacks it.
std::string_view embedded_table(std::string_view name);

}  // namespace roofline
