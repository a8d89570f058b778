#include "frontend/names/no_such_function.h"

#include "frontend/names/nearest.h"
#include "frontend/names/shown_symbol.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <vector>

namespace faultline::frontend {
namespace {

std::string nearest_names(const llvm::Module& module, const std::string& name) {
  std::vector<std::string> names;
  for (const llvm::Function& function : module) {
    if (function.isDeclaration() && !function.isMaterializable())
      continue;
    names.push_back(shown_symbol(function.getName().str()));
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  const std::vector<std::string> close = nearest(name, names);
  if (close.empty())
    return "faultline list shows the names there are";
  return fmt::format("the nearest names: {}; faultline list shows all", fmt::join(close, ", "));
}

} // namespace

UserError no_such_function(const llvm::Module& module, const std::string& name) {
  return UserError(status_unsuitable, fmt::format("there is no function '{}'", name), nearest_names(module, name));
}

} // namespace faultline::frontend
