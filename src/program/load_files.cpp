#include "program/load_files.h"

#include "base/error.h"
#include "base/files.h"
#include "program/capture/section.h"
#include "program/compile.h"
#include "program/compiling/compilation_database.h"
#include "program/compiling/compiler_process.h"
#include "program/compiling/flag_filter.h"
#include "program/content_hash.h"
#include "program/discover.h"
#include "program/fpcore/file.h"
#include "program/harnessed_source.h"
#include "program/program.h"
#include "program/project_files.h"
#include "program/shown_symbol.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <llvm/ADT/SmallString.h>
#include <llvm/IR/DebugInfo.h>
#include <map>
#include <optional>
#include <sstream>
#include <string_view>

namespace faultline::program {

namespace {

constexpr int deepest_include = 16; // bounds files that include themselves

bool is_name(std::string_view word) {
  return !word.empty() && std::isalpha(static_cast<unsigned char>(word[0])) &&
         std::ranges::all_of(word, [](unsigned char c) { return std::isalnum(c) || c == '_'; });
}

// True for modules of the compiler.
bool is_intrinsic(const std::string& module) {
  return module == "iso_c_binding" || module == "iso_fortran_env" || module.starts_with("ieee_") ||
         module == "omp_lib" || module == "openacc";
}

class Scanner {
public:
  Scanner(FortranForm form, const IncludedText& included) : form_(form), included_(included) {}

  void scan(const std::string& text, int depth = 0) {
    for (const std::string& statement : fortran_statements(text, form_))
      take(fortran_words(statement), depth);
  }

  FortranModules found;

private:
  void take(std::vector<std::string> words, int depth) {
    if (words.size() == 2 && lower_case(words[0]) == "include" && words[1].size() > 2 && depth < deepest_include) {
      scan(included_(words[1].substr(1, words[1].size() - 2)), depth + 1); // unchanged: file names are case-sensitive
      return;
    }
    for (std::string& word : words)
      word = lower_case(word);
    if (words.size() < 2)
      return;
    if (words[0] == "use")
      take_use(words);
    else if (words[0] == "module" && words.size() == 2 && is_name(words[1]) && words[1] != "procedure")
      found.defined.insert(words[1]);
    else if (words[0] == "submodule")
      take_submodule(words);
  }

  // use m; use m, only: ...; use :: m; use, intrinsic :: m
  void take_use(const std::vector<std::string>& words) {
    size_t at = 1;
    const bool has_nature = words[1] == "," && words.size() > 2;
    if (has_nature && words[2] == "intrinsic")
      return;
    if (has_nature)
      at = 3;
    while (at < words.size() && words[at] == ":")
      ++at;
    const bool ends = at + 1 >= words.size() || words[at + 1] == ",";
    if (at < words.size() && ends && is_name(words[at]) && !is_intrinsic(words[at]))
      found.used.insert(words[at]);
  }

  // submodule (ancestor) name, submodule (ancestor:parent) name
  void take_submodule(const std::vector<std::string>& words) {
    if (words.size() < 5 || words[1] != "(")
      return;
    const std::string& ancestor = words[2];
    found.used.insert(words[3] == ":" ? ancestor + ":" + words[4] : ancestor);
    found.defined.insert(ancestor + ":" + words.back());
  }

