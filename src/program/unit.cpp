#include "program/unit.h"

#include "base/error.h"
#include "base/files.h"
#include "base/process.h"
#include "program/bounds_check.h"
#include "program/compile.h"
#include "program/compiling/compilation_database.h"
#include "program/compiling/compiler_process.h"
#include "program/compiling/fortran_statements.h"
#include "program/discover.h"
#include "program/fortran/harness_writer.h"
#include "program/fpcore/file.h"
#include "program/handlers.h"
#include "program/harnessed_source.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <llvm/AsmParser/Parser.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/Config/llvm-config.h>
#include <llvm/IR/AutoUpgrade.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/ModuleSummaryIndex.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/SourceMgr.h>
#include <optional>
#include <sys/time.h>
#include <system_error>
#include <unistd.h>

namespace faultline::program {

namespace {

std::string message, message_of_time;    // prepared in advance
alignas(16) char handler_stack[1 << 16]; // an overflow leaves no room on the other
int errors_descriptor = -1;              // the standard error while a guard is alive

void on_crash(int signal) {
  const std::string& words = signal == SIGVTALRM ? message_of_time : message;
  [[maybe_unused]] ssize_t written =
      write(errors_descriptor >= 0 ? errors_descriptor : STDERR_FILENO, words.data(), words.size());
  _exit(base::status_unsuitable);
}

// LLVM prints what it finds in a damaged file, which may be megabytes of this process's memory.
void silence_llvm() {
  const int nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
  errors_descriptor = nothing >= 0 ? fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1) : -1;
  if (errors_descriptor >= 0)
    dup2(nothing, STDERR_FILENO);
  if (nothing >= 0)
    close(nothing);
}

void end_silence() {
  if (errors_descriptor < 0)
    return;
  dup2(errors_descriptor, STDERR_FILENO);
  close(errors_descriptor);
  errors_descriptor = -1;
}

uint64_t bytes_of(const std::string& file) {
  std::error_code missing;
  const uintmax_t bytes = std::filesystem::file_size(file, missing);
  return missing ? 0 : bytes;
}

// The CPU time that reading may take. LLVM reads all of GSL, 15 MB, in 1.9 s: one second per megabyte is eight times as
// long.
double seconds_for(const std::string& file) { return ReaderGuard::least_seconds + double(bytes_of(file)) / 1e6; }

// The memory that reading may take. All of GSL takes 0.3 GB.
uint64_t memory_for(const std::string& file) { return (uint64_t(1) << 30) + 100 * bytes_of(file); }

// Starts the clock; 0 stops it.
void set_clock(double seconds) {
  itimerval clock = {};
  clock.it_value.tv_sec = long(seconds);
  clock.it_value.tv_usec = long((seconds - double(clock.it_value.tv_sec)) * 1e6);
  setitimer(ITIMER_VIRTUAL, &clock, nullptr);
}

bool clock_runs() {
  itimerval clock = {};
  getitimer(ITIMER_VIRTUAL, &clock);
  return clock.it_value.tv_sec != 0 || clock.it_value.tv_usec != 0;
}

} // namespace

ReaderGuard::ReaderGuard(const std::string& file) : outermost_(!clock_runs()) {
  static_assert(std::size(signals) == std::size(decltype(before_){}));
  message = "faultline: error: " + file +
            ": is damaged: LLVM's reader crashes on it\n  try: make it again with clang-19 -O2 -g -emit-llvm\n";
  message_of_time =
      fmt::format("faultline: error: {}: takes more than {:.0f} s to read\n  try: fewer functions in a file\n", file,
                  seconds_for(file));
  struct sigaction action = {};
  action.sa_handler = on_crash;
  action.sa_flags = SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < std::size(signals); ++i)
    sigaction(signals[i], &action, &before_[i]);
  const stack_t stack{.ss_sp = handler_stack, .ss_flags = 0, .ss_size = sizeof handler_stack};
  sigaltstack(&stack, &stack_before_);
  getrlimit(RLIMIT_AS, &memory_before_);
  if (!outermost_)
    return;
  silence_llvm();
  set_clock(seconds_for(file));
  rlimit memory = memory_before_; // its hard limit stays: that of the compilers is higher
  memory.rlim_cur = std::min<rlim_t>(memory.rlim_cur, base::address_space_in_use() + memory_for(file));
  setrlimit(RLIMIT_AS, &memory);
}

