#include "base/text.h"

#include <cstddef>

namespace faultline::base {

namespace {

bool is_shown(uint32_t code) {
  const auto within = [&](uint32_t first, uint32_t last) { return code >= first && code <= last; };
  return code >= 0x20 && !within(0x7F, 0x9F) && code != 0x61C && !within(0x200E, 0x200F) && !within(0x2028, 0x202E) &&
         !within(0x2066, 0x2069) && !within(0xD800, 0xDFFF) && code != 0xFFFD && code <= 0x10FFFF;
}

} // namespace

Character first_character(std::string_view text) {
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

std::string printable(std::string_view text) {
  std::string clean;
  clean.reserve(text.size());
  while (!text.empty()) {
    const Character character = first_character(text);
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

std::string counted(uint64_t count, std::string_view noun) {
  const bool takes_e = noun.ends_with('s') || noun.ends_with('x');
  return std::to_string(count) + " " + std::string(noun) + (count == 1 ? "" : takes_e ? "es" : "s");
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\f\v";
  const size_t begin = text.find_first_not_of(blanks);
  return begin == text.npos ? std::string_view() : text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

} // namespace faultline::base