  FortranForm form_;
  const IncludedText& included_;
};

namespace fs = std::filesystem;

std::string text_of_source(const fs::path& file) {
  constexpr size_t largest = 64u << 20; // of a source: the compiler could not handle a larger one, either
  return base::regular_content(file.string(), largest).value_or("");
}

// The files that must precede each file.
std::map<std::string, std::set<std::string>> needs_of(const std::vector<std::string>& files) {
  std::map<std::string, FortranModules> modules;
  std::map<std::string, std::string> definers; // the first file of each module
  for (const std::string& file : files) {
    const fs::path folder = fs::path(file).parent_path();
    modules[file] = modules_in(text_of_source(file), fortran_form(file),
                               [&](const std::string& included) { return text_of_source(folder / included); });
    for (const std::string& module : modules[file].defined)
      definers.try_emplace(module, file);
  }
  std::map<std::string, std::set<std::string>> needs;
  for (const std::string& file : files)
    for (const std::string& module : modules[file].used)
      if (const auto definer = definers.find(module);
          definer != definers.end() && definer->second != file && !modules[file].defined.contains(module))
        needs[file].insert(definer->second);
  return needs;
}

} // namespace

FortranModules modules_in(const std::string& text, FortranForm form, const IncludedText& included) {
  Scanner scanner(form, included);
  scanner.scan(text);
  return std::move(scanner.found);
}

FortranOrder in_order_of_modules(const std::vector<std::string>& files) {
  std::vector<std::string> waiting;
  std::ranges::copy_if(files, std::back_inserter(waiting),
                       [](const std::string& file) { return language_of(file) == Language::fortran; });
  std::map<std::string, std::set<std::string>> needs = needs_of(waiting);
  FortranOrder order{files, {}};
  std::vector<std::string> sorted;
  while (!waiting.empty()) {
    auto next = std::ranges::find_if(waiting, [&](const std::string& file) { return needs[file].empty(); });
    if (next == waiting.end()) { // a cycle: takes the first; the compiler reports what is missing
      next = waiting.begin();
      order.remarks.push_back(fmt::format("{} uses modules of {}, which in the end use its own: Fortran has no order "
                                          "for them",
                                          *next, fmt::join(needs[*next], ", ")));
    }
    sorted.push_back(*next);
    waiting.erase(next);
    for (auto& [file, before] : needs)
      before.erase(sorted.back());
  }
  auto place = sorted.begin();
  for (std::string& file : order.files)
    if (language_of(file) == Language::fortran)
      file = *place++;
  return order;
}

namespace {

constexpr size_t most_remarks = 5; // of a sort: a longer list is of little use

bool is_fortran(const std::string& file) { return language_of(file) == Language::fortran; }

bool is_read(const std::string& file) {
  return language_of(file) == Language::bitcode || language_of(file) == Language::assembly;
}

// Reports files that the database does not list, and whose flags they get.
void report_neighbours(const Sources& sources, std::vector<std::string>& remarks) {
  size_t guessed = 0;
  for (const std::string& file : sources.files) {
    if (is_read(file) || language_of(file) == Language::fpcore)
      continue;
    const std::string neighbour = sources.recorded->entry_for(file).neighbour;
    if (neighbour.empty() || ++guessed > most_remarks)
      continue;
    remarks.push_back(fmt::format("{} is not in {}: it is compiled with the flags of {}", file,
                                  sources.compilation_database, neighbour));
  }
  if (guessed > most_remarks)
    remarks.push_back(fmt::format("... and {} more files with the flags of a neighbour", guessed - most_remarks));
}

// Formats an error's hints.
std::string lines_to_try(const std::string& hint) {
  std::string text;
  std::istringstream lines(hint);
  for (std::string line; std::getline(lines, line);)
    text += "\n  try: " + line;
  return text;
}

class Loading {
public:
  explicit Loading(const Sources& given) : sources_(given) {
    if (std::ranges::any_of(sources_.files, is_fortran))
      modules_.emplace();
    sources_.folders = project_folders(sources_);
    if (sources_.compilation_database.empty())
      return;
    sources_.recorded = std::make_shared<CompilationDatabase>(sources_.compilation_database, sources_.files,
                                                              sources_.trust, sources_.project);
    report_neighbours(sources_, loaded_.remarks);
  }

  LoadedFiles run() {
    const FortranOrder order = in_order_of_modules(sources_.files);
    std::ranges::copy(order.remarks, std::back_inserter(loaded_.remarks));
    for (const std::string& file : order.files)
      read(file);
    if (units_.empty())
      throw *first_failure_;
    for (const std::string& file : sources_.files)
      if (const auto unit = units_.find(file); unit != units_.end()) {
        loaded_.units.push_back(std::move(unit->second));
        units_.erase(unit);
      }
    if (loaded_.left_out.size() > most_remarks)
      loaded_.remarks.push_back(
          fmt::format("... and {} more files that do not compile", loaded_.left_out.size() - most_remarks));
    return std::move(loaded_);
  }

private:
  void read(const std::string& file) {
    try {
      units_.emplace(file, Unit::read(file, sources_, modules_ ? modules_->path() : ""));
      if (language_of(file) == Language::fpcore)
        add_fpcore_remarks(file);
    } catch (const CompilerKilled&) {
      throw; // else the next run would take its functions for new ones
    } catch (const base::UserError& error) {
      if (sources_.files.size() == 1 || error.status == base::status_usage)
        throw;
      if (!first_failure_)
        first_failure_ = error;
      loaded_.left_out.push_back(file);
      if (loaded_.left_out.size() <= most_remarks)
        loaded_.remarks.push_back(fmt::format("{} is left out, as it does not compile: {}{}", file,
                                              first_error(error.what()),
                                              error.hint == previous_hint_ ? "" : lines_to_try(error.hint)));
      previous_hint_ = error.hint;
    }
  }

