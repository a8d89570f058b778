#include "frontend/fortran/source.h"

#include "frontend/compile.h"
#include "frontend/fortran/family.h"

#include <fmt/format.h>
#include <stdexcept>

namespace faultline::frontend {
namespace {

// A chain of procedures that hand on their argument: MINPACK's are two long. It ends, too, where two call each other.
constexpr int longest_chain = 8;

FortranProcedure followed(const FortranEntity& dummy, const FortranProcedure& procedure, const FortranSource& source,
                          const DefinedElsewhere& elsewhere, int steps) {
  const FortranNames names = source.names();
  if (auto declared = names.interface_of(dummy, procedure))
    return *declared;
  const FortranBody& body = source.body_of(procedure);
  if (const auto arguments = body.arguments_of_call(dummy.name); !arguments.empty())
    return called_interface(dummy, arguments, *procedure.scope);
  std::string last;
  for (const FortranBody::PassedOn& place : body.passed_on(dummy.name)) {
    last = place.procedure;
    for (const std::string& module : {procedure.module, std::string()}) {
      const FortranSource* there = &source;
      auto next = names.procedure(module, place.procedure);
      if (!next && module.empty() && (there = elsewhere(place.procedure)))
        next = there->names().procedure("", place.procedure);
      if (next && place.argument < next->dummies.size() && steps < longest_chain)
        return followed(next->dummies[place.argument], *next, *there, elsewhere, steps + 1);
    }
  }
  throw std::invalid_argument(last.empty() ? "nothing tells how it is called"
                                           : fmt::format("it is handed on to {}, which is not here", last));
}

} // namespace

const FortranBody& FortranSource::body_of(const FortranProcedure& procedure) const {
  static const FortranBody none;
  const auto found = bodies.find(body_key(procedure.module, procedure.name));
  return found == bodies.end() ? none : found->second;
}

FortranBody::Use FortranSource::use_of(const FortranEntity& dummy, const FortranProcedure& procedure) const {
  if (dummy.has("INTENT(IN)") || dummy.has("VALUE"))
    return {true, false};
  if (dummy.has("INTENT(OUT)"))
    return {false, true};
  if (dummy.has("INTENT(INOUT)"))
    return {true, true};
  const FortranBody::Use use = body_of(procedure).use_of(dummy.name, dummy.is_array());
  return use.read || use.written ? use : FortranBody::Use{true, false};
}

FortranSource read_fortran(const std::string& file, const std::vector<std::string>& flags, const std::string& directory,
                           const std::string& module_folder) {
  const CompilerRun symbols = run_fortran_reader("-fdebug-dump-symbols", file, flags, directory, module_folder);
  const CompilerRun text = run_fortran_reader("-fdebug-unparse", file, flags, directory, module_folder);
  if (!symbols.succeeded() || !text.succeeded())
    return {};
  return {read_symbol_dump(symbols.output), fortran_bodies(text.output)};
}

FortranProcedure interface_of(const FortranEntity& dummy, const FortranProcedure& procedure,
                              const FortranSource& source, const DefinedElsewhere& elsewhere) {
  return followed(dummy, procedure, source, elsewhere, 0);
}

} // namespace faultline::frontend
