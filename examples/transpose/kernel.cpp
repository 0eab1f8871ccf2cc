#include "examples/transpose/kernel.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <random>
#include <utility>

#include "examples/made_kernel.h"
#include "harness/record/record.h"
#include "roofline/base/error.h"
#include "roofline/base/json_place.h"
#include "roofline/base/machine.h"

namespace gpp::transpose {
namespace {

using namespace examples;

// ---- Inputs -------------------------------------------------------------------------------------

struct Size {
  int rows, columns;
};

/// The first preset is the default.
constexpr std::array<Preset<Size>, 4> presets = {
    {{"full", "16384 x 16384, beyond all caches; takes 2.1 GB of memory", {16'384, 16'384}},
     {"published", "1024 x 1024, as published", {1'024, 1'024}},
     {"small", "1000 x 777, no multiple of a tile", {1'000, 777}},
     {"tiny", "65 x 47, for tests", {65, 47}}}};

/// Views start at up to this many numbers into the array, so that runs see different data.
constexpr long long most_shift = 32'768;
constexpr long long shift_step = 64;  // whole lines of 256 bytes, so accesses stay the same

/// Random numbers, `most_shift` more than the matrix has. They have 24 bits, so that two swapped
/// numbers are noticed.
std::vector<float> random_numbers(long long count, std::uint64_t seed) {
  std::vector<float> numbers(static_cast<std::size_t>(count));
  for_pieces(count, [&](long long first, long long last) {
    for (long long i = first; i < last; ++i)
      numbers[static_cast<std::size_t>(i)] = uniform(seed, static_cast<std::uint64_t>(i));
  });
  return numbers;
}

// ---- Answers ------------------------------------------------------------------------------------

class TransposeSubject : public MadeSubject {
 public:
  TransposeSubject(std::string label, int rows_of_in, int columns_of_in, std::uint64_t seed,
                   int pitch_of_out)
      : MadeSubject("transpose", std::move(label), seed,
                    static_cast<long long>(rows_of_in) * columns_of_in,
                    {{"rows", rows_of_in}, {"columns", columns_of_in}}),
        rows(rows_of_in),
        columns(columns_of_in),
        pitch(pitch_of_out),
        in(random_numbers(input().terms + most_shift, seed)),
        seed_(seed) {}

  std::unique_ptr<Placement> place(const Runtime& runtime) const override;

  SourceCount count(const Variant& /*variant*/) override {
    const double bytes = 2.0 * sizeof(float) * static_cast<double>(input().terms);
    return {{{"dram_bytes", bytes}}, {}, {{"l1_bytes", bytes}}};
  }

  /// A slice is the first rows. It keeps the whole's pitch, so that writes are as far apart.
  std::unique_ptr<Subject> slice(std::int64_t terms, std::string& part) const override {
    if (input().terms <= terms) return nullptr;
    const auto first = static_cast<int>(std::max<std::int64_t>(1, terms / columns));
    part = fmt::format("{} of {} rows", first, rows);
    return make_subject(part, first, columns, seed_, pitch);
  }

  /// The distance from the first number of the result to its end.
  long long room() const { return static_cast<long long>(pitch) * columns; }

  const int rows, columns, pitch;
  const std::vector<float> in;

 private:
  std::uint64_t seed_;
};

class TransposePlacement : public Placement {
 public:
  TransposePlacement(const TransposeSubject& subject, const Runtime& runtime)
      : subject_(subject), memory_(runtime.memory()), arrays_(memory_) {
    whole_.rows = subject.rows;
    whole_.columns = subject.columns;
    whole_.pitch = subject.pitch;
    whole_.in = place_copy(arrays_, "in", subject.in);
    whole_.out = static_cast<float*>(
        arrays_.add_output(static_cast<std::size_t>(subject.room()) * sizeof(float)));
  }

  void vary(std::uint64_t seed) override {
    seed_ = seed;
    shift_ = shift_of(seed, most_shift, shift_step);
  }

  void run(const Variant& variant, const Call& call) override {
    Matrices matrices = whole_;
    matrices.in += shift_;
    call(matrices);
    copies_ = variant.step == "copy";
  }

  Check check(double tolerance) override;
  JsonObject answer() const override;
  std::string repair() override { return arrays_.repair(); }

 private:
  /// The shape of the last result; a copy has the shape of `in`.
  int rows_of_result() const { return copies_ ? subject_.rows : subject_.columns; }
  int length_of_row() const { return copies_ ? subject_.columns : subject_.rows; }

  std::vector<float> row_of_result(int row) const;
  double due(long long row, long long column) const;
  Check compare_rows(int first, int count, double tolerance) const;

  const TransposeSubject& subject_;
  const DeviceMemory& memory_;
  PlacedArrays arrays_;
  Matrices whole_;
  bool copies_ = false;
  std::uint64_t seed_ = 0;
  long long shift_ = 0;
};

std::unique_ptr<Placement> TransposeSubject::place(const Runtime& runtime) const {
  const long long numbers = static_cast<long long>(in.size()) + room();
  require_device_memory(numbers * static_cast<long long>(sizeof(float)), runtime.free_bytes());
  return std::make_unique<TransposePlacement>(*this, runtime);
}

std::vector<float> TransposePlacement::row_of_result(int row) const {
  std::vector<float> numbers(static_cast<std::size_t>(length_of_row()));
  const long long pitch = copies_ ? subject_.columns : subject_.pitch;
  memory_.read(numbers.data(), whole_.out + row * pitch, numbers.size() * sizeof(float));
  return numbers;
}

/// An expected number of the result, from the matrix in host memory.
double TransposePlacement::due(long long row, long long column) const {
  const long long place =
      copies_ ? row * subject_.columns + column : column * subject_.columns + row;
  return subject_.in[static_cast<std::size_t>(shift_ + place)];
}

/// Compares rows first..first+count-1 of the result.
Check TransposePlacement::compare_rows(int first, int count, double tolerance) const {
  std::vector<std::vector<float>> rows;
  for (int row = first; row < first + count; ++row) rows.push_back(row_of_result(row));
  const long long length = length_of_row();
  return judge_pieces(
      length * count, tolerance, "element", [&](long long begin, long long end, Judge& judge) {
        for (long long i = begin; i < end; ++i) {
          const long long row = i / length, column = i % length;
          const auto& computed = rows[static_cast<std::size_t>(row)];
          judge.look_at(first * length + i, computed[static_cast<std::size_t>(column)],
                        due(first + row, column));
        }
      });
}

/// Compares all rows of the original problem, or rows by the seed if it was varied.
Check TransposePlacement::check(double tolerance) {
  constexpr int rows_together = 64;
  const int all = rows_of_result();
  std::vector<Check> checks;
  if (seed_ == 0 || all <= rows_together) {
    for (int row = 0; row < all; row += rows_together)
      checks.push_back(compare_rows(row, std::min(rows_together, all - row), tolerance));
    return worst(checks);
  }
  std::mt19937_64 engine(seed_);
  for (int i = 0; i < rows_together; ++i)
    checks.push_back(
        compare_rows(static_cast<int>(engine() % static_cast<std::uint64_t>(all)), 1, tolerance));
  return worst(checks);
}

JsonObject TransposePlacement::answer() const {
  const std::vector<float> row = row_of_result(0);
  return first_numbers(std::vector<double>(row.begin(), row.end()));
}

// ---- For harness/kernel.h -----------------------------------------------------------------------

std::unique_ptr<Subject> make_of_size(std::string label, const Size& size, std::uint64_t seed) {
  return make_subject(std::move(label), size.rows, size.columns, seed);
}

constexpr std::array<Awkward<Size>, 7> awkward = {
    {{"one_number", "1 x 1", "a loop that always does several steps", 1, 1},
     {"one_row", "1 x 1003: the result is a column", "rows below the last", 1, 1'003},
     {"one_column", "1003 x 1: the result is a row", "columns beyond the last", 1'003, 1},
     {"whole_tiles", "128 x 64: nothing is left over",
      "the part of a tile beyond the matrix: it may be empty", 128, 64},
     {"tall", "65 x 31: less than a tile wide", "the edges of tiles, taken for each other", 65, 31},
     {"broad", "31 x 65: less than a tile high", "the edges of tiles, taken for each other", 31,
      65},
     {"many_tiles", "1003 x 129", "the last tile of a row or a column", 1'003, 129}}};

JsonObject read_dimensions(const roofline::JsonPlace& input) {
  return read_counts(input, {"rows", "columns"});
}

void refuse_contradictions(const roofline::JsonPlace& root, const StudyRecord& study) {
  const long long rows = study.input.dimension("rows"), columns = study.input.dimension("columns");
  // The test avoids the product, which may overflow.
  if (study.input.terms % columns == 0 && study.input.terms / columns == rows) return;
  root["input"]["terms"].refuse(
      fmt::format("{} contradicts {} x {} elements", study.input.terms, rows, columns));
}

std::string describe_input(const InputRecord& input) {
  return fmt::format("{} x {} elements", input.dimension("rows"), input.dimension("columns"));
}

/// Source: Ding and Williams 2019, 1024 x 1024 elements. There are no floating-point operations.
const Published& published() {
  static const Published v100 = [] {
    Published all;
    all.device = "V100";
    all.title = "V100, 1024 x 1024 elements (Ding and Williams 2019)";
    all.legend = "Speedup over v1 on a V100, by Ding and Williams 2019.";
    all.source = "Ding and Williams 2019";
    all.terms = 1'024 * 1'024;
    all.steps = {{"v1", "naive", 48.8e-6, {}, "global memory: 0.056 instructions per sector"},
                 {"v2", "shared", 17.2e-6, {}, "global 0.25, shared memory 0.061"},
                 {"v3", "padded", 10.1e-6, {}, "global 0.25, shared memory 1"}};
    return all;
  }();
  return v100;
}

Kernel make_kernel() {
  Kernel kernel = made_kernel(
      {"transpose", "Transpose",
       "the transpose of a matrix of floats: bytes moved, nothing computed", "elements"},
      std::span<const Preset<Size>>(presets), std::span<const Awkward<Size>>(awkward),
      make_of_size);
  static_cast<KernelBuilt&>(kernel) = built();
  // Numbers are moved, not computed, so nothing is rounded.
  kernel.tolerance = [](std::string_view /*step*/) { return 0.0; };
  kernel.read_dimensions = read_dimensions;
  kernel.refuse_contradictions = refuse_contradictions;
  kernel.describe_input = describe_input;
  kernel.published = published;
  kernel.published_by = "Ding and Williams 2019";
  return kernel;
}

}  // namespace

std::unique_ptr<Subject> make_subject(std::string label, int rows, int columns, std::uint64_t seed,
                                      int pitch) {
  // The matrix on the host and where variants read it, and the result.
  roofline::require_memory(3LL * sizeof(float) * rows * columns, label);
  return std::make_unique<TransposeSubject>(std::move(label), rows, columns, seed, pitch);
}

std::unique_ptr<Subject> make_subject(std::string label, int rows, int columns,
                                      std::uint64_t seed) {
  return make_subject(std::move(label), rows, columns, seed, rows);
}

const Kernel& transpose_kernel() {
  static const Kernel kernel = make_kernel();
  return kernel;
}

}  // namespace gpp::transpose
