#include "frontend/program.h"

#include "frontend/alias.h"
#include "frontend/debug_type.h"
#include "frontend/discover.h"
#include "frontend/driver.h"
#include "frontend/error.h"
#include "frontend/harness/harness_target.h"
#include "frontend/linking.h"
#include "frontend/loading/load_files.h"
#include "frontend/names/cxx_name.h"
#include "frontend/names/no_such_function.h"
#include "frontend/names/short_names.h"
#include "frontend/reading/reader_guard.h"
#include "frontend/reduce.h"
#include "frontend/reducing/constructors.h"
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
#include <set>

namespace faultline::frontend {
namespace {

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
  program.as_written_ = sources.as_written;
  Sources others = sources; // those that a build with faultline cc has not made
  std::erase_if(others.files, is_machine_code);
  if (!others.files.empty()) {
    LoadedFiles loaded = load_files(others);
    program.units_ = std::move(loaded.units);
    program.left_out_ = std::move(loaded.left_out);
    program.remarks_ = std::move(loaded.remarks);
  }
  for (const std::string& file : sources.files)
    if (is_machine_code(file))
      program.add_built(file, sources);
  if (program.captured_.any() && program.units_.size() > 1)
    program.units_ = {linked_unit(program.units_, sources.files.front())};
  program.code_ = std::make_unique<Linked>(link(program.units_, &program.remarks_));
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

llvm::Module& Program::asked() {
  if (!asked_)
    asked_ = std::make_unique<Linked>(link(units_));
  return *asked_->module;
}

const HarnessNotes& Program::notes() {
  if (!notes_)
    notes_ = std::make_unique<const HarnessNotes>(notes_in(asked()));
  return *notes_;
}

// What the user says comes before what the declaration says.
ShapesOf Program::shapes_for(const Sizes& sizes, const Aliases& aliases) {
  ShapesOf said = shapes_of_ ? shapes_of_ : [shapes = Shapes{sizes, aliases}](const Target&) { return shapes; };
  return [said, &notes = notes()](const Target& target) {
    Shapes shapes = said(target);
    for (const ConstantExtents& one : notes.extents)
      if (one.symbol == target.symbol)
        shapes.declared.emplace(one.parameter, one.extents);
    return shapes;
  };
}

// By itself if it can be, by its harness if there is one.
Target Program::target_of(const llvm::Function& function, const ShapesOf& shapes_of) {
  Target target = discover(function, shapes_of);
  const HarnessNote* note = notes().of_function(target.symbol);
  const bool directly = !note || target.huntable() || (as_written_ && target.can_be_called) ||
                        (target.obstacle != Obstacle::harness && !note->exists());
  if (directly && !(note && note->misread))
    return target;
  llvm::Function* harness = asked().getFunction(note->name);
  if (harness)
    materialize(*harness);
  Target by_harness = harnessed(harness, *note, shapes_of);
  by_harness.function = target.function; // with the parameters, which overloads need
  if (by_harness.parameters.empty())
    by_harness.parameters = target.parameters; // their names, which --size may mean
  return by_harness;
}

std::vector<Target> Program::targets(const Sizes& sizes, const Aliases& aliases) {
  ReaderGuard guard(files_.front());
  llvm::Module& module = asked();
  materialize_all(module);
  std::vector<Target> targets;
  const ShapesOf shapes_of = shapes_for(sizes, aliases);
  const bool any_debug = std::any_of(
      module.begin(), module.end(), [](const llvm::Function& function) { return function.getSubprogram() != nullptr; });
  std::set<std::string> called;
  for (const llvm::Function& function : module)
    if (is_own(function) && (function.getSubprogram() || !any_debug) && !notes().named(function.getName().str())) {
      targets.push_back(target_of(function, shapes_of));
      targets.back().hidden = function.hasHiddenVisibility();
      called.insert(function.getName().str());
    }
  std::set<std::string> instantiated; // by the source itself
  for (const Target& target : targets)
    instantiated.insert(cxx_name(target.symbol).plain);
  for (const HarnessNote& note : notes().harnesses)
    if (note.symbol.empty() ? !instantiated.contains(without_template_arguments(note.function))
                            : !called.contains(note.symbol))
      targets.push_back(harnessed(module.getFunction(note.name), note, shapes_of));
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
    Target target = target_of(*function, shapes_for(sizes, aliases));
    target.function = before_parameters(target.function);
    return {std::move(target)};
  }
  std::vector<Target> found = called(name, targets(sizes, aliases));
  if (found.empty())
    throw no_such_function(asked(), name);
  if (name.find('(') != std::string::npos)
    found.back().function = name; // one of them, asked for in full
  if (std::ranges::any_of(found, &Target::huntable))
    std::erase_if(found, [](const Target& target) { return !target.huntable(); });
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

Target Program::laid_out(const Target& target, const Shapes& shapes) {
  ReaderGuard guard(files_.front());
  const llvm::Function* function = asked().getFunction(target.symbol);
  const ShapesOf declared = shapes_for(shapes.sizes, shapes.aliases);
  Target anew = discover(*function, [&](const Target& found) {
    return Shapes{shapes.sizes, shapes.aliases, declared(found).declared};
  });
  anew.function = target.function;
  anew.hidden = target.hidden;
  return anew;
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