  // Reports invalid ranges and meanings now, not when they are used.
  void add_fpcore_remarks(const std::string& file) {
    const auto is_meant = [&](const std::string& function) {
      return sources_.functions.empty() || std::ranges::find(sources_.functions, function) != sources_.functions.end();
    };
    for (const fpcore::FunctionSettings& settings : fpcore::settings_in_file(file)) {
      if (!is_meant(settings.function))
        continue;
      std::ranges::copy(settings.remarks, std::back_inserter(loaded_.remarks));
      if (settings.has_conditions && sources_.preconditions == fpcore::Preconditions::left_out)
        loaded_.remarks.push_back(fmt::format(
            "{}: its :pre has conditions other than ranges; the proof ignores them and covers the whole ranges",
            settings.function));
    }
  }

  Sources sources_;
  std::optional<TemporaryFolder> modules_; // only Fortran needs it
  std::map<std::string, Unit> units_;
  std::optional<base::UserError> first_failure_;
  std::string previous_hint_; // files often lack the same header or module
  LoadedFiles loaded_;
};

// Harnesses for captured builds. An object has the code of functions that take vectors and classes, but not their
// declarations. So when such a function is requested, its source is compiled again with its harnesses and the flags
// that the object records, if the source is unchanged: debug information has the checksums of all files.
//
// Rejected: harnesses made by the compiler wrapper. Most functions are never requested, and a build must not take
// longer.
class BuiltHarnesses {
public:
  // `records` is the number of records in the files of the program.
  BuiltHarnesses(const Sources& sources, size_t records) : sources_(sources), records_(records) {}

  // Returns the record's bitcode with harnesses for the requested functions that need one, or with the reason why they
  // have none.
  std::string bitcode_of(const Record& record);

