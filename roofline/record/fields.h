// Describes once each struct that is in a record or passes between processes: the JSON names,
// bounds and meaning of its fields. Writing, and reading with good error messages, are derived from
// it.
//
// A struct T is described by one function beside it, `void fields(Fields&, T&)`:
//
//   void fields(Fields& field, Interval& it) {
//     field("low", it.low, bounds::seconds, "s");
//     field("high", it.high, bounds::seconds, "s");
//     if (field.reads() && it.low > it.high) field.refuse("low", "more than 'high'");
//   }
//
// Fields are bools, numbers, texts, choices, described structs, and lists, maps by name and
// optionals of all these. An empty optional struct has no key (null and {} are read as empty, too);
// an empty optional number or text is null. NaN and infinities are written as null, and texts are
// made printable (roofline/base/text.h). Numbers are read back exactly.
#pragma once

#include <array>
#include <concepts>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "roofline/base/json_place.h"

namespace roofline {

class JsonPlace;

// ---- What a value may be. Numbers take Bounds. ------------------------------------------------

/// A number that may be null, which is read as infinity.
struct OrNull {
  Bounds bounds;
};

struct Whole {
  long long low = 0, high = bounds::small;
};
inline constexpr Whole any_size{0, bounds::large};

struct Text {
  /// The characters of names are ASCII letters, digits, '_', '-' and '.'. Texts are made printable,
  /// except those that no person sees.
  enum class Letters { any, name, name_or_empty, as_it_is };
  std::size_t longest = bounds::text_length;
  Letters letters = Letters::any;
};
inline constexpr Text any_text, short_text{bounds::name_length};
inline constexpr Text a_name{bounds::name_length, Text::Letters::name};
inline constexpr Text as_it_is{bounds::text_length, Text::Letters::as_it_is};
inline constexpr Text name_or_empty{bounds::name_length, Text::Letters::name_or_empty};

/// A choice among given names: a text, or an enum with values 0, 1, ... in their order.
struct Choice {
  std::vector<const char*> names;
};

/// A list of at most this many values, each with the rule `of`.
template <class Rule>
struct List {
  Rule of;
  std::size_t most = bounds::list;
};

/// Values by name, at most this many, each with the rule `of`.
template <class Rule>
struct Named {
  Rule of;
  std::size_t most = bounds::list;
  bool events = false;  ///< names are ASCII letters, digits and '_'
};

/// A value that needs no rule: a bool or a described struct.
struct NoRule {};

/// The name of a field.
struct Key {
  const char* name;
  bool may_lack = false;     ///< a missing field keeps its value
  bool only_if_any = false;  ///< nothing is written of an empty list, map, text or optional

  Key(const char* key, bool lacks = false, bool if_any = false)  // NOLINT: a literal
      : name(key), may_lack(lacks), only_if_any(if_any) {}
};

/// A field that a record may lack; also one that is not written if it is empty.
inline Key may_lack(const char* name) { return {name, true}; }
inline Key if_any(const char* name) { return {name, true, true}; }

// -----------------------------------------------------------------------------------------------

namespace described {
template <class T>
inline constexpr bool is_container = false;
template <class T>
inline constexpr bool is_container<std::optional<T>> = true;
template <class T>
inline constexpr bool is_container<std::vector<T>> = true;
template <class T, std::size_t n>
inline constexpr bool is_container<std::array<T, n>> = true;
template <class T, class Order>
inline constexpr bool is_container<std::map<std::string, T, Order>> = true;

template <class T>
concept Plain = std::is_arithmetic_v<T> || std::is_enum_v<T> || std::same_as<T, std::string>;

template <class T>
inline constexpr bool is_optional_struct = false;
template <class T>
inline constexpr bool is_optional_struct<std::optional<T>> = !Plain<T>;

template <class T>
bool is_empty(const T& value) {
  if constexpr (requires { value.has_value(); }) return !value.has_value();
  if constexpr (requires { value.empty(); }) return value.empty();
  return false;
}
}  // namespace described

/// The fields of a struct in JSON, to write or to read them.
class Fields {
 public:
  explicit Fields(nlohmann::ordered_json& to) : to_(&to) {}
  explicit Fields(const JsonPlace& from);

