#include "frontend/program.h"

#include "frontend/alias.h"
#include "frontend/compile.h"
#include "frontend/debug_type.h"
#include "frontend/discover.h"
#include "frontend/driver.h"
#include "frontend/error.h"
#include "frontend/linking.h"
#include "frontend/names/nearest.h"
#include "frontend/reading/reader_guard.h"
#include "frontend/reduce.h"
#include "frontend/reducing/constructors.h"
#include "frontend/size.h"
#include "frontend/temporary_folder.h"
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
#include <optional>

namespace faultline::frontend {
namespace {

std::string nearest_names(const llvm::Module& module, const std::string& name) {
  std::vector<std::string> names;
  for (const llvm::Function& function : module) {
    if (function.isDeclaration() && !function.isMaterializable())
      continue;
    std::string known = llvm::demangle(function.getName().str());
    known = known.substr(0, known.find('('));
    if (known.ends_with("_") && !known.ends_with("__"))
      known.pop_back(); // Fortran
    names.push_back(known);
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  const std::vector<std::string> close = nearest(name, names);
  if (close.empty())
    return "faultline list shows the names there are";
  return fmt::format("the nearest names: {}; faultline list shows all", fmt::join(close, ", "));
}

UserError no_such_function(const llvm::Module& module, const std::string& name) {
  return UserError(status_unsuitable, fmt::format("there is no function '{}'", name), nearest_names(module, name));
}

std::string written(llvm::Module& module) {
  materialize_all(module);
  std::string bitcode;
  llvm::raw_string_ostream stream(bitcode);
  llvm::WriteBitcodeToFile(module, stream);
  return bitcode;
}

// A build has many units, and linking reads them whole. So that is done once; of what comes out, a target reads what it
// needs.
Unit linked_unit(const std::vector<Unit>& units, const std::string& file) {
  ReaderGuard guard(file);
  const Linked linked = link(units);
  return Unit::of_build(file, written(*linked.module));
}

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

Program::Program() = default;
Program::Program(Program&&) noexcept = default;
Program& Program::operator=(Program&&) noexcept = default;
Program::~Program() = default;

Program Program::load(const Sources& sources) {
  if (sources.files.empty())
    throw UserError(status_usage, "no source file given",
                    "name a .c, .cpp, .f90, .ll or .bc file, or what a build with faultline cc has made");
  Program program;
  program.files_ = sources.files;
  std::optional<TemporaryFolder> modules; // only Fortran needs it
  if (std::any_of(sources.files.begin(), sources.files.end(),
                  [](const std::string& file) { return language_of(file) == Language::fortran; }))
    modules.emplace();
  for (const std::string& file : sources.files)
    if (is_machine_code(file))
      program.add_built(file);
    else
      program.units_.push_back(Unit::read(file, sources, modules ? modules->path() : ""));
  if (program.captured_.any() && program.units_.size() > 1)
    program.units_ = {linked_unit(program.units_, sources.files.front())};
  program.code_ = std::make_unique<Linked>(link(program.units_));
  return program;
}

// Throws UserError if nothing of it was captured.
void Program::add_built(const std::string& file) {
  size_t captured = 0;
  CaptureSummary summary;
  for (const BuiltObject& object : built_objects(file)) {
    summary.add(object);
    captured_.add(object);
    for (const Record& record : object.records)
      if (record.reason.empty()) {
        units_.push_back(Unit::of_build(fmt::format("{} in {}", record.source, file), record.bitcode));
        ++captured;
      }
  }
  if (captured == 0)
    throw UserError(status_unsuitable, fmt::format("{}: has no bitcode: {}", file, capture_text(summary, false)),
                    "build it with faultline cc in the place of the compiler: CC=faultline-cc CXX=faultline-c++ "
                    "FC=faultline-fc");
}

llvm::Module& Program::asked() {
  if (!asked_)
    asked_ = std::make_unique<Linked>(link(units_));
  return *asked_->module;
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

std::vector<Target> Program::find(const std::vector<std::string>& names, const Sizes& sizes, bool callable,
                                  const Aliases& aliases) {
  ReaderGuard guard(files_.front());
  std::vector<Target> found;
  std::vector<Target> all;   // only if some name is not a symbol
  std::vector<size_t> lasts; // one a name
  for (const std::string& name : names) {
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
      found.push_back(discover(*function, shapes_for(sizes, aliases)));
      found.back().function = before_parameters(found.back().function);
    } else {
      if (all.empty())
        all = targets(sizes, aliases);
      const size_t before = found.size(); // a C++ name may stand for several overloads and instances
      std::ranges::copy(called(name, all), std::back_inserter(found));
      if (found.size() == before)
        throw no_such_function(asked(), name);
      if (name.find('(') != std::string::npos)
        found.back().function = name; // one of them, asked for in full
      if (std::any_of(found.begin() + long(before), found.end(),
                      [](const Target& target) { return target.suitable(); }))
        found.erase(std::remove_if(found.begin() + long(before), found.end(),
                                   [](const Target& target) { return !target.suitable(); }),
                    found.end());
    }
    lasts.push_back(found.size() - 1);
  }
  for (const size_t last : lasts) {
    const Target& target = found[last];
    if (callable ? target.can_be_called : target.suitable())
      continue;
    check_aliases(found, aliases); // a mistake there may be the reason
    check_sizes(found, sizes);
    throw UserError(status_unsuitable, fmt::format("{}: {}", target.function, target.unsuitable));
  }
  return found;
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
  llvm::Function* function = code_->module->getFunction(target.symbol);
  materialize(*function);
  make_way(*code_->module);
  llvm::GlobalValue* driver = add_driver(*function, target, driver_symbol);
  keep(driver);
  follow_array_assignments(*code_->module);
  internalize(*code_->module, driver);
  if (std::string use = unsupported_format(*code_->module); !use.empty())
    throw UserError(
        status_unsuitable, use,
        "Faultline follows float, double and x86 long double; hunt in a version of the code that uses these");
}

void Program::keep(llvm::ArrayRef<llvm::GlobalValue*> roots) {
  if (captured_.any())
    drop_needless_constructors(*code_->module, roots);
  std::unique_ptr<llvm::Module> part = take_reachable(*code_->module, roots);
  (void)code_->module.release(); // its context owns it, and destroys it if it is itself destroyed
  code_->module = std::move(part);
}

std::string Program::bitcode_of(const std::vector<std::string>& symbols) {
  ReaderGuard guard(files_.front());
  std::vector<llvm::GlobalValue*> roots;
  for (const std::string& symbol : symbols) {
    roots.push_back(code_->module->getFunction(function(symbol)->getName()));
    materialize(*roots.back());
  }
  keep(roots);
  internalize(*code_->module, roots);
  llvm::StripDebugInfo(*code_->module); // what is left of it is not complete
  std::string bitcode;
  llvm::raw_string_ostream stream(bitcode);
  llvm::WriteBitcodeToFile(*code_->module, stream);
  return bitcode;
}

std::string Program::bitcode() {
  ReaderGuard guard(files_.front());
  return written(asked());
}

std::unique_ptr<llvm::LLVMContext> Program::take_context() { return std::move(code_->context); }
std::unique_ptr<llvm::Module> Program::take_module() { return std::move(code_->module); }

} // namespace faultline::frontend