ReaderGuard::~ReaderGuard() {
  if (outermost_) {
    set_clock(0);
    setrlimit(RLIMIT_AS, &memory_before_);
    end_silence();
  }
  sigaltstack(&stack_before_, nullptr);
  for (size_t i = 0; i < std::size(signals); ++i)
    sigaction(signals[i], &before_[i], nullptr);
}

namespace {

// A Fortran source with harnesses for those of its procedures that cannot be called with plain numbers.
//
// The harnesses are compiled as a separate file, with the module files of the source, and linked with it, so the source
// keeps its line numbers. If every procedure can be called directly, the source is only compiled.
// own. Where every procedure can be called as it is, nothing is done but to compile.
namespace fs = std::filesystem;

std::unique_ptr<llvm::Module> module_of(const std::string& bitcode, llvm::LLVMContext& context) {
  auto module = llvm::parseBitcodeFile({bitcode, "unit"}, context);
  if (module)
    return std::move(*module);
  llvm::consumeError(module.takeError());
  return nullptr; // the next reader reports it
}

bool is_asked_for(const model::Target& target, const std::vector<std::string>& names) {
  return names.empty() || std::ranges::any_of(names, [&](const std::string& name) { return answers_to(target, name); });
}

// A procedure argument has no name in debug information, and its type is given as an integer. Whether it is an integer
// may only be visible in another file that it is passed to.
bool has_unnamed(const model::Target& target) {
  for (size_t i = 0; i < target.parameters.size(); ++i)
    if (target.parameters[i].name == fmt::format("arg{}", i + 1))
      return true;
  return false;
}

// True if an integer is returned: other outputs may prove to be read-only in another file.
bool returns_integer(const model::Target& target) {
  return std::ranges::any_of(target.outputs,
                             [](const model::Cell& cell) { return cell.name == "return" && !cell.type.floating; });
}

// True if a harness may help.
bool wants_harness(const model::Target& target) {
  const bool helps =
      target.obstacle != model::Obstacle::size && target.obstacle != model::Obstacle::no_debug_information;
  return has_unnamed(target) || returns_integer(target) || (!target.suitable() && helps);
}

std::vector<model::Target> targets_needing_harness(const std::string& bitcode, const Sources& sources) {
  llvm::LLVMContext context;
  const std::unique_ptr<llvm::Module> module = module_of(bitcode, context);
  const ShapesOf shapes_of =
      sources.shapes_of ? sources.shapes_of : [](const model::Target&) { return model::Shapes{}; };
  std::vector<model::Target> targets;
  if (!module)
    return targets;
  for (const llvm::Function& function : *module)
    if (!function.isDeclaration() && !function.hasLocalLinkage() && function.getSubprogram())
      if (model::Target target = discover(function, shapes_of);
          wants_harness(target) && is_asked_for(target, sources.functions))
        targets.push_back(std::move(target));
  return targets;
}

// A linker symbol of Fortran: "_QMmPseglen" is seglen of the module m, "dtest_" the external procedure dtest. A harness
// cannot call submodule or internal procedures.
struct ProcedureName {
  std::string module, name;
};
std::optional<ProcedureName> called_by(const std::string& symbol, const std::string& function) {
  if (!symbol.starts_with("_Q"))
    return ProcedureName{"", lower_case(function)};
  const size_t procedure = symbol.find('P');
  if (!symbol.starts_with("_QM") || procedure == std::string::npos)
    return std::nullopt;
  const std::string module = symbol.substr(3, procedure - 3);
  return std::ranges::any_of(module, [](unsigned char c) { return std::isupper(c); })
             ? std::nullopt
             : std::optional(ProcedureName{module, symbol.substr(procedure + 1)});
}

std::string source_text(const std::string& file) {
  constexpr size_t largest = 64u << 20; // of a source: the compiler could not handle a larger one, either
  return base::regular_content(file, largest).value_or("");
}

// Other files of the program, read when a procedure that they define is needed.
class OtherFiles {
public:
  OtherFiles(const Sources& sources, const std::vector<std::string>& flags, const Compilation& how)
      : sources_(sources), flags_(flags), how_(how) {}

