// The site table under construction.
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

// Where an instruction stands in the user's source.

// The paths of files as they are shown: files are few, instructions many.
using ShownPaths = llvm::DenseMap<const llvm::DIFile*, std::string>;

// Fills file, function, line and column. An instruction that the optimiser left without a location (hoisted out of a
// loop, say) takes that of its nearest user; code inlined from a header of the C or C++ standard library that of the
// line it was inlined into, in the user's code or in another library.
void locate(const llvm::Instruction& instruction, runtime::Site& site, ShownPaths& paths);

// The headers of the C and C++ standard libraries and of the compilers.
//
// Nobody looks for a fault in them: std::max, cabs and the vector intrinsics are words of the language, and what is
// inlined from there belongs to the line that says them. Other libraries lie under /usr/include, too (Boost, Eigen);
// their code is code like the user's, wherever it is installed.

// `path`: absolute, without ".." in it.
bool is_standard_header(std::string_view path);

class SiteBuilder {
public:
  SiteBuilder(); // with the leaves and inputs of the ABI

  uint32_t add(const Operation& operation, const llvm::Instruction& instruction, bool exits_loop = false);
  uint32_t decide(const Decision& decision);
  // The site that all leaves of this origin share.
  uint32_t leaf(numeric::Format format, const Origin& origin);

  // The operand that stands for a constant; each constant is listed once.
  uint32_t constant(const llvm::APFloat& number, numeric::Format format);
  uint32_t zero(numeric::Format format);

  // The number of a function that is not instrumented, from 1.
  uint32_t foreign(const std::string& name);
  // The leaf of such a function's result; its record names so many arguments.
  uint32_t foreign_leaf(numeric::Format format, const llvm::CallBase& call, uint32_t function, int arguments);

  void note_unsettled(const llvm::Instruction& access); // SiteTable::unsettled

  runtime::SiteTable table;

private:
  uint32_t append(runtime::Site site);

  ShownPaths paths_;
  std::map<std::tuple<uint64_t, uint64_t, numeric::Format>, uint32_t> constants_;
  std::map<std::tuple<numeric::Format, bool, int>, uint32_t> leaves_;
};

// Functions that the program calls, that are not part of it, and that may make floats: their work is invisible to the
// tape, and taken for exact by lifted execution.
//
// Not among them: libm's functions that are operations; functions that cannot return; those of the C library that LLVM
// knows and that return no float (printf, malloc); and those that neither return floats nor get a pointer to write to.

// Is this a call of one of them? Functions of the runtime or of the sandbox that take no floats may be among them.
bool is_foreign_call(const llvm::CallBase& call);
// Does it do arithmetic that rounds, whatever it is given? Fortran's sums and products over arrays do.
bool rounds_on_its_own(const llvm::CallBase& call);
// Of a routine of Fortran's library that takes descriptors: is this argument only read? All are but the result, which
// comes first if it is not returned.
bool only_reads_elements(const llvm::CallBase& call, unsigned argument);
// The name of the function as people write it.
std::string called_name(const llvm::CallBase& call);

// Their names as people write them, sorted. `replaced`: symbols that are ours in the end.
std::vector<std::string> foreign_functions(llvm::Module& module, std::span<const std::string> replaced);

} // namespace faultline::instrument
