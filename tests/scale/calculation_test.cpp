// Tests of the calculation without MPI: ranks are threads that pass blocks through memory.
#include "gpp/scale/calculation.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <condition_variable>
#include <filesystem>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>

#include "gpp/prepare.h"
#include "gpp/reference.h"
#include "gpp/study/check.h"
#include "gpp/study/kernel.h"
#include "harness/measure/selection.h"
#include "roofline/base/error.h"
#include "tests/harness/fake_runtime.h"
#include "tests/text.h"

namespace gpp::scale {
namespace {

/// The threads' messages in transit, by sender and receiver, in order.
struct Post {
  std::mutex mutex;
  std::condition_variable changed;
  std::map<std::pair<int, int>, std::vector<std::vector<char>>> messages;
  std::vector<std::string> texts;
  std::vector<std::vector<double>> numbers;
  int there = 0, round = 0;
  std::map<int, std::unique_ptr<Post>> parts;  ///< split groups of ranks, by colour
};

/// Messages from threads are awaited by the receiver.
class PostTransfer : public Transfer {
 public:
  PostTransfer(Post& post, int rank, std::vector<Message> received)
      : post_(post), rank_(rank), received_(std::move(received)) {}
  double wait() override {
    std::unique_lock lock(post_.mutex);
    for (const Message& due : received_) {
      auto& waiting = post_.messages[{due.rank, rank_}];
      post_.changed.wait(lock, [&] { return !waiting.empty(); });
      EXPECT_EQ(waiting.front().size(), due.bytes);
      std::copy(waiting.front().begin(), waiting.front().end(), static_cast<char*>(due.data));
      waiting.erase(waiting.begin());
    }
    return 1e-9 * (1 + rank_);
  }

 private:
  Post& post_;
  int rank_;
  std::vector<Message> received_;
};

class ThreadRanks : public Communicator {
 public:
  ThreadRanks(Post& post, int rank, int size) : post_(post), rank_(rank), size_(size) {}
  int rank() const override { return rank_; }
  int size() const override { return size_; }
  int local_rank() const override { return rank_; }
  int local_size() const override { return size_; }
  std::unique_ptr<Communicator> split(int colour) override {
    const std::string mine = std::to_string(colour);
    const std::vector<std::string> colours = gather(mine);
    const auto same = [&](int ranks) {
      return static_cast<int>(std::count(colours.begin(), colours.begin() + ranks, mine));
    };
    const std::lock_guard lock(post_.mutex);
    std::unique_ptr<Post>& part = post_.parts[colour];
    if (!part) part = std::make_unique<Post>();
    return std::make_unique<ThreadRanks>(*part, same(rank_), same(size_));
  }
  std::vector<std::string> gather(const std::string& text) override {
    return exchange(post_.texts, text);
  }
  std::vector<double> sum(const std::vector<double>& values) override {
    std::vector<double> total(values.size());
    for (const std::vector<double>& one : exchange(post_.numbers, values))
      for (std::size_t i = 0; i < total.size(); ++i) total[i] += one[i];
    return total;
  }
  void end_all(int /*status*/) noexcept override { std::abort(); }
  std::string name() const override { return "threads"; }
  std::unique_ptr<Transfer> start(const std::vector<Message>& sent,
                                  const std::vector<Message>& received) override {
    const std::lock_guard lock(post_.mutex);
    for (const Message& one : sent) {
      const auto* const bytes = static_cast<const char*>(one.data);
      post_.messages[{rank_, one.rank}].emplace_back(bytes, bytes + one.bytes);
    }
    post_.changed.notify_all();
    return std::make_unique<PostTransfer>(post_, rank_, received);
  }

 private:
  /// Distributes all ranks' values to all ranks.
  template <class T>
  std::vector<T> exchange(std::vector<T>& all, const T& mine) {
    std::unique_lock lock(post_.mutex);
    all.resize(static_cast<std::size_t>(size_));
    all[static_cast<std::size_t>(rank_)] = mine;
    wait_for_all(lock);
    std::vector<T> copy = all;
    wait_for_all(lock);
    return copy;
  }
  void wait_for_all(std::unique_lock<std::mutex>& lock) {
    const int round = post_.round;
    if (++post_.there == size_) {
      post_.there = 0;
      ++post_.round;
      post_.changed.notify_all();
    }
    post_.changed.wait(lock, [&] { return post_.round != round; });
  }

