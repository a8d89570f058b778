#include "recorder/seen_file.h"

namespace faultline::recorder {

static_assert(sizeof(SeenHeader) % 16 == 0 && sizeof(FunctionSeen) % 16 == 0 && sizeof(ArgumentSeen) % 16 == 0,
              "long doubles follow");

uint64_t file_bytes(const Signatures& signatures) {
  uint64_t bytes = sizeof(SeenHeader);
  for (uint32_t i = 0; i < signatures.function_count; ++i)
    bytes += block_bytes(signatures.functions[i].arguments);
  return bytes;
}

} // namespace faultline::recorder