  const FortranSource* with(const std::string& procedure) {
    for (const std::string& file : sources_.files)
      if (language_of(file) == Language::fortran && defines(file, procedure)) {
        const auto [found, is_new] = read_.try_emplace(file);
        if (is_new)
          found->second = read_fortran(fs::absolute(file).string(), flags_, how_);
        return &found->second;
      }
    return nullptr;
  }

private:
  static bool defines(const std::string& file, const std::string& procedure) {
    for (const std::string& statement : fortran_statements(source_text(file), fortran_form(file))) {
      const std::vector<std::string> words = fortran_words(lower_case(statement));
      for (size_t i = 0; i + 1 < words.size(); ++i)
        if ((words[i] == "subroutine" || words[i] == "function") && words[i + 1] == procedure && words[0] != "end")
          return true;
    }
    return false;
  }

  const Sources& sources_;
  const std::vector<std::string>& flags_;
  const Compilation& how_;
  std::map<std::string, FortranSource> read_;
};

std::string written(const HarnessNotes& notes) {
  std::string text;
  for (const HarnessNote& note : notes.harnesses)
    if (note.exists())
      text += fmt::format("# 1 \"{}\"\n{}", note.name, note.text);
  return text;
}

// Removes flags for the form of the source: harnesses are in free form.
std::vector<std::string> flags_of_harness(std::vector<std::string> flags) {
  std::erase_if(flags, [](const std::string& flag) { return flag.starts_with("-ffixed-") || flag == "-cpp"; });
  return flags;
}

// Links the two and makes functions that only the harnesses use private.
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

HarnessNotes notes_for(const std::vector<model::Target>& targets, const FortranSource& source,
                       const DefinedElsewhere& elsewhere, const Sources& sources) {
  HarnessNotes notes;
  for (const model::Target& target : targets) {
    const auto called = called_by(target.symbol, target.function);
    const auto procedure = called ? source.names().procedure(called->module, called->name) : std::nullopt;
    if (!procedure)
      continue;
    HarnessNote note;
    note.function = target.function;
    note.symbol = target.symbol;
    note.file = target.file;
    note.line = target.line;
    write_fortran_harness(*procedure, source, elsewhere,
                          sources.shapes_of ? sources.shapes_of(target).sizes : model::Sizes{}, note);
    note.misread |= note.exists() && has_unnamed(target); // it has better names
    notes.harnesses.push_back(std::move(note));
  }
  return notes;
}

// Does what compile_with_harnesses does; `module_folder` holds the module files.
std::string compile_fortran_with_harnesses(const std::string& given_file, const std::vector<std::string>& given_flags,
                                           const std::string& directory, const std::string& module_folder,
                                           const Sources& sources) {
  std::string file = given_file;
  std::vector<std::string> flags = given_flags;
  if (const std::string* text = replacing_text(given_file, sources)) { // flang reads files only
    file = (fs::path(module_folder) / fs::path(given_file).filename()).string();
    std::ofstream(file, std::ios::binary) << *text;
    flags.push_back("-I" + fs::absolute(given_file).parent_path().string());
  }
  const Compilation how = compilation_of(sources, directory, module_folder);
  std::string bitcode = compile(file, flags, how);
  ReaderGuard guard(file);
  const std::vector<model::Target> targets = targets_needing_harness(bitcode, sources);
  if (targets.empty())
    return bitcode;
  const FortranSource source = read_fortran(file, flags, how);
  OtherFiles others(sources, flags, how);
  HarnessNotes notes = notes_for(
      targets, source, [&](const std::string& procedure) { return others.with(procedure); }, sources);
  const std::string place = (fs::path(module_folder) / "harness.f90").string();
  constexpr int most_tries = 4; // as for C++: each try leaves out what failed
  for (int i = 0; i < most_tries && std::ranges::any_of(notes.harnesses, &HarnessNote::exists); ++i) {
    std::ofstream(place) << written(notes);
    try {
      const std::string harnesses = compile(place, flags_of_harness(flags), how);
      return with_notes(linked(bitcode, harnesses, notes), notes);
    } catch (const base::UserError& problem) {
      if (problem.status == base::status_inconclusive)
        throw; // killed, or at a limit: another try takes as long
      if (!leave_out_failed(problem.what(), notes))
        break;
    }
  }
  for (HarnessNote& note : notes.harnesses)
    if (note.exists())
      note.obstacle = "its harness does not compile";
  return with_notes(bitcode, notes);
}

// Returns the text between the two; empty if there is none.
std::string between(llvm::StringRef text, llvm::StringRef before, char after) {
  const size_t begin = text.find(before);
  if (begin == llvm::StringRef::npos)
    return {};
  return text.substr(begin + before.size()).take_until([&](char c) { return c == after; }).take_front(40).str();
}

std::string rust_advice(const std::string& rustc, const std::string& llvm) {
  // Rust 1.82 to 1.86 use LLVM 19, Rust 1.87 uses LLVM 20, according to their release notes.
  return fmt::format("it was written by rustc {}{}, and LLVM {} reads neither bitcode nor text of newer versions: "
                     "use a rustc whose LLVM is {} or older; 1.86 is the last (rustc +1.86 -O -g --emit=llvm-bc)",
                     rustc, llvm.empty() ? "" : fmt::format(" with LLVM {}", llvm), LLVM_VERSION_MAJOR,
                     LLVM_VERSION_MAJOR);
}

// Compiles a file of FPCores to bitcode, through C that is never written to disk. Throws UserError if the file or the
// flags are wrong.
std::string compile_fpcore(const std::string& file, const std::vector<std::string>& flags,
                           fpcore::Preconditions preconditions) {
  if (file.find(';') != std::string::npos) // clang's separator between a file and its replacement
    throw base::UserError(base::status_usage, fmt::format("{}: a name with ';' cannot be read", file),
                          "rename the file");
  const UnnamedFile source;
  source.fill(fpcore::c_source(file, preconditions));
  std::vector<std::string> all = flags;
  all.insert(all.end(), {"-w", fmt::format("-fbracket-depth={}", 4 * fpcore::deepest_form), "-x", "c"});
  return compile(file, all, {.replacement = &source});
}

// Says which compiler wrote bitcode that LLVM cannot read, and what to use instead. LLVM reads the bitcode of older
// versions but not of newer ones. `complaint` is the reader's message, `content` the file.
std::string producer_advice(const std::string& complaint, llvm::StringRef content) {
  const std::string producer = between(complaint, "Producer: 'LLVM", '\''); // 22.1.2-rust-1.95.0-stable
  const std::string llvm = producer.substr(0, producer.find('.'));
  if (const size_t rust = producer.find("-rust-"); rust != std::string::npos) {
    const std::string version = producer.substr(rust + 6);
    return rust_advice(version.substr(0, version.find('-')), llvm);
  }
  if (const std::string version = between(content, "(rustc version ", ' '); !version.empty()) // text
    return rust_advice(version, "");
  if (!llvm.empty() && std::atoi(llvm.c_str()) > LLVM_VERSION_MAJOR)
    return fmt::format("it was written by LLVM {}: make it with clang-{} -O2 -g -emit-llvm", llvm, LLVM_VERSION_MAJOR);
  return fmt::format("make it with clang-{} -O2 -g -emit-llvm", LLVM_VERSION_MAJOR);
}

using Buffer = std::unique_ptr<llvm::MemoryBuffer>;

base::UserError not_ir(const std::string& file, const std::string& reason, llvm::StringRef content = "") {
  return base::UserError(base::status_unsuitable,
                         fmt::format("{}: is not LLVM IR that LLVM 19 can read\n{}", file, reason),
                         producer_advice(reason, content));
}

bool is_bitcode(llvm::StringRef content) { return llvm::isBitcode(content.bytes_begin(), content.bytes_end()); }

bool starts_like_bitcode(const std::string& file) { return is_bitcode(base::regular_content(file, 4).value_or("")); }

Buffer copied(const std::string& bitcode, const std::string& file) {
  return llvm::MemoryBuffer::getMemBufferCopy(bitcode, file);
}

Buffer assemble(const std::string& file) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic problem;
  // Disables LLVM's own upgrade of debug information, which ends the process on a broken module: verification comes
  // first.
  std::unique_ptr<llvm::Module> module =
      llvm::parseAssemblyFileWithIndexNoUpgradeDebugInfo(file, problem, context, nullptr,
                                                         [](llvm::StringRef, llvm::StringRef) { return std::nullopt; })
          .Mod;
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (!module) {
    problem.print(nullptr, stream, false);
    const auto content = llvm::MemoryBuffer::getFile(file);
    throw not_ir(file, text, content ? (*content)->getBuffer() : "");
  }
  if (llvm::verifyModule(*module, &stream))
    throw base::UserError(base::status_unsuitable, fmt::format("{}: is not valid LLVM IR\n{}", file, text),
                          "make it with clang-19 -O2 -g -S -emit-llvm");
  llvm::UpgradeDebugInfo(*module);
  llvm::WriteBitcodeToFile(*module, stream);
  return copied(text, file);
}

