#include "exec/printed.h"

#include <fcntl.h>
#include <unistd.h>

namespace faultline::exec {
namespace {

int pipe_ends[2] = {-1, -1};

void send_output_to(int descriptor) {
  dup2(descriptor, STDOUT_FILENO);
  dup2(descriptor, STDERR_FILENO);
}

} // namespace

void prepare_printing() {
  if (pipe2(pipe_ends, O_CLOEXEC | O_NONBLOCK) != 0)
    pipe_ends[0] = pipe_ends[1] = -1;
}

std::string printed_by(const std::function<void()>& run) {
  std::string output;
  if (pipe_ends[0] < 0)
    return output;
  send_output_to(pipe_ends[1]);
  run();
  send_output_to(STDIN_FILENO); // which is /dev/null, for writing as well
  char chunk[1 << 12];
  for (ssize_t count = 0; (count = read(pipe_ends[0], chunk, sizeof chunk)) > 0;)
    output.append(chunk, size_t(count));
  return output;
}

} // namespace faultline::exec
