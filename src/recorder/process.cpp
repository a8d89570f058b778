#include "recorder/process.h"

#include "recorder/breakpoints.h"
#include "recorder/signatures.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace faultline::recorder {

namespace {

const Elf64_Ehdr& header_of(const char* bytes) { return *reinterpret_cast<const Elf64_Ehdr*>(bytes); }

// Returns the section's header if it and its content lie in the file.
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

// Reads a file of machine code: whether it has captured code, and where its functions are.
class ElfFile {
public:
  // Mapped; empty on failure.
  explicit ElfFile(const char* path) {
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

  ~ElfFile() {
    if (bytes_)
      munmap(const_cast<char*>(bytes_), size_);
  }

  ElfFile(const ElfFile&) = delete;
  ElfFile& operator=(const ElfFile&) = delete;

  bool has_section(const char* name) const {
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

  // Calls `each` for every function in .symtab, or else in .dynsym, with its name and its address before loading.
  template <class Each> void each_function(const Each& each) const {
    const Symbols all = symbols();
    const char* name = nullptr;
    uint64_t address = 0;
    for (uint64_t i = 0; i < all.count; ++i)
      if (symbol(all, i, name, address))
        each(name, address);
  }

private:
  struct Symbols {
    const void* first = nullptr;
    uint64_t count = 0;
    const char* names = nullptr;
    uint64_t name_bytes = 0;
  };

  Symbols symbols() const {
    const Symbols all = symbols_of(SHT_SYMTAB);
    return all.count > 0 ? all : symbols_of(SHT_DYNSYM);
  }

  Symbols symbols_of(uint32_t section_type) const {
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

  bool symbol(const Symbols& symbols, uint64_t index, const char*& name, uint64_t& address) const {
    const Elf64_Sym& symbol = static_cast<const Elf64_Sym*>(symbols.first)[index];
    if (ELF64_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_shndx == SHN_UNDEF ||
        symbol.st_name >= symbols.name_bytes)
      return false;
    name = symbols.names + symbol.st_name;
    address = symbol.st_value;
    return true;
  }

  const char* bytes_ = nullptr;
  uint64_t size_ = 0;
};

// Maps the signatures of a file of code; faultline makes them if they do not exist yet. They are stored in the folder
// of the recording under the identity of the file, so that a thousand processes of one program make them once.
Signatures map_signatures(const char* path) {
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return {};
  struct stat status {};
  Signatures signatures;
  if (fstat(file, &status) == 0 && status.st_size > 0) {
    void* mapped = mmap(nullptr, size_t(status.st_size), PROT_READ, MAP_PRIVATE, file, 0);
    if (mapped != MAP_FAILED)
      signatures = signatures_in(mapped, uint64_t(status.st_size));
  }
  close(file);
  return signatures;
}

bool is_ours(const char* variable) {
  return std::strncmp(variable, "LD_PRELOAD=", 11) == 0 || std::strncmp(variable, "FAULTLINE_RECORD_", 17) == 0;
}

// Returns the environment without the variables of a recorded process.
char** plain_environment() {
  size_t count = 0;
  while (environ && environ[count])
    ++count;
  auto** plain = static_cast<char**>(std::calloc(count + 1, sizeof(char*)));
  size_t kept = 0;
  for (size_t i = 0; plain && i < count; ++i)
    if (!is_ours(environ[i]))
      plain[kept++] = environ[i];
  return plain;
}

// Discards the output: the program's own streams must not change.
void make_signatures(const char* program, const char* path, const char* to) {
  char* arguments[] = {const_cast<char*>(program),
                       const_cast<char*>("record"),
                       const_cast<char*>("--signatures"),
                       const_cast<char*>(path),
                       const_cast<char*>("-o"),
                       const_cast<char*>(to),
                       nullptr};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (const int stream : {0, 1, 2})
    posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", stream == 0 ? O_RDONLY : O_WRONLY, 0);
  char** environment = plain_environment();
  pid_t child = 0;
  if (environment && posix_spawn(&child, program, &actions, nullptr, arguments, environment) == 0)
    while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
    }
  posix_spawn_file_actions_destroy(&actions);
  std::free(environment);
}

// `name` is set to the signatures' file name. Returns no functions if they cannot be made.
Signatures signatures_of(const char* path, const char* folder, const char* program, char* name, size_t name_bytes) {
  struct stat status {};
  if (stat(path, &status) != 0)
    return {};
  std::snprintf(name, name_bytes, "signatures-%llx-%llx-%llx-%lx", (unsigned long long)status.st_dev,
                (unsigned long long)status.st_ino, (unsigned long long)status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
  char to[PATH_MAX], made[PATH_MAX + 32];
  std::snprintf(to, sizeof to, "%s/%s", folder, name);
  if (access(to, F_OK) != 0) { // another process may do the same: the last one wins, with the same content
    std::snprintf(made, sizeof made, "%s.%d", to, int(getpid()));
    make_signatures(program, path, made);
    if (rename(made, to) != 0) // an empty file prevents another try
      close(open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  }
  return map_signatures(to);
}

// A loaded file of code and the record of its calls. They are never freed.
struct Code {
  char path[PATH_MAX] = {};
  uint64_t bias = 0;
  bool looked_at = false;
  Signatures signatures;
  char signature_name[sizeof(SeenHeader::signatures)] = {};
  SeenHeader* seen = nullptr;
  uint64_t seen_bytes = 0;
};

constexpr uint32_t most_files = 256;
constinit Code codes[most_files]; // constant-initialised, like all globals here: used before our constructors run
uint32_t code_count = 0;
const char* folder = nullptr;
const char* program = nullptr;
std::atomic<bool> recording = false;
bool started = false;

// The file has a temporary name, which no other process uses, while it is filled in.
int new_seen_file(uint64_t bytes) {
  static std::atomic<uint32_t> number = 0;
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  char name[PATH_MAX];
  std::snprintf(name, sizeof name, "%s/seen-%d-%lld%09ld-%u", folder, int(getpid()), (long long)now.tv_sec, now.tv_nsec,
                unsigned(number++));
  const int file = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file >= 0 && ftruncate(file, off_t(bytes)) == 0)
    return file;
  if (file >= 0)
    close(file);
  return -1;
}

// Maps at the same address as before, if there was one: breakpoints point into it.
bool map_seen(Code& code) {
  code.seen_bytes = file_bytes(code.signatures);
  const int file = new_seen_file(code.seen_bytes);
  if (file < 0)
    return false;
  void* mapped =
      mmap(code.seen, code.seen_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | (code.seen ? MAP_FIXED : 0), file, 0);
  close(file);
  if (mapped == MAP_FAILED)
    return false;
  code.seen = static_cast<SeenHeader*>(mapped);
  std::memcpy(code.seen->magic, seen_magic, sizeof seen_magic);
  code.seen->functions = code.signatures.function_count;
  code.seen->bytes = code.seen_bytes;
  std::memcpy(code.seen->signatures, code.signature_name, sizeof code.signature_name);
  return true;
}

struct Symbol {
  const char* name;
  uint32_t function; // its index in the signatures
  uint64_t address;  // 0: not found
  bool ambiguous;    // two local functions have this name
};

void find_addresses(const ElfFile& elf, Symbol* symbols, uint32_t count) {
  std::sort(symbols, symbols + count, [](const Symbol& a, const Symbol& b) { return std::strcmp(a.name, b.name) < 0; });
  elf.each_function([&](const char* name, uint64_t address) {
    Symbol* found = std::lower_bound(symbols, symbols + count, name, [](const Symbol& symbol, const char* n) {
      return std::strcmp(symbol.name, n) < 0;
    });
    if (found == symbols + count || std::strcmp(found->name, name) != 0)
      return;
    found->ambiguous = found->ambiguous || (found->address != 0 && found->address != address);
    found->address = address;
  });
}

// Makes breakpoints for the functions with an address of their own: functions that the linker folded share one.
uint32_t make_breakpoints(const Code& code, const Symbol* symbols, Breakpoint* breakpoints, Breakpoint** sorted) {
  const Signatures& signatures = code.signatures;
  auto* block = reinterpret_cast<char*>(code.seen + 1);
  for (uint32_t i = 0; i < signatures.function_count; ++i) {
    breakpoints[i].seen = reinterpret_cast<FunctionSeen*>(block);
    breakpoints[i].arguments = signatures.arguments_of(i);
    breakpoints[i].argument_count = signatures.functions[i].arguments;
    block += block_bytes(signatures.functions[i].arguments);
  }
  uint32_t count = 0;
  for (uint32_t i = 0; i < signatures.function_count; ++i)
    if (symbols[i].address != 0 && !symbols[i].ambiguous) {
      Breakpoint* breakpoint = &breakpoints[symbols[i].function];
      breakpoint->address = reinterpret_cast<uint8_t*>(code.bias + symbols[i].address);
      sorted[count++] = breakpoint;
    }
  std::sort(sorted, sorted + count, [](const Breakpoint* a, const Breakpoint* b) { return a->address < b->address; });
  return count;
}

bool arm(Code& code, const ElfFile& elf) {
  const uint32_t count = code.signatures.function_count;
  auto* symbols = static_cast<Symbol*>(std::calloc(count, sizeof(Symbol)));
  auto* all = static_cast<Breakpoint*>(std::calloc(count, sizeof(Breakpoint)));
  auto* sorted = static_cast<Breakpoint**>(std::calloc(count, sizeof(Breakpoint*)));
  auto* kept = static_cast<Breakpoint*>(std::calloc(count, sizeof(Breakpoint))); // never freed
  if (!symbols || !all || !sorted || !kept)
    return false;
  for (uint32_t i = 0; i < count; ++i)
    symbols[i] = {code.signatures.names + code.signatures.functions[i].symbol, i, 0, false};
  find_addresses(elf, symbols, count);
  const uint32_t found = make_breakpoints(code, symbols, all, sorted);
  uint32_t used = 0;
  for (uint32_t i = 0; i < found; ++i)
    if (used == 0 || kept[used - 1].address != sorted[i]->address) {
      kept[used].address = sorted[i]->address;
      kept[used].seen = sorted[i]->seen;
      kept[used].arguments = sorted[i]->arguments;
      kept[used].argument_count = sorted[i]->argument_count;
      ++used;
    }
  std::free(symbols);
  std::free(all);
  std::free(sorted);
  return set_breakpoints(kept, used);
}

int collect(dl_phdr_info* info, size_t, void*) {
  char path[PATH_MAX];
  const bool main = !info->dlpi_name || !*info->dlpi_name;
  if (main) {
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    path[length > 0 ? length : 0] = 0;
  } else {
    std::snprintf(path, sizeof path, "%s", info->dlpi_name);
  }
  for (uint32_t i = 0; i < code_count; ++i)
    if (codes[i].bias == info->dlpi_addr && std::strcmp(codes[i].path, path) == 0)
      return 0;
  if (path[0] != '/' && access(path, R_OK) != 0) // the kernel's own
    return 0;
  if (code_count < most_files) {
    std::memcpy(codes[code_count].path, path, sizeof path);
    codes[code_count].bias = info->dlpi_addr;
    ++code_count;
  }
  return 0;
}

void look_at(Code& code) {
  code.looked_at = true;
  const ElfFile elf(code.path);
  if (!elf.has_section(".faultline"))
    return;
  code.signatures = signatures_of(code.path, folder, program, code.signature_name, sizeof code.signature_name);
  if (code.signatures.function_count == 0 || !map_seen(code))
    return;
  if (!started)
    recording = started = start_breakpoints();
  if (!recording || !arm(code, elf))
    code.seen->stopped = Stopped::by_protection;
}

bool is_traced() {
  char status[4096];
  const int file = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
  const ssize_t length = file >= 0 ? read(file, status, sizeof status - 1) : 0;
  if (file >= 0)
    close(file);
  status[length > 0 ? length : 0] = 0;
  const char* tracer = std::strstr(status, "TracerPid:\t");
  return tracer && tracer[11] != '0';
}

} // namespace

void start_recording() {
  folder = std::getenv(folder_variable);
  program = std::getenv(program_variable);
  if (!folder || !program || is_traced())
    folder = nullptr;
  look_for_new_code();
}

void look_for_new_code() {
  if (!folder || (started && !recording))
    return;
  dl_iterate_phdr(collect, nullptr);
  for (uint32_t i = 0; i < code_count; ++i)
    if (!codes[i].looked_at)
      look_at(codes[i]);
}

// If no file can be made, calls are counted in the parent's file.
void record_child() {
  if (!recording)
    return;
  for (uint32_t i = 0; i < code_count; ++i)
    if (codes[i].seen)
      map_seen(codes[i]);
  continue_in_child();
}

bool is_recording() { return recording; }

} // namespace faultline::recorder
