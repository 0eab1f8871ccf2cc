#include "examples/smith_waterman/kernel.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <numeric>
#include <random>

#include "examples/made_kernel.h"
#include "harness/record/record.h"
#include "roofline/base/error.h"
#include "roofline/base/json_place.h"
#include "roofline/base/machine.h"
#include "roofline/base/parallel.h"

namespace gpp::smith_waterman {
namespace {

using namespace examples;
using Letters = std::basic_string_view<std::uint8_t>;

// ---- Inputs -------------------------------------------------------------------------------------

/// The first preset is the default.
constexpr std::array<Preset<Size>, 4> presets = {
    {{"full",
      "262144 pairs of 256 to 768 letters; takes 2 GB of memory",
      {262'144, 256, 768, Kinship::mixed}},
     {"medium", "32768 pairs of 256 to 768 letters", {32'768, 256, 768, Kinship::mixed}},
     {"small", "512 pairs of 100 to 300 letters", {512, 100, 300, Kinship::mixed}},
     {"tiny", "131 pairs of 1 to 70 letters, for tests", {131, 1, 70, Kinship::mixed}}}};

struct Lengths {
  int rows;
  int columns;
};

/// Makes the lengths of all sequences, in descending order.
std::vector<Lengths> made_lengths(const Size& size, std::uint64_t seed) {
  const auto span = static_cast<std::uint64_t>(size.longest - size.shortest + 1);
  std::vector<Lengths> lengths;
  for (int pair = 0; pair < size.pairs; ++pair) {
    const std::uint64_t bits = mixed(seed ^ mixed(static_cast<std::uint64_t>(pair)));
    lengths.push_back({size.shortest + static_cast<int>((bits >> 32) % span),
                       size.shortest + static_cast<int>((bits & 0xFFFFFFFFU) % span)});
  }
  std::sort(lengths.begin(), lengths.end(), [](const Lengths& a, const Lengths& b) {
    return a.rows != b.rows ? a.rows > b.rows : a.columns > b.columns;
  });
  return lengths;
}

/// Copies a sequence; of every 32 letters, one is changed, one deleted and one inserted.
void inherit(Letters parent, std::uint8_t* child, int length, std::mt19937_64& engine) {
  std::size_t next = 0;
  for (int i = 0; i < length; ++i) {
    const std::uint64_t bits = engine();
    const auto stray = static_cast<std::uint8_t>(bits >> 62);
    const std::uint64_t event = bits % 32;
    if (event == 0) ++next;
    child[i] = event > 2 && next < parent.size() ? parent[next] : stray;
    if (event != 1) ++next;
  }
}

void make_pair(std::uint8_t* first, std::uint8_t* second, const Lengths& lengths, Kinship kinship,
               std::uint64_t seed) {
  std::mt19937_64 engine(seed);
  if (kinship == Kinship::mixed) kinship = static_cast<Kinship>(1 + engine() % 4);
  const bool opposites = kinship == Kinship::opposites;
  const auto letter = [&] { return static_cast<std::uint8_t>(engine() >> (opposites ? 63 : 62)); };
  std::generate(first, first + lengths.rows, letter);
  std::generate(second, second + lengths.columns, letter);
  if (opposites) std::for_each(second, second + lengths.columns, [](auto& one) { one += 2; });
  if (kinship == Kinship::twins)
    std::copy(first, first + std::min(lengths.rows, lengths.columns), second);
  if (kinship == Kinship::relatives)
    inherit({first, static_cast<std::size_t>(lengths.rows)}, second, lengths.columns, engine);
}

/// The pairs of an input in host memory.
struct HostPairs {
  std::vector<std::uint8_t> letters;
  std::vector<long long> first, second;
  std::vector<int> rows, columns;

  HostPairs(const Size& size, std::uint64_t seed) {
    long long end = 0;
    for (const Lengths& one : made_lengths(size, seed)) {
      rows.push_back(one.rows);
      columns.push_back(one.columns);
      first.push_back(end);
      second.push_back(end + one.rows);
      end += one.rows + one.columns;
    }
    letters.resize(static_cast<std::size_t>(end));
    constexpr int together = 64;
    roofline::parallel_for((size.pairs + together - 1) / together, [&](int piece) {
      for (int pair = piece * together; pair < std::min(size.pairs, (piece + 1) * together);
           ++pair) {
        const auto p = static_cast<std::size_t>(pair);
        make_pair(letters.data() + first[p], letters.data() + second[p], {rows[p], columns[p]},
                  size.kinship, mixed(seed + 1) ^ mixed(p));
      }
    });
  }

  int count() const { return static_cast<int>(rows.size()); }
  long long cells(std::size_t pair) const { return 1LL * rows[pair] * columns[pair]; }
  long long cells() const {
    long long sum = 0;
    for (std::size_t pair = 0; pair < rows.size(); ++pair) sum += cells(pair);
    return sum;
  }
  int longest_columns() const { return *std::max_element(columns.begin(), columns.end()); }
  int longest_shorter() const {
    return std::transform_reduce(
        rows.begin(), rows.end(), columns.begin(), 0, [](int a, int b) { return std::max(a, b); },
        [](int a, int b) { return std::min(a, b); });
  }
  long long above_bytes() const {
    return 1LL * count() * longest_columns() * static_cast<long long>(sizeof(Above));
  }
  /// The bytes that every variant must read and write.
  long long compulsory_bytes() const {
    return static_cast<long long>(letters.size()) + count() * static_cast<long long>(sizeof(int));
  }

  std::int64_t score(std::size_t pair, const Scoring& scoring) const {
    const auto view = [this](long long start, int length) {
      return Letters(letters.data() + start, static_cast<std::size_t>(length));
    };
    return score_of(view(first[pair], rows[pair]), view(second[pair], columns[pair]), scoring);
  }
};

/// Returns another scoring for each seed except 0. A match always scores differently than in the
/// original problem, so every nonzero score differs.
Scoring varied(Scoring scoring, std::uint64_t seed) {
  if (seed == 0) return scoring;
  const std::uint64_t bits = mixed(seed);
  const int match = 1 + static_cast<int>(bits % 3);
  scoring.match += scoring.match + match <= 127 ? match : -match;
  scoring.extend = static_cast<int>((bits >> 8) % static_cast<std::uint64_t>(scoring.open + 1));
  return scoring;
}

// ---- Answers ------------------------------------------------------------------------------------

class PairsSubject;

class PairsPlacement : public Placement {
 public:
  PairsPlacement(const PairsSubject& subject, const Runtime& runtime);

  void vary(std::uint64_t seed) override {
    seed_ = seed;
    pairs_.scoring = varied(scoring_, seed);
  }
  void run(const Variant& /*variant*/, const Call& call) override { call(pairs_); }
  Check check(double tolerance) override;
  JsonObject answer() const override;
  std::string repair() override { return arrays_.repair(); }

 private:
  std::vector<int> scores(int count) const;
  /// The pairs to compare: all if they have few cells, else some by the seed.
  std::vector<std::size_t> compared() const;

  const HostPairs& host_;
  const Scoring scoring_;
  const DeviceMemory& memory_;
  PlacedArrays arrays_;
  Pairs pairs_;
  std::uint64_t seed_ = 0;
};

class PairsSubject : public MadeSubject {
 public:
  PairsSubject(std::string label, const Size& asked, std::uint64_t seed)
      : PairsSubject(std::move(label), asked, seed, HostPairs(asked, seed)) {}

  std::unique_ptr<Placement> place(const Runtime& runtime) const override {
    const long long bytes_per_pair = 2 * (sizeof(long long) + sizeof(int)) + sizeof(int);
    require_device_memory(static_cast<long long>(host.letters.size()) + host.above_bytes() +
                              host.count() * bytes_per_pair,
                          runtime.free_bytes());
    return std::make_unique<PairsPlacement>(*this, runtime);
  }

  SourceCount count(const Variant& /*variant*/) override {
    return {{{"dram_bytes", static_cast<double>(host.compulsory_bytes())}}};
  }

  /// A slice has fewer pairs with the same lengths, so counts scale to the whole.
  std::unique_ptr<Subject> slice(std::int64_t terms, std::string& part) const override {
    if (input().terms <= terms) return nullptr;
    Size smaller = size;
    const long long most_cells = 1LL * size.longest * size.longest;
    smaller.pairs = static_cast<int>(std::max<std::int64_t>(1, terms / most_cells));
    part = fmt::format("{} of {} pairs", smaller.pairs, size.pairs);
    return std::make_unique<PairsSubject>(part, smaller, seed_);
  }

  const Size size;
  const HostPairs host;

 private:
  PairsSubject(std::string label, const Size& asked, std::uint64_t seed, HostPairs&& pairs)
      : MadeSubject(
            "smith_waterman", std::move(label), seed, pairs.cells(),
            {{"pairs", asked.pairs}, {"shortest", asked.shortest}, {"longest", asked.longest}}),
        size(asked),
        host(std::move(pairs)),
        seed_(seed) {}

  std::uint64_t seed_;
};

PairsPlacement::PairsPlacement(const PairsSubject& subject, const Runtime& runtime)
    : host_(subject.host),
      scoring_(subject.size.scoring),
      memory_(runtime.memory()),
      arrays_(memory_) {
  const auto add = [this](const char* name, const auto& values) {
    return place_copy(arrays_, name, values);
  };
  pairs_.count = host_.count();
  pairs_.longest_columns = host_.longest_columns();
  pairs_.longest_shorter = host_.longest_shorter();
  pairs_.scoring = scoring_;
  pairs_.letters = add("letters", host_.letters);
  pairs_.first = add("first", host_.first);
  pairs_.second = add("second", host_.second);
  pairs_.rows = add("rows", host_.rows);
  pairs_.columns = add("columns", host_.columns);
  pairs_.above =
      static_cast<Above*>(arrays_.add_output(static_cast<std::size_t>(host_.above_bytes())));
  pairs_.score = static_cast<int*>(arrays_.add_output(host_.rows.size() * sizeof(int)));
}

std::vector<int> PairsPlacement::scores(int count) const {
  std::vector<int> values(static_cast<std::size_t>(count));
  memory_.read(values.data(), pairs_.score, values.size() * sizeof(int));
  return values;
}

std::vector<std::size_t> PairsPlacement::compared() const {
  constexpr long long few_cells = 1 << 25;
  constexpr std::size_t picks = 96;
  std::vector<std::size_t> all(host_.rows.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  if (host_.cells() <= few_cells || all.size() <= picks) return all;
  std::vector<std::size_t> some{0, all.size() - 1};
  std::mt19937_64 engine(seed_);
  std::sample(all.begin(), all.end(), std::back_inserter(some), picks, engine);
  return some;
}

/// Scores are integers: equal or wrong.
Check PairsPlacement::check(double tolerance) {
  const std::vector<int> computed = scores(pairs_.count);
  const std::vector<std::size_t> places = compared();
  std::vector<Check> checks(places.size());
  roofline::parallel_for(static_cast<int>(places.size()), [&](int i) {
    const std::size_t pair = places[static_cast<std::size_t>(i)];
    Judge judge(tolerance, "score");
    judge.look_at(static_cast<long long>(pair), computed[pair],
                  static_cast<double>(host_.score(pair, pairs_.scoring)), 1);
    checks[static_cast<std::size_t>(i)] = judge.verdict();
  });
  return worst(checks);
}

JsonObject PairsPlacement::answer() const {
  const std::vector<int> few = scores(std::min(4, pairs_.count));
  return first_numbers(std::vector<double>(few.begin(), few.end()));
}

// ---- For harness/kernel.h -----------------------------------------------------------------------

constexpr std::array<Awkward<Size>, 9> awkward = {
    {{"one_letter",
      "one pair of one letter each",
      "loops that always do several steps",
      {1, 1, 1, Kinship::strangers}},
     {"single_letters",
      "pairs of one letter: the score is a match or 0",
      "cells beyond the end of a sequence",
      {333, 1, 1, Kinship::mixed}},
     {"few_letters",
      "pairs of 1 to 5 letters",
      "cells beyond the end of a sequence",
      {97, 1, 5, Kinship::mixed}},
     {"unequal",
      "pairs of 1 to 300 letters",
      "neighbours of other lengths",
      {75, 1, 300, Kinship::mixed}},
     {"whole_strips",
      "pairs of 64 letters: nothing is left over",
      "the last row of a strip",
      {64, 64, 64, Kinship::relatives}},
     {"twins",
      "sequences that are equal as far as both go",
      "scores of 16 bits, or letters that match beyond the end",
      {41, 20, 90, Kinship::twins}},
     {"opposites",
      "no letter matches: all scores are 0",
      "the largest of 0 and the others",
      {41, 20, 90, Kinship::opposites}},
     {"long_gaps",
      "gaps that cost little to extend",
      "a gap that goes on through strips",
      {50, 100, 200, Kinship::relatives, {5, -4, 6, 0}}},
     {"beyond_16_bits",
      "scores beyond 32767",
      "16 bits where 32 are needed",
      {9, 300, 400, Kinship::twins, {120, -100, 150, 30}}}}};

JsonObject read_dimensions(const roofline::JsonPlace& input) {
  return read_counts(input, {"pairs", "shortest", "longest"});
}

/// Refuses records whose number of cells contradicts the pairs' lengths.
void refuse_contradictions(const roofline::JsonPlace& root, const StudyRecord& study) {
  const auto cells = [&](const char* length) {
    const auto letters = static_cast<double>(study.input.dimension(length));
    return static_cast<double>(study.input.dimension("pairs")) * letters * letters;
  };
  const auto terms = static_cast<double>(study.input.terms);
  if (terms < cells("shortest") || terms > cells("longest"))
    root["input"]["terms"].refuse(fmt::format("{} cells contradict {} pairs of {} to {} letters",
                                              study.input.terms, study.input.dimension("pairs"),
                                              study.input.dimension("shortest"),
                                              study.input.dimension("longest")));
}

std::string describe_input(const InputRecord& input) {
  return fmt::format("{} pairs of {} to {} letters, {} cells", input.dimension("pairs"),
                     input.dimension("shortest"), input.dimension("longest"), input.terms);
}

Kernel make_kernel() {
  Kernel kernel = made_kernel(
      {"smith_waterman", "Smith-Waterman",
       "the best score of a local alignment with affine gaps, for many pairs of sequences; whole "
       "numbers only",
       "cells"},
      std::span<const Preset<Size>>(presets), std::span<const Awkward<Size>>(awkward),
      make_subject);
  static_cast<KernelBuilt&>(kernel) = built();
  kernel.tolerance = [](std::string_view /*step*/) { return 0.0; };
  kernel.read_dimensions = read_dimensions;
  kernel.refuse_contradictions = refuse_contradictions;
  kernel.least_work = [](const InputRecord& /*input*/, const Result& /*result*/) {
    return LeastWork{};  // the kernels have no floating-point operations
  };
  kernel.describe_input = describe_input;
  return kernel;
}

}  // namespace

std::int64_t score_of(std::basic_string_view<std::uint8_t> first,
                      std::basic_string_view<std::uint8_t> second, const Scoring& scoring) {
  constexpr std::int64_t never = std::numeric_limits<std::int64_t>::min() / 2;
  const std::size_t width = second.size() + 1;
  const std::size_t size = (first.size() + 1) * width;
  std::vector<std::int64_t> whole(size, 0), across(size, never), down(size, never);
  for (std::size_t i = 1; i <= first.size(); ++i)
    for (std::size_t j = 1; j <= second.size(); ++j) {
      const std::size_t here = i * width + j, above = here - width, left = here - 1;
      across[here] = std::max(whole[left] - scoring.open, across[left] - scoring.extend);
      down[here] = std::max(whole[above] - scoring.open, down[above] - scoring.extend);
      const std::int64_t step = first[i - 1] == second[j - 1] ? scoring.match : scoring.mismatch;
      whole[here] = std::max({std::int64_t{0}, whole[above - 1] + step, across[here], down[here]});
    }
  return *std::max_element(whole.begin(), whole.end());
}

std::unique_ptr<Subject> make_subject(std::string label, const Size& size, std::uint64_t seed) {
  // Two letters, on the host and where variants run, and the values that a cell passes down.
  constexpr long long per_column = 2 * 2 + sizeof(Above);
  roofline::require_memory(per_column * size.pairs * size.longest, label);
  return std::make_unique<PairsSubject>(std::move(label), size, seed);
}

const Kernel& smith_waterman_kernel() {
  static const Kernel kernel = make_kernel();
  return kernel;
}

}  // namespace gpp::smith_waterman
