#include "harness/record/schema.h"

#include <nlohmann/json.hpp>

#include "harness/record/record.h"
#include "harness/record/record_json.h"
#include "harness/record/trajectory.h"

namespace gpp {
namespace {

template <class T>
Json schema_of(const char* title, const char* text) {
  T value;
  return roofline::schema(title, text, [&value](roofline::Fields& field) { fields(field, value); });
}

/// Fields that Sigma-GPP adds to those of every kernel.
Json fields_of_gpp() {
  const Json sums = {{"type", "array"},
                     {"maxItems", 3},
                     {"description", "[[real, imaginary], ...] by frequency from nstart on, Ry"},
                     {"items",
                      {{"type", "array"},
                       {"minItems", 2},
                       {"maxItems", 2},
                       {"items", {{"type", {"number", "null"}}}}}}};
  return Json::object(
      {{"properties",
        {{"input", {{"required", {"ncouls", "ngpown", "nbands", "nstart", "nend"}}}},
         {"results",
          {{"items",
            {{"properties",
              {{"check",
                {{"required", {"asx", "ach"}},
                 {"properties", {{"asx", sums}, {"ach", sums}}}}}}}}}}}}}});
}

}  // namespace

Json study_schema() {
  Json json = schema_of<StudyRecord>(
      "The facts of a study, study.json",
      "Written by `gpp study`, read by `gpp report`, `gpp compare` and other programs. What "
      "follows from these facts is printed by `--json`. Explained in results/README.md. null "
      "stands for what is not known or is not a finite number.");
  json["properties"]["input"]["additionalProperties"] = {
      {"type", "integer"}, {"minimum", 1}, {"description", "a dimension, as the kernel calls it"}};
  json["if"] = {{"properties", {{"kernel", {{"const", "gpp"}}}}}};
  json["then"] = fields_of_gpp();
  return json;
}

Json trajectory_schema() {
  Json json = schema_of<Trajectory>(
      "The facts of a trajectory, trajectory.json",
      "Written and read by `gpp trajectory`. Explained in results/README.md.");
  json["properties"]["points"]["items"]["properties"]["study"] = {
      {"type", "object"},
      {"description",
       "a study of that size on so many units, whose ceilings it has: study.schema.json"}};
  return json;
}

}  // namespace gpp
