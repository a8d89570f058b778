#include "frontend/program.h"

#include "frontend/alias.h"
#include "frontend/array_assignment.h"
#include "frontend/compile.h"
#include "frontend/debug_type.h"
#include "frontend/discover.h"
#include "frontend/driver.h"
#include "frontend/error.h"
#include "frontend/nearest.h"
#include "frontend/reader_guard.h"
#include "frontend/reduce.h"
#include "frontend/size.h"
#include "frontend/temporary_folder.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/AutoUpgrade.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/DiagnosticHandler.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/ModuleSummaryIndex.h>
#include <llvm/IR/Verifier.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/TargetParser/Triple.h>
#include <optional>

namespace faultline::frontend {
namespace {

// LLVM's complaints become text of ours instead of lines on standard error.
struct Collect final : llvm::DiagnosticHandler {
  explicit Collect(std::string& text) : text(text) {}
  bool handleDiagnostics(const llvm::DiagnosticInfo& info) override {
    if (info.getSeverity() == llvm::DS_Error) {
      llvm::raw_string_ostream stream(text);
      llvm::DiagnosticPrinterRawOStream printer(stream);
      info.print(printer);
    }
    return true;
  }
  std::string& text;
};

std::unique_ptr<llvm::Module> read_ir(const std::string& file, llvm::LLVMContext& context) {
  llvm::SMDiagnostic problem;
  ReaderGuard guard(file);
  std::unique_ptr<llvm::Module> module;
  if (language_of(file) == Language::assembly) {
    // Without LLVM's own upgrade of debug information, which ends the process on a broken module: we verify first.
    auto parsed = llvm::parseAssemblyFileWithIndexNoUpgradeDebugInfo(
        file, problem, context, nullptr, [](llvm::StringRef, llvm::StringRef) { return std::nullopt; });
    module = std::move(parsed.Mod);
    std::string broken;
    llvm::raw_string_ostream stream(broken);
    if (module && llvm::verifyModule(*module, &stream))
      throw UserError(status_unsuitable, fmt::format("{}: is not valid LLVM IR\n{}", file, broken),
                      "make it with clang-19 -O2 -g -S -emit-llvm");
    if (module)
      llvm::UpgradeDebugInfo(*module);
  } else {
    module = llvm::getLazyIRFileModule(file, problem, context);
  }
  if (!module) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    problem.print(nullptr, stream, false);
    throw UserError(status_unsuitable, fmt::format("{}: is not LLVM IR that LLVM 19 can read\n{}", file, text),
                    "make it with clang-19 -O2 -g -emit-llvm");
  }
  return module;
}

std::unique_ptr<llvm::Module> read_source(const std::string& file, const Sources& sources,
                                          const std::string& module_folder, llvm::LLVMContext& context) {
  std::vector<std::string> flags;
  std::string directory, path = file;
  if (!sources.compilation_database.empty()) {
    DatabaseEntry entry = look_up(sources.compilation_database, file);
    flags = entry.flags;
    directory = entry.directory;
    path = std::filesystem::absolute(file).string();
  }
  flags.insert(flags.end(), sources.flags.begin(), sources.flags.end());
  if (sources.as_written)
    flags.push_back("-O0");
  std::string bitcode = compile(path, flags, directory, module_folder);
  auto module = llvm::parseBitcodeFile(llvm::MemoryBufferRef(bitcode, file), context);
  if (!module)
    throw UserError(
        status_unsuitable,
        fmt::format("{}: the compiler's output cannot be read: {}", file, llvm::toString(module.takeError())),
        "flags such as -S or -fsyntax-only after -- change what the compiler writes: leave them out");
  return std::move(*module);
}

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

bool is_own(const llvm::Function& function) {
  if (function.isDeclaration() && !function.isMaterializable())
    return false;
  return !function.hasLocalLinkage() && !function.hasAvailableExternallyLinkage() &&
         !function.hasLinkOnceODRLinkage() && function.getName() != "main" && function.getName() != "_QQmain";
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

bool answers_to(const Target& target, const std::string& name) {
  const std::vector<std::string> names = names_of(target);
  return std::find(names.begin(), names.end(), name) != names.end();
}

} // namespace

Program::Program() : context_(std::make_unique<llvm::LLVMContext>()) {}
Program::Program(Program&&) noexcept = default;
Program& Program::operator=(Program&&) noexcept = default;
Program::~Program() {
  module_.reset(); // before its context
}

Program Program::load(const Sources& sources) {
  if (sources.files.empty())
    throw UserError(status_usage, "no source file given", "name a .c, .cpp, .f90, .ll or .bc file");
  Program program;
  program.files_ = sources.files;
  std::optional<TemporaryFolder> modules; // only Fortran needs it
  if (std::any_of(sources.files.begin(), sources.files.end(),
                  [](const std::string& file) { return language_of(file) == Language::fortran; }))
    modules.emplace();
  std::string complaints;
  program.context_->setDiagnosticHandler(std::make_unique<Collect>(complaints));
  for (const std::string& file : sources.files) {
    std::error_code error;
    if (!std::filesystem::exists(file, error))
      throw UserError(status_usage, fmt::format("{}: no such file", file),
                      "check the path; faultline list FILE shows what a file offers");
    if (std::filesystem::is_directory(file, error))
      throw UserError(status_usage, fmt::format("{}: is a folder", file),
                      "name the files in it, or use hunt, which takes folders");
    Language language = language_of(file);
    const bool ir = language == Language::bitcode || language == Language::assembly;
    auto module = ir ? read_ir(file, *program.context_)
                     : read_source(file, sources, modules ? modules->path() : "", *program.context_);
    llvm::Triple triple(module->getTargetTriple());
    if (triple.getArch() != llvm::Triple::x86_64)
      throw UserError(status_unsuitable, fmt::format("{}: is for {}, not for x86-64", file, module->getTargetTriple()),
                      "compile it for this machine");
    if (!program.module_) {
      program.module_ = std::move(module);
    } else if (llvm::Linker::linkModules(*program.module_, std::move(module))) {
      throw UserError(status_unsuitable, fmt::format("{}: does not link with the other files: {}", file, complaints),
                      "hunt in files that define the same function separately");
    }
  }
  return program;
}

ShapesOf Program::shapes_for(const Sizes& sizes, const Aliases& aliases) const {
  return shapes_of_ ? shapes_of_ : [shapes = Shapes{sizes, aliases}](const Target&) { return shapes; };
}

std::vector<Target> Program::targets(const Sizes& sizes, const Aliases& aliases) {
  ReaderGuard guard(files_.front());
  if (llvm::Error error = module_->materializeAll())
    throw UserError(status_unsuitable, llvm::toString(std::move(error)), "the bitcode file is damaged: make it anew");
  std::vector<Target> targets;
  const ShapesOf shapes_of = shapes_for(sizes, aliases);
  const bool any_debug = std::any_of(module_->begin(), module_->end(), [](const llvm::Function& function) {
    return function.getSubprogram() != nullptr;
  });
  for (const llvm::Function& function : *module_)
    if (is_own(function) && (function.getSubprogram() || !any_debug))
      targets.push_back(discover(function, shapes_of));
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
    llvm::Function* function = module_->getFunction(name);
    if (!function)
      function = module_->getFunction(name + "_");
    if (function && (!function->isDeclaration() || function->isMaterializable())) {
      // What a Fortran function does with its arrays may be up to others that it calls.
      const bool others = function->getSubprogram() && is_fortran(*function->getSubprogram());
      if (llvm::Error error = others ? module_->materializeAll() : function->materialize())
        throw UserError(status_unsuitable, llvm::toString(std::move(error)),
                        "the bitcode file is damaged: make it anew");
      found.push_back(discover(*function, shapes_for(sizes, aliases)));
      found.back().function = before_parameters(found.back().function);
    } else {
      if (all.empty())
        all = targets(sizes, aliases);
      const size_t before = found.size(); // a C++ name may stand for several overloads
      std::copy_if(all.begin(), all.end(), std::back_inserter(found),
                   [&](const Target& target) { return answers_to(target, name); });
      if (found.size() == before)
        throw no_such_function(*module_, name);
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
    check_aliases(found, aliases); // a slip there may be the reason
    check_sizes(found, sizes);
    throw UserError(status_unsuitable, fmt::format("{}: {}", target.function, target.unsuitable));
  }
  return found;
}

llvm::Function* Program::function(const std::string& name) {
  llvm::Function* function = module_->getFunction(name);
  if (!function)
    function = module_->getFunction(name + "_");
  for (llvm::Function& other : *module_)
    if (!function && before_parameters(llvm::demangle(other.getName().str())) == name)
      function = &other;
  if (!function || (function->isDeclaration() && !function->isMaterializable()))
    throw no_such_function(*module_, name);
  if (llvm::Error error = function->materialize())
    throw UserError(status_unsuitable, llvm::toString(std::move(error)), "the bitcode file is damaged: make it anew");
  return function;
}

void Program::reduce_to(const Target& target) {
  llvm::Function* function = module_->getFunction(target.symbol);
  if (llvm::Error error = function->materialize())
    throw UserError(status_unsuitable, llvm::toString(std::move(error)), "the bitcode file is damaged: make it anew");
  llvm::GlobalValue* driver = add_driver(*function, target, driver_symbol);
  keep_reachable(*module_, driver);
  follow_array_assignments(*module_);
  internalize(*module_, driver);
  if (std::string use = unsupported_format(*module_); !use.empty())
    throw UserError(
        status_unsuitable, use,
        "Faultline follows float, double and x86 long double; hunt in a version of the code that uses these");
}

std::string Program::bitcode_of(const std::vector<std::string>& symbols) {
  ReaderGuard guard(files_.front());
  std::vector<llvm::GlobalValue*> roots;
  for (const std::string& symbol : symbols)
    roots.push_back(function(symbol));
  keep_reachable(*module_, roots);
  internalize(*module_, roots);
  if (llvm::Error error = module_->materializeAll())
    throw UserError(status_unsuitable, llvm::toString(std::move(error)), "the bitcode file is damaged: make it anew");
  std::string bitcode;
  llvm::raw_string_ostream stream(bitcode);
  llvm::WriteBitcodeToFile(*module_, stream);
  return bitcode;
}

std::unique_ptr<llvm::LLVMContext> Program::take_context() { return std::move(context_); }
std::unique_ptr<llvm::Module> Program::take_module() { return std::move(module_); }

} // namespace faultline::frontend