Buffer read_bitcode(const std::string& file) {
  auto buffer = llvm::MemoryBuffer::getFile(file);
  if (!buffer)
    throw not_ir(file, fmt::format("{}: error: {}", file, buffer.getError().message()));
  const llvm::StringRef content = (*buffer)->getBuffer();
  return is_bitcode(content) ? std::move(*buffer) : assemble(file);
}

std::string bitcode_of(const std::string& file, const std::vector<std::string>& flags, const std::string& directory,
                       const std::string& module_folder, const Sources& sources) {
  switch (language_of(file)) {
  case Language::fpcore:
    return compile_fpcore(file, flags, sources.preconditions);
  case Language::fortran:
    return compile_fortran_with_harnesses(file, flags, directory, module_folder, sources);
  default:
    return compile_with_harnesses(file, flags, directory, sources);
  }
}

Buffer compile_source(const std::string& file, const Sources& sources, const std::string& module_folder) {
  std::vector<std::string> flags;
  std::string directory, path = file;
  if (sources.recorded && language_of(file) != Language::fpcore) {
    DatabaseEntry entry = sources.recorded->entry_for(file);
    flags = entry.flags;
    directory = entry.directory;
    path = std::filesystem::absolute(file).string();
  }
  flags.insert(flags.end(), sources.flags.begin(), sources.flags.end());
  const std::vector<std::string> kept = flags_to_keep(handlers_of(sources.rejects));
  flags.insert(flags.end(), kept.begin(), kept.end());
  if (sources.as_written)
    flags.push_back("-O0");
  const std::string bitcode = bitcode_of(path, flags, directory, module_folder, sources);
  if (!is_bitcode(bitcode))
    throw base::UserError(base::status_unsuitable,
                          fmt::format("{}: the compiler's output cannot be read: it is not bitcode", file),
                          "flags such as -S or -fsyntax-only after -- change what the compiler writes: leave them out");
  return copied(bitcode, file);
}

