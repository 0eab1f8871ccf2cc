#include "harness/measure/servant.h"

#include <sys/mman.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <iterator>
#include <limits>
#include <optional>
#include <span>
#include <stdexcept>

#include "harness/kernel.h"
#include "harness/measure/child.h"
#include "harness/measure/load.h"
#include "harness/plugin/plugin.h"
#include "runtimes/threads.h"

namespace gpp {

using roofline::Fields;
using roofline::Whole;

// ---- Messages -----------------------------------------------------------------------------------

void fields(Fields& field, Piece& piece) {
  field("address", piece.address, roofline::any_size);
  field("bytes", piece.bytes, roofline::any_size);
}

void fields(Fields& field, CallMessage& message) {
  field("again_seconds", message.again_seconds, roofline::bounds::seconds);
}

void fields(Fields& field, DoneMessage& message) {
  field("seconds", message.seconds, roofline::bounds::seconds);
  field("runs", message.runs, Whole{1, std::numeric_limits<int>::max()});
  field("clock_mhz", message.clock_mhz, roofline::bounds::clock_mhz);
  field("pulse_seconds", message.pulse_seconds, roofline::bounds::seconds);
  field("launches", message.launches);
}

void fields(Fields& field, CountMessage& message) {
  field("variant", message.variant, roofline::any_text);
  field("all", message.all);
  field("part", message.part, roofline::any_text);
}

void fields(Fields& field, JudgeMessage& message) { field("part", message.part); }

namespace {

// ---- Memory -------------------------------------------------------------------------------------

/// This process's memory for the study's.
class Places {
 public:
  Places(const DeviceMemory& memory, PlacedAs placed) : memory_(memory), placed_(placed) {}

  void place(const Piece& piece) { places_.push_back({piece, {memory_, piece.size()}}); }
  void remove(const Piece& piece) {
    std::erase_if(places_, [&piece](const Place& place) { return place.piece == piece; });
  }
  void write(const Piece& piece, const void* from) const {
    memory_.write(here(piece), from, piece.size());
  }
  void read(const Piece& piece, void* to) const { memory_.read(to, here(piece), piece.size()); }

  /// Puts this process's addresses where a problem has the study's.
  void relocate(std::span<std::byte> problem) const {
    for (std::size_t at = 0; at + sizeof(std::int64_t) <= problem.size(); at += alignof(void*)) {
      Piece word{0, 1};
      std::memcpy(&word.address, problem.data() + at, sizeof(word.address));
      if (void* const own = find(word)) std::memcpy(problem.data() + at, &own, sizeof(own));
    }
  }

 private:
  struct Place {
    Piece piece;
    DeviceBuffer buffer;
  };

  void* find(const Piece& piece) const {
    for (const Place& place : places_) {
      const std::int64_t offset = piece.address - place.piece.address;
      if (offset >= 0 && offset + piece.bytes <= place.piece.bytes)
        return place.buffer.as<std::byte>() + offset;
    }
    return nullptr;
  }
  void* here(const Piece& piece) const {
    if (placed_ == PlacedAs::shared) return piece.data();
    if (void* const own = find(piece)) return own;
    throw std::runtime_error("the study speaks of memory that it did not place");
  }

  const DeviceMemory& memory_;
  PlacedAs placed_;
  std::vector<Place> places_;
};

// ---- Service ------------------------------------------------------------------------------------

constexpr double for_ever = -1;

const Build* build_of(const ServantProgram& asked) {
  const Kernel* kernel = find_kernel(asked.kernel);
  if (kernel == nullptr) return nullptr;
  for (const Variant& variant : kernel->catalog())
    for (const Build& build : variant.builds)
      if (variant.id == asked.variant && variant.model == asked.model && build.kind == asked.kind)
        return &build;
  return nullptr;
}

class Servant {
 public:
  Servant(const Runtime& runtime, const Call& call, PlacedAs placed,
          const roofline::Recorder& recorder, Line& line, std::byte* mailbox)
      : runtime_(runtime),
        call_(call),
        placed_(placed),
        recorder_(recorder),
        line_(line),
        mailbox_(mailbox),
        places_(runtime.memory(), placed),
        problem_(host_memory(), call.problem_bytes()),
        answer_(host_memory(), call.answer_bytes()) {}

  void serve() {
    while (const auto message = next()) reply(*message);
  }

 private:
  std::optional<roofline::Message> next() {
    for (std::string text; !line_.ended();)
      if (line_.hear(text, for_ever)) return roofline::message_in(text, "the study");
    return std::nullopt;
  }

  void reply(const roofline::Message& message) {
    DoneMessage done;
    std::string text;
    const std::string error = error_of([&] {
      if (message.what == CountMessage::name)
        text = message_text(CountedMessage::name, count(message.read<CountMessage>()));
      else
        act(message, done);
    });
    if (!error.empty()) text = message_text(failure_message, roofline::Failure{error});
    line_.say(text.empty() ? message_text(DoneMessage::name, done) : text);
  }

