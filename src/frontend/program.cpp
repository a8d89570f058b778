#include "frontend/program.h"

#include "frontend/alias.h"
#include "frontend/debug_type.h"
#include "frontend/discover.h"
#include "frontend/driver.h"
#include "frontend/error.h"
#include "frontend/loading/duplicates.h"
#include "frontend/loading/load_files.h"
#include "frontend/names/no_such_function.h"
#include "frontend/reading/reader_guard.h"
#include "frontend/reduce.h"
#include "frontend/size.h"
#include "frontend/unit.h"
#include "frontend/uses/array_assignment.h"
#include "frontend/uses/first_use.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/DiagnosticHandler.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/Linker/Linker.h>
#include <llvm/TargetParser/Triple.h>

namespace faultline::frontend {
namespace {

// Collects LLVM's error messages, which would go to standard error.
struct Collect final : llvm::DiagnosticHandler {
  bool handleDiagnostics(const llvm::DiagnosticInfo& info) override {
    if (info.getSeverity() == llvm::DS_Error) {
      llvm::raw_string_ostream stream(text);
      llvm::DiagnosticPrinterRawOStream printer(stream);
      info.print(printer);
    }
    return true;
  }
  std::string text;
};

bool is_own(const llvm::Function& function) {
  if (function.isDeclaration() && !function.isMaterializable())
    return false;
  return !function.hasLocalLinkage() && !function.hasAvailableExternallyLinkage() &&
         !function.hasLinkOnceODRLinkage() && function.getName() != "main" && function.getName() != "_QQmain";
}

// The driver, the tape and what instrumented code calls are found by their names: the program's own that are called
// like them get others.
void make_way(llvm::Module& module) {
  for (llvm::GlobalValue& value : module.global_values())
    if (value.getName().starts_with("faultline_") && (!value.isDeclaration() || value.isMaterializable()))
      value.setName("own." + value.getName());
}

// C++ names get shorter where that leaves them unique: ns::f(double) is ns::f, but for overloads.
void shorten(std::vector<Target>& targets) {
  std::map<std::string, int> uses;
  for (const Target& target : targets)
    ++uses[before_parameters(target.function)];
  for (Target& target : targets)
    if (uses[before_parameters(target.function)] == 1)
      target.function = before_parameters(target.function);
}

} // namespace

Program::Linked::Linked() = default;
Program::Linked::Linked(Linked&&) noexcept = default;
Program::Linked::~Linked() = default;
Program::Linked& Program::Linked::operator=(Linked&& other) noexcept {
  module = std::move(other.module); // first: the old one belongs to the old context
  context = std::move(other.context);
  return *this;
}

Program::Program() = default;
Program::Program(Program&&) noexcept = default;
Program& Program::operator=(Program&&) noexcept = default;
Program::~Program() = default;

Program Program::load(const Sources& sources) {
  if (sources.files.empty())
    throw UserError(status_usage, "no source file given", "name a .c, .cpp, .f90, .ll or .bc file");
  Program program;
  program.files_ = sources.files;
  LoadedFiles loaded = load_files(sources);
  program.units_ = std::move(loaded.units);
  program.left_out_ = std::move(loaded.left_out);
  program.remarks_ = std::move(loaded.remarks);
  program.code_ = program.link(&program.remarks_);
  return program;
}

std::string Program::left_out_remark() const {
  if (left_out_.empty())
    return {};
  constexpr size_t most = 8; // names
  const std::vector<std::string> named(left_out_.begin(), left_out_.begin() + long(std::min(left_out_.size(), most)));
  return fmt::format("{} of {} files {} left out, as {} not compile: {}{}", left_out_.size(), files_.size(),
                     left_out_.size() == 1 ? "is" : "are", left_out_.size() == 1 ? "it does" : "they do",
                     fmt::join(named, ", "), left_out_.size() > most ? ", ..." : "");
}

Program::Linked Program::link(std::vector<std::string>* remarks) const {
  Linked linked;
  linked.context = std::make_unique<llvm::LLVMContext>();
  auto collect = std::make_unique<Collect>();
  const std::string& complaints = collect->text;
  linked.context->setDiagnosticHandler(std::move(collect));
  Definitions definitions;
  for (const Unit& unit : units_) {
    std::unique_ptr<llvm::Module> module = unit.open(*linked.context);
    if (llvm::Triple(module->getTargetTriple()).getArch() != llvm::Triple::x86_64)
      throw UserError(status_unsuitable,
                      fmt::format("{}: is for {}, not for x86-64", unit.file(), module->getTargetTriple()),
                      "compile it for this machine");
    ReaderGuard guard(unit.file());
    if (const std::string remark = duplicates_remark(unit.file(), definitions.add(*module, unit.file()));
        remarks && !remark.empty())
      remarks->push_back(remark);
    if (!linked.module)
      linked.module = std::move(module);
    else if (llvm::Linker::linkModules(*linked.module, std::move(module)))
      throw UserError(status_unsuitable,
                      fmt::format("{}: does not link with the other files: {}", unit.file(), complaints),
                      "hunt in these files one by one");
  }
  return linked;
}

llvm::Module& Program::asked() {
  if (!asked_.module)
    asked_ = link();
  return *asked_.module;
}

ShapesOf Program::shapes_for(const Sizes& sizes, const Aliases& aliases) const {
  return shapes_of_ ? shapes_of_ : [shapes = Shapes{sizes, aliases}](const Target&) { return shapes; };
}

std::vector<Target> Program::targets(const Sizes& sizes, const Aliases& aliases) {
  ReaderGuard guard(files_.front());
  llvm::Module& module = asked();
  materialize_all(module);
  std::vector<Target> targets;
  const ShapesOf shapes_of = shapes_for(sizes, aliases);
  const bool any_debug = std::any_of(
      module.begin(), module.end(), [](const llvm::Function& function) { return function.getSubprogram() != nullptr; });
  for (const llvm::Function& function : module)
    if (is_own(function) && (function.getSubprogram() || !any_debug)) {
      targets.push_back(discover(function, shapes_of));
      targets.back().hidden = function.hasHiddenVisibility();
    }
  auto place = [this](const Target& target) {
    auto file = std::find(files_.begin(), files_.end(), target.file);
    return std::tuple(file - files_.begin(), target.file, target.line, target.symbol);
  };
  std::sort(targets.begin(), targets.end(), [&](const Target& a, const Target& b) { return place(a) < place(b); });
  shorten(targets);
  return targets;
}

std::vector<Target> Program::named(const std::string& name, const Sizes& sizes, const Aliases& aliases) {
  ReaderGuard guard(files_.front());
  llvm::Function* function = asked().getFunction(name);
  if (!function)
    function = asked().getFunction(name + "_");
  if (function && (!function->isDeclaration() || function->isMaterializable())) {
    materialize(*function);
    // What a function does with its arrays and results may be up to others that it calls.
    if (function->getSubprogram() && is_fortran(*function->getSubprogram()))
      materialize_all(asked());
    else
      materialize_takers(*function);
    Target target = discover(*function, shapes_for(sizes, aliases));
    target.function = before_parameters(target.function);
    return {std::move(target)};
  }
  std::vector<Target> found = called(name, targets(sizes, aliases));
  if (found.empty())
    throw no_such_function(asked(), name);
  if (name.find('(') != std::string::npos)
    found.back().function = name; // one of them, asked for in full
  if (std::ranges::any_of(found, &Target::suitable))
    std::erase_if(found, [](const Target& target) { return !target.suitable(); });
  return found;
}

std::vector<Target> Program::find(const std::vector<std::string>& names, const Sizes& sizes, bool callable,
                                  const Aliases& aliases) {
  std::vector<Target> found, unfit;
  for (const std::string& name : names) {
    std::ranges::move(named(name, sizes, aliases), std::back_inserter(found));
    if (!(callable ? found.back().can_be_called : found.back().suitable()))
      unfit.push_back(found.back());
  }
  if (unfit.empty())
    return found;
  check_aliases(found, aliases); // a mistake there may be the reason
  check_sizes(found, sizes);
  throw UserError(status_unsuitable, fmt::format("{}: {}", unfit.front().function, unfit.front().unsuitable));
}

llvm::Function* Program::function(const std::string& name) {
  llvm::Function* function = asked().getFunction(name);
  if (!function)
    function = asked().getFunction(name + "_");
  for (llvm::Function& other : asked())
    if (!function && before_parameters(llvm::demangle(other.getName().str())) == name)
      function = &other;
  if (!function || (function->isDeclaration() && !function->isMaterializable()))
    throw no_such_function(asked(), name);
  materialize(*function);
  return function;
}

void Program::reduce_to(const Target& target) {
  ReaderGuard guard(files_.front());
  llvm::Function* function = code_.module->getFunction(target.symbol);
  materialize(*function);
  make_way(*code_.module);
  llvm::GlobalValue* driver = add_driver(*function, target, driver_symbol);
  keep(driver);
  follow_array_assignments(*code_.module);
  internalize(*code_.module, driver);
  if (std::string use = unsupported_format(*code_.module); !use.empty())
    throw UserError(
        status_unsuitable, use,
        "Faultline follows float, double and x86 long double; hunt in a version of the code that uses these");
}

void Program::keep(llvm::ArrayRef<llvm::GlobalValue*> roots) {
  std::unique_ptr<llvm::Module> part = take_reachable(*code_.module, roots);
  (void)code_.module.release(); // its context owns it, and destroys it if it is itself destroyed
  code_.module = std::move(part);
}

std::string Program::bitcode_of(const std::vector<std::string>& symbols) {
  ReaderGuard guard(files_.front());
  std::vector<llvm::GlobalValue*> roots;
  for (const std::string& symbol : symbols) {
    roots.push_back(code_.module->getFunction(function(symbol)->getName()));
    materialize(*roots.back());
  }
  keep(roots);
  internalize(*code_.module, roots);
  llvm::StripDebugInfo(*code_.module); // what is left of it is not complete
  std::string bitcode;
  llvm::raw_string_ostream stream(bitcode);
  llvm::WriteBitcodeToFile(*code_.module, stream);
  return bitcode;
}

std::string Program::bitcode() {
  ReaderGuard guard(files_.front());
  llvm::Module& module = asked();
  materialize_all(module);
  std::string bitcode;
  llvm::raw_string_ostream stream(bitcode);
  llvm::WriteBitcodeToFile(module, stream);
  return bitcode;
}

std::unique_ptr<llvm::LLVMContext> Program::take_context() { return std::move(code_.context); }
std::unique_ptr<llvm::Module> Program::take_module() { return std::move(code_.module); }

} // namespace faultline::frontend
