#include "harness/judge/held_player.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/close_range.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <ctime>
#include <filesystem>
#include <string_view>
#include <thread>

#include "roofline/base/machine.h"
#include "roofline/base/text.h"
#include "roofline/cuda_driver.h"
#include "runtimes/threads.h"

namespace gpp {
namespace {

/// No program can set or slow this clock.
double raw_seconds() { return seconds_of(CLOCK_MONOTONIC_RAW); }

/// In a fork: becomes that command, with the descriptors of that memory and no others.
void become(const std::vector<std::string>& command, const WorkerMemory& memory) {
  constexpr unsigned first_own = 3;
  close_range(first_own, ~0U, CLOSE_RANGE_CLOEXEC);
  for (const int one : {memory.inputs.descriptor, memory.outputs.descriptor})
    fcntl(one, F_SETFD, 0);
  const int nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nothing < 0) return;
  dup2(nothing, STDOUT_FILENO);
  dup2(nothing, STDERR_FILENO);
  roofline::become_program(command.front(), command);
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

/// What CUDA_VISIBLE_DEVICES calls the referee's GPU, which is the first; empty where it is the
/// only one, or none. On another one a submission could work unseen.
std::string gpu_among_several(const Runtime& runtime) {
  roofline::CudaDriverDevice first;
  return runtime.devices() > 1 && roofline::ask_cuda_driver(0, first).empty() ? first.uuid : "";
}

std::string text_in(Page::Text told) {
  told.back() = 0;
  return roofline::visible(told.data());
}

}  // namespace

void let_our_threads_sleep() {
  constexpr auto between = std::chrono::microseconds(200);
  constexpr int most_looks = 5000;
  for (int look = 0; look < most_looks && !threads_are("SDZX", getpid(), gettid()); ++look)
    std::this_thread::sleep_for(between);
}

// ---- Arena --------------------------------------------------------------------------------------

/// A GPU's, the inputs first.
class Arena::Far : public MemoryInPieces {
 public:
  Far(const DeviceMemory& real, const MemorySizes& size)
      : real_(real),
        own_(real, whole(size.inputs) + whole(size.outputs)),
        shared_(real, own_.bytes()) {
    inputs_ = {own_.as<std::byte>(), whole(size.inputs)};
    outputs_ = {inputs_.data + inputs_.bytes, whole(size.outputs)};
  }

  void write(void* to, const void* from, std::size_t bytes) const override {
    real_.write(to, from, bytes);
  }
  void read(void* to, const void* from, std::size_t bytes) const override {
    real_.read(to, from, bytes);
  }

  void reveal() const {
    for (const Room* const room : {&inputs_, &outputs_})
      real_.copy(shared(*room), room->data, room->taken);
  }
  bool collect() const {
    real_.copy(outputs_.data, shared(outputs_), outputs_.taken);
    return real_.same(inputs_.data, shared(inputs_), inputs_.taken);
  }
  std::vector<std::byte> name() const { return real_.name_for_others(shared_.data()); }
  std::uint64_t address() const { return reinterpret_cast<std::uint64_t>(own_.data()); }

 private:
  static std::size_t whole(std::size_t bytes) { return rounded(bytes, block_bytes); }
  /// As the player has it.
  std::byte* shared(const Room& room) const {
    return shared_.as<std::byte>() + (room.data - inputs_.data);
  }

