// The entry point that libFuzzer calls; FAULTLINE_FUZZ_TARGET is one of the functions of targets.h.
#include "targets.h"

#include <cstring>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

// The counters of all instrumented code, which the linker puts in one place. This file has none (CMakeLists.txt): clang
// declares the same symbols where it has.
extern "C" {
extern char __start___sancov_cntrs[]; // NOLINT: the names are the linker's
extern char __stop___sancov_cntrs[];  // NOLINT
}

// Lets libFuzzer see what the processes cover that a target makes (bitcode.cpp): the pages that hold counters only are
// shared with them.
extern "C" int LLVMFuzzerInitialize(int*, char***) {
  const auto page = uintptr_t(sysconf(_SC_PAGESIZE));
  const uintptr_t begin = (reinterpret_cast<uintptr_t>(__start___sancov_cntrs) + page - 1) & ~(page - 1);
  const uintptr_t end = reinterpret_cast<uintptr_t>(__stop___sancov_cntrs) & ~(page - 1);
  if (begin >= end)
    return 0;
  auto* const counters = reinterpret_cast<char*>(begin);
  const std::string before(counters, end - begin);
  if (mmap(counters, before.size(), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != counters)
    return 1;
  std::memcpy(counters, before.data(), before.size());
  return 0;
}

// LLVM reports allocations that fail. By default, the sanitizer would end the process first.
extern "C" const char* __asan_default_options() { return "allocator_may_return_null=1"; } // NOLINT

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    return faultline::fuzz::FAULTLINE_FUZZ_TARGET(data, size);
  } catch (const faultline::base::UserError&) {
    return 0;
  }
}
