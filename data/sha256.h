// The hash of an input, by which records of studies name it.
#pragma once

#include <string>

#include "gpp/input.h"
#include "roofline/base/sha256.h"

namespace gpp {

using roofline::Sha256;
using roofline::sha256_of_file;

/// The hash of the file that write_gpp214 would write.
std::string sha256_of(const Input& input);

}  // namespace gpp
