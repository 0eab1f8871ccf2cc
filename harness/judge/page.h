// The one page by which a referee and a player talk, and how each waits for the other.
//
// The referee writes the problems and counts `go` up; the player writes the answers and counts
// `done` up. Nothing else that lies there is believed: what the player tells of itself is what it
// will get, and its words are shown to people, no more.
#pragma once

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <ctime>

namespace gpp {

/// The state of the player, as it tells it.
enum class PlayerState : std::uint32_t { starting, ready, failed };

struct Page {
  static constexpr std::size_t most_mail = 1 << 20;

  std::atomic<std::uint32_t> go{0};    ///< the referee's
  std::atomic<std::uint32_t> done{0};  ///< the player's
  std::atomic<PlayerState> state{PlayerState::starting};
  std::uint32_t count = 0;                            ///< problems in the mail
  std::uint64_t problem_bytes = 0, answer_bytes = 0;  ///< as the player's call takes them
  std::uint64_t arena = 0;                            ///< where the referee has a GPU's arena
  std::uint64_t arena_bytes = 0;
  std::array<std::byte, 64> arena_name{};  ///< of a GPU: DeviceMemory::name_for_others
  std::uint32_t arena_name_bytes = 0;
  std::array<char, 1024> words{};                       ///< why it failed
  alignas(64) std::array<std::byte, most_mail> mail{};  ///< problems, then answers

  /// Each begins where any type may.
  static std::size_t padded(std::size_t bytes) { return (bytes + 63) / 64 * 64; }
  static std::size_t place_of_problem(std::size_t i, std::size_t bytes) {
    return i * padded(bytes);
  }
  static std::size_t place_of_answer(std::size_t i, std::size_t count, std::size_t problem,
                                     std::size_t answer) {
    return count * padded(problem) + i * padded(answer);
  }
};

/// Sleeps while the word is `value`, at most so many seconds; it may wake up early.
inline void sleep_while(const std::atomic<std::uint32_t>& word, std::uint32_t value,
                        double seconds) {
  timespec limit{static_cast<time_t>(seconds), 0};
  limit.tv_nsec = static_cast<long>(1e9 * (seconds - static_cast<double>(limit.tv_sec)));
  syscall(SYS_futex, &word, FUTEX_WAIT, value, seconds < 0 ? nullptr : &limit, nullptr, 0);
}

inline void wake(const std::atomic<std::uint32_t>& word) {
  syscall(SYS_futex, &word, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

}  // namespace gpp
