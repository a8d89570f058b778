#include "base/process.h"
#include "program/discover.h"
#include "program/unit.h"
#include "targets.h"

#include <fcntl.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <unistd.h>

namespace faultline::fuzz {
namespace {

constexpr double longest = 60; // seconds; the guard's are of the processor

int read_all(std::string_view bitcode) {
  program::ReaderGuard::least_seconds = 1;
  try {
    llvm::LLVMContext context;
    const program::ReaderGuard guard("data");
    const std::unique_ptr<llvm::Module> module = program::Unit::of_build("data", std::string(bitcode)).open(context);
    program::materialize_all(*module);
    for (const llvm::Function& function : *module)
      if (!function.isDeclaration())
        (void)program::discover(function, [](const model::Target&) { return model::Shapes{}; });
  } catch (const base::UserError& refused) {
    return refused.status;
  }
  return base::status_nothing;
}

} // namespace

// In a process of its own: LLVM's reader may crash, which its guard tells with the status for unreadable code.
int fuzz_bitcode(const uint8_t* data, size_t size) {
  constexpr int nothing = base::ProcessOptions::nothing;
  base::Process reader = base::Process::copy([&] { return read_all(text_of(data, size)); },
                                             {.input = nothing, .output = nothing, .errors = nothing});
  const std::optional<base::ProcessEnd> end = reader.wait(longest);
  if (!end)
    throw Broken("reading does not end");
  if (end->signal != 0 || (end->status != base::status_nothing && end->status != base::status_unsuitable))
    throw Broken("reading ended with signal " + std::to_string(end->signal) + ", status " +
                 std::to_string(end->status));
  if (end->status == base::status_unsuitable)
    throw base::UserError(end->status, "unreadable");
  return 0;
}

} // namespace faultline::fuzz
