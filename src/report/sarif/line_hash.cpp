#include "report/sarif/line_hash.h"

#include <cstdint>
#include <fmt/format.h>
#include <map>

namespace faultline::report {
namespace {

constexpr size_t window = 100;
constexpr uint64_t base = 37;
constexpr char16_t end_of_file = 0xFFFF;
constexpr char32_t not_utf8 = 0xFFFD; // what decoders put there

// The character at the beginning of the text, which gets shorter by it.
char32_t next_character(std::string_view& text) {
  const auto first = static_cast<unsigned char>(text[0]);
  const size_t length = first < 0x80 ? 1 : first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC2 ? 2 : 0;
  char32_t code = length > 1 ? first & (0xFFu >> (length + 1)) : first;
  size_t used = 1;
  while (used < length && used < text.size() && (static_cast<unsigned char>(text[used]) & 0xC0) == 0x80)
    code = code << 6 | (static_cast<unsigned char>(text[used++]) & 0x3F);
  text.remove_prefix(used);
  return used == length && code <= 0x10FFFF ? code : not_utf8;
}

std::u16string units_of(std::string_view text) {
  std::u16string units;
  while (!text.empty()) {
    const char32_t code = next_character(text);
    if (code < 0x10000) {
      units += static_cast<char16_t>(code);
    } else {
      units += static_cast<char16_t>(0xD800 + ((code - 0x10000) >> 10));
      units += static_cast<char16_t>(0xDC00 + ((code - 0x10000) & 0x3FF));
    }
  }
  return units;
}

// What counts of a text, and where its lines begin there.
struct Counted {
  std::u16string units;
  std::vector<size_t> lines;
};

Counted counted(std::string_view text) {
  Counted all;
  bool begins = true, after_return = false;
  for (const char16_t unit : units_of(text) + end_of_file) {
    const bool second_half = after_return && unit == u'\n'; // of one line ending
    after_return = unit == u'\r';
    if (second_half || unit == u' ' || unit == u'\t')
      continue;
    if (begins)
      all.lines.push_back(all.units.size());
    begins = unit == u'\n' || unit == u'\r';
    all.units += begins ? u'\n' : unit;
  }
  return all;
}

} // namespace

std::vector<std::string> line_hashes(std::string_view text) {
  const Counted all = counted(text);
  std::vector<std::string> hashes;
  std::map<uint64_t, size_t> seen;
  for (const size_t begin : all.lines) {
    uint64_t hash = 0;
    for (size_t i = begin; i < begin + window; ++i)
      hash = hash * base + (i < all.units.size() ? all.units[i] : 0);
    hashes.push_back(fmt::format("{:x}:{}", hash, ++seen[hash]));
  }
  return hashes;
}

} // namespace faultline::report
