#include "harness/measure/worker.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cinttypes>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <limits>
#include <optional>
#include <stdexcept>

#include "harness/kernel.h"
#include "harness/measure/lines.h"
#include "harness/plugin/plugin.h"
#include "harness/record/record_json.h"
#include "roofline/base/machine.h"
#include "roofline/ceilings/measure.h"
#include "roofline/record/facts.h"
#include "runtimes/threads.h"

namespace gpp {

using roofline::Fields;
using roofline::Whole;

// ---- Messages -----------------------------------------------------------------------------------

void fields(Fields& field, RunOrder& order) {
  field("again_seconds", order.again_seconds, roofline::bounds::seconds);
  field("pieces", order.pieces);
}

void fields(Fields& field, DoneMessage& message) {
  field("seconds", message.seconds, roofline::bounds::seconds);
  field("runs", message.runs, Whole{1, std::numeric_limits<int>::max()});
  field("clock_mhz", message.clock_mhz, roofline::bounds::clock_mhz);
  field("pulse_seconds", message.pulse_seconds, roofline::bounds::seconds);
  field("launches", message.launches);
}

void fields(Fields& field, WrittenMessage& message) {
  field("address", message.address, roofline::any_size);
}

void fields(Fields& field, RoofsOrder& order) {
  field("wanted", order.wanted);
  field("fresh", order.fresh);
}

void fields(Fields& field, PartMessage& part) {
  field("units", part.units, Whole{1, 1 << 20});
  field("ceilings", part.ceilings);
  field("reason", part.reason, roofline::any_text);
}

void fields(Fields& field, CountOrder& order) {
  field("work", order.work, roofline::any_text);
  field("all", order.all);
  field("part", order.part, roofline::any_text);
  field("units", order.units, Whole{});
  field("seconds", order.seconds, roofline::bounds::seconds);
  field("counters", order.counters, roofline::any_text);
}

namespace {

// ---- A variant that writes to its input on a host -----------------------------------------------

SharedFile read_only;
const Line* study_line = nullptr;

/// Says where it wrote; then the instruction is tried again, and ends the process.
void tell_of_writing(int signal, siginfo_t* info, void* /*context*/) {
  std::signal(signal, SIG_DFL);
  if (!read_only.has(info->si_addr)) return;
  std::array<char, 80> text{};
  std::snprintf(text.data(), text.size(), R"({"what": "%s", "address": %)" PRIdPTR "}",
                WrittenMessage::name, reinterpret_cast<std::intptr_t>(info->si_addr));
  study_line->say(text.data());
}

void refuse_writing(const SharedFile& inputs, const Line& line) {
  read_only = inputs;
  study_line = &line;
  mprotect(inputs.data(), static_cast<std::size_t>(inputs.bytes), PROT_READ);
  struct sigaction action {};
  action.sa_sigaction = tell_of_writing;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGSEGV, &action, nullptr);
}

// ---- A part of a device ----

/// The roofs of the part that this process is confined to.
PartMessage part_here(const Runtime& runtime, const RoofsOrder& order) {
  const DeviceDescription device = runtime.describe();
  PartMessage part{device.units, {}, {}};
  if (!order.wanted) return part;
  part.reason = error_of([&] { part.ceilings = roofline::ceilings_of(device.kind, order.fresh); });
  return part;
}

}  // namespace

// ---- Work ---------------------------------------------------------------------------------------

/// Copies on a device of what the study has placed.
class VariantWorker::Copies {
 public:
  explicit Copies(const DeviceMemory& memory) : memory_(memory) {}

  /// Afterwards the device has these pieces, as they are now, and no others.
  void update(const std::vector<PlacedPiece>& pieces) {
    std::erase_if(copies_, [&pieces](const Copy& copy) {
      return std::ranges::none_of(pieces,
                                  [&](const PlacedPiece& one) { return one.is(copy.piece); });
    });
    for (const PlacedPiece& piece : pieces) {
      auto copy =
          std::ranges::find_if(copies_, [&](const Copy& one) { return one.piece.is(piece); });
      const bool is_new = copy == copies_.end();
      if (is_new) copy = copies_.insert(copy, {piece, DeviceBuffer(memory_, piece.size())});
      if (is_new || copy->piece.version != piece.version)
        memory_.write(copy->buffer.data(), piece.data(), piece.size());
      copy->piece.version = piece.version;
    }
  }