  // Returns a message about sources that were not compiled; empty if there are none.
  std::string remark() const;

private:
  const Sources& sources_;
  size_t records_;
  size_t compiled_ = 0; // sources
  bool passed_over_ = false;
};

// The largest number of sources to compile again: each takes as long as in the build, about a second in C++. A guess.
constexpr size_t most_sources = 8;

bool is_compiled_here(const Record& record) {
  const Language language = language_of(record.source);
  return record.reason.empty() && (language == Language::c || language == Language::cxx);
}

// True if the bitcode may contain a function of this name or pattern. Symbols are stored verbatim, with the parts of
// C++ names in them; opening each module of a large library would take as long as loading it.
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

// Returns why the file differs from the compiled one or cannot be compared; empty if it is the same.
std::string difference_of(const llvm::DIFile& file) {
  const auto checksum = file.getChecksum();
  if (!checksum || checksum->Kind != llvm::DIFile::CSK_MD5)
    return {};
  const std::filesystem::path path = std::filesystem::path(file.getDirectory().str()) / file.getFilename().str();
  constexpr size_t largest = 256u << 20;
  const std::optional<std::string> content = base::regular_content(path.string(), largest);
  if (!content)
    return fmt::format("{} is gone", path.string());
  return md5_of(*content) == checksum->Value ? "" : fmt::format("{} has changed", path.string());
}

// Returns why the source or a file that it includes differs from what was compiled; empty if all are the same.
std::string difference_in(llvm::Module& module, const std::string& source) {
  if (!base::open_regular(source))
    return fmt::format("{} is gone, or is not a regular file", source);
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
      return fmt::format("the build did not record the content of {}", source);
  }
  for (const llvm::DISubprogram* subprogram : finder.subprograms())
    compare(subprogram->getFile());
  for (const llvm::DIType* type : finder.types())
    compare(type->getFile());
  return difference;
}

// The requested functions that must be called through a harness.
std::vector<model::Target> requested_with_harness(llvm::Module& module, const Sources& sources) {
  std::vector<model::Target> targets;
  const ShapesOf none = [](const model::Target&) { return model::Shapes{}; };
  for (llvm::Function& function : module) {
    if (function.hasLocalLinkage() || (function.isDeclaration() && !function.isMaterializable()))
      continue;
    model::Target target;
    target.symbol = target.function = function.getName().str();
    const std::string plain = cxx_name(target.symbol).plain;
    const auto is_meant = [&](const std::string& name) {
      return answers_to(target, name) ||
             (!plain.empty() && (plain == without_template_arguments(model::before_parameters(name)) ||
                                 plain.ends_with("::" + model::before_parameters(name))));
    };
    if (!sources.functions.empty() && std::ranges::none_of(sources.functions, is_meant))
      continue;
    materialize(function);
    target = discover(function, none);
    if (target.obstacle == model::Obstacle::harness || target.obstacle == model::Obstacle::state)
      targets.push_back(std::move(target));
  }
  return targets;
}

// Adds notes with the reason why these targets have no harness.
std::string without_harnesses(const Record& record, const std::vector<model::Target>& targets, const std::string& why) {
  HarnessNotes notes;
  for (const model::Target& target : targets)
    notes.harnesses.push_back({.function = target.function,
                               .symbol = target.symbol,
                               .file = target.file,
                               .line = target.line,
                               .name = "faultline_no_harness_" + target.symbol,
                               .text = {},
                               .parameters = {},
                               .families = {},
                               .obstacle = fmt::format("{}; a build's function gets none if its source is not "
                                                       "what was compiled: {}",
                                                       target.unsuitable, why)});
  return with_notes(record.bitcode, notes);
}

// Adds clang's default standard, with which the build's bitcode was compiled.
std::vector<std::string> with_clangs_standard(std::vector<std::string> flags, Language language) {
  const bool has_standard = std::ranges::any_of(
      flags, [](const std::string& flag) { return flag.starts_with("-std=") || flag.starts_with("--std"); });
  if (language == Language::cxx && !has_standard)
    flags.insert(flags.begin(), "-std=gnu++17");
  return flags;
}

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
  std::vector<model::Target> targets;
  std::string difference;
  try {
    const ReaderGuard guard(record.source);
    module = Unit::of_build(record.source, record.bitcode).open(context);
    targets = requested_with_harness(*module, sources_);
    passed_over_ |= !targets.empty() && compiled_ == most_sources;
    if (targets.empty() || compiled_ == most_sources)
      return record.bitcode;
    materialize_all(*module);
    difference = difference_in(*module, record.source);
  } catch (const base::UserError&) {
    return record.bitcode; // damaged: linking reports it
  }
  if (!difference.empty())
    return without_harnesses(record, targets, difference);
  try {
    ++compiled_;
    const std::vector<std::string> flags =
        flags_from_file(record.flags, {record.source, sources_.project, {}, record.directory}, sources_.trust);
    // The bitcode has the checksums of the files, so its author knew them: the source's folder is no secret.
    Sources own = sources_;
    own.files = {record.source};
    own.folders = project_folders(own);
    return compile_with_harnesses(record.source, with_clangs_standard(flags, language_of(record.source)), "", own);
  } catch (const CompilerKilled&) {
    throw; // unrelated to the harnesses
  } catch (const base::UserError& problem) {
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

} // namespace

LoadedFiles load_files(const Sources& sources) { return Loading(sources).run(); }

// Throws UserError if nothing of the file was captured.
void Program::add_built(const std::string& file, const Sources& sources) {
  size_t captured = 0, records = 0;
  CaptureSummary summary;
  const std::vector<BuiltObject> objects = built_objects(file);
  for (const BuiltObject& object : objects) {
    summary.add(object);
    captured_.add(object);
    records += object.records.size();
    if (object.machine_code)
      machine_code_.push_back(*object.machine_code);
  }
  BuiltHarnesses harnesses(sources, records);
  for (const BuiltObject& object : objects)
    for (const Record& record : object.records)
      if (record.reason.empty()) {
        units_.push_back(Unit::of_build(fmt::format("{} in {}", record.source, file), harnesses.bitcode_of(record)));
        ++captured;
      }
  if (const std::string remark = harnesses.remark(); !remark.empty())
    without_harness_ = remark;
  if (captured == 0)
    throw base::UserError(base::status_unsuitable,
                          fmt::format("{}: has no bitcode: {}", file, capture_text(summary, false)),
                          "build it with faultline cc in the place of the compiler: CC=faultline-cc CXX=faultline-c++ "
                          "FC=faultline-fc");
}

} // namespace faultline::program
