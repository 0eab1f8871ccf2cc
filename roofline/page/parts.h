// What every page of charts shares: its frame, its style, its charts.
#pragma once

#include <span>

#include "roofline/base/embedded.h"
#include "roofline/page/assemble.h"

namespace roofline {

std::span<const EmbeddedText> embedded_page();  ///< of roofline/page/, and Plotly

/// A page adds its own scripts and styles, and says what there is without JavaScript. Without
/// Plotly, where npm did not bring it to the build, pages show static charts.
PageParts page_parts();

}  // namespace roofline
