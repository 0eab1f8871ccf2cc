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

/// Where an instruction comes from.
struct CodeOrigin {
  /// The symbol of the function that has the first of the places. In a helper that the compiler put
  /// behind a kernel it is the operation ("division", "reciprocal", ...), else without a place the
  /// symbol of the compiled function.
  std::string function;
  /// The line, followed by the lines of the inlined calls that lead to it, innermost first. Empty
  /// if nothing is known, and in helpers: the compiler's table assigns these to the last line of
  /// the kernel, whatever line calls them. Only one place if the table's chain is broken.
  std::vector<SourcePlace> places;

  bool operator==(const CodeOrigin&) const = default;
};

/// A map from each instruction to its origin. Copies are cheap, and several threads may use it.
///
/// Limits: Names of inlined functions are known only for the first source of a cubin, because
/// nvlink joins .debug_str sections without correcting references (observed with nvcc 13.0
/// -rdc=true). An inlined line with the same number as the calling line has no row of its own, even
/// in another file (nvcc 13.0), so the calling line is charged. With nvcc -G, inlined calls are
/// described in .debug_info instead, so each instruction has one place.
class LineTable {
 public:
  /// Reads the bytes of a cubin, which may be freed afterwards. Throws InputError for an invalid or
  /// truncated cubin.
  LineTable(std::string_view cubin, std::string_view name_for_messages);

  /// `offset` is in bytes from the start of the function's symbol, as CUPTI's pcOffset.
  CodeOrigin origin(const std::string& function, std::uint64_t offset) const;

  /// The reason why lines are missing for all or part of the code, with a remedy; else empty.
  const std::string& problem() const;

 private:
  struct Tables;
  std::shared_ptr<const Tables> tables_;
};

/// The operation of a helper function that NVIDIA's compiler adds behind a kernel: "division",
/// "reciprocal", "square root", "reciprocal square root", "remainder", "power", "argument
/// reduction", else its symbol. Empty for other functions.
std::string helper_name(std::string_view symbol);

}  // namespace roofline
