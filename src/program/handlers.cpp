#include "program/handlers.h"

#include "model/target.h"

#include <fmt/format.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Function.h>
#include <string_view>

namespace faultline::program {
namespace {

struct KnownHandler {
  const char* name;       // for the user
  const char* symbol;     // of the linker
  const char* parameters; // the first ones: p a pointer, i an integer
};

constexpr KnownHandler known_handlers[] = {
    {"gsl_error", "gsl_error", "ppii"},                 // GSL: reason, file, line, error number
    {"mtherr", "mtherr", "pi"},                         // Cephes: function, code
    {"xerbla", "xerbla_", "pp"},                        // LAPACK, BLAS: routine, the argument that is wrong
    {"cblas_xerbla", "cblas_xerbla", "ip"},             // CBLAS: the argument, routine, message
    {"xermsg", "xermsg_", "pppp"},                      // SLATEC: library, routine, message, number
    {"Rf_warning", "Rf_warning", "p"},                  // R, nmath's ML_WARNING among others: format
    {"Rf_error", "Rf_error", "p"},                      // R: format
    {"fpcore_precondition", "fpcore_precondition", ""}, // Faultline's own, of FPCores (program/fpcore/)
};

bool begins_with(const llvm::FunctionType& type, std::string_view parameters) {
  if (type.getNumParams() < parameters.size())
    return false;
  for (unsigned i = 0; i < parameters.size(); ++i) {
    const llvm::Type* own = type.getParamType(i);
    if (parameters[i] == 'p' ? !own->isPointerTy() : !own->isIntegerTy())
      return false;
  }
  return true;
}

// A user writes NAME for the symbol, the name in the source, or, in Fortran, either of them.
std::string given_name(const std::vector<std::string>& names, std::string_view symbol, std::string_view in_source) {
  const std::string full = model::before_parameters(llvm::demangle(std::string(symbol)));
  for (const std::string& name : names)
    if (name == symbol || name + "_" == symbol || name == full || (!in_source.empty() && name == in_source))
      return name;
  return {};
}

// Procedures of Fortran modules have symbols that users do not write: _QMnumericPfail.
std::string_view name_in_fortran(const llvm::DISubprogram* subprogram, llvm::StringRef symbol) {
  return subprogram && symbol.starts_with("_QM") ? std::string_view(subprogram->getName()) : std::string_view();
}

} // namespace

Handlers handlers_of(const std::vector<std::string>& rejects) {
  Handlers handlers;
  for (const std::string& name : rejects)
    if (name == "none")
      handlers.known = false;
    else if (name != "auto")
      handlers.names.push_back(name);
  return handlers;
}

std::string handler_name(const llvm::Function& function, const Handlers& handlers) {
  const llvm::StringRef symbol = function.getName();
  if (std::string name = given_name(handlers.names, symbol, name_in_fortran(function.getSubprogram(), symbol));
      !name.empty())
    return name;
  if (handlers.known)
    for (const KnownHandler& known : known_handlers)
      if (symbol == known.symbol && begins_with(*function.getFunctionType(), known.parameters))
        return known.name;
  return {};
}

std::string handler_name(const llvm::DISubprogram& inlined, const Handlers& handlers) {
  const llvm::StringRef symbol = inlined.getLinkageName().empty() ? inlined.getName() : inlined.getLinkageName();
  if (std::string name = given_name(handlers.names, symbol, name_in_fortran(&inlined, symbol)); !name.empty())
    return name;
  if (handlers.known)
    for (const KnownHandler& known : known_handlers)
      if (symbol == known.symbol)
        return known.name;
  return {};
}

std::vector<std::string> flags_to_keep(const Handlers& handlers) {
  std::vector<std::string> symbols;
  for (const std::string& name : handlers.names)
    if (name.find_first_of(":,=(") == std::string::npos)
      symbols.insert(symbols.end(), {name, name + "_"});
  if (handlers.known)
    for (const KnownHandler& known : known_handlers)
      symbols.emplace_back(known.symbol);
  std::vector<std::string> flags;
  for (const std::string& symbol : symbols)
    for (const char* attribute : {"noinline", "optnone"}) // optnone: the calls of an empty body stay, too
      flags.insert(flags.end(), {"-mllvm", fmt::format("-force-attribute={}:{}", symbol, attribute)});
  return flags;
}

} // namespace faultline::program
