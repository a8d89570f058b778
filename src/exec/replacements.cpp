#include "exec/replacements.h"

#include "exec/guard.h"
#include "program/shown_symbol.h"
#include "runtime/tape_memory.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <iterator>
#include <new>
#include <stdexcept>
#include <sys/mman.h>

namespace faultline::exec {

namespace {

constexpr uint64_t page = 4096;
// Assumed size of a variable declared without one (extern double table[]). A guess.
constexpr uint64_t least_variable = uint64_t(1) << 20;

std::deque<MissingSymbol>& all() { // addresses remain valid as it grows
  static std::deque<MissingSymbol> symbols;
  return symbols;
}

} // namespace

void* place_of_missing(const std::string& symbol, bool is_function, uint64_t bytes) {
  const auto known = std::ranges::find(all(), symbol, &MissingSymbol::symbol);
  if (known != all().end())
    return reinterpret_cast<void*>(known->begin + page);
  const uint64_t inside = is_function ? page : std::max(bytes, least_variable) / page * page + page;
  const uint64_t whole = page + inside + page; // a margin on both sides belongs to it, too
  void* const place = mmap(nullptr, whole, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (place == MAP_FAILED)
    throw std::runtime_error("no address space is left for " + symbol + ", which is missing");
  const auto begin = reinterpret_cast<uintptr_t>(place);
  all().push_back({symbol, is_function, begin, begin + whole});
  return reinterpret_cast<void*>(begin + page);
}

const MissingSymbol* missing_at(const void* address) {
  const auto where = reinterpret_cast<uintptr_t>(address);
  for (const MissingSymbol& missing : all())
    if (where >= missing.begin && where < missing.end)
      return &missing;
  return nullptr;
}

std::vector<std::string> missing_symbols() {
  std::vector<std::string> symbols;
  for (const MissingSymbol& missing : all())
    symbols.push_back(missing.symbol);
  return symbols;
}

std::string shown_name(const MissingSymbol& missing) { return program::shown_symbol(missing.symbol); }

namespace {

Heap* heap = nullptr;
uint64_t random_state = 1;
constexpr uint64_t random_start = 0x853c49e6748fea9b;

void* or_leave(void* block) {
  if (!block)
    leave_call(Outcome::out_of_memory);
  return block;
}

[[noreturn]] void own_abort() { leave_call(Outcome::aborted); }
[[noreturn]] void own_assert_fail(const char*, const char*, unsigned, const char*) { leave_call(Outcome::aborted); }
[[noreturn]] void own_exit(int status) {
  note_exit(status);
  leave_call(Outcome::exited);
}

// A check of a memory access failed (program/bounds_check.h).
[[noreturn]] void own_out_of_bounds(uint64_t mark) {
  runtime::tape_memory().state->ended = mark;
  leave_call(Outcome::out_of_bounds);
}

// Fortran's STOP. The library's version would write to standard error first.
[[noreturn]] void own_stop(int status, bool is_error, bool) {
  note_stop(status, is_error);
  leave_call(Outcome::exited);
}
[[noreturn]] void own_stop_text(const char* message, size_t length, bool is_error, bool) {
  note_stop(message, length, is_error);
  leave_call(Outcome::exited);
}

void* own_malloc(size_t bytes) { return or_leave(heap->allocate(bytes)); }
void* own_calloc(size_t count, size_t bytes) {
  size_t all;
  if (__builtin_mul_overflow(count, bytes, &all))
    return nullptr;
  return or_leave(heap->allocate(all));
}
void* own_realloc(void* block, size_t bytes) {
  if (block && is_argument(block)) // the caller's, as if it had allocated it; its contents are lost
    block = nullptr;
  if (block && !heap->owns(block))
    return std::realloc(block, bytes);
  return or_leave(heap->reallocate(block, bytes));
}
void own_free(void* block) {
  if (is_argument(block))
    return; // the caller's, as if it had allocated it
  if (heap->owns(block))
    heap->release(block);
  else
    std::free(block); // allocated by a library (strdup, getline)
}
void* own_aligned_alloc(size_t alignment, size_t bytes) { return or_leave(heap->allocate(bytes, alignment)); }
int own_posix_memalign(void** block, size_t alignment, size_t bytes) {
  *block = or_leave(heap->allocate(bytes, alignment));
  return 0;
}
void* own_new_aligned(size_t bytes, std::align_val_t alignment) {
  return or_leave(heap->allocate(bytes, size_t(alignment)));
}
void own_delete_sized(void* block, size_t) { own_free(block); }
void own_delete_aligned(void* block, std::align_val_t) { own_free(block); }
void own_delete_sized_aligned(void* block, size_t, std::align_val_t) { own_free(block); }

uint32_t step() {
  random_state = random_state * 6364136223846793005u + 1442695040888963407u;
  return uint32_t(random_state >> 33);
}
int own_rand() { return int(step() & 0x7fffffff); }
long own_random() { return own_rand(); }
void own_srand(unsigned seed) { random_state = random_start + seed; }
double own_drand48() { return step() * 0x1p-31; }
void own_srand48(long seed) { own_srand(unsigned(seed)); }

bool errno_used = false;
int* own_errno_location() {
  errno_used = true;
  return &errno;
}

// Registers nothing: the process ends without running exit handlers.
int own_atexit(void (*)()) { return 0; }
int own_cxa_atexit(void (*)(void*), void*, void*) { return 0; }

template <typename Function> Replacement replace(const char* name, Function* function) {
  return {name, reinterpret_cast<void*>(function)};
}

} // namespace

std::vector<Replacement> ending_replacements() {
  return {
      replace("abort", own_abort),
      replace(out_of_bounds_symbol, own_out_of_bounds),
      replace("__assert_fail", own_assert_fail),
      replace("exit", own_exit),
      replace("_exit", own_exit),
      replace("_Exit", own_exit),
      replace("quick_exit", own_exit),
      replace("_FortranAExit", own_exit),
      replace("_FortranAStopStatement", own_stop),
      replace("_FortranAStopStatementText", own_stop_text),
  };
}

std::vector<Replacement> replacements(Heap& own_heap) {
  heap = &own_heap;
  std::vector<Replacement> all = ending_replacements();
  const Replacement others[] = {
      replace("malloc", own_malloc),
      replace("calloc", own_calloc),
      replace("realloc", own_realloc),
      replace("free", own_free),
      replace("aligned_alloc", own_aligned_alloc),
      replace("memalign", own_aligned_alloc),
      replace("posix_memalign", own_posix_memalign),
      replace("_Znwm", own_malloc),
      replace("_Znam", own_malloc),
      replace("_ZnwmSt11align_val_t", own_new_aligned),
      replace("_ZnamSt11align_val_t", own_new_aligned),
      replace("_ZdlPv", own_free),
      replace("_ZdaPv", own_free),
      replace("_ZdlPvm", own_delete_sized),
      replace("_ZdaPvm", own_delete_sized),
      replace("_ZdlPvSt11align_val_t", own_delete_aligned),
      replace("_ZdaPvSt11align_val_t", own_delete_aligned),
      replace("_ZdlPvmSt11align_val_t", own_delete_sized_aligned),
      replace("__errno_location", own_errno_location),
      replace("atexit", own_atexit),
      replace("__cxa_atexit", own_cxa_atexit),
      replace("__cxa_thread_atexit", own_cxa_atexit),
      replace("rand", own_rand),
      replace("random", own_random),
      replace("srand", own_srand),
      replace("srandom", own_srand),
      replace("drand48", own_drand48),
      replace("srand48", own_srand48),
  };
  all.insert(all.end(), std::begin(others), std::end(others));
  return all;
}

void reset_replacements() {
  random_state = random_start + 1;
  errno = 0;
  errno_used = false;
}

bool errno_was_used() { return errno_used; }

} // namespace faultline::exec
