#include "harness/teach/answers_file.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>

#include "roofline/base/error.h"
#include "roofline/base/file_lock.h"
#include "roofline/base/json_place.h"
#include "roofline/base/outside.h"
#include "roofline/base/pattern.h"
#include "roofline/base/replace_file.h"
#include "roofline/base/visible.h"
#include "roofline/verdict.h"

namespace gpp {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* format_key = "gpp_predictions";
constexpr const char* list = "predictions";
constexpr const char* signature = "signature";
constexpr int version = 1;
constexpr std::uintmax_t most_bytes = std::uintmax_t{1} << 24;
constexpr double lock_seconds = 10;

[[noreturn]] void refuse(const fs::path& file, const std::string& why) {
  throw roofline::InputError(fmt::format("{}: {}", roofline::visible(file.string()), why));
}

/// Adds to a refusal of `action` that the file stays as it is, and that another can be named.
template <class Action>
auto naming_another_file(const Action& action) {
  try {
    return action();
  } catch (const roofline::InputError& refusal) {
    throw roofline::InputError(
        fmt::format("{}; it stays as it is: name another file with --answers", refusal.what()));
  }
}

Json no_answers() { return {{format_key, version}, {list, Json::array()}}; }

/// The whole file; "" where there is none.
std::string text_in(const fs::path& file) {
  std::error_code why;
  const fs::file_status status = fs::status(file, why);
  if (status.type() == fs::file_type::not_found) return {};
  return roofline::text_of_outside_file(file, most_bytes);
}

bool is_flat(const Json& entry) {
  return entry.is_object() &&
         std::ranges::none_of(entry, [](const Json& value) { return value.is_structured(); });
}

/// The file as JSON of the right form; what an entry says is not looked at.
Json answers_in(const fs::path& file) {
  const std::string text = text_in(file);
  if (text.empty()) return no_answers();
  roofline::require_bounded_json(text, file.string());
  const Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) refuse(file, "not JSON, or cut off");
  if (!json.is_object() || !json.contains(format_key) || !json.contains(list) || json.size() != 2)
    refuse(file, "JSON, but no predictions kept by gpp");
  if (json[format_key] != version) refuse(file, "kept by a later version of gpp");
  if (!json[list].is_array() || !std::ranges::all_of(json[list], is_flat))
    refuse(file, "its predictions are no list of predictions");
  return json;
}

Json entry_of(const Prediction& one) {
  Json entry = {{"student", roofline::visible(one.student)},
                {"kernel", one.kernel},
                {"variant", one.variant},
                {"step", one.step},
                {"model", one.model},
                {"device", roofline::visible(one.device)},
                {"time", one.time},
                {"question", name_of(one.asked)},
                {"prediction", to_json(one.guess)},
                {"outcome", nullptr},
                {"points", nullptr},
                {"source", roofline::visible(one.source)},
                {"after_run", one.after_run}};
  if (one.outcome) {
    entry["outcome"] = to_json(*one.outcome);
    entry["points"] = *one.points();
  }
  return entry;
}

/// By a key, of all that the entry says.
std::string signature_of(Json entry, const Secret& key) {
  entry.erase(signature);
  return key.sign(entry.dump());
}

// ---- Reading ------------------------------------------------------------------------------------

std::string time_in(const roofline::JsonPlace& place) {
  static const roofline::Pattern iso(R"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)");
  std::string time = place.text(40);
  if (!iso.whole(time)) place.refuse("not a time such as 2026-01-31T12:00:00Z");
  return time;
}

bool is_a_verdict(const std::string& word) {
  for (const char* kind : {"host", "gpu"}) {
    const std::vector<std::string> words = roofline::verdict_words(kind);
    if (std::ranges::find(words, word) != words.end()) return true;
  }
  return false;
}

Guess guess_in(const roofline::JsonPlace& place, Asked asked) {
  if (asked == Asked::bound_by) {
    const std::string word = place.text(40);
    if (!is_a_verdict(word)) place.refuse(fmt::format("'{}' is no verdict", word));
    return word;
  }
  const Guess guess = place.real(roofline::bounds::finite);
  if (!is_plausible(asked, guess))
    place.refuse(fmt::format("cannot be: {} is {}", name_of(asked), what_is_asked(asked, {})));
  return guess;
}

