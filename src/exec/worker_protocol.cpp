#include "exec/worker_protocol.h"

#include "exec/guard.h"
#include "exec/printed.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

namespace faultline::exec {
namespace {

constexpr int line_descriptor = 3;
bool is_worker = false;
bool code_has_begun = false;
const CompiledObjects* objects = nullptr;

bool write_all(int descriptor, const char* data, size_t bytes) {
  while (bytes > 0) {
    const ssize_t count = write(descriptor, data, bytes);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return false;
    data += count;
    bytes -= size_t(count);
  }
  return true;
}

void write_or_end(int descriptor, const std::string& bytes) {
  if (!write_all(descriptor, bytes.data(), bytes.size()))
    _exit(2); // the code under test closed our line, or the supervisor is gone
}

std::string bytes_of(uint32_t number) { return {reinterpret_cast<const char*>(&number), sizeof number}; }

} // namespace

bool in_worker() { return is_worker; }

std::string CompiledObjects::message(const Key& key, std::string_view object) {
  return std::string(reinterpret_cast<const char*>(key.data()), sizeof key) + std::string(object);
}

bool CompiledObjects::add(std::string_view message) {
  Key key;
  if (message.size() < sizeof key || objects_.size() == most)
    return false;
  std::memcpy(key.data(), message.data(), sizeof key);
  objects_.try_emplace(key, message.substr(sizeof key));
  return true;
}

const std::string* CompiledObjects::find(const Key& key) const {
  const auto known = objects_.find(key);
  return known == objects_.end() ? nullptr : &known->second;
}

const std::string* known_object(const CompiledObjects::Key& key) { return objects ? objects->find(key) : nullptr; }

void send_object(const CompiledObjects::Key& key, std::string_view object) {
  if (!objects || code_has_begun || object.size() + sizeof key > CompiledObjects::longest)
    return;
  const std::string message = CompiledObjects::message(key, object);
  write_or_end(line_descriptor, bytes_of(object_mark) + bytes_of(uint32_t(message.size())) + message);
}

void code_begins() {
  if (!is_worker || code_has_begun)
    return;
  code_has_begun = true;
  write_or_end(line_descriptor, bytes_of(code_begins_mark));
}

void Channel::send(std::string_view message) {
  write_or_end(descriptor_, bytes_of(uint32_t(message.size())) + std::string(message));
}

// It ends with _exit: nothing of the parent's (buffers, destructors) may run twice.
void run_child(const Job& job, int descriptor, Channel line, const WorkerLimits& limits) {
  is_worker = true;
  const int nowhere = open("/dev/null", O_RDWR);
  for (int standard = 0; standard <= 2; ++standard)
    dup2(nowhere, standard);
  if (descriptor != line_descriptor)
    dup2(descriptor, line_descriptor);
  close_range(line_descriptor + 1, ~0u, 0);
  std::signal(SIGINT, SIG_IGN); // the supervisor decides
  std::signal(SIGTERM, SIG_DFL);
  if (job.shows_output)
    prepare_printing();
  limit_process(limits.memory);
  install_guard();
  Channel own(line_descriptor, line.flight, std::move(line.skip), line.before_call, line.spent);
  const std::string lack = confine(limits.confinement);
  own.send(lack);
  objects = job.objects.get();
  int status = lack.empty() ? 0 : 1;
  try {
    if (lack.empty())
      job.work(own);
  } catch (...) {
    status = 1;
  }
  _exit(status);
}

bool has_ended(pid_t child) {
  siginfo_t ended = {};
  return waitid(P_PID, id_t(child), &ended, WEXITED | WNOHANG | WNOWAIT) != 0 || ended.si_pid == child;
}

bool ends_soon(pid_t child) {
  constexpr int tries = 100;
  constexpr timespec moment = {0, 5'000'000};
  for (int i = 0; i < tries; ++i) {
    if (has_ended(child))
      return true;
    nanosleep(&moment, nullptr);
  }
  kill(child, SIGKILL);
  return false;
}

} // namespace faultline::exec
