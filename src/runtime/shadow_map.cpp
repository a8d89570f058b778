#include "runtime/shadow_map.h"

#include "runtime/abi.h"
#include "runtime/tape_memory.h"

namespace faultline::runtime {

void ShadowMap::clear() {
  constexpr size_t kept = 1u << 16;
  if (entries_.size() > kept)
    entries_ = std::vector<Entry>(kept);
  else
    entries_.assign(entries_.size(), {});
  used_ = 0;
}

size_t ShadowMap::slot(uint64_t address) const {
  const size_t mask = entries_.size() - 1;
  size_t at = (address / shadow_granule * 0x9e3779b97f4a7c15u >> 20) & mask;
  while (entries_[at].address != 0 && entries_[at].address != address)
    at = (at + 1) & mask;
  return at;
}

void ShadowMap::grow() {
  std::vector<Entry> old(entries_.size() * 2);
  old.swap(entries_);
  used_ = 0;
  for (const Entry& entry : old)
    if (entry.index != 0)
      set(entry.address, entry.index);
}

void ShadowMap::set(uint64_t address, uint32_t index) {
  if (index == 0) {
    entries_[slot(address)].index = 0;
    return;
  }
  if (used_ * 2 >= entries_.size())
    grow();
  Entry& entry = entries_[slot(address)];
  used_ += entry.address == 0;
  entry = {address, index};
}

uint32_t ShadowMap::get(uint64_t address) const { return entries_[slot(address)].index; }

void ShadowMap::copy(uint64_t to, uint64_t from, uint64_t bytes) {
  const uint64_t granule = copied_granule();
  if (to <= from)
    for (uint64_t offset = 0; offset < bytes; offset += granule)
      set(to + offset, get(from + offset));
  else
    for (uint64_t offset = (bytes + granule - 1) / granule * granule; offset > 0;) {
      offset -= granule;
      set(to + offset, get(from + offset));
    }
}

void ShadowMap::erase(uint64_t from, uint64_t bytes) {
  if (bytes / shadow_granule < entries_.size()) {
    for (uint64_t offset = 0; offset < bytes; offset += copied_granule())
      set(from + offset, 0);
    return;
  }
  for (Entry& entry : entries_)
    if (entry.address - from < bytes)
      entry.index = 0;
}

} // namespace faultline::runtime
