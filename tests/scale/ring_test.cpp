// The ring without MPI: ranks are threads, and pass their blocks through this process's memory.
#include "gpp/scale/ring.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <condition_variable>
#include <map>
#include <mutex>
#include <thread>

#include "gpp/prepare.h"
#include "gpp/reference.h"
#include "gpp/scale/calculation.h"
#include "gpp/scale/ranks.h"
#include "gpp/study/check.h"
#include "gpp/study/kernel.h"
#include "harness/measure/selection.h"
#include "roofline/base/error.h"
#include "tests/harness/fake_runtime.h"
#include "tests/text.h"

namespace gpp::scale {
namespace {

/// The threads share the messages on their way, by sender and receiver, in order.
struct Post {
  std::mutex mutex;
  std::condition_variable changed;
  std::map<std::pair<int, int>, std::vector<std::vector<char>>> messages;
  std::vector<std::string> texts;
  std::vector<std::vector<double>> numbers;
  int there = 0, round = 0;
  std::map<int, std::unique_ptr<Post>> parts;  ///< of ranks that split off, by colour
};

class PostTransfer : public Transfer {
 public:
  PostTransfer(Post& post, std::pair<int, int> way, void* to, std::size_t size)
      : post_(post), way_(way), to_(static_cast<char*>(to)), size_(size) {}
  bool done() override {
    if (size_ == 0) return true;
    const std::lock_guard lock(post_.mutex);
    auto& waiting = post_.messages[way_];
    if (waiting.empty()) return false;
    EXPECT_EQ(waiting.front().size(), size_);
    std::copy(waiting.front().begin(), waiting.front().end(), to_);
    waiting.erase(waiting.begin());
    size_ = 0;
    return true;
  }

 private:
  Post& post_;
  std::pair<int, int> way_;
  char* to_;
  std::size_t size_;
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
  void meet() override { gather(""); }
  void end_all(int /*status*/) noexcept override { std::abort(); }

  std::unique_ptr<Transfer> pass(const void* block, std::size_t size, int to, void* received,
                                 std::size_t received_size, int from) override {
    post(block, size, to);
    return std::make_unique<PostTransfer>(post_, std::pair(from, rank_), received, received_size);
  }
  std::unique_ptr<Transfer> spread(void* block, std::size_t size, int root) override {
    if (rank_ != root)
      return std::make_unique<PostTransfer>(post_, std::pair(root, rank_), block, size);
    for (int to = 0; to < size_; ++to)
      if (to != root) post(block, size, to);
    return std::make_unique<PostTransfer>(post_, std::pair(0, 0), nullptr, 0);
  }

 private:
  void post(const void* block, std::size_t size, int to) {
    if (size == 0) return;
    const auto* const bytes = static_cast<const char*>(block);
    const std::lock_guard lock(post_.mutex);
    post_.messages[{rank_, to}].emplace_back(bytes, bytes + size);
  }

