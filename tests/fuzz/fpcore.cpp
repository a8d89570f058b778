#include "program/fpcore/file.h"
#include "targets.h"

namespace faultline::fuzz {

// What can be read becomes C, which is plain text.
int fuzz_fpcore(const uint8_t* data, size_t size) {
  const std::string text(text_of(data, size));
  const std::string c = program::fpcore::c_source_of(text, "f.fpcore");
  program::fpcore::settings_in_text(text, "f.fpcore");
  for (const char byte : c)
    if (byte != '\n' && (byte < ' ' || byte > '~'))
      throw Broken("a byte in C that is no text");
  return 0;
}

} // namespace faultline::fuzz
