// A chart as gnuplot draws it: a script and the table beside it, for people to restyle.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "roofline/charts/page.h"

namespace roofline {

/// NAME.gp, which reads NAME.csv in the same folder and writes NAME.svg and NAME.png there.
struct Drawing {
  std::string name;   ///< as file_stem gives it
  std::string title;  ///< for people, as a page that shows the chart would call it
  std::string script;
  std::string table;
};

/// Colours that stay apart for colour-blind readers. Source: Okabe and Ito 2008.
namespace colour {
inline constexpr const char* vermilion = "#D55E00";
inline constexpr const char* green = "#009E73";
inline constexpr const char* blue = "#0072B2";
inline constexpr const char* purple = "#CC79A7";
inline constexpr const char* orange = "#E69F00";
inline constexpr const char* sky = "#56B4E9";
inline constexpr const char* black = "#000000";
inline constexpr const char* grey = "#6B6B6B";
inline constexpr const char* light_grey = "#D9D9D9";
}  // namespace colour

/// How the points of a level look: gnuplot's point types with and without filling.
struct LevelStyle {
  const char* colour;
  int filled;
  int hollow;
};

/// "l1" circles, "l2" squares, "l3" triangles, "dram" diamonds, "shared" pentagons; "compute"
/// triangles.
LevelStyle level_style(const std::string& level);

/// Any text as one string of a gnuplot script. No text of a record or of a path gets into a script
/// in another way. Single quotes, because gnuplot runs commands and follows escapes in double ones;
/// an apostrophe becomes a typographic one, because gnuplot takes a doubled one at the start of a
/// string for its end, and so does a backtick; what would end the line is written out.
std::string quoted(const std::string& text);

/// Lines as the label of a tic. gnuplot takes that for a format: percent signs stay what they are.
std::string tic_label(const std::vector<std::string>& lines);

/// A text as part of the name of a file: letters, digits, '.', '-' and '_', which becomes of all
/// others. gnuplot would start a program for names that begin with '<' or '|'.
std::string file_stem(std::string_view text);

/// One line of comma-separated values (RFC 4180), its texts made visible. gnuplot ends a text at
/// its first comma: texts that it draws must hold none.
std::string csv_line(const std::vector<std::string>& fields);

/// A number in full, for tables.
std::string in_full(double value);

/// "33.4 TFLOP/s": three digits, decimal prefix.
std::string with_prefix(double value, const std::string& unit);

/// The start of a script: what it draws, encoding, table, page, title, subtitle. `rows` describes
/// the table in the comment.
std::string script_head(const Drawing& drawing, const Page& page, const std::string& subtitle,
                        const std::string& rows);

/// The end of a script: the plot, once for the SVG and once for the PNG.
std::string script_tail(const Drawing& drawing, const Page& page,
                        const std::vector<std::string>& clauses);

/// `set xtics` or `set ytics` of a logarithmic axis as long as `pixels`: 1, 2 and 5 times the
/// powers of ten, each with its prefix and unit, or as many powers of ten as find room. Intensities
/// have no prefixes, nor have ratios, whose unit is "x".
std::string log_tics(char axis, const Range& range, const std::string& unit, double pixels);

/// One entry of the key: a marker or a line, and what it means.
struct KeyEntry {
  std::string text;
  std::string colour;
  int point_type = 0;     ///< of a marker; 0: a line
  std::string dash = {};  ///< of a line: "dashtype 2"
};

/// The key, in rows as wide as the plot, the lowest just above it.
std::string key_rows(const Page& page, const std::vector<KeyEntry>& entries);

/// The same page with its plot lowered as far as those rows need.
Page with_room_for_key(Page page, const std::vector<KeyEntry>& entries);

/// A text at pixels of the page.
std::string label_at(const Page& page, double x, double y, const std::string& text,
                     const std::string& style);

}  // namespace roofline
