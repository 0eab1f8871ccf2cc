#include "harness/measure/apart.h"

#include <fmt/format.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cfenv>
#include <chrono>
#include <cstring>
#include <ctime>
#include <new>
#include <stdexcept>
#include <thread>

#include "harness/measure/child.h"
#include "runtimes/threads.h"

namespace gpp {

using roofline::Fields;

// ---- What the two processes tell each other -----------------------------------------------------

/// A piece of memory, at the same place in each process.
struct Piece {
  std::int64_t address = 0;
  std::int64_t bytes = 0;

  static Piece of(const void* data, std::size_t bytes) {
    return {reinterpret_cast<std::int64_t>(data), static_cast<std::int64_t>(bytes)};
  }
  void* data() const { return reinterpret_cast<void*>(address); }
  std::size_t size() const { return static_cast<std::size_t>(bytes); }
  bool operator==(const Piece&) const = default;
};

void fields(Fields& field, Piece& piece) {
  field("address", piece.address, roofline::any_size);
  field("bytes", piece.bytes, roofline::any_size);
}

/// The answer to each message.
struct DoneMessage {
  double seconds = 0;  ///< of a run
  std::string left;    ///< what it did not leave as it found it; empty: nothing
};

void fields(Fields& field, DoneMessage& message) {
  field("seconds", message.seconds, roofline::bounds::seconds);
  field("left", message.left, roofline::any_text);
}

namespace {

constexpr std::size_t most_bytes = 1 << 20;  // that go through a mailbox at a time

constexpr const char* write_message = "write";
constexpr const char* read_message = "read";
constexpr const char* run_message = "run";    // on the problem in the mailbox
constexpr const char* rest_message = "rest";  // and see whether anything goes on working
constexpr const char* done_message = "done";

// ---- In the process of a variant ----------------------------------------------------------------

/// What a call must leave as it found it.
class Surroundings {
 public:
  Surroundings() {
    std::fegetenv(&environment_);
    rounding_ = std::fegetround();
    traps_ = traps();
    sched_getaffinity(0, sizeof(cores_), &cores_);
  }

  /// What differs now, in words, and is put back.
  std::string put_back() const {
    std::string left;
    const auto add = [&left](bool differs, const char* what) {
      if (differs) left += (left.empty() ? "" : ", ") + std::string(what);
    };
    const Surroundings now;
    add(now.rounding_ != rounding_, "another rounding mode");
    add(now.traps_ != traps_,
        "floating-point exceptions that end the program, or tiny numbers that count as 0");
    std::fesetenv(&environment_);
    add(!CPU_EQUAL(&now.cores_, &cores_), "its thread tied to other processors");
    sched_setaffinity(0, sizeof(cores_), &cores_);
    add(has_children(), "a process that still runs");
    return left;
  }

 private:
  /// Exceptions that end a program, and how numbers near 0 are treated.
  static unsigned traps() {
    unsigned found = 0;
#ifdef __GLIBC__
    found = static_cast<unsigned>(fegetexcept());
#endif
#ifdef __SSE__
    constexpr unsigned near_zero = 0x8040;  // of the control register
    found |= (__builtin_ia32_stmxcsr() & near_zero) << 16;
#endif
    return found;
  }

  static bool has_children() {
    siginfo_t info{};
    while (waitid(P_ALL, 0, &info, WEXITED | WNOHANG) == 0) {
      if (info.si_pid == 0) return true;
      info = {};  // one that had ended
    }
    return false;
  }

  std::fenv_t environment_{};
  int rounding_ = 0;
  unsigned traps_ = 0;
  cpu_set_t cores_{};
};

/// Threads of OpenMP look out for work for some time, and sleep then.
std::string still_working() {
  constexpr auto until_they_sleep = std::chrono::milliseconds(300);
  constexpr double window = 0.05, most = 0.2;  // seconds, and a share of one processor
  const auto cpu_seconds = [] { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; };
  std::this_thread::sleep_for(until_they_sleep);
  const double before = cpu_seconds();
  std::this_thread::sleep_for(std::chrono::duration<double>(window));
  return cpu_seconds() - before > most * window ? "threads that go on working" : "";
}

/// Does what the study asks of one variant.
class Servant {
 public:
  Servant(const Runtime& real, const Call& call, std::byte* mailbox)
      : real_(real),
        call_(call),
        mailbox_(mailbox),
        problem_(host_memory(), call.problem_bytes()),
        answer_(host_memory(), call.answer_bytes()) {}

