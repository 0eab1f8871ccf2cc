// The source lines of a GPU's machine code, with the chains of inlined calls.
//
// Read from a cubin: what nvcc -cubin -lineinfo writes, what lies in a fatbinary, and what the CUDA
// driver and CUPTI hand out. machine_code/line_table.cpp names the sources of the format.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace roofline {

struct SourcePlace {
  std::string file;  ///< the whole path as the compiler wrote it
  int line = 0;      ///< counted from 1

  auto operator<=>(const SourcePlace&) const = default;
};

struct Frame {
  SourcePlace place;
  std::string function;  ///< a symbol; empty where the cubin does not tell

  bool operator==(const Frame&) const = default;
};

/// For each instruction the line that it comes from. A copy is cheap; it can be asked from several
/// threads at once.
class LineTable {
 public:
  LineTable();

  /// The line of the instruction, and behind it those of the calls that were inlined: innermost
  /// first, the last one in the function that was compiled, with its symbol. `offset` counts bytes
  /// from the start of the function's symbol, as CUPTI's pcOffset does. Empty where nothing is
  /// known, and in helpers (see there). One frame alone where the table's chain is broken.
  std::vector<Frame> frames(const std::string& function, std::uint64_t offset) const;

  /// The operation of the code there if it is a helper that the compiler put behind the function's
  /// own code: "division", "reciprocal", ... (see machine_code/cubin.h), else the symbol of a
  /// function without lines. Empty where the function itself runs. The compiler's table gives such
  /// code the last line of the function, wherever it is called from.
  std::string helper(const std::string& function, std::uint64_t offset) const;

  /// Symbols of the functions that have lines: kernels, and device functions compiled on their own.
  std::vector<std::string> functions() const;

  /// Why there are no lines, or only for a part of the code, and what to do; empty where there is
  /// nothing to say.
  const std::string& problem() const;

 private:
  struct Tables;
  explicit LineTable(std::shared_ptr<const Tables> tables);
  friend LineTable read_line_table(std::string_view, const std::string&);

  std::shared_ptr<const Tables> tables_;
};

/// Reads the bytes of a cubin, which are not needed later. A cubin without lines gives an empty
/// table with a problem. InputError where the bytes are no cubin, or none that was left whole.
///
/// Names of inlined functions are told of the first compiled source of a cubin only: nvlink joins
/// several .debug_str without correcting what points into them (observed with nvcc 13.0 -rdc=true).
/// An inlined line with the same number as the line that calls it is no row of its own, though
/// their files differ (nvcc 13.0): the compiler's table charges the calling line. With nvcc -G,
/// inlined calls are described elsewhere (.debug_info): each place is one frame alone, with the
/// symbol of the function that was compiled.
LineTable read_line_table(std::string_view cubin, const std::string& name_for_messages);

}  // namespace roofline
