// Assembles a page in one self-contained file.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>

#include "roofline/base/embedded.h"

namespace roofline {

struct PageParts {
  /// HTML with placeholders {{title}} {{style}} {{data}} {{plotly}} {{script}} {{without_script}}
  std::string_view page;
  std::string style;                     ///< the page's CSS
  std::string_view plotly;               ///< Plotly's script; may be empty
  std::string script;                    ///< the page's JavaScript
  std::string_view without_script = {};  ///< HTML for readers without JavaScript

  /// Adds a file by its ending: .html, .css, .min.js, .js. Styles and scripts are concatenated.
  void add(std::string_view path, std::string_view text);
};

std::span<const EmbeddedText> embedded_page();  ///< files of roofline/page/, and Plotly

/// The parts of every page, from this library; the caller adds the text for readers without
/// JavaScript. Pages show pictures if the build had no Plotly.
PageParts page_parts();

/// The page's light and dark colours as style sheets: those of charts (roofline/view/style.h) and
/// its own.
std::string colour_styles();

/// The page with its data. Each placeholder is filled once, and inserted text is not searched
/// again. Throws std::logic_error for an unknown placeholder.
std::string assemble_page(const PageParts& parts, std::string_view title,
                          const nlohmann::ordered_json& data);

/// Escapes a text for HTML content and attributes.
std::string html_text(std::string_view text);

/// "data:image/svg+xml;base64,...": an image that needs no separate file, and whose ids do not
/// conflict with the page or other images.
std::string svg_data_uri(const std::string& svg);

/// JSON that is safe inside a <script> element: without '<', '>', '&', U+2028 and U+2029, which
/// JavaScript treats as line ends. Bytes that are not UTF-8 become U+FFFD.
std::string json_in_html(const nlohmann::ordered_json& json);

}  // namespace roofline
