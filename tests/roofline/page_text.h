// Reads pages of reports in tests: their faults, their parts, and their words.
#pragma once

#include <fmt/ranges.h>

#include <set>
#include <string>
#include <string_view>

#include "tests/roofline/well_formed.h"

namespace roofline::test {

/// What stands between the page's style and its script.
inline std::string body_of(std::string_view page) {
  const std::size_t from = page.find("<body>"), to = page.find("\n<script>");
  return std::string(page.substr(from, to - from)) + "</body>";
}

/// The values of an attribute, in order.
inline std::vector<std::string> values_of(std::string_view html, const std::string& attribute) {
  std::vector<std::string> values;
  const std::string before = " " + attribute + "=\"";
  for (std::size_t at = html.find(before); at != html.npos; at = html.find(before, at)) {
    at += before.size();
    values.emplace_back(html.substr(at, html.find('"', at) - at));
  }
  return values;
}

/// The fault of a page, or "": tags that are not closed, texts that act, a script more than the
/// page's own, two elements of one id, a link to nowhere, something that is loaded.
inline std::string fault_of_page(std::string_view page) {
  const std::string body = body_of(page);
  if (const std::string fault = not_well_formed(body); !fault.empty()) return fault;
  std::set<std::string> ids;
  for (const std::string& id : values_of(body, "id"))
    if (!ids.insert(id).second) return "twice the id " + id;
  for (const std::string& link : values_of(body, "href"))
    if (!link.starts_with('#') || !ids.contains(link.substr(1))) return "a link to " + link;
  for (const char* part :
       {"<script", "<iframe", "<link", "<img", " src=\"", " onclick=\"", " onload=\""})
    if (body.find(part) != body.npos) return std::string("the body has ") + part;
  const std::string_view head = page.substr(0, page.find("<body>"));
  for (const char* part : {"url(", "@import", "http:", "https:"})
    if (head.find(part) != head.npos) return std::string("the head has ") + part;
  if (head.find("default-src 'none'") == head.npos) return "nothing forbids to load anything";
  return "";
}

/// The element with that id and all in it, or "".
inline std::string part_of(std::string_view page, const std::string& id) {
  const std::size_t at = page.find(" id=\"" + id + "\"");
  if (at == page.npos) return "";
  const std::size_t from = page.rfind('<', at);
  int depth = 0;
  for (std::size_t tag = from; tag != page.npos; tag = page.find('<', tag + 1)) {
    const std::size_t end = page.find('>', tag);
    if (page[tag + 1] == '/')
      --depth;
    else if (page[end - 1] != '/')
      ++depth;
    if (depth == 0) return std::string(page.substr(from, end + 1 - from));
  }
  return "";
}

/// The words of HTML: a line per row or block, cells separated by "|".
inline std::string words_of(std::string_view html) {
  std::string text;
  for (std::size_t at = 0; at < html.size(); ++at) {
    if (html[at] != '<') {
      text += html[at];
      continue;
    }
    const std::string_view tag = html.substr(at + 1, html.find('>', at) - at - 1);
    at += tag.size() + 1;
    for (const char* cell : {"/td", "/th", "/dt"}) text += tag == cell ? "|" : "";
    if (tag == "/summary") text += ' ';
    for (const char* block : {"/tr", "/p", "/div", "/li", "/h2", "/h3", "/h4", "/dd"})
      text += tag == block && !text.ends_with('\n') ? "\n" : "";
  }
  return text;
}

/// What a page says and where: words, ids, and what switches show.
inline std::string told_of(const std::string& page) {
  const std::string body = body_of(page);
  return fmt::format("{}ids: {}\nshown by: {}\n", words_of(body),
                     fmt::join(values_of(body, "id"), " "),
                     fmt::join(values_of(body, "data-on"), " "));
}

}  // namespace roofline::test
