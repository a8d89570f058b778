#include "exec/linked_objects.h"

#include "base/error.h"
#include "exec/guard.h"
#include "numeric/stable_sort.h"

#include <algorithm>
#include <cstring>
#include <dlfcn.h>
#include <fmt/format.h>
#include <llvm/ADT/BitmaskEnum.h>
#include <llvm/ExecutionEngine/JITLink/JITLink.h>
#include <llvm/ExecutionEngine/Orc/ExecutionUtils.h>
#include <llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h>
#include <llvm/Object/ELFObjectFile.h>
#include <llvm/Support/MemoryBuffer.h>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>

#include <link.h> // last: its macros have the names of constants of LLVM

namespace faultline::exec {

using namespace llvm::orc;
namespace jitlink = llvm::jitlink;
using base::UserError;

namespace {

LLVM_ENABLE_BITMASK_ENUMS_IN_NAMESPACE(); // for MemProt

constexpr const char* files[] = {FAULTLINE_LLVM_LIBRARY_DIR "/libFortranRuntime.a",
                                 FAULTLINE_LLVM_LIBRARY_DIR "/libFortranDecimal.a"};

// The files' contents, in the memory of this process and its forks.
std::map<std::string, std::unique_ptr<llvm::MemoryBuffer>>& contents() {
  static std::map<std::string, std::unique_ptr<llvm::MemoryBuffer>> all;
  return all;
}

bool has_constructors(const jitlink::Section& section) { return section.getName().starts_with(".init_array"); }

// Records the variables and constructors of all linked objects.
class LinkingNotes : public ObjectLinkingLayer::Plugin {
public:
  explicit LinkingNotes(LinkedObjects& linked) : linked_(linked) {}

  void modifyPassConfig(MaterializationResponsibility&, jitlink::LinkGraph&,
                        jitlink::PassConfiguration& passes) override {
    // No symbol refers to a table of constructors, so that it would be left out.
    passes.PrePrunePasses.push_back([](jitlink::LinkGraph& graph) {
      for (jitlink::Section& section : graph.sections())
        if (has_constructors(section))
          for (jitlink::Block* block : section.blocks())
            graph.addAnonymousSymbol(*block, 0, block->getSize(), /*IsCallable=*/false, /*IsLive=*/true);
      return llvm::Error::success();
    });
    passes.PostFixupPasses.push_back([this](jitlink::LinkGraph& graph) {
      for (jitlink::Section& section : graph.sections())
        for (const jitlink::Block* block : section.blocks()) {
          const Global memory{block->getAddress().toPtr<char*>(), block->getSize()};
          if (has_constructors(section))
            linked_.constructors.emplace_back(section.getName().str(), memory);
          else if ((section.getMemProt() & MemProt::Write) != MemProt::None)
            linked_.globals.push_back(memory);
        }
      return llvm::Error::success();
    });
  }
  llvm::Error notifyFailed(MaterializationResponsibility&) override { return llvm::Error::success(); }
  llvm::Error notifyRemovingResources(JITDylib&, ResourceKey) override { return llvm::Error::success(); }
  void notifyTransferringResources(JITDylib&, ResourceKey, ResourceKey) override {}

private:
  LinkedObjects& linked_;
};

ObjectLinkingLayer& noted_layer(LLJIT& jit, LinkedObjects& linked) {
  auto& layer = llvm::cast<ObjectLinkingLayer>(jit.getObjLinkingLayer());
  layer.addPlugin(std::make_unique<LinkingNotes>(linked));
  return layer;
}

} // namespace

void run_constructors(const LinkedObjects& linked) {
  std::vector<std::pair<std::string, Global>> tables = linked.constructors;
  numeric::sort_stably(tables, {}, [](const auto& table) { // the default priority is the last
    return std::pair(table.first == ".init_array", table.first);
  });
  for (const auto& [section, table] : tables)
    for (uint64_t at = 0; at + sizeof(void (*)()) <= table.bytes; at += sizeof(void (*)())) {
      void (*constructor)() = nullptr;
      std::memcpy(&constructor, table.address + at, sizeof constructor);
      if (constructor)
        constructor();
    }
}

void load_fortran_runtime() {
  for (const char* file : files)
    if (!contents().contains(file))
      if (auto buffer = llvm::MemoryBuffer::getFile(file, /*IsText=*/false, /*RequiresNullTerminator=*/false))
        contents()[file] = std::move(*buffer);
}

void add_fortran_runtime(LLJIT& jit, LinkedObjects& linked) {
  load_fortran_runtime();
  ObjectLinkingLayer& layer = noted_layer(jit, linked);
  for (const char* file : files) {
    const auto found = contents().find(file);
    if (found == contents().end())
      throw std::runtime_error(std::string(file) + " cannot be read");
    auto generator = StaticLibraryDefinitionGenerator::Create(
        layer, llvm::MemoryBuffer::getMemBuffer(*found->second, /*RequiresNullTerminator=*/false));
    if (!generator)
      throw std::runtime_error(llvm::toString(generator.takeError()));
    jit.getMainJITDylib().addGenerator(std::move(*generator));
  }
}

// The symbols that the objects of a build define. The first definition counts, as for a linker.
class BuiltCode::Objects {
public:
  explicit Objects(const std::vector<program::MachineCode>& files) : files_(files) {
    for (size_t i = 0; i < files.size(); ++i)
      if (files[i].object)
        read(i);
  }

