#include "roofline/record/fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "roofline/base/error.h"
#include "roofline/base/json_place.h"
#include "roofline/base/outside.h"
#include "roofline/base/text.h"
#include "roofline/base/visible.h"
#include "roofline/counters.h"

namespace roofline {
namespace {

using Json = nlohmann::ordered_json;

/// Throws if a function for readers is called on a writer.
[[noreturn]] void not_reading() { throw std::logic_error("only a reader refuses"); }

bool is_event_name(const std::string& name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

/// Returns "neither host nor gpu", "neither passed, failed nor unavailable".
std::string neither(const Choice& choice) {
  std::string text = "neither ";
  std::vector<std::string> names;
  for (const char* name : choice.names)
    if (*name != '\0') names.emplace_back(name);
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " nor " : ", ") + names[i];
  return text;
}

class Writer : public Fields {
 public:
  explicit Writer(Json& root) : Fields(Purpose::write) { stack_.push_back(&root); }

  void others(Json& values, const std::function<Json(const JsonPlace&)>& /*read*/) override {
    for (const auto& [key, value] : values.items())
      (*stack_.back())[visible(key)] = with_visible_texts(value);
  }
  void refuse(const char* /*key*/, const std::string& /*what*/) const override { not_reading(); }

 protected:
  bool enter(const Key& key) override {
    stack_.push_back(&(*stack_.back())[key.name]);
    return true;
  }
  void leave() override { stack_.pop_back(); }
  void begin_struct() override { here() = Json::object(); }
  std::size_t begin_list(std::size_t size, std::size_t /*least*/, std::size_t /*most*/) override {
    here() = Json::array();
    return size;
  }
  void enter_element(std::size_t /*i*/) override {
    here().push_back(nullptr);
    stack_.push_back(&here().back());
  }
  std::vector<std::string> begin_named(const std::vector<std::string>& names, std::size_t /*most*/,
                                       bool /*events*/) override {
    here() = Json::object();
    return names;
  }
  void enter_named(const std::string& name, const Choice* /*among*/) override {
    stack_.push_back(&(*stack_.back())[visible(name)]);
  }
  bool is_null(bool null) override { return null; }
  bool is_nothing() override { return false; }

  void number(double& value, const Bounds& /*bounds*/, bool /*may_be_null*/) override {
    here() = json_number(value);
  }
  void whole(long long& value, const Whole& /*rule*/) override { here() = value; }
  void truth(bool& value) override { here() = value; }
  void text(std::string& value, const Text& rule) override {
    here() = rule.letters == Text::Letters::as_it_is ? value : visible(value);
  }
  void choice(std::string& value, const Choice& /*rule*/) override { here() = value; }

 private:
  Json& here() { return *stack_.back(); }

  std::vector<Json*> stack_;
};

class Reader : public Fields {
 public:
  explicit Reader(const JsonPlace& root) : Fields(Purpose::read), stack_{root} {}

  void others(Json& values, const std::function<Json(const JsonPlace&)>& read) override {
    values = read(here());
  }
  void refuse(const char* key, const std::string& what) const override {
    if (*key == '\0') here().refuse(what);
    here()[key].refuse(what);
  }

 protected:
  bool enter(const Key& key) override {
    if (key.may_lack && !here().has(key.name)) return false;
    stack_.push_back(here()[key.name]);
    return true;
  }
  void leave() override { stack_.pop_back(); }
  void begin_struct() override { here().require_object(); }
  std::size_t begin_list(std::size_t /*size*/, std::size_t least, std::size_t most) override {
    const std::size_t size = here().size(least == most ? bounds::list : most);
    if (least == most && size != most)
      here().refuse(most == 2 ? "not a pair" : fmt::format("{} elements of {}", size, most));
    return size;
  }
  void enter_element(std::size_t i) override { stack_.push_back(here().element(i)); }
  std::vector<std::string> begin_named(const std::vector<std::string>& /*names*/, std::size_t most,
                                       bool events) override {
    std::vector<std::string> names = here().keys();
    if (names.size() > most) here().refuse("too many names");
    for (const std::string& name : names)
      if (events && !is_event_name(name))
        here().refuse(fmt::format("'{}' is no name: letters, digits and '_' alone", name));
    return names;
  }
  void enter_named(const std::string& name, const Choice* among) override {
    stack_.push_back(here()[name.c_str()]);
    if (among != nullptr &&
        std::find(among->names.begin(), among->names.end(), name) == among->names.end())
      here().refuse(neither(*among));
  }
  bool is_null(bool /*null*/) override { return here().is_null(); }
  bool is_nothing() override { return here().is_null() || here().is_empty_object(); }

  void number(double& value, const Bounds& bounds, bool may_be_null) override {
    value = may_be_null ? here().real_or_null(bounds) : here().real(bounds);
  }
  void whole(long long& value, const Whole& rule) override {
    value = here().integer(rule.low, rule.high);
  }
  void truth(bool& value) override { value = here().truth(); }
  void text(std::string& value, const Text& rule) override {
    switch (rule.letters) {
      case Text::Letters::any:
        value = here().text(rule.longest);
        break;
      case Text::Letters::name:
        value = here().name();
        break;
      case Text::Letters::name_or_empty:
        value = here().name_or_empty();
        break;
      case Text::Letters::as_it_is:
        value = here().text_as_it_is(rule.longest);
    }
  }
  void choice(std::string& value, const Choice& rule) override {
    value = here().text();
    if (std::find(rule.names.begin(), rule.names.end(), value) == rule.names.end())
      here().refuse(neither(rule));
  }

 private:
  const JsonPlace& here() const { return stack_.back(); }

  std::vector<JsonPlace> stack_;
};

}  // namespace

void fields(Fields& field, Missing& missing) {
  field("name", missing.name, any_text);
  field("reason", missing.reason, any_text);
}

void Fields::group(Key key, const std::function<void()>& inner, const char* /*meaning*/) {
  if (!enter(key)) return;
  begin_struct();
  inner();
  leave();
}

Json written(const Description& description) {
  Json json = Json::object();
  Writer writer(json);
  description(writer);
  return json;
}

void read(const JsonPlace& place, const Description& description) {
  place.require_object();
  Reader reader(place);
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
