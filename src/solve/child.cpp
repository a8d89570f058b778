#include "solve/child.h"

#include "base/process.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <exception>
#include <memory>
#include <new>
#include <poll.h>
#include <unistd.h>

namespace faultline::solve {

namespace {

// Layout: answer, number of values, values, solver, a zero, reason.
std::string bytes_of(const Result& result) {
  std::string bytes(1, char(result.answer));
  const uint64_t count = result.model.size();
  bytes.append(reinterpret_cast<const char*>(&count), sizeof count);
  bytes.append(reinterpret_cast<const char*>(result.model.data()), count * sizeof(numeric::Bits));
  return bytes + result.solver + '\0' + result.reason;
}

Result result_of(const std::string& bytes) {
  Result result;
  uint64_t count = 0;
  constexpr size_t header = 1 + sizeof count;
  if (bytes.size() < header)
    return {.reason = "the solver's process ended without an answer"};
  std::memcpy(&count, bytes.data() + 1, sizeof count);
  if (count > (bytes.size() - header) / sizeof(numeric::Bits))
    return {.reason = "the solver's process ended in the middle of its answer"};
  result.answer = Answer(bytes[0]);
  result.model.resize(count);
  if (count > 0)
    std::memcpy(result.model.data(), bytes.data() + header, count * sizeof(numeric::Bits));
  const std::string words = bytes.substr(header + count * sizeof(numeric::Bits));
  const size_t zero = std::min(words.find('\0'), words.size());
  result.solver = words.substr(0, zero);
  result.reason = words.substr(std::min(zero + 1, words.size()));
  return result;
}

// Runs in the child.
int answer(const Work& work) {
  Result result;
  try {
    result = work();
  } catch (const std::bad_alloc&) {
    result.reason = "out of memory";
  } catch (const std::exception& error) {
    result.reason = error.what();
  }
  return base::write_all(base::ProcessOptions::first_kept, bytes_of(result)) ? 0 : 1;
}

// A process that runs a solver. Its output is discarded. The destructor kills it.
class Child {
public:
  Child(const Work& work, const ChildLimits& limits) {
    constexpr int nothing = base::ProcessOptions::nothing;
    try {
      base::Pipe line;
      process_ =
          base::Process::copy([&] { return answer(work); }, {.input = nothing,
                                                             .output = nothing,
                                                             .errors = nothing,
                                                             .kept = {line.writing.number()},
                                                             .memory = base::address_space_in_use() + limits.memory});
      line_ = std::move(line.reading);
    } catch (const std::system_error& error) {
      failure_ = std::string("no process for the solver: ") + error.what();
    }
  }

  int descriptor() const { return line_.number(); } // for poll; -1 after its end

  // Reads available data, after poll has reported some. True at the end of the process.
  bool read() {
    char buffer[4096];
    const ssize_t count = ::read(line_.number(), buffer, sizeof buffer);
    if (count > 0)
      bytes_.append(buffer, size_t(count));
    else if (count == 0 || errno != EINTR) {
      line_.close();
      end_ = process_.wait();
    }
    return line_.number() < 0;
  }

  // Call after the end: returns the result, or unknown and how the process died.
  Result result() {
    if (!failure_.empty())
      return {.reason = failure_};
    if (end_.signal != 0)
      return {.reason = std::string("the solver's process died: ") + strsignal(end_.signal)};
    return result_of(bytes_);
  }

private:
  base::Process process_;
  base::Descriptor line_;
  base::ProcessEnd end_;
  std::string bytes_, failure_;
};

} // namespace

Result run_in_child(const Work& work, const ChildLimits& limits) { return race({work}, limits); }

Result race(const std::vector<Work>& works, const ChildLimits& limits) {
  const Deadline deadline(limits.seconds);
  std::vector<std::unique_ptr<Child>> children;
  for (const Work& work : works)
    children.push_back(std::make_unique<Child>(work, limits));
  Result last{.reason = "out of time"};
  while (!children.empty()) {
    std::vector<pollfd> waiting;
    for (const auto& child : children)
      waiting.push_back({child->descriptor(), POLLIN, 0});
    if (deadline.passed())
      return {.reason = "out of time"};
    const int milliseconds = int(std::clamp(deadline.left() * 1000, 0.0, 1e6)) + 1;
    if (poll(waiting.data(), waiting.size(), milliseconds) < 0 && errno != EINTR)
      return {.reason = std::string("poll: ") + std::strerror(errno)};
    for (size_t i = children.size(); i-- > 0;) {
      const bool ended = children[i]->descriptor() < 0 || (waiting[i].revents != 0 && children[i]->read());
      if (!ended)
        continue;
      last = children[i]->result();
      if (last.answer != Answer::unknown)
        return last;
      children.erase(children.begin() + long(i));
    }
  }
  return last;
}

} // namespace faultline::solve
