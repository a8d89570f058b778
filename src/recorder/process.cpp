#include "recorder/process.h"

#include "recorder/breakpoints.h"
#include "recorder/elf_file.h"
#include "recorder/signature_file.h"

#include <algorithm>
#include <atomic>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

namespace faultline::recorder {
namespace {

// A file of code that is loaded, with what is seen of it. They live as long as the process.
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
constinit Code codes[most_files]; // constant, as all of these: they are in use before constructors of ours run
uint32_t code_count = 0;
const char* folder = nullptr;
const char* program = nullptr;
std::atomic<bool> recording = false;
bool started = false;

// Private while it is filled in: no other process has this name.
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

// At the same place as before, if there was one: breakpoints point into it.
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

// Those of the functions that have an address of their own: what the linker has folded is two functions.
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
  auto* kept = static_cast<Breakpoint*>(std::calloc(count, sizeof(Breakpoint))); // for good
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

// What cannot be written down goes to the parent's file, which is better than nowhere.
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
