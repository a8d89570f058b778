#include "model/settings/seen.h"
#include "targets.h"

namespace faultline::fuzz {

int fuzz_seen(const uint8_t* data, size_t size) {
  const std::string written = model::seen_text(model::parse_seen(text_of(data, size), "fuzz.json"));
  if (model::seen_text(own([&] { return model::parse_seen(written, "written.json"); })) != written)
    throw Broken("what was seen reads back as something else: " + written);
  return 0;
}

} // namespace faultline::fuzz
