#include "instrument/site_builder.h"

#include "base/error.h"
#include "instrument/instrument.h"
#include "instrument/written_out.h"
#include "program/debug_type.h"
#include "program/shown_symbol.h"

#include <algorithm>
#include <cstring>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/TargetParser/Triple.h>
#include <set>

namespace faultline::instrument {

using numeric::Format;
using ops::Op;

namespace {

// True for the input and output of Fortran and the exceptions of C++: they take pointers and make no floats.
bool is_of_a_language(llvm::StringRef name) {
  return name.starts_with("_FortranAio") || name.starts_with("__cxa_") || name.starts_with("_Unwind") ||
         name == "memcpy" || name == "memmove" || name == "memset";
}

bool may_write(const llvm::CallBase& call) {
  if (call.onlyReadsMemory())
    return false;
  for (unsigned i = 0; i < call.arg_size(); ++i)
    if (call.getArgOperand(i)->getType()->isPointerTy() && !call.onlyReadsMemory(i))
      return true;
  return false;
}

const llvm::TargetLibraryInfoImpl& known_library(const llvm::Module& module) {
  static const llvm::TargetLibraryInfoImpl known{llvm::Triple(module.getTargetTriple())};
  return known;
}

bool may_make_floats(const llvm::CallBase& call, const llvm::Function& callee) {
  if (call.doesNotReturn() || is_math_call(call) || is_written_out(call))
    return false;
  if (lane_count(call.getType()) != 0)
    return true;
  if (callee.getName().starts_with("qsort")) // makes none, but passes its data on
    return true;
  llvm::LibFunc function;
  return !known_library(*callee.getParent()).getLibFunc(callee, function) && !is_of_a_language(callee.getName()) &&
         may_write(call);
}

std::string shown_name(const llvm::Function& function) {
  const std::string name = llvm::demangle(function.getName().str());
  return name.substr(0, name.find('('));
}

// Returns the name, without the common prefix, of a routine of Fortran's library that makes a number or an array from
// arrays; empty for all others. Complex numbers are returned through a pointer (Cpp).
llvm::StringRef array_routine(const llvm::CallBase& call) {
  static constexpr llvm::StringLiteral routines[] = {
      "Assign", "CopyInAssign", "Cshift",  "DotProduct", "Eoshift", "Matmul", "Maxval",    "Minval",
      "Norm2",  "Pack",         "Product", "Reshape",    "Spread",  "Sum",    "Transpose", "Unpack"};
  const llvm::Function* callee = call.getCalledFunction();
  llvm::StringRef name = callee ? callee->getName() : "";
  if (!name.consume_front("_FortranA"))
    return {};
  name.consume_front("Cpp");
  return llvm::any_of(routines, [&](llvm::StringRef routine) { return name.starts_with(routine); }) ? name
                                                                                                    : llvm::StringRef();
}

bool take(std::string_view& path, std::string_view beginning) {
  if (!path.starts_with(beginning))
    return false;
  path.remove_prefix(beginning.size());
  return true;
}

// True for the headers of ISO C, which glibc installs at the top of /usr/include next to those of other libraries.
bool is_header_of_c(std::string_view name) {
  static constexpr std::string_view names[] = {
      "assert.h", "complex.h", "ctype.h",     "errno.h",  "fenv.h",   "float.h",    "inttypes.h", "iso646.h",
      "limits.h", "locale.h",  "math.h",      "setjmp.h", "signal.h", "stdalign.h", "stdarg.h",   "stdatomic.h",
      "stdbit.h", "stdbool.h", "stdckdint.h", "stddef.h", "stdint.h", "stdio.h",    "stdlib.h",   "stdnoreturn.h",
      "string.h", "tgmath.h",  "threads.h",   "time.h",   "uchar.h",  "wchar.h",    "wctype.h"};
  return std::ranges::find(names, name) != std::end(names);
}

// True for the folders of glibc, libstdc++ and libc++ below /usr/include.
bool is_of_a_standard_library(std::string_view path) {
  const bool of_machine = take(path, "x86_64-linux-gnu/");
  for (const std::string_view folder : {"bits/", "sys/", "gnu/", "c++/"})
    if (path.starts_with(folder))
      return true;
  return !of_machine && is_header_of_c(path);
}

constexpr int farthest_user = 4;

const llvm::DILocation* known(const llvm::Instruction& instruction) {
  const llvm::DILocation* location = instruction.getDebugLoc().get();
  return location && location->getLine() != 0 ? location : nullptr;
}

const llvm::DILocation* nearest(const llvm::Instruction& instruction, int depth) {
  if (const llvm::DILocation* location = known(instruction))
    return location;
  if (depth == 0)
    return nullptr;
  for (const llvm::User* user : instruction.users())
    if (auto* next = llvm::dyn_cast<llvm::Instruction>(user))
      if (const llvm::DILocation* location = nearest(*next, depth - 1))
        return location;
  for (const llvm::Use& operand : instruction.operands())
    if (auto* previous = llvm::dyn_cast<llvm::Instruction>(operand))
      if (const llvm::DILocation* location = known(*previous))
        return location;
  return nullptr;
}

const std::string& path_of(const llvm::DIScope& scope, ShownPaths& paths) {
  auto [found, fresh] = paths.try_emplace(scope.getFile());
  if (fresh)
    found->second = base::shown_path(scope.getDirectory().str(), scope.getFilename().str());
  return found->second;
}

} // namespace

bool is_foreign_call(const llvm::CallBase& call) {
  if (call.isInlineAsm())
    return true;
  const llvm::Function* callee = call.getCalledFunction();
  return callee && callee->isDeclaration() && may_make_floats(call, *callee);
}

bool rounds_on_its_own(const llvm::CallBase& call) {
  static constexpr llvm::StringLiteral sums[] = {"Matmul", "DotProduct", "Sum", "Product", "Norm2"};
  const llvm::StringRef routine = array_routine(call);
  return llvm::any_of(sums, [&](llvm::StringRef name) { return routine.starts_with(name); });
}

bool only_reads_elements(const llvm::CallBase& call, unsigned argument) {
  return !array_routine(call).empty() && (argument != 0 || lane_count(call.getType()) != 0);
}

std::string called_name(const llvm::CallBase& call) {
  const llvm::Function* callee = call.getCalledFunction();
  return callee ? shown_name(*callee) : call.isInlineAsm() ? "inline assembly" : "a function behind a pointer";
}

std::vector<std::string> foreign_functions(llvm::Module& module, std::span<const std::string> replaced) {
  std::set<std::string> names;
  for (llvm::Function& function : module)
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
      if (callee && callee->isDeclaration() && std::ranges::find(replaced, callee->getName()) == replaced.end() &&
          may_make_floats(*call, *callee))
        names.insert(shown_name(*callee));
    }
  return {names.begin(), names.end()};
}

