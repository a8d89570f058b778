#include "program/capture/section.h"
#include "targets.h"

namespace faultline::fuzz {

int fuzz_captured(const uint8_t* data, size_t size) {
  for (const program::Record& record : program::records_in(text_of(data, size), "data")) {
    const std::string bytes = program::bytes_of(record);
    const auto again = own([&] { return program::records_in(bytes, "own"); });
    if (again.size() != 1 || program::bytes_of(again.front()) != bytes || again.front().bitcode != record.bitcode)
      throw Broken("a record does not read back as it was written");
  }
  return 0;
}

} // namespace faultline::fuzz
