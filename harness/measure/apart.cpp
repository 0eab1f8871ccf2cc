#include "harness/measure/apart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <limits>
#include <memory>
#include <stdexcept>
#include <utility>

#include "harness/program/child.h"
#include "harness/record/record_json.h"
#include "roofline/base/text.h"
#include "roofline/record/facts.h"

namespace gpp {

struct Apart::Worker {
  Call call;
  std::optional<WorkerProgram> program;
  Build build = {};                     // whose call is run there
  std::unique_ptr<Child> process = {};  // none before it starts and after it ended
  std::string failed = {};              // why there must be none any more
  std::int64_t written = 0;             // address in an input that it wrote to
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
    if (!one_at_a_time_ && (free <= 0 || (taken += bytes_of_a_worker()) <= free)) start(worker);
}

void Apart::start(Worker& worker) {
  make_room_for(worker);
  one_at_a_time_ = options_.copies && real_.make_way();
  worker.process = std::make_unique<Child>([this, &worker](Line& line) {
    const WorkerMemory memory{memory_.inputs(), memory_.outputs(), options_.copies};
    const std::string error = error_of([&] {
      if (worker.program) become_worker(*worker.program, line, memory);
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

/// Ends workers on a device that has little free, or takes no second process.
void Apart::make_room_for(const Worker& one) {
  while (options_.copies) {
    const long long free = free_bytes();
    if (!one_at_a_time_ && (free <= 0 || free >= bytes_of_a_worker())) return;
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
  worker.has_run = false;
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

void Apart::say(Worker& worker, const std::string& message) {
  if (!worker.failed.empty()) throw std::runtime_error(worker.failed);
  if (worker.process == nullptr) start(worker);
  worker.process->resume();
  worker.process->say(message);
}

roofline::Message Apart::hear(Worker& worker, double seconds) {
  Child& process = *worker.process;
  for (std::string text; process.hear(text, seconds, options_.interrupted);) {
    const roofline::Message answer = roofline::message_in(text, "the worker of a variant");
    if (answer.what == WrittenMessage::name) {
      worker.written = answer.read<WrittenMessage>().address;
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

roofline::Message Apart::ask(Worker& worker, const std::string& message, const char* name,
                             double more_seconds) {
  say(worker, message);
  roofline::Message answer = hear(worker, options_.longest_run + more_seconds);
  if (answer.what != name) answer.refuse();
  return answer;
}

/// A first run finds no answer of another worker in the outputs.
void Apart::run(Worker& worker, std::span<const std::byte> problem, std::span<std::byte> answer) {
  worker.last_turn = ++turns_;
  if (!std::exchange(worker.has_run, true)) {
    if (worker.process != nullptr) make_room_for(worker);
    memory_.spoil_outputs();
  }
  std::ranges::copy(problem, memory_.mail());
  RunOrder order{std::exchange(repeat_seconds_, 0), {}};
  if (options_.copies) order.pieces = memory_.pieces();
  last_ = ask(worker, message_text(RunOrder::name, order), DoneMessage::name, order.again_seconds)
              .read<DoneMessage>();
  std::copy_n(memory_.mail() + mail_bytes / 2, answer.size(), answer.data());
}

double Apart::time(const std::function<void()>& call) const {
  last_ = {};
  call();
  return last_.seconds;
}

Pulse Apart::pulse(double seconds) const {
  if (!options_.copies) return real_.pulse(seconds);
  return {last_.clock_mhz, last_.pulse_seconds};
}

roofline::Message Apart::ask(const Build& build, const std::string& order, const char* name) {
  return ask(worker_of(build), order, name);
}

bool Apart::wrote_to_input(const Build& build) {
  Worker& worker = worker_of(build);
  if (worker.process != nullptr)
    ask(worker, message_text(look_order, roofline::Nothing{}), DoneMessage::name);
  if (worker.written == 0) return false;
  auto* const byte = reinterpret_cast<std::byte*>(std::exchange(worker.written, 0));
  *byte = ~*byte;
  return true;
}

roofline::Counted Apart::count(const Variant& variant, const Build& build, const CountOrder& order,
                               const std::vector<Stage*>& stages, double tolerance) {
  constexpr double longest = 600;  // seconds between two runs
  Worker& worker = worker_of(build);
  for (Stage* stage : stages) stage->run_only(variant, build, as_it_is);
  const std::byte* const mail = memory_.mail() + mail_bytes / 2;
  const Call given = worker.call.done_by(
      [mail](auto, auto answer) { std::copy_n(mail, answer.size(), answer.data()); });
  say(worker, message_text(CountOrder::name, order));
  for (;;) {
    const roofline::Message answer = hear(worker, longest);
    if (answer.what == counted_message) {
      if (order.units == 0) dismiss(worker, "");
      return answer.read<roofline::Counted>();
    }
    const bool whole = answer.what == judge_whole;
    if (!whole && answer.what != judge_slice) answer.refuse();
    Placement& placement = (whole ? stages.front() : stages.back())->on(*this);
    placement.run(variant, given);
    const roofline::Failure verdict{placement.check(tolerance).reason};
    say(worker, message_text(verdict_message, verdict));
  }
}

// ---- A problem ----------------------------------------------------------------------------------

Placement& Stage::on(const Runtime& runtime) {
  std::unique_ptr<Placement>& placement = placements_[&runtime];
  if (!placement) placement = subject_.place(runtime);
  return *placement;
}

Tried Stage::run(const Variant& variant, const Build& build, std::uint64_t seed, double tolerance,
                 LoadMeter* load, bool looks_at_inputs) {
  Tried tried;
  if (load != nullptr) load->begin();
  tried.seconds = run_only(variant, build, seed);
  if (load != nullptr) tried.load = load->end();
  tried.check = on(*build.runtime).check(tolerance);
  if (looks_at_inputs || !tried.check.passed)
    if (const std::string written = writing(build); !written.empty()) {
      tried.check.passed = false;
      tried.check.reason = written;
    }
  return tried;
}

double Stage::run_only(const Variant& variant, const Build& build, std::uint64_t seed) {
  double seconds = 0;
  Placement& placement = on(*build.runtime);
  std::string error = error_of([&] {
    placement.vary(seed);
    seconds = build.runtime->time([&] { placement.run(variant, build.call); });
  });
  if (error.empty()) return seconds;
  error_of([&] {
    if (const std::string written = writing(build); !written.empty()) error = written;
  });
  throw std::runtime_error(error);
}

std::string Stage::writing(const Build& build) {
  auto* const apart = const_cast<Apart*>(dynamic_cast<const Apart*>(build.runtime));
  if (apart == nullptr || !apart->wrote_to_input(build)) return {};
  return fmt::format("it writes to its input ({}), which belongs to all variants",
                     on(*apart).repair());
}

// ---- Many inputs --------------------------------------------------------------------------------

namespace {

/// The worse of a run on the input as it is and one on it varied.
Check check_twice(const Subject& subject, const Variant& variant, const Build& build,
                  double tolerance) {
  constexpr std::uint64_t any_seed = 20260101;
  Stage stage(subject);
  Check first = stage.run(variant, build, as_it_is, tolerance, nullptr, true).check;
  if (!first.passed) return first;
  Check varied = stage.run(variant, build, any_seed, tolerance, nullptr, true).check;
  if (!varied.passed) varied.reason = "in a second run, varied: " + varied.reason;
  const bool worse = !varied.passed || varied.max_relative_error > first.max_relative_error;
  return worse ? varied : first;
}

}  // namespace

std::vector<Check> check_on(const std::vector<CheckInput>& inputs, const Choice& choice,
                            double tolerance, double limit_s,
                            const std::optional<WorkerProgram>& program) {
  const Build& build = *choice.build;
  std::unique_ptr<Apart> apart;
  const Build* there = nullptr;  // the build in the worker
  std::vector<Check> verdicts;
  for (const CheckInput& input : inputs) {
    Check verdict{std::numeric_limits<double>::infinity(), tolerance, false, ""};
    const std::string error = error_of([&] {
      const std::unique_ptr<Subject> subject = input.make();
      if (apart == nullptr) {
        apart = std::make_unique<Apart>(*build.runtime,
                                        ApartOptions{limit_s, {}, build.kind != "host"});
        there = &apart->employ(build, program);
      }
      verdict = check_twice(*subject, *choice.variant, *there, tolerance);
    });
    if (!error.empty()) verdict.reason = error;
    if (!verdict.passed) apart.reset();
    verdicts.push_back(std::move(verdict));
  }
  return verdicts;
}

}  // namespace gpp