  void serve(Line& line) {
    constexpr double for_ever = -1;
    for (std::string text; !line.ended();)
      if (line.hear(text, for_ever)) line.say(reply_to(roofline::message_in(text, "the study")));
  }

 private:
  std::string reply_to(const roofline::Message& message) {
    DoneMessage done;
    const std::string error = error_of([&] { act(message, done); });
    return error.empty() ? message_text(done_message, done)
                         : message_text(failure_message, roofline::Failure{error});
  }

  void act(const roofline::Message& message, DoneMessage& done) {
    if (message.what == run_message) return run(done);
    if (message.what == rest_message) {
      done.left = still_working();
      return;
    }
    const auto piece = message.read<Piece>();
    if (message.what == write_message) std::memcpy(piece.data(), mailbox_, piece.size());
    if (message.what == read_message) std::memcpy(mailbox_, piece.data(), piece.size());
  }

  void run(DoneMessage& done) {
    std::memcpy(problem_.data(), mailbox_, problem_.bytes());
    done.seconds =
        real_.time([this] { call_.on_bytes(problem_.as<std::byte>(), answer_.as<std::byte>()); });
    done.left = surroundings_.put_back();
    std::memcpy(mailbox_, answer_.data(), answer_.bytes());
  }

  const Runtime& real_;
  const Call& call_;
  std::byte* mailbox_;
  DeviceBuffer problem_, answer_;
  Surroundings surroundings_;
};

/// Pieces of it that a mailbox can hold.
void for_each_part(const Piece& whole, const std::function<void(const Piece& part)>& action) {
  constexpr auto most = static_cast<std::int64_t>(most_bytes);
  for (std::int64_t done = 0; done < whole.bytes; done += most)
    action({whole.address + done, std::min(most, whole.bytes - done)});
}

/// Memory that two processes share.
struct Unmap {
  void operator()(void* memory) const { munmap(memory, most_bytes); }
};
using Mailbox = std::unique_ptr<void, Unmap>;

Mailbox make_mailbox() {
  void* memory =
      mmap(nullptr, most_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  return Mailbox(memory);
}

}  // namespace

// ---- In the study -------------------------------------------------------------------------------

struct Apart::Worker {
  Call call;
  Mailbox mailbox;
  std::unique_ptr<Forked> process = {};  // none before it starts and after it ended
  std::vector<Piece> changed = {};       // here, since it ran last
  std::string failed = {};               // why there is none any more

  std::byte* mail() const { return static_cast<std::byte*>(mailbox.get()); }
};

/// Memory of this process, and of the one that ran last where there is one.
class Apart::Memory : public DeviceMemory {
 public:
  Memory(const DeviceMemory& here, Apart& apart) : here_(here), apart_(apart) {}

  void* allocate(std::size_t bytes) const override { return here_.allocate(bytes); }
  void release(void* memory) const noexcept override { here_.release(memory); }
  void write(void* device, const void* host, std::size_t bytes) const override {
    here_.write(device, host, bytes);
    apart_.note_change(Piece::of(device, bytes));
  }
  void read(void* host, const void* device, std::size_t bytes) const override {
    if (apart_.last_ == nullptr) return here_.read(host, device, bytes);
    apart_.read(*apart_.last_, static_cast<std::byte*>(host), Piece::of(device, bytes));
  }

