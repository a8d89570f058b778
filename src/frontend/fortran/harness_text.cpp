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
  const bool other_name = procedure.is_function && procedure.result.name != procedure.name;
  std::string text =
      fmt::format("{0}interface\n{0}  {1}{2} {3}({4}){5}\n{6}import\n", outer,
                  procedure.attributes.contains("ELEMENTAL") ? "elemental " : "", kind, procedure.name, listed(dummies),
                  other_name ? fmt::format(" result({})", procedure.result.name) : "", inner);
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
  const char* kind = result.empty() ? "subroutine" : "function";
  all += fmt::format("  implicit none\ncontains\n  {} {}({}) bind(c){}\n{}", kind, name, listed(parameters),
                     result.empty() ? "" : " result(returned)", declarations);
  if (!result.empty())
    all += fmt::format("{}{} :: returned\n", indent, result);
  if (external)
    all += interface_block(procedure);
  all += locals;
  for (size_t i = 1; i <= loops; ++i)
    all += fmt::format("{}integer(8) :: i{}\n", indent, i);
  return all + before + call + after + fmt::format("  end {}\n", kind) + families +
         fmt::format("end {}\n", external ? "module" : "submodule");
}

std::string harness_skeleton(const FortranProcedure& procedure, const std::string& name) {
  FortranHarnessText text;
  std::vector<std::string> passed;
  for (const FortranEntity& dummy : procedure.dummies) {
    passed.push_back(dummy.name);
    FortranEntity variable = dummy;
    if (dummy.type.is_number() && dummy.type.bytes <= 10 && !dummy.is_array() && !dummy.is_procedure) {
      text.parameters.push_back(dummy.name);
      variable.attributes = {"INTENT(IN)"};
      text.declarations += FortranHarnessText::indent + declared_dummy(variable, false) + "\n";
    } else {
      variable.attributes.clear();
      text.locals += FortranHarnessText::indent + declared_dummy(variable, false) + " ! fill in\n";
    }
  }
  text.result = "real(8)";
  text.call = fmt::format("{}{} {}({}){}\n", FortranHarnessText::indent, procedure.is_function ? "returned =" : "call",
                          procedure.name, listed(passed), procedure.is_function ? " ! if it is a number" : "");
  if (!procedure.is_function)
    text.after = FortranHarnessText::indent + "returned = 0 ! fill in\n";
  return text.whole(procedure, name);
}

} // namespace faultline::frontend
