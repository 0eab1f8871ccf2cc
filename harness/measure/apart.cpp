#include "harness/measure/apart.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <stdexcept>

#include "harness/measure/child.h"
#include "runtimes/threads.h"

namespace gpp {
namespace {

/// Pieces of it that a mailbox can hold.
void for_each_part(const Piece& whole, const std::function<void(const Piece& part)>& action) {
  constexpr auto most = static_cast<std::int64_t>(mailbox_bytes);
  for (std::int64_t done = 0; done < whole.bytes; done += most)
    action({whole.address + done, std::min(most, whole.bytes - done)});
}

bool has(const std::vector<Piece>& pieces, const Piece& piece) {
  return std::ranges::find(pieces, piece) != pieces.end();
}

/// In a fork: becomes this program, started anew. Returns where that fails.
void become(ServantProgram program, int line, int mailbox) {
  for (const int descriptor : {line, mailbox}) fcntl(descriptor, F_SETFD, 0);  // they stay open
  program.line = line;
  program.mailbox = mailbox;
  std::vector<std::string> arguments = program.arguments();
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  execv(program.program.c_str(), argv.data());
}

}  // namespace

/// Memory that two processes share.
class Mailbox {
 public:
  Mailbox() : descriptor_(memfd_create("mailbox", MFD_CLOEXEC)) {
    if (descriptor_ < 0 || ftruncate(descriptor_, mailbox_bytes) != 0) throw std::bad_alloc();
    memory_ = mmap(nullptr, mailbox_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_, 0);
    if (memory_ == MAP_FAILED) throw std::bad_alloc();
  }
  ~Mailbox() {
    munmap(memory_, mailbox_bytes);
    close(descriptor_);
  }
  Mailbox(const Mailbox&) = delete;
  Mailbox& operator=(const Mailbox&) = delete;

  std::byte* data() const { return static_cast<std::byte*>(memory_); }
  int descriptor() const { return descriptor_; }

 private:
  int descriptor_;
  void* memory_ = MAP_FAILED;
};

struct Apart::Worker {
  Call call;
  std::optional<ServantProgram> program;
  std::unique_ptr<Mailbox> mailbox = std::make_unique<Mailbox>();
  Build build = {};                      // whose call is run there
  std::unique_ptr<Forked> process = {};  // none before it starts and after it ended
  std::vector<Piece> known = {};         // to a process with memory of its own
  std::vector<Piece> changed = {};       // here, since it ran last
  std::string failed = {};               // why there must be none any more
  std::vector<std::byte> problem = {};   // of its last run
  double seconds = 0;                    // that it took
  long long last_turn = 0;
};

/// Memory of this process, and of the one that ran last where there is one.
class Apart::Memory : public DeviceMemory {
 public:
  Memory(const DeviceMemory& here, Apart& apart) : here_(here), apart_(apart) {}

