// The process of one variant: it does what the study asks of it. The study's side is apart.h.
//
// The study speaks first, a message a line (child.h); every message is answered by `done` or by a
// failure. Bytes lie in the mailbox, memory that both processes share. Addresses are the study's:
// a process that placed the problem in a device of its own knows which memory of its stands for
// which of the study's, and puts its own addresses into the problem.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "harness/measure/forked.h"
#include "harness/variant.h"
#include "roofline/record/fields.h"
#include "roofline/recorder.h"
#include "runtimes/runtime.h"

namespace gpp {

constexpr std::size_t mailbox_bytes = 8 << 20;  ///< the most that goes through it at a time

/// A piece of memory of the study.
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
void fields(roofline::Fields& field, Piece& piece);

/// Run on the problem in the mailbox; the answer takes its place.
struct CallMessage {
  static constexpr const char* name = "run";
  double again_seconds = 0;  ///< once where it is 0, else back to back for at least so long
};
void fields(roofline::Fields& field, CallMessage& message);

/// The answer to each message.
struct DoneMessage {
  static constexpr const char* name = "done";
  double seconds = 0;  ///< of a run, or of all that followed each other
  int runs = 1;
  double clock_mhz = 0;          ///< of a device during it; 0: not known, or on a host
  double pulse_seconds = 0;      ///< the longer one of those before and after it (Runtime::pulse)
  std::vector<Launch> launches;  ///< of a run
};
void fields(roofline::Fields& field, DoneMessage& message);

/// The order to count a variant, with the problems of its last runs.
struct CountMessage {
  static constexpr const char* name = "count";  ///< answered by a CountedMessage
  std::string variant;                          ///< "cuda v7"
  bool all = false;                             ///< every counter
  std::string part;  ///< empty: there is no slice; else the last run was on it
};
void fields(roofline::Fields& field, CountMessage& message);

// Messages of the study. Of a piece: place (make room that stands for it), remove, write (from the
// mailbox), read (into it). Without fields: keep (this problem, to be counted).
inline constexpr const char* place_message = "place";
inline constexpr const char* remove_message = "remove";
inline constexpr const char* write_message = "write";
inline constexpr const char* read_message = "read";
inline constexpr const char* keep_message = "keep";

/// Tells the study that an answer lies in the mailbox while the process counts. The process goes on
/// after the study's verdict, a roofline::Failure whose reason is empty where the answer is right.
struct JudgeMessage {
  static constexpr const char* name = "judge";
  bool part = false;  ///< the run was on the slice
};
void fields(roofline::Fields& field, JudgeMessage& message);
inline constexpr const char* verdict_message = "verdict";

/// Where a process has what the study placed.
enum class PlacedAs {
  shared,  ///< where the study has it: the process is a fork
  copied   ///< in its runtime's memory, once the study says `place`
};

/// Does what the study asks for until the line ends. `recorder` counts.
void serve(const Runtime& runtime, const Call& call, PlacedAs placed,
           const roofline::Recorder& recorder, Line& line, std::byte* mailbox);

/// A program that is to serve one variant.
struct ServantProgram {
  std::string kernel, variant, model, kind;
  int line = -1, mailbox = -1;  ///< descriptors
  std::string program = "/proc/self/exe";

  /// The arguments of this program that say so.
  std::vector<std::string> arguments() const;
};

/// Serves, where the arguments are those of a ServantProgram. Returns whether they were.
bool serve_if_asked(int argc, const char* const* argv);

}  // namespace gpp