  const program::MachineCode* with(llvm::StringRef symbol) const {
    const auto found = defined_.find(symbol.str());
    return found == defined_.end() ? nullptr : &files_[found->second];
  }

private:
  void read(size_t index) {
    auto elf = llvm::object::ObjectFile::createELFObjectFile({*files_[index].object, files_[index].name});
    if (!elf)
      return llvm::consumeError(elf.takeError());
    for (const llvm::object::SymbolRef& symbol : (*elf)->symbols()) {
      llvm::Expected<uint32_t> flags = symbol.getFlags();
      llvm::Expected<llvm::StringRef> name = symbol.getName();
      using Basic = llvm::object::BasicSymbolRef;
      const bool is_defined = flags && name && (*flags & Basic::SF_Global) != 0 && (*flags & Basic::SF_Undefined) == 0;
      if (is_defined)
        defined_.emplace(name->str(), index);
      if (!flags)
        llvm::consumeError(flags.takeError());
      if (!name)
        llvm::consumeError(name.takeError());
    }
  }

  const std::vector<program::MachineCode>& files_;
  std::map<std::string, size_t> defined_;
};

namespace {

// Links the objects that define needed symbols.
template <class Objects> class BuiltDefinitions final : public DefinitionGenerator {
public:
  BuiltDefinitions(ObjectLinkingLayer& layer, std::shared_ptr<const Objects> objects)
      : layer_(layer), objects_(std::move(objects)) {}

  llvm::Error tryToGenerate(LookupState&, LookupKind, JITDylib& library, JITDylibLookupFlags,
                            const SymbolLookupSet& symbols) override {
    for (const auto& [name, flags] : symbols)
      if (const program::MachineCode* file = objects_->with(*name); file && linked_.insert(file).second)
        if (llvm::Error error = layer_.add(library, llvm::MemoryBuffer::getMemBuffer(*file->object, file->name, false)))
          return error;
    return llvm::Error::success();
  }

private:
  ObjectLinkingLayer& layer_;
  std::shared_ptr<const Objects> objects_;
  std::set<const program::MachineCode*> linked_;
};

// The library must find its own functions before those of this process that have the same names.
void* open_library(const std::string& path) {
  struct Opened {
    const char* path;
    void* handle;
  } opened{path.c_str(), nullptr};
  set_call_limit(Limits().call_seconds);
  const GuardedResult result = guarded_call(
      [](void* argument) {
        auto& library = *static_cast<Opened*>(argument);
        library.handle = dlopen(library.path, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
      },
      &opened);
  if (result.outcome != Outcome::returned)
    throw UserError(base::status_unsuitable, fmt::format("{}: its static initialisation failed: {}", path,
                                                         end_words(result.outcome, result.ending)));
  if (!opened.handle)
    throw UserError(base::status_unsuitable, dlerror());
  return opened.handle;
}

// The writable memory of the library that contains this address, without what the dynamic linker has protected.
std::vector<Global> variables_of_library(const void* address) {
  struct Search {
    uintptr_t address;
    std::vector<Global> found;
  } search{reinterpret_cast<uintptr_t>(address), {}};
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* argument) {
        auto& search = *static_cast<Search*>(argument);
        bool contains = false;
        uintptr_t protected_end = 0;
        for (const ElfW(Phdr) & part : std::span(info->dlpi_phdr, info->dlpi_phnum)) {
          const uintptr_t begin = info->dlpi_addr + part.p_vaddr, end = begin + part.p_memsz;
          contains = contains || (part.p_type == PT_LOAD && begin <= search.address && search.address < end);
          if (part.p_type == PT_GNU_RELRO)
            protected_end = (end + 4095) / 4096 * 4096;
        }
        if (!contains)
          return 0;
        for (const ElfW(Phdr) & part : std::span(info->dlpi_phdr, info->dlpi_phnum)) {
          const uintptr_t begin = std::max(info->dlpi_addr + part.p_vaddr, protected_end);
          const uintptr_t end = info->dlpi_addr + part.p_vaddr + part.p_memsz;
          if (part.p_type == PT_LOAD && (part.p_flags & PF_W) != 0 && begin < end)
            search.found.push_back({reinterpret_cast<char*>(begin), end - begin});
        }
        return 1;
      },
      &search);
  return std::move(search.found);
}

} // namespace

BuiltCode::BuiltCode(const std::vector<program::MachineCode>& files, std::string symbol)
    : files_(files), symbol_(std::move(symbol)), objects_(std::make_shared<Objects>(files)) {
  if (const program::MachineCode* file = objects_->with(symbol_)) {
    compiler_ = file->compiler;
    return;
  }
  objects_ = nullptr;
  for (const program::MachineCode& file : files)
    if (!file.library.empty())
      if ((address_ = dlsym(open_library(file.library), symbol_.c_str()))) {
        compiler_ = file.compiler;
        return;
      }
  throw UserError(base::status_unsuitable, "its name is not exported");
}

void BuiltCode::add_to(LLJIT& jit, LinkedObjects& linked) const {
  JITDylib& main = jit.getMainJITDylib();
  if (objects_) {
    ObjectLinkingLayer& layer = noted_layer(jit, linked);
    main.addGenerator(std::make_unique<BuiltDefinitions<Objects>>(layer, objects_));
    return;
  }
  linked.globals = variables_of_library(address_);
  llvm::cantFail(main.define(absoluteSymbols(
      {{jit.mangleAndIntern(symbol_),
        {ExecutorAddr::fromPtr(address_), llvm::JITSymbolFlags::Exported | llvm::JITSymbolFlags::Callable}}})));
}

} // namespace faultline::exec
