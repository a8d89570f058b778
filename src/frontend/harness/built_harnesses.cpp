#include "frontend/harness/built_harnesses.h"

#include "frontend/compile.h"
#include "frontend/compiling/compiler_process.h"
#include "frontend/compiling/flag_filter.h"
#include "frontend/discover.h"
#include "frontend/error.h"
#include "frontend/harness/harnessed_source.h"
#include "frontend/names/cxx_name.h"
#include "frontend/reading/reader_guard.h"
#include "frontend/unit.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fmt/format.h>
#include <llvm/ADT/SmallString.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/Support/MD5.h>

namespace faultline::frontend {
namespace {

// Sources that are compiled again: each takes as long as it took in the build, which is a second in C++. A guess.
constexpr size_t most_sources = 8;

bool is_compiled_here(const Record& record) {
  const Language language = language_of(record.source);
  return record.reason.empty() && (language == Language::c || language == Language::cxx);
}

// Can a function of this name, or like this, be in the bitcode? Symbols stand in it as they are, with the parts of C++
// names in them; opening each module of a large library would take as long as loading it.
bool may_have(const std::string& bitcode, const std::string& name) {
  const std::string plain = name.substr(0, name.find_first_of("<("));
  for (size_t from = 0; from < plain.size();) {
    const auto is_letter = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
    const auto begin = std::find_if(plain.begin() + long(from), plain.end(), is_letter);
    const auto end = std::find_if_not(begin, plain.end(), is_letter);
    if (begin != end && bitcode.find(std::string(begin, end)) == std::string::npos)
      return false;
    from = size_t(end - plain.begin());
  }
  return true;
}

// Of the file, or why there is none to compare.
std::string difference_of(const llvm::DIFile& file) {
  const auto checksum = file.getChecksum();
  if (!checksum || checksum->Kind != llvm::DIFile::CSK_MD5)
    return {};
  const std::filesystem::path path = std::filesystem::path(file.getDirectory().str()) / file.getFilename().str();
  const auto content = llvm::MemoryBuffer::getFile(path.string());
  if (!content)
    return fmt::format("{} is gone", path.string());
  const llvm::MD5::MD5Result now = llvm::MD5::hash(
      llvm::ArrayRef(reinterpret_cast<const uint8_t*>((*content)->getBufferStart()), (*content)->getBufferSize()));
  return now.digest() == checksum->Value ? "" : fmt::format("{} has changed", path.string());
}

// Why the source, with all that it includes, is not any more what was compiled. Empty: it is.
std::string difference_in(llvm::Module& module, const std::string& source) {
  if (std::error_code error; !std::filesystem::exists(source, error))
    return fmt::format("{} is gone", source);
  llvm::DebugInfoFinder finder;
  finder.processModule(module);
  std::string difference;
  const auto compare = [&](const llvm::DIFile* file) {
    if (file && difference.empty())
      difference = difference_of(*file);
  };
  for (const llvm::DICompileUnit* unit : finder.compile_units()) {
    compare(unit->getFile());
    if (!unit->getFile()->getChecksum())
      return fmt::format("the build did not note what {} was", source);
  }
  for (const llvm::DISubprogram* subprogram : finder.subprograms())
    compare(subprogram->getFile());
  for (const llvm::DIType* type : finder.types())
    compare(type->getFile());
  return difference;
}

// The functions that are asked for and have to be called through a harness.
std::vector<Target> in_need(llvm::Module& module, const Sources& sources) {
  std::vector<Target> targets;
  const ShapesOf none = [](const Target&) { return Shapes{}; };
  for (llvm::Function& function : module) {
    if (function.hasLocalLinkage() || (function.isDeclaration() && !function.isMaterializable()))
      continue;
    Target target;
    target.symbol = target.function = function.getName().str();
    const std::string plain = cxx_name(target.symbol).plain;
    const auto is_meant = [&](const std::string& name) {
      return answers_to(target, name) ||
             (!plain.empty() && (plain == without_template_arguments(before_parameters(name)) ||
                                 plain.ends_with("::" + before_parameters(name))));
    };
    if (!sources.functions.empty() && std::ranges::none_of(sources.functions, is_meant))
      continue;
    materialize(function);
    target = discover(function, none);
    if (target.obstacle == Obstacle::harness)
      targets.push_back(std::move(target));
  }
  return targets;
}

// With notes that say why they have no harness.
std::string without_harnesses(const Record& record, const std::vector<Target>& targets, const std::string& why) {
  HarnessNotes notes;
  for (const Target& target : targets)
    notes.harnesses.push_back({.function = target.function,
                               .symbol = target.symbol,
                               .file = target.file,
                               .line = target.line,
                               .name = "faultline_no_harness_" + target.symbol,
                               .text = {},
                               .parameters = {},
                               .families = {},
                               .obstacle = fmt::format("{}; there is none for a build's function if its source is not "
                                                       "what was compiled: {}",
                                                       target.unsuitable, why)});
  return with_notes(record.bitcode, notes);
}

// What clang takes where nothing says otherwise: the build's bitcode was compiled so.
std::vector<std::string> with_clangs_standard(std::vector<std::string> flags, Language language) {
  const bool told = std::ranges::any_of(
      flags, [](const std::string& flag) { return flag.starts_with("-std=") || flag.starts_with("--std"); });
  if (language == Language::cxx && !told)
    flags.insert(flags.begin(), "-std=gnu++17");
  return flags;
}

} // namespace

std::string BuiltHarnesses::bitcode_of(const Record& record) {
  if (!is_compiled_here(record) || (sources_.functions.empty() && records_ > most_sources)) {
    passed_over_ |= record.reason.empty();
    return record.bitcode;
  }
  if (!sources_.functions.empty() &&
      std::ranges::none_of(sources_.functions, [&](const std::string& name) { return may_have(record.bitcode, name); }))
    return record.bitcode;
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module;
  std::vector<Target> targets;
  std::string difference;
  try {
    const ReaderGuard guard(record.source);
    module = Unit::of_build(record.source, record.bitcode).open(context);
    targets = in_need(*module, sources_);
    passed_over_ |= !targets.empty() && compiled_ == most_sources;
    if (targets.empty() || compiled_ == most_sources)
      return record.bitcode;
    materialize_all(*module);
    difference = difference_in(*module, record.source);
  } catch (const UserError&) {
    return record.bitcode; // damaged: whoever links it will tell
  }
  if (!difference.empty())
    return without_harnesses(record, targets, difference);
  try {
    ++compiled_;
    const std::vector<std::string> flags = flags_from_file(record.flags, record.source, sources_.trust);
    return compile_with_harnesses(record.source, with_clangs_standard(flags, language_of(record.source)), "", sources_);
  } catch (const CompilerKilled&) {
    throw; // that says nothing about the harnesses
  } catch (const UserError& problem) {
    const std::string what = problem.what();
    return without_harnesses(record, targets, what.substr(0, what.find('\n')));
  }
}

std::string BuiltHarnesses::remark() const {
  return passed_over_
             ? fmt::format("functions that need a harness get one if -f names them, in up to {} sources; {} {}",
                           most_sources, records_, records_ == 1 ? "was built" : "were built")
             : "";
}

} // namespace faultline::frontend
