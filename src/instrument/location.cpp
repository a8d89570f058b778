#include "instrument/location.h"

#include "frontend/names/cxx_name.h"
#include "frontend/path.h"
#include "instrument/standard_headers.h"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Function.h>

namespace faultline::instrument {
namespace {

constexpr int farthest_user = 4;

const llvm::DILocation* known(const llvm::Instruction& instruction) {
  const llvm::DILocation* location = instruction.getDebugLoc().get();
  return location && location->getLine() != 0 ? location : nullptr;
}

const llvm::DILocation* nearest(const llvm::Instruction& instruction, int depth) {
  if (const llvm::DILocation* location = known(instruction))
    return location;
  if (depth == 0)
    return nullptr;
  for (const llvm::User* user : instruction.users())
    if (auto* next = llvm::dyn_cast<llvm::Instruction>(user))
      if (const llvm::DILocation* location = nearest(*next, depth - 1))
        return location;
  for (const llvm::Use& operand : instruction.operands())
    if (auto* previous = llvm::dyn_cast<llvm::Instruction>(operand))
      if (const llvm::DILocation* location = known(*previous))
        return location;
  return nullptr;
}

const std::string& path_of(const llvm::DIScope& scope, ShownPaths& paths) {
  auto [found, fresh] = paths.try_emplace(scope.getFile());
  if (fresh)
    found->second = frontend::shown_path(scope.getDirectory().str(), scope.getFilename().str());
  return found->second;
}

} // namespace

void locate(const llvm::Instruction& instruction, runtime::Site& site, ShownPaths& paths) {
  const llvm::Function& function = *instruction.getFunction();
  site.function = function.getName().str();
  const llvm::DILocation* location = nearest(instruction, farthest_user);
  if (!location) {
    if (const llvm::DISubprogram* subprogram = function.getSubprogram()) {
      site.file = path_of(*subprogram, paths);
      site.line = int(subprogram->getLine());
      if (!subprogram->getName().empty())
        site.function = frontend::readable_name(subprogram->getName().str());
    }
    return;
  }
  std::string file = path_of(*location->getScope(), paths);
  while (location->getInlinedAt() && is_standard_header(file)) {
    location = location->getInlinedAt();
    file = path_of(*location->getScope(), paths);
  }
  site.file = file;
  site.line = int(location->getLine());
  site.column = int(location->getColumn());
  if (const llvm::DISubprogram* subprogram = location->getScope()->getSubprogram();
      subprogram && !subprogram->getName().empty())
    site.function = frontend::readable_name(subprogram->getName().str());
}

} // namespace faultline::instrument