  const DeviceMemory& real_;
  DeviceBuffer own_, shared_;
};

Arena::Arena(const Runtime& device, const MemorySizes& size)
    : device_(device), shared_(device.memory().is_host() ? size : MemorySizes{}, sizeof(Page)) {
  if (!device.memory().is_host()) far_ = std::make_unique<Far>(device.memory(), size);
}

Arena::~Arena() = default;

const MemoryInPieces& Arena::pieces() const {
  if (far_) return *far_;
  return shared_;
}

void Arena::reveal() const {
  if (far_) return far_->reveal();
  constexpr std::size_t cache_line = 64;
  for (std::size_t at = 0; at < shared_.taken().inputs; at += cache_line)
    static_cast<void>(*static_cast<const volatile std::byte*>(shared_.inputs().data() + at));
}

bool Arena::collect() const { return far_ == nullptr || far_->collect(); }

std::vector<std::byte> Arena::name() const { return far_->name(); }

std::uint64_t Arena::address() const { return far_->address(); }

// ---- Player -------------------------------------------------------------------------------------

HeldPlayer::HeldPlayer(PlayerStart start, const Sandbox& sandbox, Arena& arena)
    : arena_(arena), start_(std::move(start)), page_(*new (arena.shared().mail()) Page) {
  WorkerProgram& program = start_.program;
  PlayerOrder& order = start_.order;
  SandboxView view{files_of_this_program(), {}, !arena.on_host()};
  program.program = view.readable.front();
  if (!order.library.empty()) view.readable.emplace_back(order.library);
  if (view.gpu) {
    view.only_gpu = gpu_among_several(arena.device());
    page_.arena = arena.address();
    std::ranges::copy(arena.name(), page_.arena_name.begin());
  }
  const WorkerMemory memory{arena.shared().inputs(), arena.shared().outputs(), view.gpu};
  if (order.limits.memory_bytes > 0)
    order.limits.memory_bytes += memory.inputs.size() + memory.outputs.size();
  order.place = arena.device().device_place();
  program.player = roofline::facts_text(order);
  const std::vector<std::string> command =
      sandbox.wrap(command_of(program, -1, memory), view, start_.pid_namespace);
  process_ =
      std::make_unique<Child>([&](Line& /*line*/) { error_of([&] { become(command, memory); }); });
  constexpr double longest_start = 60;  // seconds
  wait_for(runs_, longest_start, "what does it do when it is loaded? It is not ready after");
  require_well();
  stop();
  known_ = descendants_of(process_->process());
  if (known_.empty()) known_ = {process_->process()};  // without a sandbox around it
  types_ = text_in(page_.types);
}

void HeldPlayer::require_alive() {
  const bool interrupted = start_.interrupted && start_.interrupted();
  if (!interrupted && !process_->gone()) return;
  std::string text;
  process_->hear(text, 0, {});
  if (interrupted) throw std::runtime_error("interrupted");
  require_well();
  throw std::runtime_error(early_end(process_->finished(), start_.longest_run));
}

void HeldPlayer::require_well() const {
  if (page_.failed.load()) throw std::runtime_error(text_in(page_.words));
}

void HeldPlayer::wait_for(std::uint32_t run, double seconds, const char* late) {
  constexpr double longest_sleep = 0.05;  // seconds between two looks at whether it lives
  const double deadline = raw_seconds() + seconds;
  for (std::uint32_t done = 0; (done = page_.done.load()) < run;) {
    sleep_while(page_.done, done, longest_sleep);
    if (page_.done.load() >= run) return;
    require_alive();
    if (raw_seconds() > deadline) throw std::runtime_error(fmt::format("{} {:g} s", late, seconds));
  }
}

HeldPlayer::Round HeldPlayer::go(const std::vector<std::vector<std::byte>>& problems,
                                 const Mail& sizes, bool until_still) {
  const std::size_t count = problems.size();
  if (count > sizes.most()) throw std::runtime_error("its problem or answer is too large");
  for (std::size_t i = 0; i < count; ++i)
    std::ranges::copy(problems[i], page_.mail.begin() + sizes.problem(i));
  page_.count = static_cast<std::uint32_t>(count);
  if (page_.done.load() != runs_) throw Foul("answers before it is asked");
  const std::uint32_t run = ++runs_;
  // The player's first thread is there: its caches get the problem, and it need not be waited for.
  const OnProcessors beside(arena_.on_host() ? first_place() : std::vector<int>());
  arena_.reveal();
  const double start = raw_seconds();
  page_.go.store(run);
  kill(-process_->process(), SIGCONT);
  wake(page_.go);
  wait_for(run, start_.longest_run, "did not end in");
  Round round;
  for (std::size_t i = 0; i < count; ++i) {
    const std::byte* const answer = page_.mail.data() + sizes.answer(i);
    round.answers.emplace_back(answer, answer + sizes.answer_bytes);
  }
  round.seconds = raw_seconds() - start;  // an answer that came later is not taken
  stop();
  if (until_still) round.seconds = raw_seconds() - start;
  if (!arena_.on_host()) round.pulse_seconds = arena_.pulse(long_pulse).seconds;
  require_well();
  const std::vector<pid_t> now = descendants_of(process_->process());
  if (!now.empty() && now != known_) throw Foul("starts a process of its own");
  if (!arena_.collect()) throw Foul("writes to its input");
  return round;
}

double HeldPlayer::cpu_seconds() const {
  double sum = 0;
  for (const pid_t one : known_) sum += cpu_seconds_of(one);
  return sum;
}

/// Returns once every thread of the player has stopped or ended, also of those processes that left
/// its process group.
void HeldPlayer::stop() {
  constexpr const char* stopped = "TtZX";
  constexpr double longest = 5;  // seconds; a driver may hold a thread for a while
  const pid_t first = process_->process();
  const double deadline = raw_seconds() + longest;
  kill(-first, SIGSTOP);
  for (;;) {
    bool still = threads_are(stopped, first);
    for (const pid_t one : descendants_of(first)) {
      if (threads_are(stopped, one)) continue;
      still = false;
      kill(one, SIGSTOP);
    }
    if (still) return;
    require_alive();
    if (raw_seconds() > deadline) throw Foul("cannot be stopped");
    std::this_thread::yield();  // its threads may need this core to stop
  }
}

}  // namespace gpp
