#include "frontend/loading/duplicates.h"

#include "frontend/names/shown_symbol.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace faultline::frontend {
namespace {

void make_private(llvm::GlobalValue& value) {
  if (auto* object = llvm::dyn_cast<llvm::GlobalObject>(&value))
    object->setComdat(nullptr);
  value.setVisibility(llvm::GlobalValue::DefaultVisibility);
  value.setDLLStorageClass(llvm::GlobalValue::DefaultStorageClass);
  value.setLinkage(llvm::GlobalValue::InternalLinkage);
}

} // namespace

std::vector<Duplicate> Definitions::add(llvm::Module& module, const std::string& file) {
  std::vector<Duplicate> duplicates;
  for (llvm::GlobalValue& value : module.global_values()) {
    if (value.isDeclaration() || !value.hasExternalLinkage()) // the linker merges the others
      continue;
    const auto [known, is_first] = first_.try_emplace(value.getName().str(), file);
    if (is_first)
      continue;
    duplicates.push_back({shown_symbol(known->first), known->second});
    make_private(value);
  }
  return duplicates;
}

std::string duplicates_remark(const std::string& file, const std::vector<Duplicate>& duplicates) {
  constexpr size_t most = 5; // names: those of one pair of files tell which pair it is
  std::vector<std::string> names;
  std::string first;
  for (const Duplicate& duplicate : duplicates)
    if (duplicate.name != "main" && duplicate.name != "_QQmain") { // programs, of which nothing is called from outside
      names.push_back(duplicate.name);
      first = first.empty() ? duplicate.first : first;
    }
  if (names.empty())
    return {};
  std::ranges::sort(names);
  const size_t others = names.size() - std::min(names.size(), most);
  names.resize(names.size() - others);
  return fmt::format("{} keeps its own {}{}, which {} defines, too: other files use the first", file,
                     fmt::join(names, ", "), others == 0 ? "" : fmt::format(" and {} more", others), first);
}

} // namespace faultline::frontend
