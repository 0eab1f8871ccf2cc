#include "harness/judge/held_player.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/close_range.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <thread>

#include "harness/measure/child.h"
#include "roofline/base/machine.h"
#include "roofline/base/visible.h"
#include "runtimes/threads.h"

namespace gpp {
namespace {

constexpr double longest_sleep = 0.05;  // seconds between two looks at whether it lives

/// No program can set or slow this clock.
double raw_seconds() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC_RAW, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// In a fork: becomes that command, with these descriptors and no others. Returns where that fails.
void become(std::vector<std::string> command, std::vector<std::string> environment,
            std::span<const int> descriptors) {
  constexpr unsigned first_own = 3;
  close_range(first_own, ~0U, CLOSE_RANGE_CLOEXEC);
  for (const int one : descriptors)
    if (one >= 0) fcntl(one, F_SETFD, 0);
  const int nothing = open("/dev/null", O_WRONLY);
  if (nothing < 0) return;
  dup2(nothing, STDOUT_FILENO);
  dup2(nothing, STDERR_FILENO);
  fcntl(nothing, F_SETFD, FD_CLOEXEC);
  const auto pointers = [](std::vector<std::string>& texts) {
    std::vector<char*> all;
    for (std::string& text : texts) all.push_back(text.data());
    all.push_back(nullptr);
    return all;
  };
  std::vector<char*> arguments = pointers(command), variables = pointers(environment);
  execvpe(arguments.front(), arguments.data(), variables.data());
}

/// Whether each thread of the process, but for one, is in one of these states of proc(5).
bool threads_are(std::string_view states, pid_t process, pid_t but_for = 0) {
  std::error_code none;
  for (const auto& task :
       std::filesystem::directory_iterator(fmt::format("/proc/{}/task", process), none)) {
    if (task.path().filename() == std::to_string(but_for)) continue;
    const std::string line = roofline::kernel_file(task.path() / "stat");
    const auto name_end = line.rfind(") ");  // the name may hold anything
    if (name_end == std::string::npos) continue;
    if (states.find(line[name_end + 2]) == std::string_view::npos) return false;
  }
  return true;
}

/// Whether all threads of the process have stopped or ended.
bool stands_still(pid_t process) { return threads_are("TtZX", process); }

}  // namespace

void let_our_threads_sleep() {
  constexpr auto between = std::chrono::microseconds(200);
  constexpr int most_looks = 5000;
  for (int look = 0; look < most_looks && !threads_are("SDZX", getpid(), gettid()); ++look)
    std::this_thread::sleep_for(between);
}

HeldPlayer::HeldPlayer(const PlayerProgram& program, const Sandbox& sandbox, Arena& arena,
                       const ProcessLimits& limits, HoldOptions options)
    : arena_(arena),
      options_(std::move(options)),
      piece_("page", 0, sizeof(Page)),
      page_(*new (piece_.data()) Page) {
  piece_.seal(false);
  start(program, sandbox, limits);
  wait_until_ready();
  stop();
  known_ = descendants_of(process_->process());
  if (known_.empty()) known_ = {process_->process()};  // without a sandbox around it
  problem_bytes_ = page_.problem_bytes;
  answer_bytes_ = page_.answer_bytes;
  if (problem_bytes_ > Page::most_mail || answer_bytes_ > Page::most_mail || most_problems() == 0)
    throw std::runtime_error("its problem or answer is too large");
}

HeldPlayer::~HeldPlayer() = default;

void HeldPlayer::start(const PlayerProgram& program, const Sandbox& sandbox,
                       const ProcessLimits& limits) {
  PlayerHands hands;
  hands.page = piece_.descriptor();
  hands.limits = limits;
  if (arena_.on_host()) {
    hands.inputs = arena_.descriptor(0);
    hands.outputs = arena_.descriptor(1);
    hands.inputs_bytes = arena_.bytes(0);
    hands.outputs_bytes = arena_.bytes(1);
    if (limits.memory_bytes > 0)
      hands.limits.memory_bytes += hands.inputs_bytes + hands.outputs_bytes;
  } else {
    const auto name = arena_.name();
    page_.arena = reinterpret_cast<std::uint64_t>(arena_.device_memory());
    page_.arena_bytes = arena_.device_bytes();
    std::copy_n(name.begin(), std::min(name.size(), page_.arena_name.size()),
                page_.arena_name.begin());
    page_.arena_name_bytes = static_cast<std::uint32_t>(name.size());
  }
  if (program.library.empty() && !program.variant.empty())
    call_of_step(program).problem_bytes();  // the library that it may lie in is then shown, too
  SandboxView view{files_of_this_program()};
  view.gpu = !arena_.on_host();
  if (!program.library.empty()) view.readable.push_back(program.library);
  std::vector<std::string> command = {path_of_this_program().string()};
  for (std::string& word : arguments_of(program, hands)) command.push_back(std::move(word));
  command = sandbox.wrap(command, view, options_.pid_namespace);
  process_ = std::make_unique<Forked>([&](Line& /*line*/) {
    become(command, clean_environment(), std::array{hands.page, hands.inputs, hands.outputs});
  });
}

void HeldPlayer::require_alive() {
  const bool interrupted = options_.interrupted && options_.interrupted();
  if (!interrupted && !process_->gone()) return;
  std::string text;
  process_->hear(text, 0, {});
  if (interrupted) throw std::runtime_error("interrupted");
  if (page_.state.load() == PlayerState::failed) throw std::runtime_error(words());
  throw std::runtime_error(early_end(process_->finished(), options_.longest_run));
}

void HeldPlayer::wait_until_ready() {
  const double deadline = raw_seconds() + options_.longest_start;
  while (page_.state.load() == PlayerState::starting) {
    require_alive();
    if (raw_seconds() > deadline)
      throw std::runtime_error(fmt::format(
          "is not ready after {:g} s; what does it do when it is loaded?", options_.longest_start));
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
  if (page_.state.load() == PlayerState::failed) throw std::runtime_error(words());
}

std::string HeldPlayer::words() const {
  std::array<char, sizeof(page_.words)> copy = page_.words;
  copy.back() = 0;
  return roofline::visible(copy.data());
}

std::size_t HeldPlayer::most_problems() const {
  return Page::most_mail /
         std::max<std::size_t>(1, Page::padded(problem_bytes_) + Page::padded(answer_bytes_));
}

void HeldPlayer::wait_for(std::uint32_t run) {
  const double deadline = raw_seconds() + options_.longest_run;
  for (std::uint32_t done = 0; (done = page_.done.load()) < run;) {
    sleep_while(page_.done, done, longest_sleep);
    if (page_.done.load() >= run) return;
    require_alive();
    if (raw_seconds() > deadline)
      throw std::runtime_error(fmt::format("did not end in {:g} s", options_.longest_run));
  }
}

HeldPlayer::Round HeldPlayer::go(const std::vector<std::vector<std::byte>>& problems,
                                 bool until_still) {
  const std::size_t count = problems.size();
  if (count > most_problems()) throw std::runtime_error("its problem or answer is too large");
  for (std::size_t i = 0; i < count; ++i)
    std::ranges::copy(problems[i], page_.mail.begin() + Page::place_of_problem(i, problem_bytes_));
  page_.count = static_cast<std::uint32_t>(count);
  if (page_.done.load() != runs_) throw Foul("answers before it is asked");
  const std::uint32_t run = ++runs_;
  // The player's first thread is there: its caches get the problem, and it need not be waited for.
  const OnProcessors beside(arena_.on_host() ? first_place() : std::vector<int>());
  arena_.reveal();
  const double start = raw_seconds();
  page_.go.store(run);
  thaw();
  wake(page_.go);
  wait_for(run);
  Round round;
  for (std::size_t i = 0; i < count; ++i) {
    const std::byte* const answer =
        page_.mail.data() + Page::place_of_answer(i, count, problem_bytes_, answer_bytes_);
    round.answers.emplace_back(answer, answer + answer_bytes_);
  }
  round.seconds = raw_seconds() - start;  // an answer that came later is not taken
  stop();
  if (until_still) round.seconds = raw_seconds() - start;
  round.pulse_seconds = arena_.pulse_seconds();
  if (page_.state.load() == PlayerState::failed) throw std::runtime_error(words());
  const std::vector<pid_t> now = descendants_of(process_->process());
  if (!now.empty() && now != known_) throw Foul("starts a process of its own");
  if (!arena_.collect()) throw Foul("writes to its input");
  return round;
}

void HeldPlayer::thaw() const { kill(-process_->process(), SIGCONT); }

double HeldPlayer::cpu_seconds() const {
  double sum = 0;
  for (const pid_t one : known_) {
    clockid_t clock{};
    timespec time{};
    if (clock_getcpuclockid(one, &clock) == 0 && clock_gettime(clock, &time) == 0)
      sum += static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  }
  return sum;
}

void HeldPlayer::stop() {
  constexpr double longest = 5;  // seconds; a driver may hold a thread for a while
  const double deadline = raw_seconds() + longest;
  kill(-process_->process(), SIGSTOP);
  while (!all_stand_still()) {
    require_alive();
    if (raw_seconds() > deadline) throw Foul("cannot be stopped");
    std::this_thread::yield();  // its threads may need this core to stop
  }
}

/// True once every process of the player has stopped, also those that left its process group.
bool HeldPlayer::all_stand_still() {
  const pid_t first = process_->process();
  bool still = stands_still(first);
  for (const pid_t one : descendants_of(first)) {
    if (stands_still(one)) continue;
    still = false;
    kill(one, SIGSTOP);
  }
  return still;
}

}  // namespace gpp
