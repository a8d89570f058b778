// Builds the site table.
#pragma once

#include "instrument/decisions.h"
#include "instrument/operations.h"
#include "runtime/abi.h"

#include <llvm/ADT/APFloat.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Instruction.h>
#include <llvm/IR/Module.h>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace faultline::instrument {

// Finds the places of instructions in the user's code. It caches: files and functions are few, instructions many.
class Places {
public:
  // Fills file, function, line and column, and `within`. An instruction without a location (hoisted out of a loop, for
  // example) takes the location of its nearest user.
  //
  // The place is the innermost frame of the user's own code: code inlined from a header of a library, or from a
  // harness, takes the line it was inlined into. A function of a library that is called in one line of the user's code
  // takes that line. Other code of a library keeps its own place. Other code of a harness, such as a function that it
  // passes, takes the line of the function that the harness calls.
  void locate(const llvm::Instruction& instruction, runtime::Site& site);

private:
  const std::string& path_of(const llvm::DIScope& scope);
  const llvm::DILocation* own_frame(const llvm::DILocation* location);
  const llvm::DILocation* own_frame(const llvm::Instruction& instruction, int callers);
  const llvm::DILocation* only_caller(const llvm::Function& function, int callers);
  const llvm::DISubprogram* called_by_harness(const llvm::Module& module);
  void locate_function(const llvm::DISubprogram* subprogram, runtime::Site& site);

  llvm::DenseMap<const llvm::DIFile*, std::string> paths_;
  llvm::DenseMap<const llvm::Function*, const llvm::DILocation*> callers_; // of functions of libraries; null if none
  const llvm::DISubprogram* called_by_harness_ = nullptr;
};

// True for headers of the C and C++ standard libraries and of the compilers.
//
// Faults are not reported inside them: std::max, cabs and vector intrinsics are part of the language, and code inlined
// from them belongs to the line that uses them. Problems in code of other libraries (Boost, Eigen) also belong to that
// line, and name the place in the library.

// `path`: absolute, without "..".
bool is_standard_header(std::string_view path);
// True for headers that are installed in the system, standard ones included.
bool is_library_header(std::string_view path);

class SiteBuilder {
public:
  SiteBuilder(); // adds the leaves and inputs of the ABI

  uint32_t add(const Operation& operation, const llvm::Instruction& instruction, bool exits_loop = false);
  uint32_t decide(const Decision& decision);
  // The site shared by all leaves of this origin.
  uint32_t leaf(numeric::Format format, const Origin& origin);

  // The operand for a constant; each constant is listed once.
  uint32_t constant(const llvm::APFloat& number, numeric::Format format);
  uint32_t zero(numeric::Format format);

  // The number of a function that is not instrumented, from 1.
  uint32_t foreign(const std::string& name);
  // The leaf of such a function's result. Its record names this many arguments.
  uint32_t foreign_leaf(numeric::Format format, const llvm::CallBase& call, uint32_t function, int arguments);

  void note_unsettled(const llvm::Instruction& instruction, const char* reason);

  runtime::SiteTable table;

private:
  uint32_t append(runtime::Site site);

  Places places_;
  std::map<std::tuple<uint64_t, uint64_t, numeric::Format>, uint32_t> constants_;
  std::map<std::tuple<numeric::Format, bool, int>, uint32_t> leaves_;
};

// Foreign functions: functions that the program calls, that are not part of it, and that may make floats. The tape does
// not see their work, and lifted execution assumes that it is exact.
//
// Excluded are libm's functions that are operations; functions that never return; functions of the C library that LLVM
// knows and that return no float (printf, malloc); and functions that neither return floats nor receive a pointer to
// write to.

// True for a call of a foreign function. It may be a function of the runtime or the sandbox that takes no floats.
bool is_foreign_call(const llvm::CallBase& call);
// True if the function rounds in its own arithmetic for any arguments. Fortran's sums and products over arrays do.
bool rounds_on_its_own(const llvm::CallBase& call);
// For a routine of Fortran's library that takes descriptors: true if it only reads this argument. It writes only the
// result, which is the first argument if it is not returned.
bool only_reads_elements(const llvm::CallBase& call, unsigned argument);
// The name of the function for users.
std::string called_name(const llvm::CallBase& call);

// The names of foreign functions for users, sorted. `replaced`: symbols that are replaced by ours.
std::vector<std::string> foreign_functions(llvm::Module& module, std::span<const std::string> replaced);

} // namespace faultline::instrument
