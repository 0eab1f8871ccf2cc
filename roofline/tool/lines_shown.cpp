// What is shown of source lines that were kept: text, JSON, the page.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "roofline/base/outside.h"
#include "roofline/base/replace_file.h"
#include "roofline/base/terminal.h"
#include "roofline/base/visible.h"
#include "roofline/page/assemble.h"
#include "roofline/page/source.h"
#include "roofline/tool/lines.h"
#include "roofline/view/lines.h"

namespace roofline {
namespace {

namespace fs = std::filesystem;
using page::Json;

page::Json lines_page(const ProgramLines& lines) {
  const LinesRecord& record = lines.lines;
  Json sections = Json::array(), notices = Json::array();
  if (record.lines.empty())
    notices.push_back(page::notice("Nothing is known of any line.", record.lost));
  else
    sections.push_back(page::section(
        "source", page::source_title,
        "Where the program spends its time on the GPU: the bar is the line’s share of the samples, "
        "or of the warp instructions where nothing was sampled. Pointing at a line tells what its "
        "warps waited for; a click, or the arrow keys, keep it. Code that was compiled without "
        "-lineinfo is shown as machine code.",
        {page::source({{&record, "0", lines.title(), ""}})}));
  sections.push_back(page::section("record", "The record", "",
                                   {page::facts({{"program", visible(lines.program)},
                                                 {"device", visible(lines.device)},
                                                 {"recorded", lines.created}})}));
  return {
      {"name", "lines"},
      {"heading", lines.device.empty() ? "A device without a name" : visible(lines.device)},
      {"masthead", Json::array({page::text({page::code(visible(lines.program))}, "lead program")})},
      {"notices", notices},
      {"scope", Json::array()},
      {"switches", Json::object()},
      {"sections", sections}};
}

}  // namespace

std::optional<KeptLines> kept_lines(const std::string& record) {
  std::error_code error;
  fs::path file = record;
  if (fs::is_directory(file, error)) {
    if (fs::exists(file / "profile.json", error)) return std::nullopt;
    file /= "lines.json";
    if (!fs::exists(file, error)) return std::nullopt;
  }
  if (file.filename() != "lines.json") return std::nullopt;
  const nlohmann::json json =
      json_in(text_of_outside_file(file), file.string(), "record it anew with roofline lines");
  return KeptLines{file.has_parent_path() ? file.parent_path() : fs::path("."),
                   read_lines(json, file.string())};
}

void print_lines(const ProgramLines& lines, const LinesShown& shown) {
  if (shown.json) {
    Json json = facts_json(lines);
    json.update(to_json(lines.lines));
    fmt::print("{}\n", json.dump(1));
    return;
  }
  const bool colours = colours_wanted();
  fmt::print("{}", shown.all ? whole_files(lines.lines, lines.title(), colours)
                             : hottest_lines(lines.lines, lines.title(), shown.top, colours));
}

fs::path write_lines_page(const KeptLines& kept) {
  PageParts parts = page_parts();
  parts.without_script =
      "Everything it shows is in the file lines.json beside it; <code>roofline show "
      "FOLDER</code> prints the hottest lines.";
  const page::Json model = {
      {"kicker", "Source lines of a program"},
      {"footer", fmt::format("Drawn by roofline {} from lines.json.", ROOFLINE_VERSION)},
      {"pages", page::Json::array({lines_page(kept.lines)})}};
  const fs::path file = kept.folder / "lines.html";
  write_whole(file, assemble_page(parts, kept.lines.title(), model));
  return file;
}

}  // namespace roofline