  Post& post_;
  int rank_, size_;
};

Choice variant(const char* id) { return select_one(catalog(), id, {{"omp"}, {}, "host"}); }

CalculationRequest request_of(const char* preset = "tiny", const char* id = "v12") {
  CalculationRequest request;
  request.preset = find_preset(preset);
  request.choice = variant(id);
  request.tolerance = default_tolerance;
  request.repeat = 2;
  return request;
}

/// The results of all ranks, each of which runs the same function.
std::vector<std::string> heard_by(int ranks, const std::function<void(Communicator&)>& action) {
  Post post;
  std::vector<std::string> heard(static_cast<std::size_t>(ranks));
  std::vector<std::jthread> threads;
  for (int rank = 0; rank < ranks; ++rank)
    threads.emplace_back([&, rank] {
      ThreadRanks all(post, rank, ranks);
      heard[static_cast<std::size_t>(rank)] =
          test::thrown<roofline::InputError>([&] { action(all); });
    });
  threads.clear();
  return heard;
}

CalculationResult calculate_on(int ranks, const CalculationRequest& request) {
  CalculationResult of_first;
  const auto heard = heard_by(ranks, [&](Communicator& all) {
    CalculationResult result = calculate(all, request, [](std::string_view) {});
    if (all.rank() == 0) of_first = std::move(result);
  });
  EXPECT_EQ(heard, std::vector<std::string>(heard.size()));
  return of_first;
}

void expect_heard(int ranks, const std::vector<std::string>& parts,
                  const std::function<void(Communicator&)>& action) {
  for (const std::string& one : heard_by(ranks, action))
    EXPECT_TRUE(parts.empty() ? testing::AssertionResult(one.empty()) << one
                              : test::contains_all(one, parts));
}

/// The definition for the whole, in one process without a ring.
Reference whole_reference(const Preset& preset, int state) {
  Preset whole = whole_of(preset);
  whole.state = state;
  return compute_reference(PreparedProblem(generate(whole, default_seed, false)).view());
}

void expect_whole(const CalculationResult& result, const CalculationRequest& request) {
  const Preset& preset = *request.preset;
  EXPECT_TRUE(result.check.passed) << result.check.reason;
  EXPECT_TRUE(result.scaling.sample.empty());
  for (int k = 0; k < request.states; ++k) {
    const auto state = static_cast<std::size_t>(k);
    Sums sums{};
    for (std::size_t iw = 0; iw < static_cast<std::size_t>(preset.nfreq()); ++iw) {
      const Json& asx = result.scaling.sums["asx"][state][iw];
      const Json& ach = result.scaling.sums["ach"][state][iw];
      sums.asx[iw] = {asx[0], asx[1]};
      sums.ach[iw] = {ach[0], ach[1]};
    }
    const Check check =
        gpp::check(sums, whole_reference(preset, k), preset.nfreq(), default_tolerance);
    EXPECT_TRUE(check.passed) << "state " << k << ": " << check.reason;
  }
}

class Exchanges : public testing::TestWithParam<Exchange> {};

TEST_P(Exchanges, SumAllBandsForNumbersOfRanksThatDivideNothing) {
  for (const char* name : {"tiny", "metal", "complex_poles", "offdiagonal"})
    for (const int ranks : {1, 2, 3, 5}) {
      CalculationRequest request = request_of(name);
      request.exchange = GetParam();
      SCOPED_TRACE(std::string(name) + ", ranks " + std::to_string(ranks));
      expect_whole(calculate_on(ranks, request), request);
    }
}

INSTANTIATE_TEST_SUITE_P(, Exchanges,
                         testing::Values(Exchange::gather, Exchange::ring, Exchange::blocking),
                         [](const auto& one) { return name_of(one.param); });

TEST(Calculation, EveryVariantOfTheHostSumsTheWhole) {
  for (const Variant& one : catalog()) {
    if (one.model != "omp" || one.builds.empty()) continue;
    SCOPED_TRACE(one.id);
    const CalculationRequest request = request_of("tiny", one.id.c_str());
    expect_whole(calculate_on(3, request), request);
  }
}

TEST(Calculation, StatesAreSummedApart) {
  CalculationRequest request = request_of();
  request.states = 3;
  expect_whole(calculate_on(2, request), request);
}

TEST(Calculation, PoolsOfUnequalSizeSumTheirStates) {
  CalculationRequest request = request_of();
  request.states = 3;
  request.pools = 2;
  for (const Exchange exchange : {Exchange::any, Exchange::ring}) {
    request.exchange = exchange;
    const CalculationResult result = calculate_on(3, request);
    expect_whole(result, request);
    EXPECT_EQ(result.scaling.steps.size(), exchange == Exchange::ring ? 2U : 1U);
  }
}

/// A pool with one rank has no exchange, but still learns of the other pool's failure.
TEST(Calculation, NcclThatRefusesIsHeardByAllRanks) {
  if (nccl_missing().empty() && std::filesystem::exists("/dev/nvidiactl"))
    GTEST_SKIP() << "NCCL and a GPU are there";
  CalculationRequest request = request_of();
  const test::FakeRuntime gpu;
  Build on_gpu = *request.choice.build;
  on_gpu.runtime = &gpu;
  request.choice.build = &on_gpu;
  request.states = request.pools = 2;
  expect_heard(3, {"rank"},
               [&](Communicator& all) { calculate(all, request, [](std::string_view) {}); });
}

/// The memory is a rank's own and once more all bands, which some variants pack.
TEST(Calculation, GathersWhereAllBandsHaveRoomTwice) {
  const Memory memory = predict_memory(*find_preset("gpp214"), 4, 1, true);
  const std::int64_t bands = 16LL * 11075 * 6397;
  EXPECT_EQ(memory.passing, bands);
  const std::int64_t enough = memory.placed() + memory.own + bands;
  EXPECT_TRUE(all_bands_have_room(memory, enough));
  EXPECT_FALSE(all_bands_have_room(memory, enough - 1));
}

TEST(Calculation, TellsStepsRanksAndTimes) {
  CalculationRequest request = request_of();
  request.exchange = Exchange::ring;
  const CalculationResult result = calculate_on(3, request);
  EXPECT_EQ(result.samples.size(), 2U);
  ASSERT_EQ(result.scaling.steps.size(), 3U);
  const ScalingStep& first = result.scaling.steps[0];
  EXPECT_NEAR(first.transfer, 1e-9, 1e-15) << "of the first rank, which waited for nobody";
  EXPECT_NEAR(first.late, 1e-9, 1e-15) << "1, 2 and 3 ns: 2 in the mean";
  EXPECT_GE(first.slowest, first.compute);
  EXPECT_EQ(result.scaling.steps[2].transfer, 0) << "behind the last block none follows";
  ASSERT_EQ(result.scaling.by_rank.size(), 3U);
  EXPECT_EQ(result.scaling.by_rank[0].own_g, 9);
  EXPECT_EQ(result.scaling.by_rank[2].bands, 6);
  EXPECT_EQ(result.scaling.by_rank[1].predicted_bytes,
            predict_memory(*request.preset, 3, 1, false).placed());
  request.exchange = Exchange::any;
  EXPECT_EQ(calculate_on(3, request).scaling.by_rank[1].predicted_bytes,
            predict_memory(*request.preset, 3, 1, true).placed());
}

/// The calculation with a variant that spoils the right result in its n-th call, from 1.
CalculationResult calculate_spoiled(
    int ranks, const std::function<void(int call, const FactoredProblem&, Sums&)>& spoil) {
  CalculationRequest request = request_of();
  request.exchange = Exchange::ring;
  Build wrong = *request.choice.build;
  const auto calls = std::make_shared<std::atomic<int>>(0);
  wrong.call = Call::of<FactoredProblem, Sums>(
      [right = wrong.call, calls, spoil](const FactoredProblem& given, Sums& answer) {
        right(given, answer);
        spoil(++*calls, given, answer);
      });
  request.choice.build = &wrong;
  CalculationResult result = calculate_on(ranks, request);
  EXPECT_FALSE(result.check.passed);
  return result;
}

/// The variant is wrong on only one rank.
TEST(Calculation, AWrongSumOfOneRankFailsTheCheck) {
  const CalculationResult result =
      calculate_spoiled(3, [](int, const FactoredProblem& given, Sums& answer) {
        if (given.nbands == 6) answer.ach[1].re *= 1 + 1e-6;
      });
  EXPECT_TRUE(test::contains(result.check.reason, "ach"));
  EXPECT_TRUE(result.samples.empty()) << "what is wrong is not timed";
}

/// The variant repeats the sums of its first two calls.
TEST(Calculation, KeptAnswersAreFound) {
  Sums kept{};
  calculate_spoiled(1, [&kept](int call, const FactoredProblem&, Sums& answer) {
    if (call <= 2) kept = answer;
    answer = kept;
  });
}

/// The variant is right until it is timed.
TEST(Calculation, TimedRunsThatGiveNoNumberFail) {
  const CalculationResult result =
      calculate_spoiled(1, [](int call, const FactoredProblem&, Sums& answer) {
        if (call > 2) answer.asx[0].im = std::nan("");
      });
  EXPECT_TRUE(test::contains(result.check.reason, "other sums"));
}

TEST(Calculation, AnErrorOfOneRankReachesAll) {
  expect_heard(3, {"rank 1", "no room"}, [](Communicator& all) {
    together(all, [&all] {
      if (all.rank() == 1) throw std::runtime_error("no room");
    });
  });
}

TEST(Ranks, ThatSayOtherWordsAreNamed) {
  expect_heard(3, {"rank 2 has another command line than rank 0, b instead of a"},
               [](Communicator& all) {
                 require_the_same(all, all.rank() == 2 ? "b" : "a", "command line");
               });
  expect_heard(2, {}, [](Communicator& all) { require_the_same(all, "a", "command line"); });
}

TEST(Calculation, LargeOnesAreCheckedAtDrawnG) {
  const Preset& preset = *find_preset("gpp214");
  for (int rank = 0; rank < 8; ++rank) {
    const std::vector<int> sample = draw_sample({&preset, 1, rank, 8, {0}});
    ASSERT_EQ(sample.size(), 1U);
    EXPECT_LT(sample[0], 1385);
  }
  EXPECT_NE(draw_sample({&preset, 1, 0, 8, {0}}), draw_sample({&preset, 2, 0, 8, {0}}));
  EXPECT_EQ(draw_sample({&preset, 1, 0, 1, {0}}).size(), 3U);
}

}  // namespace
}  // namespace gpp::scale
