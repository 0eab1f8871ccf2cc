// A page for people in one file, with everything it needs inside.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>

#include "roofline/base/embedded.h"

namespace roofline {

struct PageParts {
  /// HTML with the places {{title}} {{style}} {{data}} {{plotly}} {{script}} {{without_script}}
  std::string_view page;
  std::string style;                     ///< CSS
  std::string_view plotly;               ///< empty where there is none
  std::string script;                    ///< JavaScript
  std::string_view without_script = {};  ///< HTML: where a reader without JavaScript finds it all

  /// Puts a file where its name says: .html, .css, .min.js, .js; styles and scripts one after the
  /// other.
  void add(std::string_view path, std::string_view text);
};

std::span<const EmbeddedText> embedded_page();  ///< of roofline/page/, and Plotly

/// The parts of every page, which are parts of this library; the caller says what there is without
/// JavaScript. Without Plotly, where npm did not bring it to the build, pages show pictures.
PageParts page_parts();

/// The page's colours on light and on dark paper, as style sheets: those of charts
/// (roofline/view/style.h) and its own.
std::string colour_styles();

/// The page with the data in it. Each place is filled once; what is filled in is not searched
/// again. Throws std::logic_error where the page names a place that does not exist.
std::string assemble_page(const PageParts& parts, std::string_view title,
                          const nlohmann::ordered_json& data);

/// Text that stands for itself between HTML tags and in attributes.
std::string html_text(std::string_view text);

/// "data:image/svg+xml;base64,...": an image that needs no file beside the page, and whose parts
/// have no names in common with the page or other images.
std::string svg_data_uri(const std::string& svg);

/// JSON that neither ends nor opens anything when it stands in a <script> element: no '<', '>',
/// '&', no U+2028 and U+2029, which JavaScript takes for line ends. Bytes that are not UTF-8 become
/// U+FFFD.
std::string json_in_html(const nlohmann::ordered_json& json);

}  // namespace roofline
