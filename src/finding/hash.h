// A hash of words (64-bit FNV-1a), the same on every machine and in every run: for the names of findings.
#pragma once

#include <cstdint>
#include <fmt/format.h>
#include <string>
#include <string_view>

namespace faultline::finding {

class Hash {
public:
  void add(std::string_view words) {
    for (const unsigned char c : words)
      mix(c);
    mix(0xff); // no byte of UTF-8: "ab", "c" is not "a", "bc"
  }
  std::string text() const { return fmt::format("{:016x}", hash_); }

private:
  void mix(unsigned char c) { hash_ = (hash_ ^ c) * 0x100000001b3; }

  uint64_t hash_ = 0xcbf29ce484222325;
};

} // namespace faultline::finding
