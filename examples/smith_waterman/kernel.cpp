#include "examples/smith_waterman/kernel.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>

namespace gpp::smith_waterman {
namespace {

using namespace examples;
using Letters = std::basic_string_view<std::uint8_t>;

// ---- Inputs -------------------------------------------------------------------------------------

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

class SmithWaterman : public MadeSubject<Pairs> {
 public:
  using Size = smith_waterman::Size;
  static constexpr About about = About(
      "smith_waterman", "Smith-Waterman",
      "the best score of a local alignment with affine gaps, for many pairs of sequences; whole "
      "numbers only",
      "cells", "{pairs} pairs of {shortest} to {longest} letters, {terms} cells");
  static constexpr Preset<Size> presets[] = {
      {"full", "262144 pairs of 256 to 768 letters; takes 2 GB of memory", Size(262'144, 256, 768)},
      {"medium", "32768 pairs of 256 to 768 letters", Size(32'768, 256, 768)},
      {"small", "512 pairs of 100 to 300 letters", Size(512, 100, 300)},
      {"tiny", "131 pairs of 1 to 70 letters, for tests", Size(131, 1, 70)}};
  static constexpr Awkward<Size> awkward[] = {
      {"one_letter", "one pair of one letter each", Size(1, 1, 1, Kinship::strangers)},
      {"single_letters", "pairs of one letter: the score is a match or 0", Size(333, 1, 1)},
      {"few_letters", "pairs of 1 to 5 letters", Size(97, 1, 5)},
      {"unequal", "pairs of 1 to 300 letters", Size(75, 1, 300)},
      {"whole_strips", "pairs of 64 letters: nothing is left over",
       Size(64, 64, 64, Kinship::relatives)},
      {"twins", "sequences that are equal as far as both go", Size(41, 20, 90, Kinship::twins)},
      {"opposites", "no letter matches: all scores are 0", Size(41, 20, 90, Kinship::opposites)},
      {"long_gaps", "gaps that cost little to extend",
       Size(50, 100, 200, Kinship::relatives, {5, -4, 6, 0})},
      {"beyond_16_bits", "scores beyond 32767",
       Size(9, 300, 400, Kinship::twins, {120, -100, 150, 30})}};

  /// Two letters, on the host and where variants run, and the values that a cell passes down.
  static long long memory_of(const Size& size) {
    return static_cast<long long>(2 * 2 + sizeof(Above)) * size.pairs * size.longest;
  }
  static double tolerance(std::string_view /*step*/) { return 0; }

  SmithWaterman(std::string label, const Size& size, std::uint64_t seed)
      : SmithWaterman(std::move(label), size, seed, made_lengths(size, seed)) {}

  /// The bytes that every variant must read and write.
  SourceCount count(const Variant& /*variant*/) override {
    return {{{"dram_bytes",
              static_cast<double>(letters_) + static_cast<double>(size_.pairs * sizeof(int))}}};
  }

  /// A slice has fewer pairs with the same lengths, so counts scale to the whole.
  std::unique_ptr<Subject> slice(std::int64_t terms, std::string& part) const override {
    if (input().terms <= terms) return nullptr;
    Size smaller = size_;
    const long long most_cells = 1LL * size_.longest * size_.longest;
    smaller.pairs = static_cast<int>(std::max<std::int64_t>(1, terms / most_cells));
    part = fmt::format("{} of {} pairs", smaller.pairs, size_.pairs);
    return std::make_unique<SmithWaterman>(part, smaller, seed_);
  }

  /// A varied problem has the same letters and another scoring.
  Pairs varied(Pairs pairs, std::uint64_t seed) const override {
    pairs.scoring = smith_waterman::varied(size_.scoring, seed);
    return pairs;
  }

  /// Compares all pairs if they have few cells, else the longest, the shortest and some by the
  /// seed. Scores are integers: equal or wrong.
  Check check(LastRun<Pairs>& last, double tolerance) const override {
    constexpr long long few_cells = 1 << 25;
    std::vector<int> places =
        places_to_judge(size_.pairs, input().terms <= few_cells, 96, last.seed);
    places.insert(places.end(), {0, size_.pairs - 1});
    const std::vector<int> computed = last.read(last.problem.score, size_.pairs);
    return judge_each(places.size(), tolerance, "score", [&](std::size_t i, Judge& judge) {
      const int pair = places[i];
      judge.look_at(pair, computed[static_cast<std::size_t>(pair)],
                    static_cast<double>(score_of(last.on_host, pair)), 1);
    });
  }

  JsonObject answer(const LastRun<Pairs>& last) const override {
    return last.first(last.problem.score, size_.pairs);
  }

 private:
  SmithWaterman(std::string label, const Size& size, std::uint64_t seed,
                const std::vector<Lengths>& lengths)
      : MadeSubject(
            about, std::move(label), seed,
            std::accumulate(lengths.begin(), lengths.end(), 0LL,
                            [](long long sum, const Lengths& one) {
                              return sum + 1LL * one.rows * one.columns;
                            }),
            {{"pairs", size.pairs}, {"shortest", size.shortest}, {"longest", size.longest}}),
        size_(size) {
    std::vector<long long> first, second;
    std::vector<int> rows, columns;
    for (const Lengths& one : lengths) {
      rows.push_back(one.rows);
      columns.push_back(one.columns);
      first.push_back(letters_);
      second.push_back(letters_ + one.rows);
      letters_ += one.rows + one.columns;
      problem_.longest_columns = std::max(problem_.longest_columns, one.columns);
      problem_.longest_shorter =
          std::max(problem_.longest_shorter, std::min(one.rows, one.columns));
    }
    std::vector<std::uint8_t> letters(static_cast<std::size_t>(letters_));
    roofline::parallel_for(size.pairs, [&](int pair) {
      const auto p = static_cast<std::size_t>(pair);
      make_pair(letters.data() + first[p], letters.data() + second[p], lengths[p], size.kinship,
                mixed(seed + 1) ^ mixed(p));
    });
    problem_.count = size.pairs;
    problem_.scoring = size.scoring;
    add(problem_.letters, "letters", std::move(letters));
    add(problem_.first, "first", std::move(first));
    add(problem_.second, "second", std::move(second));
    add(problem_.rows, "rows", std::move(rows));
    add(problem_.columns, "columns", std::move(columns));
    add_output(problem_.above, 1LL * size.pairs * problem_.longest_columns);
    add_output(problem_.score, size.pairs);
  }

  const Size size_;
  long long letters_ = 0;
};

}  // namespace

std::int64_t score_of(const Pairs& pairs, int pair) {
  const Scoring& scoring = pairs.scoring;
  const Letters first(pairs.letters + pairs.first[pair],
                      static_cast<std::size_t>(pairs.rows[pair]));
  const Letters second(pairs.letters + pairs.second[pair],
                       static_cast<std::size_t>(pairs.columns[pair]));
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

const examples::Example<Size>& example() {
  static const examples::Example<Size> example = made_kernel<SmithWaterman>(built());
  return example;
}

}  // namespace gpp::smith_waterman
