// The entry point that libFuzzer calls; FAULTLINE_FUZZ_TARGET is one of the functions of targets.h.
#include "targets.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    return faultline::fuzz::FAULTLINE_FUZZ_TARGET(data, size);
  } catch (const faultline::base::UserError&) {
    return 0;
  }
}