  void* allocate(std::size_t bytes) const override {
    void* const memory = here_.allocate(bytes);
    apart_.placed_.push_back(Piece::of(memory, bytes));
    return memory;
  }
  void release(void* memory) const noexcept override {
    std::erase_if(apart_.placed_, [memory](const Piece& piece) { return piece.data() == memory; });
    here_.release(memory);
  }
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
      memory_(std::make_unique<Memory>(
          options_.placed == PlacedAs::shared ? real.memory() : host_memory(), *this)) {}

Apart::~Apart() = default;

const DeviceMemory& Apart::memory() const { return *memory_; }

const Build& Apart::employ(const Build& build, std::optional<ServantProgram> program) {
  Worker& worker = workers_.emplace_back(Worker{build.call, std::move(program)});
  worker.build = {build.kind, build.call.done_by([this, &worker](auto problem, auto answer) {
                    run(worker, problem, answer);
                  }),
                  this};
  return worker.build;
}

// ---- Processes begin and end --------------------------------------------------------------------

/// Those that a device has room for; the others start at their turn.
void Apart::start_all() {
  const long long free = options_.placed == PlacedAs::copied ? real_.free_bytes() : 0;
  long long taken = 0;
  for (Worker& worker : workers_)
    if (free <= 0 || (taken += bytes_of_a_process()) <= free) start(worker);
}

void Apart::start(Worker& worker) {
  make_room_for(worker);
  worker.known.clear();
  worker.changed.clear();
  worker.problem.clear();
  worker.process = std::make_unique<Forked>([this, &worker](Line& line) {
    if (worker.program) {
      become(*worker.program, line.descriptor(), worker.mailbox->descriptor());
      return;
    }
    free_first_thread();
    serve(real_, worker.call, options_.placed,
          options_.recorder != nullptr ? *options_.recorder : roofline::cupti_recorder(), line,
          worker.mailbox->data());
  });
}

/// Device memory that a process needs: a copy of the placed inputs, and its context.
long long Apart::bytes_of_a_process() const {
  constexpr long long of_a_context = 1LL << 30;
  long long needed = of_a_context;
  for (const Piece& piece : placed_) needed += piece.bytes;
  return needed;
}

/// Ends processes on a device that has little free.
void Apart::make_room_for(const Worker& one) {
  while (options_.placed == PlacedAs::copied) {
    const long long free = real_.free_bytes();
    if (free <= 0 || free >= bytes_of_a_process()) return;
    Worker* longest = nullptr;
    for (Worker& worker : workers_)
      if (worker.process && &worker != &one &&
          (longest == nullptr || worker.last_turn < longest->last_turn))
        longest = &worker;
    if (longest == nullptr) return;
    dismiss(*longest, "");
  }
}

/// It starts again where `why` is empty.
void Apart::dismiss(Worker& worker, const std::string& why) {
  if (worker.process == nullptr) return;
  worker.failed = why;
  if (last_ == &worker) last_ = nullptr;
  ended_cpu_seconds_ += worker.process->cpu_seconds();
  worker.process.reset();
}

void Apart::end_all() {
  for (Worker& worker : workers_) dismiss(worker, "");
}

double Apart::cpu_seconds() const {
  double sum = ended_cpu_seconds_;
  for (const Worker& worker : workers_)
    if (worker.process) sum += worker.process->cpu_seconds();
  return sum;
}

// ---- Talk with a process ------------------------------------------------------------------------

void Apart::note_change(const Piece& piece) {
  for (Worker& worker : workers_)
    if (worker.process && !has(worker.changed, piece)) worker.changed.push_back(piece);
}

void Apart::say(const Worker& worker, const std::string& message) {
  if (worker.process == nullptr) throw std::runtime_error(worker.failed);
  worker.process->resume();
  worker.process->say(message);
}

roofline::Message Apart::hear(Worker& worker, double seconds) {
  Forked& process = *worker.process;
  std::string text;
  if (!process.hear(text, seconds, options_.interrupted)) {
    was_interrupted_ = process.was_interrupted();
    dismiss(worker, early_end(process.finished(), seconds));
    throw std::runtime_error(worker.failed);
  }
  process.pause();
  roofline::Message answer = roofline::message_in(text, "the process of a variant");
  if (answer.what == failure_message)
    throw std::runtime_error(answer.read<roofline::Failure>().reason);
  return answer;
}

DoneMessage Apart::ask(Worker& worker, const std::string& message, double more_seconds) {
  say(worker, message);
  const roofline::Message answer = hear(worker, options_.longest_run + more_seconds);
  if (answer.what != DoneMessage::name) answer.refuse();
  return answer.read<DoneMessage>();
}

void Apart::write(Worker& worker, const Piece& piece) {
  for_each_part(piece, [&](const Piece& part) {
    std::memcpy(worker.mailbox->data(), part.data(), part.size());
    ask(worker, message_text(write_message, part));
  });
}

void Apart::read(Worker& worker, std::byte* to, const Piece& piece) {
  for_each_part(piece, [&](const Piece& part) {
    ask(worker, message_text(read_message, part));
    std::memcpy(to + (part.address - piece.address), worker.mailbox->data(), part.size());
  });
}

/// Gives a process with copies what was placed, and each what was written.
void Apart::bring_up_to_date(Worker& worker) {
  if (options_.placed == PlacedAs::copied) {
    if (worker.known.empty()) make_room_for(worker);
    for (const Piece& piece : std::vector(worker.known))
      if (!has(placed_, piece)) {
        ask(worker, message_text(remove_message, piece));
        std::erase(worker.known, piece);
        worker.problem.clear();  // it may have been there
      }
    for (const Piece& piece : placed_)
      if (!has(worker.known, piece)) {
        ask(worker, message_text(place_message, piece));
        worker.known.push_back(piece);
        write(worker, piece);
      }
  }
  for (const Piece& piece : std::exchange(worker.changed, {})) write(worker, piece);
}

DoneMessage Apart::run_there(Worker& worker, std::span<const std::byte> problem,
                             const CallMessage& message) {
  std::ranges::copy(problem, worker.mailbox->data());
  return ask(worker, message_text(CallMessage::name, message), message.again_seconds);
}

/// A device that served another process has nothing of this one's in its caches, and takes up to a
/// tenth of a millisecond more. Before a short run it runs what it ran before, untimed; only then
/// does it get the problem that is timed.
void Apart::warm_up(Worker& worker) {
  constexpr double longest_affected = 0.01;  // seconds
  if (options_.placed == PlacedAs::copied && !worker.problem.empty() &&
      worker.seconds < longest_affected)
    run_there(worker, worker.problem);
}

void Apart::run(Worker& worker, std::span<const std::byte> problem, std::span<std::byte> answer) {
  last_ = nullptr;
  worker.last_turn = ++turns_;
  if (worker.process == nullptr && worker.failed.empty()) start(worker);
  warm_up(worker);
  bring_up_to_date(worker);
  DoneMessage done = run_there(worker, problem, {std::exchange(repeat_seconds_, 0)});
  worker.problem.assign(problem.begin(), problem.end());
  runs_ = done.runs;
  worker.seconds = done.seconds / done.runs;
  std::copy_n(worker.mailbox->data(), answer.size(), answer.data());
  last_ = &worker;
  told_ = done.seconds;
  launches_ = std::move(done.launches);
  pulse_ = {done.clock_mhz, done.pulse_seconds};
}

double Apart::time(const std::function<void()>& call) const {
  told_.reset();
  const double here = options_.placed == PlacedAs::shared ? real_.time(call) : (call(), 0.0);
  return told_.value_or(here);
}

Pulse Apart::pulse() const {
  return options_.placed == PlacedAs::shared || last_ == nullptr ? real_.pulse() : pulse_;
}

// ---- Counting -----------------------------------------------------------------------------------

roofline::Counted Apart::count(const Build& build, const CountMessage& message,
                               const std::vector<CountedRun>& runs) {
  constexpr double longest = 600;  // seconds between two runs
  Worker& worker =
      *std::ranges::find_if(workers_, [&build](const Worker& one) { return &one.build == &build; });
  for (const CountedRun& run : runs) {
    run.run();
    ask(worker, message_text(keep_message, roofline::Nothing{}));
  }
  say(worker, message_text(CountMessage::name, message));
  for (;;) {
    const roofline::Message answer = hear(worker, longest);
    if (answer.what == CountedMessage::name) {
      roofline::Counted counted = answer.read<CountedMessage>().counted;
      dismiss(worker, "");
      return counted;
    }
    if (answer.what != JudgeMessage::name) answer.refuse();
    judge(worker, answer.read<JudgeMessage>().part ? runs.back() : runs.front());
  }
}

void Apart::judge(Worker& worker, const CountedRun& run) {
  const std::byte* const mail = worker.mailbox->data();
  const std::vector<std::byte> given(mail, mail + worker.call.answer_bytes());
  last_ = &worker;
  const std::string reason = run.judge(worker.call.done_by(
      [&given](auto, auto answer) { std::ranges::copy(given, answer.begin()); }));
  say(worker, message_text(verdict_message, roofline::Failure{reason}));
}

}  // namespace gpp
