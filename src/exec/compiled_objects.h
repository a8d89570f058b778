// The machine code of a target, shared by the workers that run the target one after the other.
//
// The first worker compiles it before any code under test runs, and sends it to the supervisor. The supervisor accepts
// no object after that: code under test may have corrupted the worker, and must not reach the next one. Later workers
// are forks of the supervisor and find the object in their memory by the content of its module.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace faultline::exec {

class CompiledObjects {
public:
  using Key = std::array<uint64_t, 2>;
  static constexpr uint32_t longest = 16u << 20; // bytes, key included
  static constexpr size_t most = 4;

  // The message that carries an object: its key, then its bytes.
  static std::string message(const Key& key, std::string_view object);
  // False if the message is malformed or there are too many objects.
  bool add(std::string_view message);
  const std::string* find(const Key& key) const; // or null

private:
  std::map<Key, std::string> objects_;
};

// In a worker: the object that the supervisor had when it forked, and a new object for the supervisor. Both functions
// do nothing in other processes.
const std::string* known_object(const CompiledObjects::Key& key);
void send_object(const CompiledObjects::Key& key, std::string_view object);

} // namespace faultline::exec