// Shares the memory with another owner.
class View final : public llvm::MemoryBuffer {
public:
  explicit View(std::shared_ptr<llvm::MemoryBuffer> whole) : whole_(std::move(whole)) {
    init(whole_->getBufferStart(), whole_->getBufferEnd(), false);
  }
  llvm::StringRef getBufferIdentifier() const override { return whole_->getBufferIdentifier(); }
  BufferKind getBufferKind() const override { return whole_->getBufferKind(); }

private:
  std::shared_ptr<llvm::MemoryBuffer> whole_;
};

// ThinLTO imports C++ classes as declarations, but their members are needed. Only an option of LLVM's command line can
// change this.
void want_whole_types() {
  constexpr const char* name = "import-full-type-definitions";
  static const bool failed = llvm::cl::getRegisteredOptions().lookup(name)->addOccurrence(0, name, "true");
  if (failed)
    throw std::logic_error(fmt::format("LLVM does not take its option {}", name));
}

void check(llvm::Error error) {
  if (error)
    throw base::UserError(base::status_unsuitable, llvm::toString(std::move(error)),
                          "the bitcode file is damaged: make it again");
}

} // namespace

} // namespace faultline::program

namespace faultline::program {

Unit Unit::read(const std::string& file, const Sources& sources, const std::string& module_folder) {
  std::error_code error;
  if (!std::filesystem::exists(file, error))
    throw base::UserError(base::status_usage, fmt::format("{}: no such file", file),
                          "check the path; faultline list FILE shows what a file offers");
  if (std::filesystem::is_directory(file, error))
    throw base::UserError(base::status_usage, fmt::format("{}: is a folder", file),
                          "name the files in it, or use hunt, which takes folders");
  if (!base::open_regular(file)) {
    if (errno == EMFILE || errno == ENFILE || errno == ENOMEM) // a limit of the system: unexpected() names it
      throw std::system_error(errno, std::generic_category(), file);
    throw base::UserError(base::status_usage,
                          fmt::format("{}: cannot be read: {}", file,
                                      errno == EINVAL ? "it is not a regular file" : std::strerror(errno)),
                          "name a file that you may read; faultline reads no code from pipes and devices");
  }
  const Language language = language_of(file);
  if (language == Language::unknown && starts_like_bitcode(file)) // an object of clang -flto
    return Unit(file, read_bitcode(file));
  if (language != Language::bitcode && language != Language::assembly)
    return Unit(file, compile_source(file, sources, module_folder));
  ReaderGuard guard(file);
  return Unit(file, language == Language::assembly ? assemble(file) : read_bitcode(file));
}

Unit Unit::of_build(std::string file, const std::string& bitcode) {
  Buffer buffer = copied(bitcode, file);
  return Unit(std::move(file), std::move(buffer), true);
}

// "Importing" is LLVM's term for taking single functions out of a module, as ThinLTO does. Only then does LLVM read
// debug information lazily, by the index in the file.
std::unique_ptr<llvm::Module> Unit::open(llvm::LLVMContext& context) const {
  want_whole_types();
  ReaderGuard guard(file_);
  const bool lazy_metadata = true, importing = true;
  auto module = llvm::getOwningLazyBitcodeModule(std::make_unique<View>(bitcode_), context, lazy_metadata, importing);
  if (!module)
    throw not_ir(file_, fmt::format("{}: error: {}", file_, llvm::toString(module.takeError())));
  if (llvm::Error error = (*module)->materializeMetadata()) // named metadata and flags are needed for linking
    throw not_ir(file_, fmt::format("{}: error: {}", file_, llvm::toString(std::move(error))));
  free_check_symbol(**module);
  return std::move(*module);
}

void materialize(llvm::GlobalValue& value) { check(value.materialize()); }
void materialize_all(llvm::Module& module) { check(module.materializeAll()); }

} // namespace faultline::program