Prediction prediction_in(const roofline::JsonPlace& place) {
  constexpr std::size_t longest = roofline::bounds::name_length;
  Prediction one;
  one.student = place["student"].text(longest);
  if (one.student.empty()) place["student"].refuse("empty");
  one.kernel = place["kernel"].name();
  one.variant = place["variant"].name();
  one.step = place["step"].name();
  one.model = place["model"].name();
  one.device = place["device"].text(longest);
  one.time = time_in(place["time"]);
  one.source = place["source"].text();
  const auto asked = asked_called(place["question"].text(longest));
  if (!asked) place["question"].refuse("not a question that is asked");
  one.asked = *asked;
  if (!place["prediction"].is_null())
    one.guess = guess_in(place["prediction"], one.asked);
  else
    one.guess = std::nullopt;
  if (place.has("after_run")) one.after_run = place["after_run"].truth();
  if (!place["outcome"].is_null()) one.outcome = guess_in(place["outcome"], one.asked);
  if (one.asked == Asked::speedup && one.outcome == one.guess)
    place["prediction"].refuse("the measured speedup to its last bit: nobody predicts that");
  return one;
}

}  // namespace

fs::path default_answers_file() {
  for (const auto& [variable, below] :
       {std::pair("XDG_DATA_HOME", ""), std::pair("HOME", ".local/share")})
    if (const char* folder = std::getenv(variable); folder != nullptr && *folder == '/')
      return fs::path(folder) / below / "gpp" / "predictions.json";
  throw roofline::InputError(
      "neither XDG_DATA_HOME nor HOME names a folder to keep predictions in; name a file with "
      "--answers");
}

void require_answers_file(const fs::path& file) {
  naming_another_file([&] { return answers_in(file); });
}

namespace {

void append(const fs::path& file, const std::vector<Prediction>& more,
            const std::optional<Secret>& key) {
  std::error_code error;
  const fs::path folder = fs::absolute(file).parent_path();
  fs::create_directories(folder, error);
  if (!fs::is_directory(folder, error)) refuse(file, "its folder cannot be made");
  roofline::FileLock lock;
  std::string why;
  if (!lock.take(folder / fmt::format(".{}.lock", file.filename().string()), lock_seconds, why))
    refuse(file, why.empty() ? "another program holds it" : "cannot be locked: " + why);
  Json json = answers_in(file);
  for (const Prediction& one : more) {
    Json& entry = json[list].emplace_back(entry_of(one));
    if (key) entry[signature] = signature_of(entry, *key);
  }
  const std::string text = json.dump(1) + "\n";
  roofline::replace_file(file, static_cast<std::int64_t>(text.size()),
                         [&text](std::ostream& stream) { stream << text; });
}

}  // namespace

void keep_predictions(const fs::path& file, const std::vector<Prediction>& more,
                      const std::optional<Secret>& key) {
  if (!more.empty()) naming_another_file([&] { append(file, more, key); });
}

Answers read_answers(const fs::path& file, const std::optional<Secret>& key) {
  std::error_code error;
  if (!fs::exists(fs::status(file, error)))
    throw roofline::InputError(
        fmt::format("{}: there is no such file", roofline::visible(file.string())));
  const Json json = answers_in(file);
  const std::string source = roofline::visible(file.string());
  Answers answers;
  for (std::size_t i = 0; i < json[list].size(); ++i) {
    const std::string place = fmt::format("{}[{}]", list, i);
    const Json& entry = json[list][i];
    try {
      if (key && entry.value(signature, Json()) != signature_of(entry, *key))
        throw roofline::InputError(
            fmt::format("{}: {}: the key did not sign it, or it was changed since", source, place));
      const nlohmann::json unordered = entry;
      answers.predictions.push_back(prediction_in(roofline::JsonPlace(unordered, place, source)));
    } catch (const roofline::InputError& refusal) {
      answers.refused.push_back({place, refusal.what()});
    }
  }
  return answers;
}

}  // namespace gpp
