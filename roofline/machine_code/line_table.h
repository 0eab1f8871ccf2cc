// The source lines of GPU machine code, with chains of inlined calls.
//
// They are read from a cubin: one that nvcc -cubin -lineinfo wrote, one from a fatbinary, or one
// from the CUDA driver or CUPTI. machine_code/line_table.cpp describes the format.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace roofline {

struct SourcePlace {
  std::string file;  ///< path as the compiler wrote it
  int line = 0;      ///< number of the line, from 1

  auto operator<=>(const SourcePlace&) const = default;
};

struct Frame {
  SourcePlace place;
  std::string function;  ///< symbol of the function; empty if unknown

  bool operator==(const Frame&) const = default;
};

/// A map from each instruction to its line. Copies are cheap, and several threads may use it.
class LineTable {
 public:
  LineTable();

  /// The line of an instruction, followed by the lines of the inlined calls, innermost first. The
  /// last one is in the compiled function and has its symbol. `offset` is in bytes from the start
  /// of the function's symbol, as CUPTI's pcOffset. Empty if nothing is known, and in helpers (see
  /// below). Only one frame if the table's chain is broken.
  std::vector<Frame> frames(const std::string& function, std::uint64_t offset) const;

  /// The operation of the code at that place if it is a helper that the compiler put behind the
  /// function: "division", "reciprocal", ... (see machine_code/cubin.h), else the symbol of a
  /// function without lines. Empty in the function itself. The compiler's table assigns helpers to
  /// the last line of the function, whatever line calls them.
  std::string helper(const std::string& function, std::uint64_t offset) const;

  /// The symbols of functions with lines: kernels, and separately compiled device functions.
  std::vector<std::string> functions() const;

  /// The reason why lines are missing for all or part of the code, with a remedy; else empty.
  const std::string& problem() const;

 private:
  struct Tables;
  explicit LineTable(std::shared_ptr<const Tables> tables);
  friend LineTable read_line_table(std::string_view, const std::string&);

  std::shared_ptr<const Tables> tables_;
};

/// Reads the bytes of a cubin, which may be freed afterwards. A cubin without lines gives an empty
/// table with a problem. Throws InputError for an invalid or truncated cubin.
///
/// Limits: Names of inlined functions are known only for the first source of a cubin, because
/// nvlink joins .debug_str sections without correcting references (observed with nvcc 13.0
/// -rdc=true). An inlined line with the same number as the calling line has no row of its own, even
/// in another file (nvcc 13.0), so the calling line is charged. With nvcc -G, inlined calls are
/// described in .debug_info instead, so each place has one frame with the symbol of the compiled
/// function.
LineTable read_line_table(std::string_view cubin, const std::string& name_for_messages);

}  // namespace roofline
