#include "roofline/charts/gnuplot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include "roofline/base/visible.h"
#include "roofline/charts/labels.h"

namespace roofline {
namespace {

struct Prefixed {
  double mantissa;  ///< 1 to 1000
  std::string prefix;
};

Prefixed prefixed(double value) {
  static constexpr std::array<const char*, 12> prefixes = {"f", "p", "n", "µ", "m", "",
                                                           "k", "M", "G", "T", "P", "E"};
  // Rounded first, so that 999.9 becomes 1.00 k and not 1000.
  const double rounded = std::strtod(fmt::format("{:.2e}", value).c_str(), nullptr);
  const double exact = std::floor(std::log10(std::abs(rounded)) / 3);
  const int thousand = std::isnan(exact) ? 0 : static_cast<int>(std::clamp(exact, -5.0, 6.0));
  return {rounded / std::pow(1000.0, thousand), prefixes[static_cast<std::size_t>(thousand + 5)]};
}

std::string tic_text(double value, const std::string& unit) {
  if (unit.ends_with("/B") || unit.ends_with("/txn")) return fmt::format("{:g} {}", value, unit);
  if (unit == "x") return fmt::format("{:g}x", value);
  const Prefixed number = prefixed(value);
  return fmt::format("{:g} {}{}", number.mantissa, number.prefix, unit);
}

/// Which tics of a logarithmic axis find room for their names.
class TicSpacing {
 public:
  TicSpacing(char axis, const Range& range, const std::string& unit, double pixels) {
    constexpr double font_size = 15;
    const double needed =
        axis == 'y' ? 1.4 * font_size : text_width("1000 " + unit, font_size) + font_size;
    const double decade = pixels / std::log10(range.high / range.low);
    twos_and_fives_ = decade * std::log10(2) >= needed;
    every_ = std::clamp(static_cast<int>(std::ceil(needed / decade)), 1, 1000);
  }

  /// Whether digit * 10^power has one.
  bool names(int digit, int power) const {
    if (twos_and_fives_) return digit == 1 || digit == 2 || digit == 5;
    return digit == 1 && power % every_ == 0;
  }

 private:
  bool twos_and_fives_;
  int every_;
};

constexpr double key_font_size = 14;
constexpr double key_row_height = 22;

struct KeyPlace {
  double x;
  int row;  ///< 0 is the highest
};

double sample_width(const KeyEntry& entry) { return entry.point_type > 0 ? 14 : 32; }

std::vector<KeyPlace> key_places(const Page& page, const std::vector<KeyEntry>& entries) {
  std::vector<KeyPlace> places;
  double x = page.plot.left;
  int row = 0;
  for (const KeyEntry& entry : entries) {
    const double width = sample_width(entry) + 5 + text_width(entry.text, key_font_size);
    if (x > page.plot.left && x + width > page.width - 10) {
      x = page.plot.left;
      ++row;
    }
    places.push_back({x, row});
    x += width + 18;
  }
  return places;
}

}  // namespace

LevelStyle level_style(const std::string& level) {
  if (level == "l1" || level == "global") return {colour::vermilion, 7, 6};
  if (level == "l2") return {colour::green, 5, 4};
  if (level == "l3") return {colour::purple, 11, 10};
  if (level == "dram") return {colour::blue, 13, 12};
  if (level == "compute") return {colour::orange, 9, 8};
  if (level == "shared") return {colour::sky, 15, 14};
  return {colour::black, 15, 14};
}

std::string quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : visible(text)) result += c == '\'' || c == '`' ? "’" : std::string(1, c);
  return result + "'";
}

std::string tic_label(const std::vector<std::string>& lines) {
  std::string result;
  for (const std::string& line : lines) {
    std::string format;
    for (const char c : line) format += c == '%' ? std::string("%%") : std::string(1, c);
    result += (result.empty() ? "" : ".\"\\n\".") + quoted(format);
  }
  return result;
}

std::string file_stem(std::string_view text) {
  std::string stem(text);
  const auto is_safe = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '-' || c == '_';
  };
  std::replace_if(
      stem.begin(), stem.end(), [&is_safe](char c) { return !is_safe(c); }, '_');
  return stem;
}

std::string csv_line(const std::vector<std::string>& fields) {
  std::string line;
  for (const std::string& field : fields) {
    if (&field != &fields.front()) line += ',';
    const std::string text = visible(field);
    if (text.find_first_of(",\"") == std::string::npos) {
      line += text;
      continue;
    }
    line += '"';
    for (const char c : text) line += c == '"' ? std::string("\"\"") : std::string(1, c);
    line += '"';
  }
  return line + "\n";
}

std::string in_full(double value) { return fmt::format("{}", value); }

std::string with_prefix(double value, const std::string& unit) {
  if (!std::isfinite(value) || value == 0) return fmt::format("{} {}", value, unit);
  const Prefixed number = prefixed(value);
  const double size = std::abs(number.mantissa);
  const int digits = size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2;
  return fmt::format("{:.{}f} {}{}", number.mantissa, digits, number.prefix, unit);
}

