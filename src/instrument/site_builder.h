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

// Caches displayed paths: files are few, instructions many.
using ShownPaths = llvm::DenseMap<const llvm::DIFile*, std::string>;

// Fills file, function, line and column. An instruction without a location (hoisted out of a loop, for example) takes
// the location of its nearest user. Code inlined from a header of the C or C++ standard library takes the line it was
// inlined into, in the user's code or in another library.
void locate(const llvm::Instruction& instruction, runtime::Site& site, ShownPaths& paths);

// True for headers of the C and C++ standard libraries and of the compilers.
//
// Faults are not reported inside them: std::max, cabs and vector intrinsics are part of the language, and code inlined
// from them belongs to the line that uses them. Code of other libraries under /usr/include (Boost, Eigen) is treated
// like the user's, wherever it is installed.

// `path`: absolute, without "..".
bool is_standard_header(std::string_view path);

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

  ShownPaths paths_;
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
