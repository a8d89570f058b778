// A subject of subjects.h, compiled in this process in two ways, native and taped, by the JIT that a hunt uses.
#pragma once

#include "exec/heap.h"
#include "exec/jit.h"
#include "model/target.h"

#include <memory>
#include <string>
#include <vector>

namespace faultline::bench {

struct SubjectInfo {
  std::string name;
  std::string file;
  uint64_t elements; // of its array; 1 for a function
  int inputs;
  int rounds;
  double low, high; // of a function
};

// The list of subjects.h.
std::vector<SubjectInfo> all_subjects();

class Subject {
public:
  Subject(const SubjectInfo& info, exec::Heap& heap);

  const SubjectInfo& info() const { return info_; }

  // Nanoseconds of info().rounds calls on each input. Native: the reduced module as the compiler left it. Taped: the
  // same module, prepared and instrumented; emptying the tape before each call is part of the price.
  uint64_t time_native();
  uint64_t time_taped();

  // Mean number of records that a call leaves.
  double records();

private:
  void fill();

  SubjectInfo info_;
  model::Target target_;
  llvm::orc::ThreadSafeContext context_;
  std::unique_ptr<exec::Jit> native_, taped_;
  void (*native_driver_)(void*) = nullptr;
  void (*taped_driver_)(void*) = nullptr;
  uint64_t stride_ = 0; // from block to block
  std::vector<char> memory_;
  char* blocks_ = nullptr;
};

} // namespace faultline::bench
