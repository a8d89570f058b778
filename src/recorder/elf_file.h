// What the recorder must know of a file of machine code: does it have captured code in it, and where are its functions?
#pragma once

#include <cstdint>

namespace faultline::recorder {

class ElfFile {
public:
  explicit ElfFile(const char* path); // mapped; empty if it is none
  ~ElfFile();
  ElfFile(const ElfFile&) = delete;
  ElfFile& operator=(const ElfFile&) = delete;

  bool has_section(const char* name) const;
  // Of every function in .symtab, or else in .dynsym: its name and where it lies before the file was loaded.
  template <class Each>
  void each_function(const Each& each) const;

private:
  struct Symbols {
    const void* first = nullptr;
    uint64_t count = 0;
    const char* names = nullptr;
    uint64_t name_bytes = 0;
  };
  Symbols symbols() const;
  Symbols symbols_of(uint32_t section_type) const;
  bool symbol(const Symbols& symbols, uint64_t index, const char*& name, uint64_t& address) const;

  const char* bytes_ = nullptr;
  uint64_t size_ = 0;
};

template <class Each>
void ElfFile::each_function(const Each& each) const {
  const Symbols all = symbols();
  const char* name = nullptr;
  uint64_t address = 0;
  for (uint64_t i = 0; i < all.count; ++i)
    if (symbol(all, i, name, address))
      each(name, address);
}

} // namespace faultline::recorder
