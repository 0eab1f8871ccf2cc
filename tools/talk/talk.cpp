// gpp_talk [TALK.md] [-o FILE]: the slides of docs/talk.md as one page, see tools/talk/slides.h.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "harness/program/build_info.h"
#include "roofline/base/replace_file.h"
#include "tools/talk/slides.h"

int main(int argc, char** argv) {
  namespace fs = std::filesystem;
  CLI::App program("Makes the slides of a talk, one page that needs no other file.", "gpp_talk");
  fs::path text = fs::path(gpp::build_info::source_dir) / "docs/talk.md", page = "talk.html";
  program.add_option("TALK", text, "Markdown, a line --- between two slides")
      ->check(CLI::ExistingFile)
      ->capture_default_str();
  program.add_option("-o,--output", page, "The page")->capture_default_str();
  CLI11_PARSE(program, argc, argv);
  try {
    std::ifstream stream(text, std::ios::binary);
    const auto slides = gpp::slides_of(std::string(std::istreambuf_iterator<char>(stream), {}));
    roofline::write_whole(page, gpp::talk_page(slides, text.parent_path()));
    fmt::print("{}: {} slides\n", page.string(), slides.size());
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}: {}\n", text.string(), error.what());
    return 1;
  }
}
