// The hash that identifies an input in records of studies.
#pragma once

#include <string>

#include "gpp/input.h"
#include "roofline/base/sha256.h"

namespace gpp {

using roofline::Sha256;
using roofline::sha256_of_file;

/// The hash of the file that write_gpp214 would write for this input.
std::string sha256_of(const Input& input);

}  // namespace gpp
