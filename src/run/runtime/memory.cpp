// The runtime of a twin: its memory and its shadow memory. It uses the C library only.
#include "run/abi.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

namespace run = faultline::run;

extern "C" {
// Of the program that is instrumented; absent in tests.
extern char faultline_run_memory[] __attribute__((weak));
extern const run::Layout faultline_run_layout __attribute__((weak));

thread_local run::CallBlock faultline_run_calls __attribute__((tls_model("initial-exec"), aligned(16)));

void faultline_run_move(char* to, const char* from, uint64_t bytes);
void faultline_run_copy_in(char* to, const char* from, uint64_t bytes);
void* faultline_run_realloc(void* old, size_t bytes);
void faultline_run_fresh(void* begin, uint64_t bytes, uint32_t site);
void faultline_run_allocated(void* const* descriptor, uint32_t site);
void faultline_run_map_events(char** environment);
void faultline_run_watch_globals();
void* __real_memmove(void* to, const void* from, size_t bytes) __attribute__((weak));
void* __wrap_memmove(void* to, const void* from, size_t bytes);
void* __wrap_memcpy(void* to, const void* from, size_t bytes);
}

namespace {

constexpr uint64_t distances[] = {run::residue_distance, run::copy_distance};

bool has_shadow(const void* begin, uint64_t bytes) {
  const auto address = reinterpret_cast<uint64_t>(begin);
  for (const run::AddressRange& range : run::shadowed)
    if (address >= range.begin && address <= range.end && bytes <= range.end - address)
      return true;
  return false;
}

char* shadow_of(const void* address, uint64_t distance) {
  return reinterpret_cast<char*>(reinterpret_cast<uint64_t>(address) + distance);
}

void move_bytes(void* to, const void* from, size_t bytes) {
  (__real_memmove ? __real_memmove : memmove)(to, from, bytes);
}

void complain_and_leave(const char* text) {
  (void)!write(STDERR_FILENO, text, strlen(text));
  _exit(70);
}

bool reserve(const run::AddressRange& range, uint64_t distance) {
  constexpr uint64_t page = 4096;
  const uint64_t begin = ((range.begin + distance) & ~(page - 1)) - page, bytes = range.end - range.begin + 4 * page;
  void* wanted = reinterpret_cast<void*>(begin);
  void* got = mmap(wanted, bytes, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  return got == wanted;
}

void map_counters(char** environment) {
  const size_t name = strlen(run::memory_variable);
  for (char** variable = environment; *variable; ++variable)
    if (strncmp(*variable, run::memory_variable, name) == 0 && (*variable)[name] == '=') {
      const int file = atoi(*variable + name + 1);
      if (mmap(faultline_run_memory, run::bytes_of(faultline_run_layout), PROT_READ | PROT_WRITE,
               MAP_SHARED | MAP_FIXED, file, 0) == MAP_FAILED)
        complain_and_leave("faultline: error: the counters of the twin cannot be mapped\n");
      close(file);
      return;
    }
}

// Before all constructors of the program.
void begin(int, char**, char** environment) {
  if (!faultline_run_memory)
    return;
  map_counters(environment);
  auto& header = run::Memory{faultline_run_memory, faultline_run_layout}.header();
  for (const run::AddressRange& range : run::shadowed)
    for (const uint64_t distance : distances)
      if (!reserve(range, distance)) {
        ++header.no_shadow;
        complain_and_leave("faultline: error: there is no address space for shadow memory\n"
                           "  try: ulimit -v unlimited; sysctl vm.overcommit_memory must not be 2\n");
      }
  ++header.started;
  faultline_run_map_events(environment);
  faultline_run_watch_globals();
}

} // namespace

__attribute__((section(".preinit_array"), used)) static void (*first)(int, char**, char**) = begin;

void faultline_run_move(char* to, const char* from, uint64_t bytes) {
  if (bytes < sizeof(float) || !has_shadow(to, bytes) || !has_shadow(from, bytes))
    return;
  for (const uint64_t distance : distances)
    move_bytes(shadow_of(to, distance), shadow_of(from, distance), bytes);
}

// Fortran's runtime library copies arrays, so the twin is linked with these in the place of the C library's.
void* __wrap_memmove(void* to, const void* from, size_t bytes) {
  move_bytes(to, from, bytes);
  faultline_run_move(static_cast<char*>(to), static_cast<const char*>(from), bytes);
  return to;
}

void* __wrap_memcpy(void* to, const void* from, size_t bytes) { return __wrap_memmove(to, from, bytes); }

// Fills memory that the program got, if this run looks for values that are read before they are written.
void faultline_run_fresh(void* begin, uint64_t bytes, uint32_t site) {
  if (!begin || !faultline_run_memory || !run::Memory{faultline_run_memory, faultline_run_layout}.header().probe.fills)
    return;
  const uint32_t pattern = run::fresh_pattern | (site < run::fresh_sites - 1 ? site + 1 : run::fresh_sites);
  for (uint64_t i = 0; i + sizeof pattern <= bytes; i += sizeof pattern)
    __builtin_memcpy(static_cast<char*>(begin) + i, &pattern, sizeof pattern);
}

// The memory of an array that Fortran's runtime library has allocated. Its descriptor begins with the address.
void faultline_run_allocated(void* const* descriptor, uint32_t site) {
  if (*descriptor)
    faultline_run_fresh(*descriptor, malloc_usable_size(*descriptor), site);
}

void faultline_run_copy_in(char* to, const char* from, uint64_t bytes) { faultline_run_move(to, from, bytes); }

void* faultline_run_realloc(void* old, size_t bytes) {
  const size_t before = old ? malloc_usable_size(old) : 0;
  void* moved = realloc(old, bytes);
  if (moved && old && moved != old)
    faultline_run_move(static_cast<char*>(moved), static_cast<const char*>(old), before < bytes ? before : bytes);
  return moved;
}
