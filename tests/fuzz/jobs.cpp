#include "finding/job.h"
#include "targets.h"

namespace faultline::fuzz {

int fuzz_jobs(const uint8_t* data, size_t size) {
  const std::string written = finding::job_text(finding::parse_job(text_of(data, size), "fuzz.json"));
  if (finding::job_text(own([&] { return finding::parse_job(written, "written.json"); })) != written)
    throw Broken("a job reads back as another: " + written);
  return 0;
}

} // namespace faultline::fuzz
