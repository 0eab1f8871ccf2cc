// Evidence per source line as the page shows it: shares, files and what was inlined where, worked
// out.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/record/lines.h"

namespace gpp {

/// Texts of source files. Variants share files, and each text stands in a page once.
class SourceTexts {
 public:
  /// Where the text stands in json().
  std::size_t place_of(const std::vector<std::string>& lines);
  /// [[line, ...], ...]
  nlohmann::ordered_json json() const { return texts_; }

 private:
  nlohmann::ordered_json texts_ = nlohmann::ordered_json::array();
  std::map<std::vector<std::string>, std::size_t> places_;
};

/// {"how": [sentence, ...], "lost": [sentence, ...], "of": what shares are of, "counted": [name,
/// ...], "files": [file, ...], "hottest": [{"file", "line", "share", "issued", "stalls"}, ...]},
/// where a file is {"path", "own", "text": place in `texts` or null, "share", "lines"}, and one of
/// its lines {"line", "share", "issued": samples that are no stall, "stalls": [[reason, samples],
/// ...] most first, "counts": [number or null, ...] as in "counted", "parts": [[file, line, share],
/// ...], "more": parts left out, "function" where the file has no text}.
///
/// An own file's lines hold what was inlined there, which are their parts; those of others are what
/// is their own, and their parts the lines that called them. Code without a line is of the file "",
/// whose text is what it computes. The hottest lines of other files have but what no line of an own
/// file called. `source` is the variant's file.
nlohmann::ordered_json lines_view_json(const LinesRecord& record, const std::string& source,
                                       SourceTexts& texts);

}  // namespace gpp
