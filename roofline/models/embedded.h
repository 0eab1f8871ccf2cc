// The library's own tables.
#pragma once

#include <span>

#include "roofline/base/embedded.h"

namespace roofline {

std::span<const EmbeddedText> embedded_tables();  ///< of roofline/models/

}  // namespace roofline
