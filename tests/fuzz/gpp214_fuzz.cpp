// Feeds arbitrary bytes to the reader, and accepted inputs to all later functions.
//
// A file must be refused with InputError or be an input that can be prepared, hashed, written and
// read back to the same bytes. Anything else is a crash, which the fuzzer reports.
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>
#include <utility>

#include "data/gpp214.h"
#include "data/validate.h"
#include "gpp/prepare.h"
#include "roofline/base/text.h"

namespace {

void require(bool condition) {
  if (!condition) std::abort();
}

std::string written(const gpp::Input& input, std::int64_t max_subrecord_bytes) {
  std::ostringstream stream;
  gpp::write_gpp214(stream, input, {max_subrecord_bytes});
  return stream.str();
}

gpp::Input read(const std::string& bytes) {
  std::istringstream stream(bytes);
  return gpp::read_gpp214(stream, "fuzz");
}

void use(gpp::Input input) {
  const std::string bytes = written(input, 2147483639);
  require(static_cast<std::int64_t>(bytes.size()) == gpp::gpp214_file_bytes(input));
  require(written(read(written(input, 13)), 2147483639) == bytes);
  require(gpp::sha256_of(input).size() == 64);

  gpp::validate(input, "fuzz");
  const gpp::PreparedProblem prepared(std::move(input));
  const gpp::FactoredProblem& problem = prepared.view();
  require(problem.empty_bands.size + problem.occupied_bands.size + problem.exceptional_bands.size ==
          problem.nbands);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    use(read(std::string(reinterpret_cast<const char*>(data), size)));
  } catch (const roofline::InputError& error) {
    require(std::string(error.what()).starts_with("fuzz: "));
  }
  return 0;
}
