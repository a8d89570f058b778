#include "campaign/remote/share_job.h"
#include "targets.h"

namespace faultline::fuzz {

int fuzz_share_jobs(const uint8_t* data, size_t size) {
  const std::string written = campaign::share_job_text(campaign::parse_share_job(text_of(data, size), "fuzz.json"));
  if (campaign::share_job_text(own([&] { return campaign::parse_share_job(written, "written.json"); })) != written)
    throw Broken("a job file reads back as another: " + written);
  return 0;
}

} // namespace faultline::fuzz
