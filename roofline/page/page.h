// Pages in one self-contained file: HTML of paragraphs, lists, tables, charts and switches. Every
// text is escaped on its way, so nothing from a record acts as markup. Tags, such as {"level",
// "dram"}, tie an element to the choices of switches: page.js shows it while one of its choices of
// each switch is on.
#pragma once

#include <concepts>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "roofline/base/table.h"
#include "roofline/base/text.h"
#include "roofline/record/lines.h"
#include "roofline/view/chart.h"
#include "roofline/view/roofline_chart.h"

namespace roofline {

std::span<const EmbeddedText> embedded_page();  ///< page.css and page.js

/// The page's light and dark colours as style sheets: those of charts (roofline/view/axes.h) and
/// its own.
std::string colour_styles();

namespace page {

class Html {
 public:
  Html() = default;
  /// Escapes the text.
  template <std::convertible_to<std::string_view> Text>
  Html(const Text& text) : text_(escaped(text)) {}  // NOLINT(google-explicit-constructor)
  /// Takes HTML that this program wrote and escaped.
  static Html written(std::string html);

  bool empty() const { return text_.empty(); }
  const std::string& text() const { return text_; }
  Html& operator+=(const Html& other);
  friend Html operator+(Html one, const Html& other) { return std::move(one += other); }

 private:
  static std::string escaped(std::string_view text);

  std::string text_;
};

using Attributes = std::vector<std::pair<const char*, std::string>>;
using Pairs = std::vector<std::pair<std::string, std::string>>;

/// `<name attribute="value">content</name>`; attributes without a value are left out.
Html element(const char* name, const Attributes& attributes, const Html& content = {});

Html paragraph(const Html& content, const std::string& style = {});
/// A paragraph in a box, with an optional list below it.
Html notice(const Html& content, const std::vector<std::string>& items = {},
            const std::string& style = "notice");
Html code(const std::string& text);
Html list(const std::vector<std::string>& items, const std::string& style = {});
/// Terms with their values; those without a value, or with an unknown one, are left out. The style
/// "reasons" is for sentences with what each is about.
Html facts(const Pairs& items, const std::string& style = "facts");
Html heading(int level, const std::string& text);
/// Blocks that a click on the summary shows.
Html folded(const Html& summary, const Html& blocks, const std::string& style = {},
            bool open = false);
/// The element in a box that is shown with these tags.
Html with_tags(const Html& element, const Tags& tags);

/// A chart with its key above and its notes below; `id` is unique on the page.
Html chart(const Chart& chart, const std::string& id);

/// How a table looks on a page.
struct TableLook {
  bool sortable = false;
  std::string opens = {};  ///< the column whose notes open by a click
  std::string heat = {};   ///< the column whose keys are drawn as bars, beside the largest of them
  std::string style = {};  ///< a class
};
Html table(const Table& table, const TableLook& look = {});

struct Choice {
  std::string key, label;
  Tags tags = {};  ///< the choice is hidden together with these
  bool on = true;
};
/// A switch with exactly one choice; empty if there is nothing to choose.
Html one_of(const std::string& name, const std::string& label, const std::vector<Choice>& choices,
            const std::string& chosen);
/// A switch of checkboxes; empty if there is nothing to choose.
Html some_of(const std::string& name, const std::string& label, const std::vector<Choice>& choices);
/// A section; nothing without blocks. An empty lead is left out.
Html section(const std::string& id, const std::string& title, const std::string& lead,
             const Html& blocks);

// ---- The page

struct Page {
  std::string title;   ///< of the document
  std::string kicker;  ///< a line above the heading
  std::string heading;
  Html masthead;  ///< below the heading
  Html scope;     ///< switches that stay in sight
  Html sections;
  std::string footer;
};

/// The page as HTML that is also well-formed XML, but for its first line, its style and its script.
/// It loads nothing. Without a script all is shown.
std::string page_html(const Page& page);

// ---- What the pages of both programs share

/// The choice of operations and levels, as far as the charts differ in them.
/// `leading` is the model that is shown first.
Html roofline_switches(const std::vector<const RooflineChart*>& charts, const std::string& leading);

/// The section of instruction rooflines, whose points are called `what`.
Html instructions_section(const std::string& id, const std::string& what, const Html& blocks);

struct ShownLines {
  const LinesRecord* record = nullptr;
  std::string key;    ///< its key in the switch "source"; its heading's id is "source-KEY"
  std::string title;  ///< program and device
  Tags tags = {};
};

/// The sources of all records; the switch "source" shows one at a time.
Html source(const std::vector<ShownLines>& all);

}  // namespace page
}  // namespace roofline