  /// What the variant left in its outputs comes back.
  void bring_outputs() const {
    for (const Copy& copy : copies_)
      if (copy.piece.output) memory_.read(copy.piece.data(), copy.buffer.data(), copy.piece.size());
  }

  /// The address of a byte that is not as it was placed; 0: all are.
  std::int64_t written() const {
    std::vector<std::byte> found(std::size_t{8} << 20);
    for (const Copy& copy : copies_)
      for (std::size_t at = 0; !copy.piece.output && at < copy.piece.size(); at += found.size()) {
        const std::size_t count = std::min(found.size(), copy.piece.size() - at);
        const std::byte* const placed = copy.piece.data() + at;
        memory_.read(found.data(), copy.buffer.as<std::byte>() + at, count);
        const auto [wrong, there] = std::mismatch(found.data(), found.data() + count, placed);
        if (wrong != found.data() + count) return reinterpret_cast<std::int64_t>(there);
      }
    return 0;
  }

  /// The device's address of what the study has at this one.
  void* own(const void* address) const {
    const auto place = reinterpret_cast<std::int64_t>(address);
    for (const Copy& copy : copies_)
      if (const std::int64_t offset = place - copy.piece.address;
          offset >= 0 && offset < std::max<std::int64_t>(1, copy.piece.bytes))
        return copy.buffer.as<std::byte>() + offset;
    return const_cast<void*>(address);
  }

 private:
  struct Copy {
    PlacedPiece piece;
    DeviceBuffer buffer;
  };

  const DeviceMemory& memory_;
  std::vector<Copy> copies_;
};

VariantWorker::VariantWorker(const Runtime& runtime, const Call& call,
                             const roofline::Recorder& recorder, Line& line,
                             const WorkerMemory& memory)
    : runtime_(runtime),
      call_(call),
      recorder_(recorder),
      line_(line),
      mail_(memory.outputs.data()),
      problem_(host_memory(), call.problem_bytes()),
      answer_(host_memory(), call.answer_bytes()) {
  if (std::max(problem_.bytes(), answer_.bytes()) > mail_bytes / 2)
    throw std::runtime_error("its problem or its answer is too large for the mail");
  if (memory.copies) copies_ = std::make_unique<Copies>(runtime.memory());
  refuse_writing(memory.inputs, line);
}

VariantWorker::~VariantWorker() = default;

void VariantWorker::work_until(const char* name) {
  while (const auto message = next()) {
    if (name != nullptr && message->what == name) return;
    reply(*message);
  }
  if (name != nullptr) throw std::runtime_error("the study has ended");
}

std::optional<roofline::Message> VariantWorker::next() {
  constexpr double for_ever = -1;
  for (std::string text; !line_.ended();)
    if (line_.hear(text, for_ever)) return roofline::message_in(text, "the study");
  return std::nullopt;
}

void VariantWorker::reply(const roofline::Message& message) {
  DoneMessage done;
  std::string text;
  const std::string error = error_of([&] {
    if (message.what == CountOrder::name)
      text = message_text(counted_message, count(message.read<CountOrder>()));
    else if (message.what == RoofsOrder::name)
      text = message_text(PartMessage::name, part_here(runtime_, message.read<RoofsOrder>()));
    else if (message.what == RunOrder::name)
      run(message.read<RunOrder>(), done);
    else if (const std::int64_t at = copies_ ? copies_->written() : 0; at != 0)
      line_.say(message_text(WrittenMessage::name, WrittenMessage{at}));
  });
  if (!error.empty()) text = message_text(failure_message, roofline::Failure{error});
  line_.say(text.empty() ? message_text(DoneMessage::name, done) : text);
}

double VariantWorker::timed_call(const std::byte* problem) {
  return runtime_.time([&] { call_.on_bytes(problem, answer_.as<std::byte>()); });
}

