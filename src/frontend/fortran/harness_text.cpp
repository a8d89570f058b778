#include "frontend/fortran/harness_text.h"

#include "frontend/fortran/declared.h"

#include <fmt/format.h>
#include <set>

namespace faultline::frontend {
namespace {

// An external procedure has no interface but the one that its caller writes.
std::string interface_block(const FortranProcedure& procedure) {
  const std::string outer = FortranHarnessText::indent, inner = outer + "    ";
  std::vector<std::string> dummies;
  for (const FortranEntity& dummy : procedure.dummies)
    dummies.push_back(dummy.name);
  const char* kind = procedure.is_function ? "function" : "subroutine";
  std::string text =
      fmt::format("{0}interface\n{0}  {1}{2} {3}({4}){5}\n{6}import\n", outer,
                  procedure.attributes.contains("ELEMENTAL") ? "elemental " : "", kind, procedure.name, listed(dummies),
                  procedure.is_function ? fmt::format(" result({})", procedure.result.name) : "", inner);
  text += declared_dummies(procedure.dummies, true, inner);
  if (procedure.is_function)
    text += inner + declared_dummy(procedure.result, false) + "\n";
  return text + fmt::format("{0}  end {1}\n{0}end interface\n", outer, kind);
}

// The modules that an external procedure has its types from.
std::string uses(const FortranProcedure& procedure) {
  std::set<std::string> all;
  std::vector<FortranEntity> entities = procedure.dummies;
  entities.push_back(procedure.result);
  for (const FortranEntity& entity : entities)
    if (const std::string use = FortranNames::use_of(entity.type.name, *procedure.scope); !use.empty())
      all.insert(use);
  std::string text;
  for (const std::string& use : all)
    text += fmt::format("  use {}\n", use);
  return text;
}

} // namespace

const std::string FortranHarnessText::indent = "    ";

std::string FortranHarnessText::whole(const FortranProcedure& procedure, const std::string& name) const {
  const bool external = procedure.module.empty();
  std::string all = external ? fmt::format("module of_{}\n{}", name, uses(procedure))
                             : fmt::format("submodule ({}) of_{}\n", procedure.module, name);
  all +=
      fmt::format("  implicit none\ncontains\n  subroutine {}({}) bind(c)\n{}", name, listed(parameters), declarations);
  if (external)
    all += interface_block(procedure);
  all += locals;
  for (size_t i = 1; i <= loops; ++i)
    all += fmt::format("{}integer(8) :: i{}\n", indent, i);
  return all + before + call + after + "  end subroutine\n" + families +
         fmt::format("end {}\n", external ? "module" : "submodule");
}

} // namespace faultline::frontend
