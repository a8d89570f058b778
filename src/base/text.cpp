#include "base/text.h"

#include <cstddef>
#include <cstdint>

namespace faultline::base {

namespace {

struct Character {
  size_t bytes = 1; // 1 for a byte that is not UTF-8
  uint32_t code = 0xFFFD;
};

// Decodes the first character.
Character first_of(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80)
    return {1, lead};
  const size_t bytes = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < bytes)
    return {};
  uint32_t code = lead & (0xFFu >> (bytes + 1));
  for (size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xC0) != 0x80)
      return {};
    code = code << 6 | (byte(i) & 0x3F);
  }
  constexpr uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000}; // by bytes: smaller ones would have a shorter form
  return code < least[bytes] ? Character{} : Character{bytes, code};
}

bool is_shown(uint32_t code) {
  const auto within = [&](uint32_t first, uint32_t last) { return code >= first && code <= last; };
  return code >= 0x20 && !within(0x7F, 0x9F) && code != 0x61C && !within(0x200E, 0x200F) && !within(0x2028, 0x202E) &&
         !within(0x2066, 0x2069) && !within(0xD800, 0xDFFF) && code != 0xFFFD && code <= 0x10FFFF;
}

} // namespace

std::string printable(std::string_view text) {
  std::string clean;
  clean.reserve(text.size());
  while (!text.empty()) {
    const Character character = first_of(text);
    if (is_shown(character.code))
      clean += text.substr(0, character.bytes);
    else if (character.code == '\t')
      clean += ' ';
    else if (character.code != '\r')
      clean += '?';
    text.remove_prefix(character.bytes);
  }
  return clean;
}

} // namespace faultline::base
