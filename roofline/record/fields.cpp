#include "roofline/record/fields.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "roofline/base/files.h"
#include "roofline/base/json_place.h"
#include "roofline/base/text.h"
#include "roofline/counters.h"

namespace roofline {
namespace {

using Json = nlohmann::ordered_json;

bool is_event_name(const std::string& name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

}  // namespace

Fields::Fields(const JsonPlace& from) : from_(std::make_shared<const JsonPlace>(from)) {}

std::optional<Fields> Fields::at(const Key& key) {
  if (writes()) return Fields((*to_)[key.name]);
  if (key.may_lack && !from_->has(key.name)) return std::nullopt;
  return Fields((*from_)[key.name]);
}

void Fields::begin_struct() {
  if (writes())
    *to_ = Json::object();
  else
    from_->require_object();
}

std::size_t Fields::begin_list(std::size_t size, std::size_t least, std::size_t most) {
  if (writes()) {
    *to_ = Json::array();
    return size;
  }
  const std::size_t found = from_->size(least == most ? bounds::list : most);
  if (found < least || found > most)
    from_->refuse(most == 2 ? "not a pair" : fmt::format("{} elements of {}", found, most));
  return found;
}

Fields Fields::element(std::size_t i) {
  if (reads()) return Fields(from_->element(i));
  to_->push_back(nullptr);
  return Fields(to_->back());
}

std::vector<std::string> Fields::begin_named(std::vector<std::string> names, std::size_t most,
                                             bool events) {
  begin_struct();
  if (writes()) return names;
  names = from_->keys();
  if (names.size() > most) from_->refuse("too many names");
  for (const std::string& name : names)
    if (events && !is_event_name(name))
      from_->refuse(fmt::format("'{}' is no name: letters, digits and '_' alone", name));
  return names;
}

Fields Fields::named(const std::string& name) {
  return writes() ? Fields((*to_)[visible(name)]) : Fields((*from_)[name.c_str()]);
}

bool Fields::is_null(bool null) const { return writes() ? null : from_->is_null(); }

bool Fields::is_nothing() const {
  return reads() && (from_->is_null() || from_->is_empty_object());
}

void Fields::number(double& value, const Bounds& bounds, bool may_be_null) {
  if (writes())
    *to_ = json_number(value);
  else
    value = may_be_null ? from_->real_or_null(bounds) : from_->real(bounds);
}

void Fields::whole(long long& value, const Whole& rule) {
  if (writes())
    *to_ = value;
  else
    value = from_->integer(rule.low, rule.high);
}

void Fields::one(bool& value, NoRule) {
  if (writes())
    *to_ = value;
  else
    value = from_->truth();
}

void Fields::one(std::string& value, const Text& rule) {
  using enum Text::Letters;
  if (writes())
    *to_ = rule.letters == as_it_is ? value : visible(value);
  else if (rule.letters == any)
    value = from_->text(rule.longest);
  else if (rule.letters == as_it_is)
    value = from_->text_as_it_is(rule.longest);
  else
    value = rule.letters == name ? from_->name() : from_->name_or_empty();
}

void Fields::choice(std::string& value, const Choice& rule) {
  if (writes()) {
    *to_ = value;
    return;
  }
  value = from_->text();
  if (std::ranges::find(rule.names, value) == rule.names.end())
    from_->refuse(fmt::format("none of {}", fmt::join(rule.names, ", ")));
}

void Fields::inside(Fields place, const std::function<void()>& inner) {
  place.begin_struct();
  std::swap(*this, place);
  inner();
  std::swap(*this, place);
}

void Fields::group(Key key, const std::function<void()>& inner, const char* /*meaning*/) {
  if (const std::optional<Fields> place = at(key)) inside(*place, inner);
}

void Fields::others(Json& values, const std::function<Json(const JsonPlace&)>& read) {
  if (reads()) {
    values = read(*from_);
    return;
  }
  for (const auto& [key, value] : values.items()) (*to_)[visible(key)] = with_visible_texts(value);
}

void Fields::refuse(const char* key, const std::string& what) const {
  if (writes()) throw std::logic_error("only a reader refuses");
  if (*key == '\0') from_->refuse(what);
  (*from_)[key].refuse(what);
}

void fields(Fields& field, Missing& missing) {
  field("name", missing.name, any_text);
  field("reason", missing.reason, any_text);
}

Json written(const Description& description) {
  Json json = Json::object();
  Fields writer(json);
  description(writer);
  return json;
}

void read(const JsonPlace& place, const Description& description) {
  place.require_object();
  Fields reader(place);
  description(reader);
}

std::string facts_text(const Description& description, bool indented) {
  const Json json = written(description);
  constexpr auto replace = Json::error_handler_t::replace;
  return indented ? json.dump(1, ' ', false, replace) + "\n" : json.dump(-1, ' ', true, replace);
}

void read_text(const std::string& text, const std::string& source, const Description& description) {
  require_bounded_json(text, source);
  const nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
  if (json.is_discarded())
    throw InputError(
        visible(fmt::format("{}: no JSON, or cut off: {}", source, shortened(text, 200))));
  read(JsonPlace(json, "", source), description);
}

void fields(Fields& field, Failure& failure) { field("reason", failure.reason, any_text); }

Message message_in(const std::string& line, const std::string& source) {
  Message message{"", line, source};
  read_text(line, source, [&](Fields& field) { field("what", message.what, a_name); });
  return message;
}

void Message::refuse() const {
  throw InputError(visible(fmt::format("{}: '{}' was not asked for", source, what)));
}

}  // namespace roofline
