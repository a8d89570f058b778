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

bool is_library_header(std::string_view path) {
  return path.starts_with("/usr/include/") || path.starts_with("/usr/local/include/") || is_standard_header(path);
}

namespace {

constexpr int farthest_caller = 8;

// The code of a harness (program/harnessed_source.h) has a file name of its own, without an ending. Those for Fortran
// are in a temporary folder (program/unit.cpp).
bool is_harness(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  return (name.starts_with("harness_") && name.find('.') == name.npos) ||
         (name == "harness.f90" && path.find("/faultline-") != path.npos);
}

bool is_own(std::string_view path) { return !is_library_header(path) && !is_harness(path); }

// "eigen3/Eigen/src/Core/Redux.h:300"
std::string place_in_library(std::string_view path, unsigned line) {
  constexpr std::string_view folder = "/include/";
  if (const size_t at = path.find(folder); at != path.npos)
    path.remove_prefix(at + folder.size());
  return std::string(path) + ":" + std::to_string(program::line_number(line));
}

} // namespace

const std::string& Places::path_of(const llvm::DIScope& scope) {
  auto [found, fresh] = paths_.try_emplace(scope.getFile());
  if (fresh)
    found->second = base::shown_path(scope.getDirectory().str(), scope.getFilename().str());
  return found->second;
}

// The innermost frame of the user's code among those that were inlined; null if there is none.
const llvm::DILocation* Places::own_frame(const llvm::DILocation* location) {
  while (location && !is_own(path_of(*location->getScope())))
    location = location->getInlinedAt();
  return location;
}

const llvm::DILocation* Places::own_frame(const llvm::Instruction& instruction, int callers) {
  const llvm::DILocation* location = instruction.getDebugLoc().get();
  const llvm::DILocation* own = own_frame(location);
  const llvm::Function& function = *instruction.getFunction();
  const llvm::DISubprogram* subprogram = function.getSubprogram();
  if (own || callers == 0 || !subprogram || is_own(path_of(*subprogram)))
    return own;
  return only_caller(function, callers - 1);
}

// The line of the user's code from which the function is called; null if there are several, or if it is not known.
const llvm::DILocation* Places::only_caller(const llvm::Function& function, int callers) {
  const auto [found, fresh] = callers_.try_emplace(&function, nullptr);
  if (!fresh)
    return found->second;
  const llvm::DILocation* only = nullptr;
  for (const llvm::User* user : function.users()) {
    auto* call = llvm::dyn_cast<llvm::CallBase>(user);
    const llvm::DILocation* one = call && call->getCalledOperand() == &function ? own_frame(*call, callers) : nullptr;
    if (!one ||
        (only && (only->getLine() != one->getLine() || only->getScope()->getFile() != one->getScope()->getFile())))
      return nullptr;
    only = one;
  }
  return callers_[&function] = only;
}

// The function that a harness calls. Code of the harness itself, such as a function that it passes, has its place.
const llvm::DISubprogram* Places::called_by_harness(const llvm::Module& module) {
  if (called_by_harness_)
    return called_by_harness_;
  for (const llvm::Function& function : module)
    if (function.getSubprogram() && is_harness(path_of(*function.getSubprogram())))
      for (const llvm::Instruction& instruction : llvm::instructions(function)) {
        const llvm::DILocation* own = own_frame(instruction.getDebugLoc().get());
        auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
        const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
        if (own)
          called_by_harness_ = own->getScope()->getSubprogram();
        else if (callee && callee->getSubprogram() && is_own(path_of(*callee->getSubprogram())))
          called_by_harness_ = callee->getSubprogram();
      }
  return called_by_harness_;
}

void Places::locate_function(const llvm::DISubprogram* subprogram, runtime::Site& site) {
  if (!subprogram)
    return site.function.clear();
  site.file = path_of(*subprogram);
  site.line = program::line_number(subprogram->getLine());
  if (!subprogram->getName().empty())
    site.function = program::readable_name(subprogram->getName().str());
}

void Places::locate(const llvm::Instruction& instruction, runtime::Site& site) {
  const llvm::Function& function = *instruction.getFunction();
  site.function = function.getName().str();
  const llvm::DILocation* location = nearest(instruction, farthest_user);
  if (!location) {
    if (const llvm::DISubprogram* subprogram = function.getSubprogram())
      locate_function(subprogram, site);
    return;
  }
  while (location->getInlinedAt() && is_standard_header(path_of(*location->getScope())))
    location = location->getInlinedAt();
  const std::string inside = path_of(*location->getScope());
  const llvm::DILocation* own = own_frame(location);
  if (!own && function.getSubprogram() && !is_own(path_of(*function.getSubprogram())))
    own = only_caller(function, farthest_caller);
  if (own && own != location && is_library_header(inside))
    site.within = place_in_library(inside, location->getLine());
  location = own ? own : location;
  if (is_harness(path_of(*location->getScope())))
    return locate_function(called_by_harness(*function.getParent()), site);
  site.file = path_of(*location->getScope());
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
  site.passed_on = is_passed_on(instruction);
  places_.locate(instruction, site);
  return append(std::move(site));
}

uint32_t SiteBuilder::decide(const Decision& decision) {
  abi::Site site;
  site.op = Op::decide;
  site.outcomes = decision.outcomes;
  site.predicate = decision.predicate;
  site.cases = decision.cases;
  site.determined = decision.determined;
  places_.locate(*decision.where, site);
  return append(std::move(site));
}

void SiteBuilder::note_unsettled(const llvm::Instruction& instruction, const char* reason) {
  abi::Site site;
  places_.locate(instruction, site);
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
  places_.locate(call, site);
  return append(std::move(site));
}

uint32_t SiteBuilder::zero(Format format) { return constant(llvm::APFloat(0.0), format); }

} // namespace faultline::instrument
