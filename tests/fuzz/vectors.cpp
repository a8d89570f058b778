#include "model/vectors/vector.h"
#include "targets.h"

namespace faultline::fuzz {

int fuzz_vectors(const uint8_t* data, size_t size) {
  const std::string written = model::vectors_csv(model::parse_vectors(text_of(data, size), "fuzz.csv"));
  if (model::vectors_csv(own([&] { return model::parse_vectors(written, "written.csv"); })) != written)
    throw Broken("vectors read back as something else: " + written);
  return 0;
}

} // namespace faultline::fuzz
