// The machine code of a target, for the workers that run it one after the other: to search, after a crash, to confirm.
//
// The first worker makes it before any code under test has run, and sends it to the supervisor, which takes none later
// than that: what a worker has become by then may not reach the next. Later workers are forks of the supervisor and
// find it in their memory, by the content of the module that it was made from.
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

  // As it was sent: the key, and the object.
  static std::string message(const Key& key, std::string_view object);
  // False: that was no such message, or there were too many.
  bool add(std::string_view message);
  const std::string* find(const Key& key) const; // or null

private:
  std::map<Key, std::string> objects_;
};

// In a worker: what the supervisor had when it was forked, and what it is to have. Both do nothing elsewhere.
const std::string* known_object(const CompiledObjects::Key& key);
void send_object(const CompiledObjects::Key& key, std::string_view object);

} // namespace faultline::exec