 private:
  const DeviceMemory& here_;
  Apart& apart_;
};

Apart::Apart(const Runtime& real, ApartOptions options)
    : real_(real),
      options_(std::move(options)),
      memory_(std::make_unique<Memory>(real.memory(), *this)) {}

Apart::~Apart() = default;

const DeviceMemory& Apart::memory() const { return *memory_; }

Build Apart::employ(const Build& build) {
  Worker& worker = workers_.emplace_back(Worker{build.call, make_mailbox()});
  return {build.kind, build.call.done_by([this, &worker](auto problem, auto answer) {
            run(worker, problem, answer);
          }),
          this};
}

void Apart::start_all() {
  for (Worker& worker : workers_)
    worker.process = std::make_unique<Forked>([this, &worker](Line& line) {
      if (options_.forget) options_.forget();
      free_first_thread();
      Servant(real_, worker.call, worker.mail()).serve(line);
    });
}

void Apart::note_change(const Piece& piece) {
  for (Worker& worker : workers_)
    if (worker.process && std::ranges::find(worker.changed, piece) == worker.changed.end())
      worker.changed.push_back(piece);
}

void Apart::say(const Worker& worker, const std::string& message) {
  if (worker.process == nullptr) throw std::runtime_error(worker.failed);
  worker.process->resume();
  worker.process->say(message);
}

DoneMessage Apart::hear(Worker& worker) {
  Forked& process = *worker.process;
  std::string text;
  if (!process.hear(text, options_.longest_run, options_.interrupted)) {
    was_interrupted_ = process.was_interrupted();
    dismiss(worker, early_end(process.finished(), options_.longest_run));
    throw std::runtime_error(worker.failed);
  }
  process.pause();
  const roofline::Message answer = roofline::message_in(text, "the process of a variant");
  if (answer.what == failure_message)
    throw std::runtime_error(answer.read<roofline::Failure>().reason);
  if (answer.what != done_message) answer.refuse();
  return answer.read<DoneMessage>();
}

void Apart::dismiss(Worker& worker, const std::string& why) {
  if (worker.process == nullptr) return;
  worker.failed = why;
  if (last_ == &worker) last_ = nullptr;
  ended_cpu_seconds_ += worker.process->cpu_seconds();
  worker.process.reset();
}

void Apart::write(Worker& worker, const Piece& piece) {
  for_each_part(piece, [&](const Piece& part) {
    std::memcpy(worker.mail(), part.data(), part.size());
    say(worker, message_text(write_message, part));
    hear(worker);
  });
}

void Apart::read(Worker& worker, std::byte* to, const Piece& piece) {
  for_each_part(piece, [&](const Piece& part) {
    say(worker, message_text(read_message, part));
    hear(worker);
    std::memcpy(to + (part.address - piece.address), worker.mail(), part.size());
  });
}

void Apart::run(Worker& worker, std::span<const std::byte> problem, std::span<std::byte> answer) {
  last_ = nullptr;
  for (const Piece& piece : std::exchange(worker.changed, {})) write(worker, piece);
  std::ranges::copy(problem, worker.mail());
  say(worker, message_text(run_message, roofline::Nothing{}));
  const DoneMessage done = hear(worker);
  std::copy_n(worker.mail(), answer.size(), answer.data());
  last_ = &worker;
  told_ = done.seconds;
  if (done.left.empty()) return;
  dismiss(worker, "it leaves behind: " + done.left);
  throw std::runtime_error(worker.failed);
}

double Apart::time(const std::function<void()>& call) const {
  told_.reset();
  const double here = real_.time(call);
  return told_.value_or(here);
}

std::vector<std::string> Apart::end_all(bool look) {
  const auto asked = [look](const Worker& worker) { return look && worker.process != nullptr; };
  for (const Worker& worker : workers_)
    if (asked(worker)) say(worker, message_text(rest_message, roofline::Nothing{}));
  std::vector<std::string> left;
  for (Worker& worker : workers_) {
    std::string& text = left.emplace_back();
    if (!asked(worker)) continue;
    const std::string error = error_of([&] { text = hear(worker).left; });
    if (!error.empty()) text = error;
  }
  for (Worker& worker : workers_) dismiss(worker, "its process was ended after its last run");
  return left;
}

double Apart::cpu_seconds() const {
  double sum = ended_cpu_seconds_;
  for (const Worker& worker : workers_)
    if (worker.process) sum += worker.process->cpu_seconds();
  return sum;
}

}  // namespace gpp
