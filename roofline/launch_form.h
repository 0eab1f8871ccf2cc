// The parameters of a kernel launch, which are known even without permission to count.
#pragma once

#include <array>
#include <compare>
#include <cstdint>

#include "roofline/record/fields.h"

namespace roofline {

struct LaunchForm {
  std::array<std::int64_t, 3> grid = {1, 1, 1};   ///< dimensions of the grid in blocks
  std::array<std::int64_t, 3> block = {1, 1, 1};  ///< dimensions of a block in threads
  int registers = 0;                              ///< registers per thread; 0: unknown
  std::int64_t static_shared = 0;                 ///< static shared memory per block, bytes
  std::int64_t dynamic_shared = 0;                ///< dynamic shared memory, bytes

  auto operator<=>(const LaunchForm&) const = default;

  double blocks() const {
    return static_cast<double>(grid[0]) * static_cast<double>(grid[1]) *
           static_cast<double>(grid[2]);
  }
  std::int64_t threads_of_block() const { return block[0] * block[1] * block[2]; }
};

inline void fields(Fields& field, LaunchForm& form) {
  constexpr Whole most_blocks{0, (1LL << 31) - 1}, most_threads{0, 1024};
  constexpr Whole most_registers{0, 255}, most_shared{0, 1LL << 30};
  field("grid", form.grid, most_blocks, "blocks in x, y and z");
  field("block", form.block, most_threads, "threads in x, y and z");
  field("registers", form.registers, most_registers, "of a thread; 0: not told");
  field("static_shared", form.static_shared, most_shared, "bytes of shared memory of a block");
  field("dynamic_shared", form.dynamic_shared, most_shared, "bytes asked for at the launch");
}

struct FormLaunches {
  LaunchForm form = {};
  std::int64_t launches = 0;
  double seconds = 0;  ///< total seconds of the launches
};

inline void fields(Fields& field, FormLaunches& launched) {
  field("form", launched.form);
  field("launches", launched.launches, Whole{1, bounds::large});
  field("seconds", launched.seconds, bounds::seconds, "of all of them");
}

}  // namespace roofline
