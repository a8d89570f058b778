#include "frontend/names/shown_symbol.h"

#include "frontend/names/cxx_name.h"
#include "frontend/names/rust_name.h"

#include <llvm/Demangle/Demangle.h>

namespace faultline::frontend {

std::string shown_symbol(const std::string& symbol) {
  if (const CxxName name = cxx_name(symbol); !name.full.empty())
    return readable_name(name.full);
  if (const std::string rust = rust_name(symbol); !rust.empty())
    return rust;
  if (symbol.starts_with("_QM")) // flang: _QMmodulePprocedure, _QMmoduleEvariable; names have no capital letters
    return symbol.substr(symbol.find_last_of("PE") + 1);
  const std::string name = llvm::demangle(symbol);
  const bool fortran = name == symbol && name.size() > 1 && name.ends_with("_") && !name.ends_with("__");
  return fortran ? name.substr(0, name.size() - 1) : name;
}

} // namespace faultline::frontend
