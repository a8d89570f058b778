#include "nsan_child.h"

#include <cinttypes>
#include <csignal>
#include <cstdlib>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

namespace faultline::bench {

NsanChild::NsanChild() {
  std::signal(SIGPIPE, SIG_IGN); // a dead child is reported by time()
  int questions[2], answers[2];
  if (pipe(questions) != 0 || pipe(answers) != 0)
    throw std::runtime_error("no pipe to the program under -fsanitize=numerical");
  // No reports, and nothing that could become one: what is measured is NSan's arithmetic and checks.
  setenv("NSAN_OPTIONS", "halt_on_error=0:disable_warnings=1:log2_max_relative_error=0", 1);
  child_ = fork();
  if (child_ == 0) {
    dup2(questions[0], STDIN_FILENO);
    dup2(answers[1], STDOUT_FILENO);
    for (int end : {questions[0], questions[1], answers[0], answers[1]})
      close(end);
    execl(BENCH_NSAN, BENCH_NSAN, nullptr);
    _exit(127);
  }
  close(questions[0]);
  close(answers[1]);
  to_ = fdopen(questions[1], "w");
  from_ = fdopen(answers[0], "r");
}

NsanChild::~NsanChild() {
  std::fclose(to_); // its end of input
  std::fclose(from_);
  waitpid(child_, nullptr, 0);
}

uint64_t NsanChild::time(const std::string& subject) {
  uint64_t nanoseconds = 0;
  std::fprintf(to_, "%s\n", subject.c_str());
  if (std::fflush(to_) != 0 || std::fscanf(from_, "%" SCNu64, &nanoseconds) != 1)
    throw std::runtime_error(std::string(BENCH_NSAN " does not answer for ") + subject +
                             "; try: scripts/fetch-subjects --force gsl");
  return nanoseconds;
}

} // namespace faultline::bench
