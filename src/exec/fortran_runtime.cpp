#include "exec/fortran_runtime.h"

#include <llvm/ADT/BitmaskEnum.h>
#include <llvm/ExecutionEngine/JITLink/JITLink.h>
#include <llvm/ExecutionEngine/Orc/ExecutionUtils.h>
#include <llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h>
#include <llvm/Support/MemoryBuffer.h>
#include <map>
#include <stdexcept>

namespace faultline::exec {
namespace {

LLVM_ENABLE_BITMASK_ENUMS_IN_NAMESPACE(); // of MemProt

constexpr const char* files[] = {FAULTLINE_LLVM_LIBRARY_DIR "/libFortranRuntime.a",
                                 FAULTLINE_LLVM_LIBRARY_DIR "/libFortranDecimal.a"};

// The files' contents, in the memory of this process and of its forks.
std::map<std::string, std::unique_ptr<llvm::MemoryBuffer>>& contents() {
  static std::map<std::string, std::unique_ptr<llvm::MemoryBuffer>> all;
  return all;
}

// Notes the variables of all objects that are linked from archives.
class VariableNotes : public llvm::orc::ObjectLinkingLayer::Plugin {
public:
  explicit VariableNotes(std::vector<Global>& globals) : globals_(globals) {}

  void modifyPassConfig(llvm::orc::MaterializationResponsibility&, llvm::jitlink::LinkGraph&,
                        llvm::jitlink::PassConfiguration& passes) override {
    passes.PostFixupPasses.push_back([this](llvm::jitlink::LinkGraph& graph) {
      for (llvm::jitlink::Section& section : graph.sections())
        if ((section.getMemProt() & llvm::orc::MemProt::Write) != llvm::orc::MemProt::None)
          for (const llvm::jitlink::Block* block : section.blocks())
            globals_.push_back({block->getAddress().toPtr<char*>(), block->getSize()});
      return llvm::Error::success();
    });
  }
  llvm::Error notifyFailed(llvm::orc::MaterializationResponsibility&) override { return llvm::Error::success(); }
  llvm::Error notifyRemovingResources(llvm::orc::JITDylib&, llvm::orc::ResourceKey) override {
    return llvm::Error::success();
  }
  void notifyTransferringResources(llvm::orc::JITDylib&, llvm::orc::ResourceKey, llvm::orc::ResourceKey) override {}

private:
  std::vector<Global>& globals_;
};

} // namespace

void load_fortran_runtime() {
  for (const char* file : files)
    if (!contents().contains(file))
      if (auto buffer = llvm::MemoryBuffer::getFile(file, /*IsText=*/false, /*RequiresNullTerminator=*/false))
        contents()[file] = std::move(*buffer);
}

void add_fortran_runtime(llvm::orc::LLJIT& jit, std::vector<Global>& globals) {
  using namespace llvm::orc;
  load_fortran_runtime();
  auto& layer = llvm::cast<ObjectLinkingLayer>(jit.getObjLinkingLayer());
  layer.addPlugin(std::make_unique<VariableNotes>(globals));
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

void flush_fortran_output(Jit& jit) {
  constexpr int standard_output = 6;
  reinterpret_cast<void (*)(const int*)>(jit.function("flush_"))(&standard_output);
}

} // namespace faultline::exec
