#include "finding/settings/seen.h"
#include "targets.h"

namespace faultline::fuzz {

int fuzz_seen(const uint8_t* data, size_t size) {
  const std::string written = finding::seen_text(finding::parse_seen(text_of(data, size), "fuzz.json"));
  if (finding::seen_text(own([&] { return finding::parse_seen(written, "written.json"); })) != written)
    throw Broken("what was seen reads back as something else: " + written);
  return 0;
}

} // namespace faultline::fuzz