/// A device that served another process has nothing of this one's in its caches, and takes up to
/// a tenth of a millisecond more. Before a short run it runs what it ran before, untimed; only
/// then does it get the problem that is timed.
void VariantWorker::run(const RunOrder& order, DoneMessage& done) {
  constexpr double longest_affected = 0.01;  // seconds
  if (copies_ && seconds_ > 0 && seconds_ < longest_affected) timed_call(problem_.as<std::byte>());
  std::memcpy(problem_.data(), mail_, problem_.bytes());
  if (copies_) {
    seconds_ = 0;
    copies_->update(order.pieces);
    call_.relocate(problem_.as<std::byte>(),
                   [this](const void* address) { return copies_->own(address); });
    runtime_.pulse(brief_pulse);  // now the device serves this process
    const Pulse before = runtime_.pulse(brief_pulse);
    runtime_.begin_clock();
    call(order.again_seconds, done);
    done.clock_mhz = runtime_.end_clock();
    const Pulse after = runtime_.pulse(brief_pulse);
    if (done.clock_mhz <= 0) done.clock_mhz = after.clock_mhz;
    done.pulse_seconds = std::max(before.seconds, after.seconds);
  } else {
    call(order.again_seconds, done);
  }
  problems_.emplace_back(problem_.as<std::byte>(), problem_.as<std::byte>() + problem_.bytes());
  if (problems_.size() > 2) problems_.erase(problems_.begin());
  seconds_ = done.seconds / done.runs;
  done.launches = runtime_.launches();
  post_answer();
}

/// On the runtime's clock once; on the host's where it is done again and again.
void VariantWorker::call(double again_seconds, DoneMessage& done) {
  const double start = roofline::steady_seconds();
  done.seconds = timed_call(problem_.as<std::byte>());
  for (; again_seconds > 0; ++done.runs) {
    done.seconds = roofline::steady_seconds() - start;
    if (done.seconds >= again_seconds) return;
    timed_call(problem_.as<std::byte>());
  }
}

void VariantWorker::post_answer() const {
  if (copies_) copies_->bring_outputs();
  std::memcpy(mail_ + mail_bytes / 2, answer_.data(), answer_.bytes());
}

// ---- Counting ----

roofline::Counted VariantWorker::count(const CountOrder& order) {
  const auto on = [this](const std::vector<std::byte>& problem, const char* judge) {
    return roofline::CheckedRun{[this, &problem] { timed_call(problem.data()); },
                                [this, judge] { return verdict(judge); }};
  };
  if (problems_.empty()) throw std::runtime_error("there is no problem to count on");
  const auto& problem = order.part.empty() ? problems_.back() : problems_.front();
  const roofline::CheckedRun whole = on(problem, judge_whole);
  if (order.units > 0) return count_beside(order, whole);
  std::optional<roofline::SliceRun> slice;
  if (!order.part.empty())
    slice = roofline::SliceRun{order.part, on(problems_.back(), judge_slice)};
  return roofline::count_by_hardware(recorder_, order.work, whole, slice, order.all);
}

roofline::Counted VariantWorker::count_beside(const CountOrder& order,
                                              const roofline::CheckedRun& run) {
  const roofline::Recording recording = recorder_.record(
      order.counters,
      {.name = order.work,
       .run = [&] { runtime_.beside_waiting_blocks(order.units, order.seconds, run.run); },
       .check = [&] { roofline::check_results(run); }});
  if (!recording.defects.empty()) throw std::runtime_error(recording.defects.front());
  roofline::Counted counted;
  counted.source = roofline::CountedBy::cupti;
  counted.counters = recording.counters;
  return counted;
}

/// The study's on the answer of the last run.
std::string VariantWorker::verdict(const char* judge) {
  post_answer();
  line_.say(message_text(judge, roofline::Nothing{}));
  const auto message = next();
  if (!message) throw std::runtime_error("the study has ended");
  if (message->what != verdict_message) message->refuse();
  return message->read<roofline::Failure>().reason;
}

// ---- A program of its own -----------------------------------------------------------------------

