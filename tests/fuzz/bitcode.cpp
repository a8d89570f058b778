#include "own_process.h"
#include "program/discover.h"
#include "program/unit.h"

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

namespace faultline::fuzz {
namespace {

void read_all(std::string_view bitcode) {
  llvm::LLVMContext context;
  const program::ReaderGuard guard("data");
  const std::unique_ptr<llvm::Module> module = program::Unit::of_build("data", std::string(bitcode)).open(context);
  program::materialize_all(*module);
  for (const llvm::Function& function : *module)
    if (!function.isDeclaration())
      (void)program::discover(function, [](const model::Target&) { return model::Shapes{}; });
}

} // namespace

int fuzz_bitcode(const uint8_t* data, size_t size) {
  in_own_process([&] { read_all(text_of(data, size)); });
  return 0;
}

} // namespace faultline::fuzz