bool is_standard_header(std::string_view path) {
  if (!take(path, "/usr/local/") && !take(path, "/usr/"))
    return false;
  if (take(path, "include/"))
    return is_of_a_standard_library(path);
  if (!take(path, "lib/") && !take(path, "lib64/"))
    return false;
  if (path.starts_with("gcc/") || path.starts_with("clang/")) // gcc's own headers, and clang's if not versioned
    return true;
  if (!path.starts_with("llvm-")) // Debian's folder of one version of LLVM, with the headers of clang, libc++ and flang
    return false;
  for (const std::string_view folder : {"/lib/clang/", "/include/c++/", "/include/flang/"})
    if (path.substr(std::min(path.find('/'), path.size())).starts_with(folder))
      return true;
  return false;
}

void locate(const llvm::Instruction& instruction, runtime::Site& site, ShownPaths& paths) {
  const llvm::Function& function = *instruction.getFunction();
  site.function = function.getName().str();
  const llvm::DILocation* location = nearest(instruction, farthest_user);
  if (!location) {
    if (const llvm::DISubprogram* subprogram = function.getSubprogram()) {
      site.file = path_of(*subprogram, paths);
      site.line = program::line_number(subprogram->getLine());
      if (!subprogram->getName().empty())
        site.function = program::readable_name(subprogram->getName().str());
    }
    return;
  }
  std::string file = path_of(*location->getScope(), paths);
  while (location->getInlinedAt() && is_standard_header(file)) {
    location = location->getInlinedAt();
    file = path_of(*location->getScope(), paths);
  }
  site.file = file;
  site.line = program::line_number(location->getLine());
  site.column = int(location->getColumn());
  if (const llvm::DISubprogram* subprogram = location->getScope()->getSubprogram();
      subprogram && !subprogram->getName().empty())
    site.function = program::readable_name(subprogram->getName().str());
}

