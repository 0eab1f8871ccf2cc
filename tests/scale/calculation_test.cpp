// Tests of the calculation without MPI: ranks are threads that pass blocks through memory.
#include "gpp/scale/calculation.h"

#include <atomic>
#include <cmath>
#include <condition_variable>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "gpp/prepare.h"
#include "gpp/reference.h"
#include "gpp/study/check.h"
#include "gpp/study/kernel.h"
#include "gpp/study/record.h"
#include "harness/program/selection.h"
#include "roofline/base/text.h"
#include "tests/harness/fake_runtime.h"
#include "tests/text.h"

namespace gpp::scale {
namespace {

/// The threads' messages in transit, by sender and receiver, in order.
struct Post {
  std::mutex mutex;
  std::condition_variable changed;
  std::map<std::pair<int, int>, std::vector<std::vector<Complex>>> messages;
  std::vector<std::string> texts;
  int there = 0, round = 0;
};

class ThreadRanks : public Communicator {
 public:
  ThreadRanks(Post& post, int rank, int size) : post_(post), rank_(rank), size_(size) {}
  int rank() const override { return rank_; }
  int size() const override { return size_; }
  void end_all(int /*status*/) noexcept override { std::abort(); }

  void pass_between_gpus(int /*gpu*/) override {
    if (rank_ == 0) throw std::runtime_error("no NCCL");
  }

  std::vector<std::string> gather(const std::string& text) override {
    std::unique_lock lock(post_.mutex);
    post_.texts.resize(static_cast<std::size_t>(size_));
    post_.texts[static_cast<std::size_t>(rank_)] = text;
    wait_for_all(lock);
    std::vector<std::string> copy = post_.texts;
    wait_for_all(lock);
    return copy;
  }

  Arrival start(const Messages& sent, const Messages& received) override {
    const std::lock_guard lock(post_.mutex);
    for (const Message& one : sent)
      post_.messages[{rank_, one.rank}].emplace_back(one.data, one.data + one.count);
    post_.changed.notify_all();
    return std::async(std::launch::deferred, [this, received] {
      std::unique_lock waiting(post_.mutex);
      for (const Message& due : received) {
        auto& there = post_.messages[{due.rank, rank_}];
        post_.changed.wait(waiting, [&] { return !there.empty(); });
        EXPECT_EQ(there.front().size(), static_cast<std::size_t>(due.count));
        std::copy(there.front().begin(), there.front().end(), due.data);
        there.erase(there.begin());
      }
      return 1e-9 * (1 + rank_);
    });
  }

