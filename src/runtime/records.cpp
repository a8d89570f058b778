#include "runtime/records.h"

#include <cstdio>
#include <cstdlib>

namespace faultline::runtime {

void fail_stale() {
  std::fputs("faultline: a tape was read after another run had begun\n", stderr);
  std::abort();
}

} // namespace faultline::runtime
