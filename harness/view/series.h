// What charts and tables call a series: the results of one model on one machine, over all studies
// that are shown together.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "harness/record/record.h"
#include "roofline/view/table.h"

namespace gpp {

/// A recorded study and where it lies.
struct NamedStudy {
  std::string name;
  StudyRecord study;
};

/// The results of one model on one machine that ran, timed or not, in the order of the steps.
struct StudySeries {
  const NamedStudy* named = nullptr;
  std::string kind;     ///< of device: "gpu", "host"
  std::string model;    ///< as the record has it: "omp"
  std::string machine;  ///< for programs: "0 gpu"
  std::string device;   ///< for people: "NVIDIA H200"; with the study's name where several share it
  std::string label;    ///< "NVIDIA H200, cuda"
  std::size_t place = 0;  ///< among all series: says its colour
  std::vector<const Result*> results;

  const StudyRecord& study() const { return named->study; }
  /// {"machine", "0 gpu"}, {"model", "cuda"}, {"series", "0 gpu cuda"}
  roofline::Tags tags() const;
};

/// All series, GPUs before hosts in each study. They point into the studies.
std::vector<StudySeries> series_of(const std::vector<NamedStudy>& studies);

/// "Intel Xeon" for "Intel(R) Xeon(R) Processor".
std::string short_device(const std::string& name);

/// "v7 reciprocal"; one name where both are the same, as in "my_idea".
std::string full_name(const Result& result);

/// An input's name without the folders it lies in.
std::string input_name(const InputRecord& input);

}  // namespace gpp
