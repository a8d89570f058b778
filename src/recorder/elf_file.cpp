#include "recorder/elf_file.h"

#include <cstring>
#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace faultline::recorder {
namespace {

const Elf64_Ehdr& header_of(const char* bytes) { return *reinterpret_cast<const Elf64_Ehdr*>(bytes); }

// The section's header, if it and what it speaks of lie in the file.
const Elf64_Shdr* section_at(const char* bytes, uint64_t size, uint64_t index) {
  const Elf64_Ehdr& header = header_of(bytes);
  if (index >= header.e_shnum || header.e_shentsize != sizeof(Elf64_Shdr) || header.e_shoff > size ||
      (index + 1) * sizeof(Elf64_Shdr) > size - header.e_shoff)
    return nullptr;
  const auto* section = reinterpret_cast<const Elf64_Shdr*>(bytes + header.e_shoff) + index;
  const bool inside =
      section->sh_type == SHT_NOBITS || (section->sh_offset <= size && section->sh_size <= size - section->sh_offset);
  return inside ? section : nullptr;
}

} // namespace

ElfFile::ElfFile(const char* path) {
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  struct stat status {};
  if (file >= 0 && fstat(file, &status) == 0 && status.st_size >= off_t(sizeof(Elf64_Ehdr))) {
    void* mapped = mmap(nullptr, size_t(status.st_size), PROT_READ, MAP_PRIVATE, file, 0);
    if (mapped != MAP_FAILED) {
      bytes_ = static_cast<const char*>(mapped);
      size_ = uint64_t(status.st_size);
    }
  }
  if (file >= 0)
    close(file);
  if (bytes_ && (std::memcmp(bytes_, ELFMAG, SELFMAG) != 0 || bytes_[EI_CLASS] != ELFCLASS64)) {
    munmap(const_cast<char*>(bytes_), size_);
    bytes_ = nullptr;
  }
}

ElfFile::~ElfFile() {
  if (bytes_)
    munmap(const_cast<char*>(bytes_), size_);
}

bool ElfFile::has_section(const char* name) const {
  const Elf64_Shdr* names = bytes_ ? section_at(bytes_, size_, header_of(bytes_).e_shstrndx) : nullptr;
  const size_t length = std::strlen(name) + 1;
  for (uint64_t i = 0; names && i < header_of(bytes_).e_shnum; ++i) {
    const Elf64_Shdr* section = section_at(bytes_, size_, i);
    if (section && section->sh_name <= names->sh_size && names->sh_size - section->sh_name >= length &&
        std::memcmp(bytes_ + names->sh_offset + section->sh_name, name, length) == 0)
      return true;
  }
  return false;
}

ElfFile::Symbols ElfFile::symbols() const {
  const Symbols all = symbols_of(SHT_SYMTAB);
  return all.count > 0 ? all : symbols_of(SHT_DYNSYM);
}

ElfFile::Symbols ElfFile::symbols_of(uint32_t section_type) const {
  for (uint64_t i = 0; bytes_ && i < header_of(bytes_).e_shnum; ++i) {
    const Elf64_Shdr* section = section_at(bytes_, size_, i);
    const Elf64_Shdr* names =
        section && section->sh_type == section_type ? section_at(bytes_, size_, section->sh_link) : nullptr;
    if (names && names->sh_size > 0 && bytes_[names->sh_offset + names->sh_size - 1] == 0)
      return {bytes_ + section->sh_offset, section->sh_size / sizeof(Elf64_Sym), bytes_ + names->sh_offset,
              names->sh_size};
  }
  return {};
}

bool ElfFile::symbol(const Symbols& symbols, uint64_t index, const char*& name, uint64_t& address) const {
  const Elf64_Sym& symbol = static_cast<const Elf64_Sym*>(symbols.first)[index];
  if (ELF64_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_shndx == SHN_UNDEF || symbol.st_name >= symbols.name_bytes)
    return false;
  name = symbols.names + symbol.st_name;
  address = symbol.st_value;
  return true;
}

} // namespace faultline::recorder
