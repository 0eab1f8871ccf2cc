#include "tests/data/sample.h"

#include <cstdlib>
#include <cstring>

#include "roofline/base/text.h"

namespace gpp::test {
namespace {

std::vector<Complex> counted(int rows, int columns, double start) {
  std::vector<Complex> values(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns));
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto step = static_cast<double>(i);
    values[i] = {start + step / 16, -start - step / 64};
  }
  return values;
}

std::vector<double> counted(int count, double start) {
  std::vector<double> values;
  for (int i = 0; i < count; ++i) values.push_back(start + i / 8.0);
  return values;
}

constexpr std::int32_t Input::*whole_members[] = {&Input::sig_ntband,
                                                  &Input::gvec_ng,
                                                  &Input::ncoul,
                                                  &Input::epsmpi_ngpown_max,
                                                  &Input::peinf_ntband_max,
                                                  &Input::peinf_ntband_dist,
                                                  &Input::ipe,
                                                  &Input::ispin,
                                                  &Input::ngpown,
                                                  &Input::ncouls,
                                                  &Input::nstart,
                                                  &Input::nend,
                                                  &Input::sig_fdf,
                                                  &Input::nvband};
constexpr double Input::*real_members[] = {&Input::sig_dw,   &Input::sig_gamma, &Input::e_lk,
                                           &Input::tol,      &Input::efermi,    &Input::sexcut,
                                           &Input::limittwo, &Input::limitone};

}  // namespace

Input sample_input() {
  Input input;
  const std::int32_t whole[] = {7, 11, 6, 4, 5, 3, 2, 1, 2, 3, 2, 3, 2, 4};
  const double real[] = {1.0, 0.5, 0.75, 1e-5, 0.25, 4.0, 0.25, 250000.0};
  for (std::size_t i = 0; i < std::size(whole); ++i) input.*whole_members[i] = whole[i];
  for (std::size_t i = 0; i < std::size(real); ++i) input.*real_members[i] = real[i];
  input.peinf_indext_dist = {2, 4, 7, 0, -9};
  input.wfnkq_ekq = counted(7, -3.0);
  input.inv_igp_index = {3, 5, 0, 999};
  input.indinv = {1, 0, 2, 3, 0, 4, 5, 6, 0, 0, -1};
  input.aqsmtemp = counted(3, 5, 0.1);
  input.vcoul = counted(6, 0.5);
  input.wtilde_array = counted(3, 2, 20.0);
  input.I_eps_array = counted(3, 2, 0.01);
  input.aqsntemp = counted(3, 5, 0.3);
  for (std::size_t iw = 0; iw < 3; ++iw) {
    const auto step = static_cast<double>(iw);
    input.asxtemp[iw] = {step, 0.5};
    input.achtemp[iw] = {step, 1.5};
    input.asxtempref[iw] = {step, 2.5};
    input.achtempref[iw] = {step, 3.5};
  }
  return input;
}

std::vector<std::int32_t> whole_numbers(const Input& input) {
  std::vector<std::int32_t> numbers;
  for (const auto member : whole_members) numbers.push_back(input.*member);
  return numbers;
}

std::vector<double> real_numbers(const Input& input) {
  std::vector<double> numbers;
  for (const auto member : real_members) numbers.push_back(input.*member);
  return numbers;
}

std::string bytes_of(const Input& input, const WriteOptions& options) {
  std::ostringstream stream;
  write_gpp214(stream, input, options);
  return stream.str();
}

Input read_bytes(const std::string& bytes) {
  std::istringstream stream(bytes);
  return read_gpp214(stream, "sample.dat");
}

std::string refusal(const std::string& bytes) {
  return thrown<roofline::InputError>([&bytes] { read_bytes(bytes); });
}

std::int32_t int_at(const std::string& bytes, std::size_t offset) {
  std::int32_t value = 0;
  std::memcpy(&value, bytes.data() + offset, sizeof(value));
  return value;
}

std::vector<Frame> frames_of(const std::string& bytes) {
  std::vector<Frame> frames;
  int record = 1;
  for (std::size_t at = 0; at < bytes.size(); at = frames.back().end()) {
    const std::int32_t marker = int_at(bytes, at);
    const std::size_t content = at + sizeof(marker);
    frames.push_back({record, at, content, content + static_cast<std::size_t>(std::abs(marker))});
    if (marker >= 0) ++record;
  }
  return frames;
}

void write_content(const std::filesystem::path& path, const std::string& content) {
  std::ofstream stream(path, std::ios::binary);
  stream << content;
  if (!stream.flush()) throw std::runtime_error("cannot write " + path.string());
}

}  // namespace gpp::test
