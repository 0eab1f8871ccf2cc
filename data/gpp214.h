// Reading and writing gpp214 files.
//
// Format (of gpp.f90, NERSC 2020; data/README.md): Fortran unformatted sequential, little endian,
// 18 records, each framed by its length in bytes as a 4-byte integer before and after. Records
// above 2^31-9 bytes come in subrecords (data/fortran_records.h). data/gpp214_records.h lists what
// each record holds.
#pragma once

#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <string>
#include <string_view>

#include "gpp/input.h"

namespace gpp {

/// Reads a file and validates it (data/validate.h). Checks the structure of the whole file against
/// its dimensions, and the required memory against the available memory, before anything is
/// allocated; arrays are then read straight into their vectors. Throws InputError.
Input read_gpp214(const std::filesystem::path& path);

/// Reads from a stream that can seek; `name` stands for the file in messages.
Input read_gpp214(std::istream& stream, std::string_view name);

struct WriteOptions {
  /// Longer records are split. The default is gfortran's; smaller values test subrecords.
  std::int64_t max_subrecord_bytes = 2147483639;
};

/// Writes a file under a temporary name beside `path` and renames it when complete, so that no
/// interrupted run leaves half a file. Array sizes must agree with the dimensions; values are not
/// checked. Throws InputError and then removes the temporary file.
void write_gpp214(const std::filesystem::path& path, const Input& input,
                  const WriteOptions& options = {});

/// Writes a gpp214 file's bytes to a stream.
void write_gpp214(std::ostream& stream, const Input& input, const WriteOptions& options = {});

/// The size of the file that write_gpp214 makes from an input with these dimensions; its arrays may
/// be empty. Saturates at the largest 64-bit integer.
std::int64_t gpp214_file_bytes(const Input& dimensions, const WriteOptions& options = {});

/// The bytes of an input with these dimensions, of its PreparedProblem, and of the host's copy for
/// variants (gpp/placed_problem.h). It reads only the dimensions of records 1 and 2, which must be
/// valid (data/validate.h). Saturates as well.
std::int64_t memory_estimate(const Input& dimensions);

/// The hash of the file that write_gpp214 would write for this input.
std::string sha256_of(const Input& input);

}  // namespace gpp
