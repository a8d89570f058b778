#include "exec/worker_protocol.h"

#include "exec/guard.h"
#include "exec/printed.h"

#include <csignal>
#include <cstring>
#include <unistd.h>

namespace faultline::exec {
namespace {

constexpr int line_descriptor = base::ProcessOptions::first_kept;
bool is_worker = false;
bool code_has_begun = false;
const CompiledObjects* objects = nullptr;

void write_or_end(int descriptor, const std::string& bytes) {
  if (!base::write_all(descriptor, bytes))
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

int run_child(const Job& job, Flight* flight, std::vector<uint64_t> skip, std::optional<uint64_t> before_call,
              double spent, const WorkerLimits& limits) {
  is_worker = true;
  std::signal(SIGINT, SIG_IGN); // the supervisor decides
  if (job.shows_output)
    prepare_printing();
  limit_process(limits.memory);
  install_guard();
  Channel channel(line_descriptor, flight, std::move(skip), before_call, spent);
  const std::string lack = confine(limits.confinement);
  channel.send(lack);
  if (!lack.empty())
    return 1;
  objects = job.objects.get();
  job.work(channel);
  return 0;
}

} // namespace faultline::exec
