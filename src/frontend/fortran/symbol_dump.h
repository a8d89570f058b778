// What flang knows of the names in a file, as it prints it (-fdebug-dump-symbols): scopes, one in another, with their
// symbols. Debug information says little of Fortran: neither complex numbers nor derived types, strings or procedures.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::frontend {

// "x, INTENT(IN), OPTIONAL size=8 offset=0: ObjectEntity dummy type: REAL(8) shape: 1_8:3_8"
struct FortranSymbol {
  std::string name;
  std::set<std::string> attributes; // INTENT(IN), OPTIONAL
  std::string kind;                 // ObjectEntity
  std::string details;              // what stands behind that
};

struct FortranScope {
  std::string kind; // Module, Subprogram, DerivedType
  std::string name;
  std::vector<FortranSymbol> symbols;
  std::vector<FortranScope> scopes;

  const FortranSymbol* symbol(std::string_view name) const;
  const FortranScope* scope(std::string_view kind, std::string_view name) const;
};

// The global scope, without the compiler's own modules. Lines that make no sense are passed over, and what is nested
// too deep for any program is left out.
FortranScope read_symbol_dump(std::string_view text);

// The word that follows `label` ("type: "); brackets and strings in it are whole. Empty: there is no such label.
std::string labelled(const std::string& details, std::string_view label);

// Splits at the separators that are in no brackets and no string.
std::vector<std::string> split_outside(std::string_view text, char separator);

} // namespace faultline::frontend
