// Numbers in prose that stay true: a mark before a number says where it comes from, so that it can
// be filled in and checked.
//
//   <!--v7 time-->237.1 ms<!--/-->        a quantity of a record: filled in
//   <!--in docs/cuda.md-->66%<!--/-->     stands in that file: checked
//   <!--table steps-->...<!--/-->         a table made from records: filled in
//   <!--holds v6 time > v5 time-->        what the prose builds on: checked
//
// They are comments of Markdown and HTML, so that the text reads as if they were not there.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace gpp {

/// The text without its marks and without the text between them: all that no source vouches for.
std::string unmarked(std::string_view text);

/// The text with a new content for every mark: `content(mark, old)` is asked for marks with an end,
/// and `hold(mark)` for those without; what it throws names the trouble. Throws std::runtime_error
/// for a mark that does not end.
std::string filled(std::string_view text,
                   const std::function<std::string(std::string_view, std::string_view)>& content,
                   const std::function<void(std::string_view)>& hold);

}  // namespace gpp
