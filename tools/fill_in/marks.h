// Numbers in prose that stay true. The text has plain numbers; a comment at its end lists where
// each comes from, in the order of the text, so that they can be filled in and checked:
//
//   <!--numbers in the order of the text (tools/fill_in/marks.h)
//   237.1 ms = v7 time
//   1.63 s = V100 v1 time & 306.8 ms = v1 time
//   blocks of [512] threads = v7 threads
//   Shape mattered more than the blocking itself = in docs/cuda.md
//   from results/h200/conv2d/conv2d.md
//   41.8 & 355 us = "forward-fp32-b16-f64-k3 |"
//   from h100/energy
//   700 W = v1 watts
//   1.06 = computed: {v2 time} / {v1 time}
//   0.5 GB = told: seen once, on these machines
//   section Exercises = told: made up for the exercise
//   holds v6 time > v5 time
//   -->
//
// A number belongs to the first place behind the number listed before it where it stands alone.
// Words around it, with the number in brackets, lead past a place that is not meant. `&` joins
// numbers; those without a source have that of the next. What the sources mean stands in
// tools/fill_in/evidence.h. "from" names the study or the file of what follows it. "told: REASON"
// says why no record holds the number: it is a definition, a size, a limit, a given. "section"
// says so of all between two headings. "holds" is a claim that the prose builds on. A text
// may have several lists: each is of what stands above it, up to the list before. A table made from
// records stands in the text between <!--table NAME--> and <!--/-->.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace gpp {

/// The text without its lists, tables, listed numbers and sections: all that no source vouches for.
/// Throws like `filled`.
std::string unmarked(std::string_view text);

/// The first number that looks measured, with a unit, a decimal point or an exponent, and that no
/// source vouches for; empty where there is none. Code, links and versions are left out.
std::string unsourced(std::string_view text);

/// The text with a new content for every listed number and table: `content(name, old)` is asked for
/// it, with the name that the list gives, or "table NAME"; `hold(claim)` for claims. What they
/// throw names the trouble. Throws std::runtime_error where the text and its lists do not agree.
std::string filled(std::string_view text,
                   const std::function<std::string(std::string_view, std::string_view)>& content,
                   const std::function<void(std::string_view)>& hold);

}  // namespace gpp