namespace abi = runtime;

SiteBuilder::SiteBuilder() {
  table.sites.resize(abi::first_program_site);
  for (const Format format : numeric::all_formats) {
    table.sites[abi::first_leaf_site + uint32_t(format)] = {Op::leaf, format, format, {}, {}, 0, 0};
    table.sites[abi::first_input_site + uint32_t(format)] = {Op::input, format, format, {}, {}, 0, 0};
  }
}

uint32_t SiteBuilder::add(const Operation& operation, const llvm::Instruction& instruction, bool exits_loop) {
  abi::Site site;
  site.op = operation.op;
  site.format = operation.format;
  site.operand_format = operation.operand_format;
  if (ops::is_to_int(operation.op)) {
    site.integer_bits = int(instruction.getType()->getIntegerBitWidth());
    site.integer_signed = operation.is_signed;
  }
  if (ops::is_comparison(operation.op))
    site.outcomes = 2;
  site.exits_loop = exits_loop;
  locate(instruction, site, paths_);
  return append(std::move(site));
}

uint32_t SiteBuilder::decide(const Decision& decision) {
  abi::Site site;
  site.op = Op::decide;
  site.outcomes = decision.outcomes;
  site.predicate = decision.predicate;
  site.cases = decision.cases;
  site.determined = decision.determined;
  locate(*decision.where, site, paths_);
  return append(std::move(site));
}

void SiteBuilder::note_unsettled(const llvm::Instruction& instruction, const char* reason) {
  abi::Site site;
  locate(instruction, site, paths_);
  table.unsettled.push_back({reason, std::move(site)});
}

uint32_t SiteBuilder::leaf(Format format, const Origin& origin) {
  if (!origin.determined && origin.parameter < 0)
    return abi::first_leaf_site + uint32_t(format);
  auto [found, fresh] = leaves_.try_emplace({format, origin.determined, origin.parameter}, 0);
  if (fresh) {
    abi::Site site;
    site.op = Op::leaf;
    site.format = site.operand_format = format;
    site.determined = origin.determined;
    site.parameter = origin.parameter;
    found->second = append(std::move(site));
  }
  return found->second;
}

uint32_t SiteBuilder::append(abi::Site site) {
  table.sites.push_back(std::move(site));
  return uint32_t(table.sites.size() - 1);
}

uint32_t SiteBuilder::constant(const llvm::APFloat& number, Format format) {
  llvm::APFloat wide = number;
  bool inexact = false;
  wide.convert(llvm::APFloat::x87DoubleExtended(), llvm::APFloat::rmNearestTiesToEven, &inexact);
  const llvm::APInt bits = wide.bitcastToAPInt();
  const auto key = std::make_tuple(bits.getRawData()[0], bits.getRawData()[1], format);
  auto [found, fresh] = constants_.try_emplace(key, uint32_t(table.constants.size()));
  if (fresh) {
    abi::Constant constant{0, format};
    std::memcpy(&constant.value, bits.getRawData(), 10);
    table.constants.push_back(constant);
  }
  return found->second | abi::constant_flag;
}

uint32_t SiteBuilder::foreign(const std::string& name) {
  const auto found = std::ranges::find(table.foreign, name);
  const auto index = uint32_t(found - table.foreign.begin());
  if (found == table.foreign.end())
    table.foreign.push_back(name);
  return index + 1;
}

uint32_t SiteBuilder::foreign_leaf(Format format, const llvm::CallBase& call, uint32_t function, int arguments) {
  abi::Site site;
  site.op = Op::leaf;
  site.format = site.operand_format = format;
  site.foreign = function;
  site.arguments = arguments;
  locate(call, site, paths_);
  return append(std::move(site));
}

uint32_t SiteBuilder::zero(Format format) { return constant(llvm::APFloat(0.0), format); }

} // namespace faultline::instrument