  /// Everyone's value, for everyone.
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

/// The answers of all ranks, each of which does the same.
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

/// The definition over the whole, by one process without a ring.
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

class Exchanges : public testing::TestWithParam<ExchangeKind> {};

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
                         testing::Values(ExchangeKind::ring, ExchangeKind::blocking,
                                         ExchangeKind::collective),
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
  const CalculationResult result = calculate_on(3, request);
  expect_whole(result, request);
  EXPECT_EQ(result.scaling.steps.size(), 2U);
}

/// A pool of one rank passes nothing: it does not ask for NCCL as the other pool's ranks do.
TEST(Calculation, PoolsOfUnequalSizePassBetweenGpus) {
  if (nccl_missing().empty()) GTEST_SKIP() << "NCCL is there, and would look for GPUs";
  CalculationRequest request = request_of();
  Variant cuda = *request.choice.variant;
  cuda.model = "cuda";
  const test::FakeRuntime gpu;
  Build on_gpu = *request.choice.build;
  on_gpu.kind = "gpu";
  on_gpu.runtime = &gpu;
  request.choice.variant = &cuda;
  request.choice.build = &on_gpu;
  request.states = request.pools = 2;
  const CalculationResult result = calculate_on(3, request);
  expect_whole(result, request);
  EXPECT_TRUE(test::contains(result.scaling.remark, "NCCL"));
}

TEST(Calculation, TellsStepsRanksAndTimes) {
  const CalculationRequest request = request_of();
  const CalculationResult result = calculate_on(3, request);
  EXPECT_EQ(result.samples.size(), 2U);
  ASSERT_EQ(result.scaling.steps.size(), 3U);
  EXPECT_GT(result.scaling.steps[0].transfer, 0);
  EXPECT_EQ(result.scaling.steps[2].transfer, 0) << "behind the last block none follows";
  ASSERT_EQ(result.scaling.by_rank.size(), 3U);
  EXPECT_EQ(result.scaling.by_rank[0].own_g, 9);
  EXPECT_EQ(result.scaling.by_rank[2].bands, 6);
  EXPECT_EQ(result.scaling.by_rank[1].predicted_bytes,
            predict_memory(*request.preset, 3, 1, false).placed());
}

/// The calculation with a variant that spoils what the right one gave in its n-th call, from 1.
CalculationResult calculate_spoiled(
    int ranks, const std::function<void(int call, const FactoredProblem&, Sums&)>& spoil) {
  CalculationRequest request = request_of();
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

/// A variant that is wrong on one rank only.
TEST(Calculation, AWrongSumOfOneRankFailsTheCheck) {
  const CalculationResult result =
      calculate_spoiled(3, [](int, const FactoredProblem& given, Sums& answer) {
        if (given.nbands == 6) answer.ach[1].re *= 1 + 1e-6;
      });
  EXPECT_TRUE(test::contains(result.check.reason, "ach"));
  EXPECT_TRUE(result.samples.empty()) << "what is wrong is not timed";
}

/// One that gives the sums of its first two calls again and again.
TEST(Calculation, KeptAnswersAreFound) {
  Sums kept{};
  calculate_spoiled(1, [&kept](int call, const FactoredProblem&, Sums& answer) {
    if (call <= 2) kept = answer;
    answer = kept;
  });
}

/// One that is right until it is timed.
TEST(Calculation, TimedRunsThatGiveNoNumberFail) {
  const CalculationResult result =
      calculate_spoiled(1, [](int call, const FactoredProblem&, Sums& answer) {
        if (call > 2) answer.asx[0].im = std::nan("");
      });
  EXPECT_TRUE(test::contains(result.check.reason, "other sums"));
}

void expect_heard(int ranks, const std::vector<std::string>& parts,
                  const std::function<void(Communicator&)>& action) {
  for (const std::string& one : heard_by(ranks, action))
    EXPECT_TRUE(parts.empty() ? testing::AssertionResult(one.empty()) << one
                              : test::contains_all(one, parts));
}

TEST(Calculation, AnErrorOfOneRankReachesAll) {
  expect_heard(3, {"rank 1", "no room"}, [](Communicator& all) {
    together(all, [&all] {
      if (all.rank() == 1) throw std::runtime_error("no room");
    });
  });
}

TEST(Ranks, ShareTheCoresThatTheLauncherGaveThem) {
  constexpr int many = 1000;  // asked for
  EXPECT_EQ(threads_of_a_rank(8, 8, 1, many), 8);
  EXPECT_EQ(threads_of_a_rank(8, 8, 2, many), 4) << "bound to nothing: all share all";
  EXPECT_EQ(threads_of_a_rank(8, 8, 3, many), 2);
  EXPECT_EQ(threads_of_a_rank(2, 2, 5, many), 1) << "they take turns";
  EXPECT_EQ(threads_of_a_rank(4, 8, 2, many), 4) << "bound to cores of their own";
  EXPECT_EQ(threads_of_a_rank(4, 16, 2, many), 4);
  EXPECT_EQ(threads_of_a_rank(4, 8, 4, many), 2) << "two on each socket";
  EXPECT_EQ(threads_of_a_rank(1, 8, 2, many), 1);
  EXPECT_EQ(threads_of_a_rank(8, 1, 2, many), 4) << "the launcher keeps to one core itself";
  EXPECT_EQ(threads_of_a_rank(8, 8, 2, 3), 3) << "who asks for fewer gets fewer";
  EXPECT_EQ(threads_of_a_rank(8, 8, 0, 0), 1);
}

TEST(Ranks, AreCountedByTheLauncher) {
  const std::vector<std::string> names = {"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS",
                                          "SLURM_STEP_TASKS_PER_NODE"};
  const auto told = [&](const std::string& name, const char* text) {
    for (const std::string& one : names) unsetenv(one.c_str());
    setenv(name.c_str(), text, 1);
    const int ranks = ranks_on_this_host();
    unsetenv(name.c_str());
    return ranks;
  };
  EXPECT_EQ(told("NOTHING", ""), 1);
  for (const std::string& name : names) {
    EXPECT_EQ(told(name, "4"), 4) << name;
    for (const char* nonsense : {"", "0", "-3", "x", "99999999999", ",,", "(x2)"})
      EXPECT_EQ(told(name, nonsense), 1) << name << " " << nonsense;
  }
  EXPECT_EQ(told(names[2], "2(x3),5,1"), 5);
}

TEST(Ranks, WithoutWhatTheOthersHaveAreNamed) {
  const Choice host = variant("v12");
  Build on_gpu = *host.build;
  on_gpu.kind = "gpu";
  Choice gpu = host;
  gpu.build = &on_gpu;
  expect_heard(3, {"rank 2"},
               [&](Communicator& all) { require_one_choice(all, all.rank() == 2 ? host : gpu); });
  expect_heard(2, {}, [&](Communicator& all) { require_one_choice(all, host); });
}

TEST(Ranks, OnOneGpuAreNamed) {
  const Build host = *variant("v12").build;
  Build on_gpu = host;
  on_gpu.kind = "gpu";  // of a runtime that has one device
  expect_heard(2, {"ranks 0 and 1 would share one GPU"},
               [&](Communicator& all) { require_gpus_of_their_own(all, on_gpu); });
  expect_heard(2, {}, [&](Communicator& all) { require_gpus_of_their_own(all, host); });
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
