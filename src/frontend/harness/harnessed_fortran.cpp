#include "frontend/harness/harnessed_fortran.h"

#include "frontend/compile.h"
#include "frontend/compiling/compiler_process.h"
#include "frontend/compiling/fortran_statements.h"
#include "frontend/discover.h"
#include "frontend/error.h"
#include "frontend/fortran/harness_writer.h"
#include "frontend/harness/failed_harnesses.h"
#include "frontend/reading/reader_guard.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Linker/Linker.h>

namespace faultline::frontend {
namespace {

namespace fs = std::filesystem;

std::unique_ptr<llvm::Module> module_of(const std::string& bitcode, llvm::LLVMContext& context) {
  auto module = llvm::parseBitcodeFile({bitcode, "unit"}, context);
  if (module)
    return std::move(*module);
  llvm::consumeError(module.takeError());
  return nullptr; // whoever reads it next complains
}

bool is_asked_for(const Target& target, const std::vector<std::string>& names) {
  return names.empty() || std::ranges::any_of(names, [&](const std::string& name) { return answers_to(target, name); });
}

// A procedure argument has no name in debug information, and its type is said to be an integer: whether it is one may
// only be seen in another file, to which it is handed on.
bool has_unnamed(const Target& target) {
  for (size_t i = 0; i < target.parameters.size(); ++i)
    if (target.parameters[i].name == fmt::format("arg{}", i + 1))
      return true;
  return false;
}

// What else it gives back may turn out, in another file, to be read only.
bool returns_integer(const Target& target) {
  return std::ranges::any_of(target.outputs,
                             [](const Cell& cell) { return cell.name == "return" && !cell.type.floating; });
}

// Could a harness help?
bool wants_harness(const Target& target) {
  const bool helps = target.obstacle != Obstacle::size && target.obstacle != Obstacle::no_debug_information;
  return has_unnamed(target) || returns_integer(target) || (!target.suitable() && helps);
}

std::vector<Target> wanting(const std::string& bitcode, const Sources& sources) {
  llvm::LLVMContext context;
  const std::unique_ptr<llvm::Module> module = module_of(bitcode, context);
  const ShapesOf shapes_of = sources.shapes_of ? sources.shapes_of : [](const Target&) { return Shapes{}; };
  std::vector<Target> targets;
  if (!module)
    return targets;
  for (const llvm::Function& function : *module)
    if (!function.isDeclaration() && !function.hasLocalLinkage() && function.getSubprogram())
      if (Target target = discover(function, shapes_of);
          wants_harness(target) && is_asked_for(target, sources.functions))
        targets.push_back(std::move(target));
  return targets;
}

// "_QMmPseglen" is seglen of the module m, "dtest_" the external procedure dtest. A submodule's or an internal
// procedure's is none that a harness can call.
struct Called {
  std::string module, name;
};
std::optional<Called> called_by(const std::string& symbol, const std::string& function) {
  if (!symbol.starts_with("_Q"))
    return Called{"", lower_case(function)};
  const size_t procedure = symbol.find('P');
  if (!symbol.starts_with("_QM") || procedure == std::string::npos)
    return std::nullopt;
  const std::string module = symbol.substr(3, procedure - 3);
  return std::ranges::any_of(module, [](unsigned char c) { return std::isupper(c); })
             ? std::nullopt
             : std::optional(Called{module, symbol.substr(procedure + 1)});
}

std::string content_of(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

// Other files of the program, read when somebody asks for a procedure that they define.
class OtherFiles {
public:
  OtherFiles(const Sources& sources, const std::vector<std::string>& flags, const std::string& directory,
             const std::string& module_folder)
      : sources_(sources), flags_(flags), directory_(directory), module_folder_(module_folder) {}

  const FortranSource* with(const std::string& procedure) {
    for (const std::string& file : sources_.files)
      if (language_of(file) == Language::fortran && defines(file, procedure)) {
        const auto [found, is_new] = read_.try_emplace(file);
        if (is_new)
          found->second = read_fortran(fs::absolute(file).string(), flags_, directory_, module_folder_);
        return &found->second;
      }
    return nullptr;
  }

private:
  static bool defines(const std::string& file, const std::string& procedure) {
    for (const std::string& statement : fortran_statements(content_of(file), fortran_form(file))) {
      const std::vector<std::string> words = fortran_words(lower_case(statement));
      for (size_t i = 0; i + 1 < words.size(); ++i)
        if ((words[i] == "subroutine" || words[i] == "function") && words[i + 1] == procedure && words[0] != "end")
          return true;
    }
    return false;
  }

  const Sources& sources_;
  const std::vector<std::string>& flags_;
  const std::string &directory_, &module_folder_;
  std::map<std::string, FortranSource> read_;
};

std::string written(const HarnessNotes& notes) {
  std::string text;
  for (const HarnessNote& note : notes.harnesses)
    if (note.exists())
      text += fmt::format("# 1 \"{}\"\n{}", note.name, note.text);
  return text;
}

// What the form of the source needs is wrong for the harness, which is in free form.
std::vector<std::string> flags_of_harness(std::vector<std::string> flags) {
  std::erase_if(flags, [](const std::string& flag) { return flag.starts_with("-ffixed-") || flag == "-cpp"; });
  return flags;
}

// The functions that only the harnesses use are theirs alone.
std::string linked(const std::string& unit, const std::string& harnesses, const HarnessNotes& notes) {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> whole = module_of(unit, context), more = module_of(harnesses, context);
  if (!whole || !more)
    return unit;
  for (llvm::Function& function : *more)
    if (!function.isDeclaration() && !notes.named(function.getName().str()) && !whole->getFunction(function.getName()))
      function.setLinkage(llvm::GlobalValue::InternalLinkage);
  if (llvm::Linker::linkModules(*whole, std::move(more)))
    return unit;
  std::string bitcode;
  llvm::raw_string_ostream stream(bitcode);
  llvm::WriteBitcodeToFile(*whole, stream);
  return bitcode;
}

HarnessNotes notes_for(const std::vector<Target>& targets, const FortranSource& source,
                       const DefinedElsewhere& elsewhere, const Sources& sources) {
  HarnessNotes notes;
  for (const Target& target : targets) {
    const auto called = called_by(target.symbol, target.function);
    const auto procedure = called ? source.names().procedure(called->module, called->name) : std::nullopt;
    if (!procedure)
      continue;
    HarnessNote note;
    note.function = target.function;
    note.symbol = target.symbol;
    note.file = target.file;
    note.line = target.line;
    write_fortran_harness(*procedure, source, elsewhere, sources.shapes_of ? sources.shapes_of(target).sizes : Sizes{},
                          note);
    note.misread |= note.exists() && has_unnamed(target); // it has better names
    notes.harnesses.push_back(std::move(note));
  }
  return notes;
}

} // namespace

std::string compile_fortran_with_harnesses(const std::string& file, const std::vector<std::string>& flags,
                                           const std::string& directory, const std::string& module_folder,
                                           const Sources& sources) {
  std::string bitcode = compile(file, flags, directory, module_folder);
  ReaderGuard guard(file);
  const std::vector<Target> targets = wanting(bitcode, sources);
  if (targets.empty())
    return bitcode;
  const FortranSource source = read_fortran(file, flags, directory, module_folder);
  OtherFiles others(sources, flags, directory, module_folder);
  HarnessNotes notes = notes_for(
      targets, source, [&](const std::string& procedure) { return others.with(procedure); }, sources);
  const std::string place = (fs::path(module_folder) / "harness.f90").string();
  constexpr int most_tries = 4; // as for C++: each leaves out what failed
  for (int i = 0; i < most_tries && std::ranges::any_of(notes.harnesses, &HarnessNote::exists); ++i) {
    std::ofstream(place) << written(notes);
    try {
      const std::string harnesses = compile(place, flags_of_harness(flags), directory, module_folder);
      return with_notes(linked(bitcode, harnesses, notes), notes);
    } catch (const CompilerKilled&) {
      throw; // that says nothing about the harnesses
    } catch (const UserError& problem) {
      if (!leave_out_failed(problem.what(), notes))
        break;
    }
  }
  for (HarnessNote& note : notes.harnesses)
    if (note.exists())
      note.obstacle = "its harness does not compile";
  return with_notes(bitcode, notes);
}

} // namespace faultline::frontend
