#include "campaign/remote/share_job.h"
#include "targets.h"

namespace faultline::fuzz {

int fuzz_share_lines(const uint8_t* data, size_t size) {
  const std::string written = campaign::line_text(campaign::parse_line(text_of(data, size), "fuzz"));
  if (written.find('\n') != std::string::npos)
    throw Broken("results are not one line: " + written);
  if (campaign::line_text(own([&] { return campaign::parse_line(written, "written"); })) != written)
    throw Broken("a line reads back as another: " + written);
  return 0;
}

} // namespace faultline::fuzz
