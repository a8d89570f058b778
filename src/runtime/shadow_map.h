// The shadow memory of lifted execution: an exact map from addresses to indices. The tape's shadow is a cache that may
// forget, which costs data flow; a lifted value that is forgotten would cost precision, and make the oracle wrong.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace faultline::runtime {

class ShadowMap {
public:
  void clear();
  void set(uint64_t address, uint32_t index); // 0 forgets
  uint32_t get(uint64_t address) const;
  void copy(uint64_t to, uint64_t from, uint64_t bytes); // as memmove
  void erase(uint64_t from, uint64_t bytes);

  template <typename Visit>
  void for_each_index(Visit visit) const {
    for (const Entry& entry : entries_)
      if (entry.index != 0)
        visit(entry.index);
  }

private:
  struct Entry {
    uint64_t address = 0;
    uint32_t index = 0; // 0: free, or forgotten
  };
  size_t slot(uint64_t address) const; // of the address, or the free one where it belongs
  void grow();

  std::vector<Entry> entries_ = std::vector<Entry>(1024);
  size_t used_ = 0;
};

} // namespace faultline::runtime
