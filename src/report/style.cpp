#include "report/style.h"

#include <cstdlib>
#include <unistd.h>

namespace faultline::report {

Style style_of(int file_descriptor) {
  const char* no_colour = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  const bool allowed = !(no_colour && *no_colour) && !(terminal && std::string_view(terminal) == "dumb");
  return Style(allowed && isatty(file_descriptor));
}

} // namespace faultline::report