 private:
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
  request.options.timing.repeat = 2;
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

/// What the first rank gets.
StudyRecord calculate_on(int ranks, const CalculationRequest& request) {
  StudyRecord of_first, study;
  study.results.resize(1);
  const auto heard = heard_by(ranks, [&](Communicator& all) {
    StudyRecord result = calculate(all, request, study);
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
  const Preset whole = part_of(preset, 0, 1, state);
  return compute_reference(PreparedProblem(generate(whole, default_seed, false)).view());
}

void expect_whole(const StudyRecord& study, const CalculationRequest& request) {
  const Preset& preset = *request.preset;
  EXPECT_TRUE(study.results[0].check.passed) << study.results[0].reason;
  EXPECT_TRUE(study.scaling->sample.empty());
  for (int k = 0; k < request.states; ++k) {
    const auto state = static_cast<std::size_t>(k);
    const Sums sums = sums_of(Json(
        {{"asx", study.scaling->sums["asx"][state]}, {"ach", study.scaling->sums["ach"][state]}}));
    const Check check =
        gpp::check(sums, whole_reference(preset, k), preset.nfreq(), default_tolerance);
    EXPECT_TRUE(check.passed) << "state " << k << ": " << check.reason;
  }
}

class Exchanges : public testing::TestWithParam<const char*> {};

TEST_P(Exchanges, SumAllBandsForNumbersOfRanksThatDivideNothing) {
  for (const char* name : {"tiny", "metal", "complex_poles", "offdiagonal"})
    for (const int ranks : {1, 2, 3, 5}) {
      CalculationRequest request = request_of(name);
      request.exchange = GetParam();
      SCOPED_TRACE(std::string(name) + ", ranks " + std::to_string(ranks));
      expect_whole(calculate_on(ranks, request), request);
    }
}

INSTANTIATE_TEST_SUITE_P(, Exchanges, testing::Values("gather", "ring", "blocking"),
                         [](const auto& one) { return std::string(one.param); });

TEST(Calculation, EveryVariantOfTheHostSumsTheWhole) {
  for (const Variant& one : catalog()) {
    if (one.model != "omp" || one.builds.empty()) continue;
    SCOPED_TRACE(one.id);
    const CalculationRequest request = request_of("tiny", one.id.c_str());
    expect_whole(calculate_on(3, request), request);
  }
}

TEST(Calculation, StatesAreSummedApartAlsoByPoolsOfUnequalSize) {
  CalculationRequest request = request_of();
  request.states = 3;
  expect_whole(calculate_on(2, request), request);
  request.pools = 2;
  for (const char* exchange : {"gather", "ring"}) {
    request.exchange = exchange;
    const StudyRecord study = calculate_on(3, request);
    expect_whole(study, request);
    EXPECT_EQ(study.scaling->exchange, exchange);
    EXPECT_EQ(study.scaling->steps.size(), request.exchange == "ring" ? 2U : 1U);
  }
}

/// A GPU for the calculation's variant.
struct OnGpu {
  explicit OnGpu(CalculationRequest& request) : build(*request.choice.build) {
    build.runtime = &runtime;
    request.choice.build = &build;
  }
  test::FakeRuntime runtime;
  Build build;
};

/// The memory is a rank's own and once more all bands, which some variants pack.
TEST(Calculation, GathersWhereAllBandsHaveRoomTwice) {
  CalculationRequest request = request_of();
  OnGpu gpu(request);
  const Memory memory = predict_memory(*request.preset, 3, 1, true);
  gpu.runtime.free = memory.placed() + memory.own + 16 * 27 * 20;
  EXPECT_EQ(calculate_on(3, request).scaling->exchange, "gather");
  --gpu.runtime.free;
  EXPECT_EQ(calculate_on(3, request).scaling->exchange, "ring");
}

TEST(Calculation, TellsStepsRanksAndTimes) {
  CalculationRequest request = request_of();
  request.exchange = "ring";
  const StudyRecord study = calculate_on(3, request);
  EXPECT_EQ(study.results[0].samples.size(), 2U);
  ASSERT_EQ(study.scaling->steps.size(), 3U);
  const ScalingStep& first = study.scaling->steps[0];
  EXPECT_NEAR(first.transfer, 1e-9, 1e-15) << "of the first rank, which waited for nobody";
  EXPECT_NEAR(first.late, 1e-9, 1e-15) << "1, 2 and 3 ns: 2 in the mean";
  EXPECT_GE(first.slowest, first.compute);
  EXPECT_EQ(study.scaling->steps[2].transfer, 0) << "behind the last block none follows";
  ASSERT_EQ(study.scaling->by_rank.size(), 3U);
  EXPECT_EQ(study.scaling->by_rank[0].own_g, 9);
  EXPECT_EQ(study.scaling->by_rank[2].bands, 6);
  EXPECT_EQ(study.scaling->by_rank[1].predicted_bytes,
            predict_memory(*request.preset, 3, 1, false).placed());
  request.exchange = "auto";
  EXPECT_EQ(calculate_on(3, request).scaling->by_rank[1].predicted_bytes,
            predict_memory(*request.preset, 3, 1, true).placed());
}

TEST(Calculation, NumbersOfRanksFollowEachOther) {
  CalculationRequest request = request_of();
  request.strong = {1, 3};
  request.weak = {2};
  const StudyRecord study = calculate_on(4, request);
  expect_whole(study, request);
  EXPECT_EQ(study.scaling->ranks, 3);
  ASSERT_EQ(study.scaling->strong.size(), 2U);
  EXPECT_EQ(study.scaling->strong[0].transport, "none: one rank");
  ASSERT_EQ(study.scaling->weak.size(), 1U);
  EXPECT_EQ(study.scaling->weak[0].states, 2);
  request.strong = {5};
  expect_heard(4, {"5 of 4 ranks"}, [&](Communicator& all) { calculate(all, request, {}); });
}

/// A variant that spoils what the right one gave in its n-th call, from 1.
struct Spoiled {
  const char* reason;  ///< a part of it
  int ranks;
  std::function<void(int call, const FactoredProblem&, Sums&)> spoil;
};

/// It is wrong on one rank; is right until it is timed.
TEST(Calculation, WrongVariantsFailTheCheck) {
  const Spoiled all[] = {{"ach", 3,
                          [](int, const FactoredProblem& given, Sums& answer) {
                            if (given.nbands == 6) answer.ach[1].re *= 1 + 1e-6;
                          }},
                         {"other sums", 1, [](int call, const FactoredProblem&, Sums& answer) {
                            if (call > 2) answer.asx[0].im = std::nan("");
                          }}};
  for (const Spoiled& one : all) {
    CalculationRequest request = request_of();
    request.exchange = "ring";
    Build wrong = *request.choice.build;
    std::atomic<int> calls = 0;
    wrong.call = Call::of<FactoredProblem, Sums>(
        [&one, &calls, right = wrong.call](const FactoredProblem& given, Sums& answer) {
          right(given, answer);
          one.spoil(++calls, given, answer);
        });
    request.choice.build = &wrong;
    const Result result = calculate_on(one.ranks, request).results[0];
    EXPECT_EQ(result.status, Status::failed) << one.reason;
    EXPECT_FALSE(result.check.passed) << one.reason;
    EXPECT_TRUE(test::contains(result.reason, one.reason)) << result.reason;
    EXPECT_TRUE(one.ranks < 3 || result.samples.empty()) << "what is wrong is not timed";
  }
}

TEST(Ranks, HearOfAnErrorOfOneOfThem) {
  expect_heard(3, {"rank 1", "no room"}, [](Communicator& all) {
    together(all, [&all] {
      if (all.rank() == 1) throw std::runtime_error("no room");
    });
  });
  expect_heard(3, {"rank 0", "no NCCL"},
               [](Communicator& all) { together(all, [&all] { all.pass_between_gpus(0); }); });
}

/// Every rank has one of them at least.
TEST(Calculation, LargeOnesAreCheckedAtDrawnG) {
  const Preset& preset = *find_preset("gpp214");
  for (const int ranks : {1, 3, 8}) {
    const Sample sample = draw_sample(preset, 1, ranks, 1);
    EXPECT_EQ(sample.count, std::max(3, ranks));
    std::set<int> owners;
    for (int i = 0; i < sample.count; ++i)
      owners.insert((sample.first + i * sample.stride) % ranks);
    EXPECT_EQ(owners.size(), static_cast<std::size_t>(ranks));
    EXPECT_LT(sample.first + (sample.count - 1) * sample.stride, preset.ncouls);
    EXPECT_NE(sample.first, draw_sample(preset, 2, ranks, 1).first);
  }
}

}  // namespace
}  // namespace gpp::scale
