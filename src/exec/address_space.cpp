#include "exec/address_space.h"

#include <cstdlib>
#include <sys/personality.h>
#include <unistd.h>

namespace faultline::exec {

void fix_address_space(char** argv) {
  constexpr const char* tried = "FAULTLINE_FIXED_ADDRESSES"; // never more than once, whatever the system says
  constexpr unsigned long ask = 0xffffffff;
  const int now = personality(ask);
  if (now == -1 || (now & ADDR_NO_RANDOMIZE) || std::getenv(tried))
    return;
  if (personality(static_cast<unsigned long>(now) | ADDR_NO_RANDOMIZE) == -1)
    return;
  setenv(tried, "1", 1);
  execv("/proc/self/exe", argv);
  unsetenv(tried);
}

} // namespace faultline::exec
