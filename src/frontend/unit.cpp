#include "frontend/unit.h"

#include "frontend/compile.h"
#include "frontend/compiling/compilation_database.h"
#include "frontend/error.h"
#include "frontend/fpcore/compile_fpcore.h"
#include "frontend/handlers.h"
#include "frontend/harness/harnessed_fortran.h"
#include "frontend/harness/harnessed_source.h"
#include "frontend/reading/newer_producer.h"
#include "frontend/reading/reader_guard.h"

#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <llvm/AsmParser/Parser.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/AutoUpgrade.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/ModuleSummaryIndex.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/SourceMgr.h>
#include <optional>

namespace faultline::frontend {
namespace {

using Buffer = std::unique_ptr<llvm::MemoryBuffer>;

UserError not_ir(const std::string& file, const std::string& reason, llvm::StringRef content = "") {
  return UserError(status_unsuitable, fmt::format("{}: is not LLVM IR that LLVM 19 can read\n{}", file, reason),
                   producer_advice(reason, content));
}

bool is_bitcode(llvm::StringRef content) { return llvm::isBitcode(content.bytes_begin(), content.bytes_end()); }

bool starts_like_bitcode(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  std::string start(4, '\0');
  stream.read(start.data(), std::streamsize(start.size()));
  return is_bitcode(start);
}

Buffer copied(const std::string& bitcode, const std::string& file) {
  return llvm::MemoryBuffer::getMemBufferCopy(bitcode, file);
}

Buffer assemble(const std::string& file) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic problem;
  // Without LLVM's own upgrade of debug information, which ends the process on a broken module: we verify first.
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
    throw UserError(status_unsuitable, fmt::format("{}: is not valid LLVM IR\n{}", file, text),
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
    return fpcore::compile_fpcore(file, flags, sources.preconditions);
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
    throw UserError(status_unsuitable, fmt::format("{}: the compiler's output cannot be read: it is no bitcode", file),
                    "flags such as -S or -fsyntax-only after -- change what the compiler writes: leave them out");
  return copied(bitcode, file);
}

// The same memory, for one more owner.
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

// ThinLTO takes C++'s classes along as declarations; we need to know their members. An option of LLVM's command line is
// the only way to say so.
void want_whole_types() {
  constexpr const char* name = "import-full-type-definitions";
  static const bool failed = llvm::cl::getRegisteredOptions().lookup(name)->addOccurrence(0, name, "true");
  if (failed)
    throw std::logic_error(fmt::format("LLVM does not take its option {}", name));
}

void check(llvm::Error error) {
  if (error)
    throw UserError(status_unsuitable, llvm::toString(std::move(error)), "the bitcode file is damaged: make it anew");
}

} // namespace

Unit Unit::read(const std::string& file, const Sources& sources, const std::string& module_folder) {
  std::error_code error;
  if (!std::filesystem::exists(file, error))
    throw UserError(status_usage, fmt::format("{}: no such file", file),
                    "check the path; faultline list FILE shows what a file offers");
  if (std::filesystem::is_directory(file, error))
    throw UserError(status_usage, fmt::format("{}: is a folder", file),
                    "name the files in it, or use hunt, which takes folders");
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

// "Importing" is LLVM's word for taking single functions out of a module, as ThinLTO does: only then is debug
// information read piece by piece, by the index that stands in the file.
std::unique_ptr<llvm::Module> Unit::open(llvm::LLVMContext& context) const {
  want_whole_types();
  ReaderGuard guard(file_);
  const bool lazy_metadata = true, importing = true;
  auto module = llvm::getOwningLazyBitcodeModule(std::make_unique<View>(bitcode_), context, lazy_metadata, importing);
  if (!module)
    throw not_ir(file_, fmt::format("{}: error: {}", file_, llvm::toString(module.takeError())));
  if (llvm::Error error = (*module)->materializeMetadata()) // named metadata and flags: linking needs them
    throw not_ir(file_, fmt::format("{}: error: {}", file_, llvm::toString(std::move(error))));
  return std::move(*module);
}

void materialize(llvm::GlobalValue& value) { check(value.materialize()); }
void materialize_all(llvm::Module& module) { check(module.materializeAll()); }

} // namespace faultline::frontend
