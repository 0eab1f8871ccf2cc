#include "harness/measure/apart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "harness/measure/child.h"
#include "roofline/base/visible.h"
#include "runtimes/threads.h"

namespace gpp {

struct Apart::Worker {
  Call call;
  std::optional<WorkerProgram> program;
  Build build = {};                      // whose call is run there
  std::unique_ptr<Forked> process = {};  // none before it starts and after it ended
  std::string failed = {};               // why there must be none any more
  std::int64_t written = 0;              // address in an input that it wrote to
  bool has_run = false;
  long long last_turn = 0;
};

Apart::Apart(const Runtime& real, ApartOptions options)
    : real_(real), options_(std::move(options)) {}

Apart::~Apart() { end_all(); }

const Build& Apart::employ(const Build& build, std::optional<WorkerProgram> program) {
  Worker& worker = workers_.emplace_back(Worker{build.call, std::move(program)});
  worker.build = {build.kind, build.call.done_by([this, &worker](auto problem, auto answer) {
                    run(worker, problem, answer);
                  }),
                  this};
  return worker.build;
}

Apart::Worker& Apart::worker_of(const Build& build) {
  return *std::ranges::find_if(workers_,
                               [&build](const Worker& one) { return &one.build == &build; });
}

// ---- Workers begin and end ----------------------------------------------------------------------

/// Those that a device has room for; the others start at their turn.
void Apart::start_all() {
  const long long free = options_.copies ? real_.free_bytes() : 0;
  long long taken = 0;
  for (Worker& worker : workers_)
    if (free <= 0 || (taken += bytes_of_a_worker()) <= free) start(worker);
}

void Apart::start(Worker& worker) {
  make_room_for(worker);
  worker.has_run = false;
  worker.process = std::make_unique<Forked>([this, &worker](Line& line) {
    const WorkerMemory memory{memory_.inputs(), memory_.outputs(), options_.copies};
    const std::string error = error_of([&] {
      if (worker.program) become_worker(*worker.program, line, memory);
      free_first_thread();
      const roofline::Recorder& recorder =
          options_.recorder != nullptr ? *options_.recorder : roofline::cupti_recorder();
      VariantWorker(real_, worker.call, recorder, line, memory).work_until();
    });
    if (!error.empty()) line.say(message_text(failure_message, roofline::Failure{error}));
  });
}

/// Device memory that a worker needs: a copy of what is placed, and its context.
long long Apart::bytes_of_a_worker() const {
  constexpr long long of_a_context = 1LL << 30;
  long long needed = of_a_context;
  for (const PlacedPiece& piece : memory_.pieces()) needed += piece.bytes;
  return needed;
}

/// Ends workers on a device that has little free.
void Apart::make_room_for(const Worker& one) {
  while (options_.copies) {
    const long long free = real_.free_bytes();
    if (free <= 0 || free >= bytes_of_a_worker()) return;
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
  if (const std::string printed = worker.process->printed(); !printed.empty())
    fmt::print(stderr, "gpp: {} printed:\n{}\n",
               worker.program ? worker.program->model + " " + worker.program->variant : "a variant",
               roofline::visible_lines(printed));
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

// ---- Talk with a worker -------------------------------------------------------------------------

void Apart::say(const Worker& worker, const std::string& message) {
  if (worker.process == nullptr) throw std::runtime_error(worker.failed);
  worker.process->resume();
  worker.process->say(message);
}

roofline::Message Apart::hear(Worker& worker, double seconds) {
  Forked& process = *worker.process;
  for (std::string text; process.hear(text, seconds, options_.interrupted);) {
    const roofline::Message answer = roofline::message_in(text, "the worker of a variant");
    if (answer.what == written_message) {
      worker.written = answer.read<WrittenMessage>().written;
      continue;
    }
    process.pause();
    if (answer.what == failure_message)
      throw std::runtime_error(answer.read<roofline::Failure>().reason);
    return answer;
  }
  was_interrupted_ = process.was_interrupted();
  dismiss(worker, early_end(process.finished(), seconds));
  throw std::runtime_error(worker.failed);
}

roofline::Message Apart::answer_to(Worker& worker, const std::string& message, const char* name,
                                   double more_seconds) {
  say(worker, message);
  roofline::Message answer = hear(worker, options_.longest_run + more_seconds);
  if (answer.what != name) answer.refuse();
  return answer;
}

DoneMessage Apart::ask(Worker& worker, const std::string& message, double more_seconds) {
  return answer_to(worker, message, DoneMessage::name, more_seconds).read<DoneMessage>();
}

/// A first run finds no answer of another worker in the outputs.
void Apart::run(Worker& worker, std::span<const std::byte> problem, std::span<std::byte> answer) {
  told_.reset();
  worker.last_turn = ++turns_;
  if (worker.process == nullptr && worker.failed.empty()) start(worker);
  if (!std::exchange(worker.has_run, true)) {
    make_room_for(worker);
    memory_.spoil_outputs();
  }
  std::ranges::copy(problem, memory_.mail());
  CallMessage message{std::exchange(repeat_seconds_, 0), {}};
  if (options_.copies) message.pieces = memory_.pieces();
  DoneMessage done = ask(worker, message_text(CallMessage::name, message), message.again_seconds);
  std::copy_n(memory_.mail() + mail_bytes / 2, answer.size(), answer.data());
  runs_ = done.runs;
  told_ = done.seconds;
  launches_ = std::move(done.launches);
  pulse_ = {done.clock_mhz, done.pulse_seconds};
}

double Apart::time(const std::function<void()>& call) const {
  told_.reset();
  call();
  return told_.value_or(0);
}

roofline::Message Apart::ask(const Build& build, const std::string& order, const char* name) {
  return answer_to(worker_of(build), order, name);
}

bool Apart::wrote_to_input(const Build& build) {
  Worker& worker = worker_of(build);
  if (worker.process != nullptr)
    worker.written = ask(worker, message_text(look_message, roofline::Nothing{})).written;
  if (worker.written == 0) return false;
  auto* const byte = reinterpret_cast<std::byte*>(std::exchange(worker.written, 0));
  *byte = ~*byte;
  return true;
}

// ---- Counting -----------------------------------------------------------------------------------

roofline::Counted Apart::count(const Build& build, const CountMessage& message,
                               const std::vector<CountedRun>& runs) {
  Worker& worker = worker_of(build);
  for (const CountedRun& run : runs) {
    run.run();
    ask(worker, message_text(keep_message, roofline::Nothing{}));
  }
  const roofline::Message found =
      count_there(worker, message_text(CountMessage::name, message), runs);
  if (found.what != CountedMessage::name) found.refuse();
  dismiss(worker, "");
  return found.read<CountedMessage>().counted;
}

roofline::Counters Apart::count_beside(const Build& build, const BesideMessage& message,
                                       const CountedRun& run) {
  run.run();
  const roofline::Message found =
      count_there(worker_of(build), message_text(BesideMessage::name, message), {run});
  if (found.what != BytesMessage::name) found.refuse();
  return found.read<BytesMessage>().counters;
}

roofline::Message Apart::count_there(Worker& worker, const std::string& message,
                                     const std::vector<CountedRun>& runs) {
  constexpr double longest = 600;  // seconds between two runs
  say(worker, message);
  for (;;) {
    roofline::Message answer = hear(worker, longest);
    if (answer.what != JudgeMessage::name) return answer;
    const bool part = answer.read<JudgeMessage>().part;
    const std::string reason = judge(worker, part ? runs.back() : runs.front());
    say(worker, message_text(verdict_message, roofline::Failure{reason}));
  }
}

std::string Apart::judge(const Worker& worker, const CountedRun& run) const {
  const std::byte* const mail = memory_.mail() + mail_bytes / 2;
  const std::vector<std::byte> given(mail, mail + worker.call.answer_bytes());
  return run.judge(worker.call.done_by(
      [&given](auto, auto answer) { std::ranges::copy(given, answer.begin()); }));
}

}  // namespace gpp