  bool reads() const { return to_ == nullptr; }
  bool writes() const { return to_ != nullptr; }

  /// A field of the struct. `meaning`, with its unit, is the field's only documentation.
  template <class T, class Rule>
  requires(!std::convertible_to<Rule, const char*>) void operator()(Key key, T& value,
                                                                    const Rule& rule,
                                                                    const char* /*meaning*/ = "") {
    constexpr bool is_struct = described::is_optional_struct<T>;
    if (is_struct) key = if_any(key.name);
    if (writes() && key.only_if_any && described::is_empty(value)) return;
    std::optional<Fields> here = at(key);
    if (here && !(is_struct && here->is_nothing())) here->one(value, rule);
  }
  template <class T>
  void operator()(Key key, T& value, const char* meaning = "") {
    (*this)(key, value, NoRule{}, meaning);
  }

  /// Several fields under a common key, which do not form a struct in memory.
  void group(Key key, const std::function<void()>& inner, const char* meaning = "");

  /// A list of structs with a `describe` function, for those that need more than themselves.
  template <class T>
  void list(Key key, std::vector<T>& list, std::size_t most,
            const std::function<void(T&)>& describe) {
    std::optional<Fields> here = at(key);
    const std::size_t count = here ? here->begin_list(list.size(), 0, most) : 0;
    if (here && reads()) list.assign(count, T());
    for (std::size_t i = 0; i < count; ++i) inside(here->element(i), [&] { describe(list[i]); });
  }

  /// Fields among those of the struct that other functions write and read.
  void others(nlohmann::ordered_json& values,
              const std::function<nlohmann::ordered_json(const JsonPlace&)>& read);

  /// Throws InputError with the place of that field, or of the struct if it is "". Only for
  /// readers.
  [[noreturn]] void refuse(const char* key, const std::string& what) const;

 private:
  // Places of values in this one, which begin_...() makes an object or a list, or checks to be one.
  std::optional<Fields> at(const Key& key);  ///< empty if it is missing and may lack
  void begin_struct();
  void inside(Fields place, const std::function<void()>& inner);  ///< with `this` being the place
  /// Returns the number of elements, at least `least` and at most `most`.
  std::size_t begin_list(std::size_t size, std::size_t least, std::size_t most);
  Fields element(std::size_t i);
  /// Returns the names of the values.
  std::vector<std::string> begin_named(std::vector<std::string> names, std::size_t most,
                                       bool events);
  Fields named(const std::string& name);
  bool is_null(bool null) const;  ///< of a writer's value: `null`
  bool is_nothing() const;        ///< for readers: null, or an empty object

  void number(double& value, const Bounds& bounds, bool may_be_null);
  void whole(long long& value, const Whole& rule);
  void choice(std::string& value, const Choice& rule);

  void one(double& value, const Bounds& rule) { number(value, rule, false); }
  void one(double& value, const OrNull& rule) { number(value, rule.bounds, true); }
  void one(bool& value, NoRule);
  void one(std::string& value, const Text& rule);
  void one(std::string& value, const Choice& rule) { choice(value, rule); }

  template <std::integral T>
  void one(T& value, const Whole& rule) {
    auto number = static_cast<long long>(value);
    whole(number, rule);
    value = static_cast<T>(number);
  }

  template <class T>
  requires std::is_enum_v<T>
  void one(T& value, const Choice& rule) {
    std::string name = writes() ? rule.names.at(static_cast<std::size_t>(value)) : "";
    choice(name, rule);
    for (std::size_t i = 0; i < rule.names.size(); ++i)
      if (name == rule.names[i]) value = static_cast<T>(i);
  }

  template <class T>
  requires(std::is_class_v<T> && !described::is_container<T>) void one(T& value, NoRule) {
    begin_struct();
    fields(*this, value);
  }