  void act(const roofline::Message& message, DoneMessage& done) {
    if (message.what == CallMessage::name) return run(message.read<CallMessage>(), done);
    if (message.what == keep_message) {
      kept_.emplace_back(problem_.as<std::byte>(), problem_.as<std::byte>() + problem_.bytes());
      return;
    }
    const auto piece = message.read<Piece>();
    if (message.what == place_message) places_.place(piece);
    if (message.what == remove_message) places_.remove(piece);
    if (message.what == write_message) places_.write(piece, mailbox_);
    if (message.what == read_message) places_.read(piece, mailbox_);
  }

  double timed_call(const std::byte* problem) {
    return runtime_.time([&] { call_.on_bytes(problem, answer_.as<std::byte>()); });
  }

  void run(const CallMessage& message, DoneMessage& done) {
    std::memcpy(problem_.data(), mailbox_, problem_.bytes());
    places_.relocate({problem_.as<std::byte>(), problem_.bytes()});
    if (placed_ == PlacedAs::copied)
      run_with_clock(message, done);
    else
      call(message, done);
    done.launches = runtime_.launches();
    std::memcpy(mailbox_, answer_.data(), answer_.bytes());
  }

  /// On the runtime's clock once; on the host's where it is done again and again.
  void call(const CallMessage& message, DoneMessage& done) {
    const double start = steady_seconds();
    done.seconds = timed_call(problem_.as<std::byte>());
    if (message.again_seconds <= 0) return;
    while ((done.seconds = steady_seconds() - start) < message.again_seconds) {
      timed_call(problem_.as<std::byte>());
      ++done.runs;
    }
  }

  void run_with_clock(const CallMessage& message, DoneMessage& done) {
    runtime_.pulse();  // now the device serves this process
    const Pulse before = runtime_.pulse();
    runtime_.begin_clock();
    call(message, done);
    done.clock_mhz = runtime_.end_clock();
    const Pulse after = runtime_.pulse();
    if (done.clock_mhz <= 0) done.clock_mhz = after.clock_mhz;
    done.pulse_seconds = std::max(before.seconds, after.seconds);
  }

  // ---- Counting ----

  CountedMessage count(const CountMessage& message) {
    const auto on = [this](const std::vector<std::byte>& problem, bool part) {
      return roofline::CheckedRun{[this, &problem] { timed_call(problem.data()); },
                                  [this, part] { return verdict(part); }};
    };
    if (kept_.empty()) throw std::runtime_error("there is no problem to count on");
    std::optional<roofline::SliceRun> slice;
    if (!message.part.empty()) slice = roofline::SliceRun{message.part, on(kept_.back(), true)};
    CountedMessage counted;
    counted.counted = roofline::count_by_hardware(recorder_, message.variant,
                                                  on(kept_.front(), false), slice, message.all);
    return counted;
  }

  /// The study's on the answer of the last run. It may read memory before it knows.
  std::string verdict(bool part) {
    std::memcpy(mailbox_, answer_.data(), answer_.bytes());
    line_.say(message_text(JudgeMessage::name, JudgeMessage{part}));
    while (const auto message = next()) {
      if (message->what == verdict_message) return message->read<roofline::Failure>().reason;
      reply(*message);
    }
    throw std::runtime_error("the study has ended");
  }

  const Runtime& runtime_;
  const Call& call_;
  PlacedAs placed_;
  const roofline::Recorder& recorder_;
  Line& line_;
  std::byte* mailbox_;
  Places places_;
  DeviceBuffer problem_, answer_;
  std::vector<std::vector<std::byte>> kept_;
};

}  // namespace

void serve(const Runtime& runtime, const Call& call, PlacedAs placed,
           const roofline::Recorder& recorder, Line& line, std::byte* mailbox) {
  Servant(runtime, call, placed, recorder, line, mailbox).serve();
}

// ---- A program of its own -----------------------------------------------------------------------

namespace {

constexpr std::string_view servant_word = "--serve-variant";
constexpr int servant_arguments = 8;

int number_in(std::string_view text) {
  int number = -1;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

}  // namespace

std::vector<std::string> ServantProgram::arguments() const {
  std::vector<std::string> all = {"gpp",
                                  std::string(servant_word),
                                  kernel,
                                  variant,
                                  model,
                                  kind,
                                  std::to_string(line),
                                  std::to_string(mailbox)};
  std::ranges::copy(arguments_of_plugins(), std::back_inserter(all));
  return all;
}

bool serve_if_asked(int argc, const char* const* argv) {
  if (argc < servant_arguments || argv[1] != servant_word) return false;
  const ServantProgram asked{argv[2],           argv[3], argv[4], argv[5], number_in(argv[6]),
                             number_in(argv[7])};
  const std::string refused = error_of([&] { adopt_named(argc, argv, servant_arguments); });
  const Build* build = build_of(asked);
  void* const mailbox =
      mmap(nullptr, mailbox_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, asked.mailbox, 0);
  Line line(asked.line);
  if (!refused.empty()) line.say(message_text(failure_message, roofline::Failure{refused}));
  if (build == nullptr || mailbox == MAP_FAILED) return true;
  free_first_thread();
  const std::string missing = build->runtime->unavailable();  // starts the device up
  if (missing.empty())
    serve(*build->runtime, build->call, PlacedAs::copied, roofline::cupti_recorder(), line,
          static_cast<std::byte*>(mailbox));
  else
    line.say(message_text(failure_message, roofline::Failure{missing}));
  return true;
}

}  // namespace gpp