std::string log_tics(char axis, const Range& wanted, const std::string& unit, double pixels) {
  // Nothing but a few hundred decades of positive numbers has tics that end.
  const Range range = bounded(wanted);
  const TicSpacing spacing(axis, range, unit, pixels);
  std::string tics;
  const auto add = [&](double value, const std::string& text, int level) {
    if (value < range.low * 0.999 || value > range.high * 1.001) return;
    tics += fmt::format("{}{} {} {}", tics.empty() ? "" : ", ", quoted(text), value, level);
  };
  for (double power = std::floor(std::log10(range.low)); power <= std::log10(range.high); ++power)
    for (int digit = 1; digit < 10; ++digit) {
      const double value = digit * std::pow(10.0, power);
      const bool named = spacing.names(digit, static_cast<int>(power));
      add(value, named ? tic_text(value, unit) : "", named ? 0 : 1);
    }
  return fmt::format("set {}tics ({})\n", axis, tics);
}

std::string key_rows(const Page& page, const std::vector<KeyEntry>& entries) {
  const std::vector<KeyPlace> places = key_places(page, entries);
  std::string text;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const KeyEntry& entry = entries[i];
    const double x = places[i].x;
    const double y = page.plot.top + 18 + key_row_height * (places.back().row - places[i].row);
    const auto screen = [&page](double across, double up) {
      return fmt::format("screen {:.5f},{:.5f}", across / page.width, up / page.height);
    };
    if (entry.point_type > 0)
      text += fmt::format(
          "set label '' at {} point pointtype {} pointsize 1.4 linewidth 1.8 linecolor rgb '{}'\n",
          screen(x + sample_width(entry) / 2, y), entry.point_type, entry.colour);
    else
      text +=
          fmt::format("set arrow from {} to {} nohead linewidth 2 linecolor rgb '{}' {}\n",
                      screen(x, y), screen(x + sample_width(entry), y), entry.colour, entry.dash);
    text += label_at(page, x + sample_width(entry) + 5, y, entry.text,
                     fmt::format("font ',{}'", key_font_size));
  }
  return text;
}

Page with_room_for_key(Page page, const std::vector<KeyEntry>& entries) {
  if (!entries.empty()) page.plot.top -= key_row_height * key_places(page, entries).back().row;
  return page;
}

std::string label_at(const Page& page, double x, double y, const std::string& text,
                     const std::string& style) {
  return fmt::format("set label {} at screen {:.5f},{:.5f} noenhanced {}\n", quoted(text),
                     x / page.width, y / page.height, style);
}

std::string script_head(const Drawing& drawing, const Page& page, const std::string& subtitle,
                        const std::string& rows) {
  std::string text = fmt::format(
      "# Draws {0}.svg and {0}.png from {0}.csv: gnuplot {0}.gp\n# {1}\n"
      "reset\nset encoding utf8\nset datafile separator ','\nset datafile columnheaders\n"
      "table = {2}\n\n",
      file_stem(drawing.name), rows, quoted(file_stem(drawing.name) + ".csv"));
  const Box& plot = page.plot;
  text += fmt::format(
      "set lmargin at screen {:.5f}\nset rmargin at screen {:.5f}\nset bmargin at screen {:.5f}\n"
      "set tmargin at screen {:.5f}\n",
      plot.left / page.width, plot.right / page.width, plot.bottom / page.height,
      plot.top / page.height);
  text += label_at(page, plot.left, page.height - 30, drawing.title, "font ',22'");
  text += label_at(page, plot.left, page.height - 56, subtitle,
                   fmt::format("font ',14' textcolor rgb '{}'", colour::grey));
  text += fmt::format(
      "set border 3 linecolor rgb '{0}'\nset tics nomirror textcolor rgb '#000000'\n"
      "set grid xtics ytics linetype 1 linecolor rgb '#E8E8E8' linewidth 1\n"
      "set style textbox opaque noborder fillcolor rgb '#FFFFFF' margins 0.4,0.3\n",
      colour::grey);
  return text;
}

std::string script_tail(const Drawing& drawing, const Page& page,
                        const std::vector<std::string>& clauses) {
  std::string text = fmt::format(
      "\nset terminal svg size {:.0f},{:.0f} noenhanced font 'Helvetica,15' background rgb "
      "'white'\n"
      "set output {}\nplot ",
      page.width, page.height, quoted(file_stem(drawing.name) + ".svg"));
  for (const std::string& clause : clauses)
    text += (&clause == &clauses.front() ? "" : ", \\\n     ") + clause;
  // The same picture at one and a half times the pixels; pngcairo counts fonts in points.
  const double scale = 1.5;
  return text + fmt::format(
                    "\n\nset terminal pngcairo size {:.0f},{:.0f} noenhanced font 'Helvetica,15' "
                    "fontscale {:.3f} linewidth {} pointscale {}\n"
                    "set output {}\nreplot\nunset output\n",
                    scale * page.width, scale * page.height, 0.74 * scale, scale, scale,
                    quoted(file_stem(drawing.name) + ".png"));
}

}  // namespace roofline