  template <class T, class Rule>
  void one(std::optional<T>& value, const Rule& rule) {
    if (described::Plain<T> && is_null(!value)) return value.reset();
    if (!value) value.emplace();
    one(*value, rule);
  }

  template <class T, class Rule>
  void one(std::vector<T>& list, const List<Rule>& rule) {
    const std::size_t count = begin_list(list.size(), 0, rule.most);
    if (reads()) list.assign(count, T());
    for (std::size_t i = 0; i < count; ++i) element(i).one(list[i], rule.of);
  }
  template <class T, class Rule>
  void one(std::vector<T>& list, const Rule& rule) {
    one(list, List<Rule>{rule});
  }

  template <class T, std::size_t n, class Rule>
  void one(std::array<T, n>& list, const Rule& rule) {
    begin_list(n, n, n);
    for (std::size_t i = 0; i < n; ++i) element(i).one(list[i], rule);
  }

  template <class T, class Order, class Rule>
  void one(std::map<std::string, T, Order>& map, const Named<Rule>& rule) {
    std::vector<std::string> names;
    for (const auto& entry : map) names.push_back(entry.first);
    names = begin_named(std::move(names), rule.most, rule.events);
    if (reads()) map.clear();
    for (const std::string& name : names) named(name).one(map[name], rule.of);
  }
  template <class T, class Order, class Rule>
  void one(std::map<std::string, T, Order>& map, const Rule& rule) {
    one(map, Named<Rule>{rule});
  }

  nlohmann::ordered_json* to_ = nullptr;        ///< where a writer writes
  std::shared_ptr<const JsonPlace> from_ = {};  ///< what a reader reads
};

/// A function that visits the fields of one value.
using Description = std::function<void(Fields&)>;

nlohmann::ordered_json written(const Description& description);
/// Throws InputError with the mistake and its place in the file.
void read(const JsonPlace& place, const Description& description);

/// The value as JSON with all fields. The caller includes nlohmann/json.hpp.
template <class T, class Json = nlohmann::ordered_json>
Json facts_json(const T& value) {
  return written([&value](Fields& field) { fields(field, const_cast<T&>(value)); });
}

/// Reads what facts_json wrote. Throws InputError.
template <class T>
T read_facts(const JsonPlace& place) {
  T value;
  read(place, [&value](Fields& field) { fields(field, value); });
  return value;
}

// ---- Texts: files, and what processes tell each other -----------------------------------------

/// JSON on one line without a line end, or on several lines with `indented`.
std::string facts_text(const Description& description, bool indented = false);
/// Parses a message; `source` is the file or the sender. Throws InputError.
void read_text(const std::string& text, const std::string& source, const Description& description);

template <class T>
requires(!std::convertible_to<T, Description>) std::string
    facts_text(const T& value, bool indented = false) {
  return facts_text([&value](Fields& field) { fields(field, const_cast<T&>(value)); }, indented);
}
template <class T>
T read_text(const std::string& text, const std::string& source) {
  T value;
  read_text(text, source, [&value](Fields& field) { fields(field, value); });
  return value;
}

/// A message as one line without a line end.
template <class T>
std::string message_text(const char* what, const T& value) {
  std::string name = what;
  return facts_text([&](Fields& field) {
    field("what", name, a_name);
    fields(field, const_cast<T&>(value));
  });
}

/// A message without fields.
struct Nothing {};
inline void fields(Fields& /*field*/, Nothing& /*nothing*/) {}

/// A message about a failure.
struct Failure {
  std::string reason;
};
void fields(Fields& field, Failure& failure);

/// A message from a child process.
struct Message {
  std::string what;
  std::string line;    ///< the whole line of the message
  std::string source;  ///< the sender of the message

  template <class T>
  T read() const {
    return read_text<T>(line, source);
  }
  /// Throws InputError, because the message was not expected.
  [[noreturn]] void refuse() const;
};

/// Parses a line. Throws InputError if it is not a message.
Message message_in(const std::string& line, const std::string& source);

}  // namespace roofline
