#include "roofline/inject/protocol.h"

#include <utility>

#include "roofline/base/error.h"
#include "roofline/base/json_place.h"

namespace roofline::inject {
namespace {

using Json = nlohmann::json;

constexpr const char* sender = "the program's process";

std::string text_of(const Json& json) {
  return json.dump(-1, ' ', true, Json::error_handler_t::replace);
}

Json missing_json(const std::vector<Missing>& missing) {
  Json list = Json::array();
  for (const Missing& one : missing) list.push_back({{"name", one.name}, {"reason", one.reason}});
  return list;
}

SeenDevice read_device(const JsonPlace& place) {
  SeenDevice device;
  device.name = place["name"].text(bounds::name_length);
  device.passes = place["passes"].small_integer();
  device.most_passes = place["most_passes"].small_integer();
  for (const JsonPlace& name : place["counters"].elements()) device.counters.push_back(name.text());
  for (const JsonPlace& one : place["missing"].elements())
    device.missing.push_back({one["name"].text(), one["reason"].text()});
  return device;
}

std::int64_t read_id(const JsonPlace& place) { return place.integer(0, bounds::large); }

SeenTime read_time(const JsonPlace& place) {
  const std::vector<JsonPlace> row = place.elements(3);
  if (row.size() != 3) place.refuse("not a kernel, its launches and seconds");
  return {read_id(row[0]), row[1].integer(1, bounds::large), row[2].real(bounds::seconds)};
}

Json parsed(const std::string& packet) {
  Json json = Json::parse(packet, nullptr, false);
  if (json.is_discarded()) throw InputError(std::string(sender) + ": sent what is no JSON");
  return json;
}

}  // namespace

std::string task_packet(const Task& task) {
  const Selection& chosen = task.selection;
  return text_of({{"counters", task.counters},
                  {"sign", task.further.sign},
                  {"harmless", task.further.harmless},
                  {"further", task.further.counters},
                  {"kernel", chosen.kernel},
                  {"nvtx", chosen.nvtx},
                  {"from_start", chosen.from_start},
                  {"first", chosen.first},
                  {"last", chosen.last}});
}

Task read_task(const std::string& packet) {
  const Json json = Json::parse(packet, nullptr, false);
  try {
    const Selection selection = {json.at("kernel"), json.at("nvtx"), json.at("from_start"),
                                 json.at("first"), json.at("last")};
    return {
        json.at("counters"), {json.at("sign"), json.at("harmless"), json.at("further")}, selection};
  } catch (const Json::exception& error) {
    throw InputError(std::string("roofline record sent no task: ") + error.what());
  }
}

std::string seen_packet(const Seen& seen) {
  Json json = Json::object();
  if (seen.device)
    json["device"] = {{"name", seen.device->name},
                      {"counters", seen.device->counters},
                      {"passes", seen.device->passes},
                      {"most_passes", seen.device->most_passes},
                      {"missing", missing_json(seen.device->missing)}};
  if (seen.kernel) json["kernel"] = {{"id", seen.kernel->id}, {"name", seen.kernel->name}};
  if (seen.launch)
    json["launch"] = {{"kernel", seen.launch->kernel}, {"values", seen.launch->values}};
  for (const SeenTime& time : seen.times)
    json["times"].push_back({time.kernel, time.launches, time.seconds});
  if (seen.launches >= 0) json["launches"] = seen.launches;
  if (!seen.refused.empty()) json["refused"] = seen.refused;
  if (!seen.note.empty()) json["note"] = seen.note;
  return text_of(json);
}

Seen read_seen(const std::string& packet) {
  const Json json = parsed(packet);
  const JsonPlace place(json, "", sender);
  Seen seen;
  if (place.has("device")) seen.device = read_device(place["device"]);
  if (place.has("kernel"))
    seen.kernel = SeenKernel{read_id(place["kernel"]["id"]), place["kernel"]["name"].text()};
  if (place.has("launch")) {
    SeenLaunch launch{read_id(place["launch"]["kernel"]), {}};
    for (const JsonPlace& value : place["launch"]["values"].elements())
      launch.values.push_back(value.real_or_null(bounds::count));
    seen.launch = std::move(launch);
  }
  if (place.has("times"))
    for (const JsonPlace& row : place["times"].elements()) seen.times.push_back(read_time(row));
  if (place.has("launches")) seen.launches = read_id(place["launches"]);
  if (place.has("refused")) seen.refused = place["refused"].text();
  if (place.has("note")) seen.note = place["note"].text();
  return seen;
}

}  // namespace roofline::inject
