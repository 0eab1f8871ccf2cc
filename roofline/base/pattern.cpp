#include "roofline/base/text.h"

#include <regex>

namespace roofline {
namespace {

std::vector<std::string> groups_of(const std::smatch& found) {
  std::vector<std::string> groups;
  for (const auto& group : found) groups.push_back(group.str());
  return groups;
}

Match match_of(const std::smatch& found) {
  return {groups_of(found), found.prefix().str(), found.suffix().str()};
}

}  // namespace

struct Pattern::Expression {
  std::regex regex;
};

Pattern::Pattern(const std::string& expression)
    : expression_(std::make_shared<Expression>(std::regex(expression))) {}

std::optional<Match> Pattern::whole(const std::string& text) const {
  std::smatch found;
  if (!std::regex_match(text, found, expression_->regex)) return std::nullopt;
  return match_of(found);
}

std::optional<Match> Pattern::first(const std::string& text) const {
  std::smatch found;
  if (!std::regex_search(text, found, expression_->regex)) return std::nullopt;
  return match_of(found);
}

std::vector<Match> Pattern::all(const std::string& text) const {
  std::vector<Match> matches;
  for (std::sregex_iterator at(text.begin(), text.end(), expression_->regex), end; at != end; ++at)
    matches.push_back({groups_of(*at), {}, {}});
  return matches;
}

std::string Pattern::replaced(const std::string& text, const std::string& with) const {
  return std::regex_replace(text, expression_->regex, with);
}

}  // namespace roofline