namespace {

constexpr int worker_arguments = 3;

/// The argument that says what to do.
struct Task {
  WorkerProgram who;
  int line = -1;
  WorkerMemory memory;
};

void fields(Fields& field, Task& task) {
  field("kernel", task.who.kernel, roofline::any_text);
  field("variant", task.who.variant, roofline::any_text);
  field("model", task.who.model, roofline::any_text);
  field("kind", task.who.kind, roofline::any_text);
  field("units", task.who.units, Whole{});
  field("lines", task.who.lines, roofline::Choice{{"samples", "instructions"}});
  field("period", task.who.period, Whole{0, 31});
  field("player", task.who.player, roofline::as_it_is);
  field("line", task.line, Whole{-1, std::numeric_limits<int>::max()});
  field("inputs", task.memory.inputs);
  field("outputs", task.memory.outputs);
  field("copies", task.memory.copies);
}

/// Starts the device up, on the part that is asked for, and does the task.
void work(const Task& task, const Variant& variant, const Build& build, Line& line) {
  const auto start = [&] {
    const std::string missing = build.runtime->unavailable();
    if (!missing.empty()) throw std::runtime_error(missing);
    if (task.who.units > 0) build.runtime->confine(task.who.units);
    return std::make_unique<VariantWorker>(*build.runtime, build.call, roofline::cupti_recorder(),
                                           line, task.memory);
  };
  if (task.who.lines)
    work_on_lines(*task.who.lines, task.who.period, variant.source, start);
  else
    start()->work_until();
}

}  // namespace

std::pair<const Variant*, const Build*> build_of(const WorkerProgram& who) {
  for (const Variant& variant : kernel_called(who.kernel).catalog())
    for (const Build& build : variant.builds)
      if (variant.id == who.variant && variant.model == who.model && build.kind == who.kind)
        return {&variant, &build};
  throw std::runtime_error("this program does not have the variant");
}

WorkerProgram program_of(const Kernel& kernel, const Choice& choice, int units) {
  return {kernel.name, choice.variant->id, choice.variant->model, choice.build->kind, units};
}

std::vector<std::string> command_of(const WorkerProgram& program, int line,
                                    const WorkerMemory& memory) {
  std::vector<std::string> words = {program.program, worker_word,
                                    roofline::facts_text(Task{program, line, memory})};
  if (program.player.empty()) std::ranges::copy(arguments_of_plugins(), std::back_inserter(words));
  return words;
}

void become_worker(const WorkerProgram& program, const Line& line, const WorkerMemory& memory) {
  if (program.units > 0 && !memory.copies) {
    // OpenMP reads the number of cores when it starts; places of the whole machine are not there.
    run_on(roofline::first_cores(program.units));
    setenv("OMP_NUM_THREADS", std::to_string(program.units).c_str(), 1);
    for (const char* name : {"OMP_PLACES", "GOMP_CPU_AFFINITY", "KMP_AFFINITY"}) unsetenv(name);
  }
  const int socket = line.descriptor();
  for (const int descriptor : {socket, memory.inputs.descriptor, memory.outputs.descriptor})
    fcntl(descriptor, F_SETFD, 0);  // it stays open
  roofline::become_program(program.program, command_of(program, socket, memory));
}

bool work_if_asked(int argc, const char* const* argv, Play play) {
  if (argc < 2 || std::string_view(argv[1]) != worker_word) return false;
  if (argc < worker_arguments) return true;
  const auto task = roofline::read_text<Task>(argv[2], "the task of a worker");
  Line line(task.line);
  const std::string error = error_of([&] {
    task.memory.inputs.map(false);
    task.memory.outputs.map(true);
    free_first_thread();
    // A variant's steps wait as those of a program that has used OpenMP before.
    if (!task.memory.copies) start_kept_threads();
    if (!task.who.player.empty()) return play(task.who, task.memory);
    adopt_named(argc, argv, worker_arguments);
    const auto [variant, build] = build_of(task.who);
    work(task, *variant, *build, line);
  });
  if (!error.empty()) line.say(message_text(failure_message, roofline::Failure{error}));
  return true;
}

}  // namespace gpp
