// The other side of nsan_subjects.c: a process that runs the subjects under -fsanitize=numerical and says how long they
// take.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <sys/types.h>

namespace faultline::bench {

class NsanChild {
public:
  NsanChild();
  ~NsanChild();
  NsanChild(const NsanChild&) = delete;
  NsanChild& operator=(const NsanChild&) = delete;

  // Nanoseconds of the subject's rounds over its inputs. Throws std::runtime_error if the child does not answer.
  uint64_t time(const std::string& subject);

private:
  pid_t child_;
  FILE *to_, *from_;
};

} // namespace faultline::bench
