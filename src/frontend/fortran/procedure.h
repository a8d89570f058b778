// Procedures of Fortran and their arguments, as a harness needs to know them: from what flang prints of a file.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::frontend {

// What flang knows of the names in a file, as it prints it (-fdebug-dump-symbols): scopes, one in another, with their
// symbols. Debug information says little of Fortran: neither complex numbers nor derived types, strings or procedures.

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

enum class FortranKind : uint8_t { integer, real, complex, logical, character, derived, none };

struct FortranType {
  FortranKind kind = FortranKind::none;
  int bytes = 0;            // what Fortran calls the kind: 8 of real(8)
  std::string text;         // real(8), type(point), character(*,1)
  std::string name;         // of a derived type
  bool polymorphic = false; // class(point)

  bool is_number() const { return kind == FortranKind::integer || kind == FortranKind::real; }
  bool is_float() const { return kind == FortranKind::real || kind == FortranKind::complex; }
  bool has_fixed_length() const; // character(8_8,1), not character(*,1) or character(n,1)
  bool may_hold_floats() const { return is_float() || kind == FortranKind::derived; }
};

// One dimension of an array, in the words of the source: 1_8:int(n,kind=8), 1_8:*; or nothing but a colon.
struct FortranBounds {
  std::string lower, upper;

  std::optional<int64_t> first() const;  // 1 if nothing else is said; none: it is an expression
  std::optional<int64_t> extent() const; // if both are constants
  std::string length() const;            // n of 1_8:int(n,kind=8); empty: it is no plain name
  std::string text() const;
};

struct FortranEntity {
  std::string name;
  FortranType type; // of a function, that of its result
  std::vector<FortranBounds> shape;
  std::set<std::string> attributes;
  bool is_procedure = false;
  bool is_function = false;   // that procedure
  std::string interface = {}; // the name of its interface; its own if it stands there; empty: it has none

  bool has(const char* attribute) const { return attributes.contains(attribute); }
  bool is_array() const { return !shape.empty(); }
  bool is_deferred() const { return has("ALLOCATABLE") || has("POINTER"); }
  bool is_assumed_shape() const { return is_array() && !is_deferred() && shape.back().upper.empty(); }
  bool is_assumed_rank() const { return is_array() && shape.front().lower == ".."; }
};

struct FortranProcedure {
  std::string name, module; // no module: an external procedure
  bool is_function = false;
  std::set<std::string> attributes; // ELEMENTAL, PURE
  std::vector<FortranEntity> dummies;
  FortranEntity result;
  const FortranScope* scope = nullptr; // its own, in the dump
};

FortranType fortran_type(const std::string& text); // REAL(8), TYPE(point)
FortranEntity fortran_entity(const FortranSymbol& symbol);

// The names of one file. The dump has to live as long.
class FortranNames {
public:
  explicit FortranNames(const FortranScope& global) : global_(global) {}

  std::optional<FortranProcedure> procedure(const std::string& module, const std::string& name) const;

  // The interface that a dummy procedure is declared with; nothing if it has none.
  std::optional<FortranProcedure> interface_of(const FortranEntity& dummy, const FortranProcedure& procedure) const;

  // A derived type, as it is known in a scope: its components in their order, its parent first, and where the types of
  // these are known. Nothing if it is not found, or has parameters.
  struct Components {
    std::vector<FortranEntity> all;
    const FortranScope* where;
  };
  std::optional<Components> components(const std::string& type, const FortranScope& where) const;

  // "m, only: pp => seg" for a name that the procedure has from a module; empty: it has it from elsewhere.
  static std::string use_of(const std::string& name, const FortranScope& where);

private:
  struct Place {
    const FortranScope* scope = nullptr;
    const FortranSymbol* symbol = nullptr;
  };
  Place find(const std::string& name, const FortranScope& where, int steps = 0) const;
  const FortranScope* host_of(const FortranScope& scope) const;
  static std::optional<FortranProcedure> read(const FortranSymbol& symbol, const FortranScope& holder);

  const FortranScope& global_;
};

// What a procedure does with its arguments, where their declarations do not say: Fortran 77 has no intents and no
// interfaces, and which texts an option can have stands in the comparisons.
//
// Read from the source as flang writes it anew (-fdebug-unparse): in free form, names in lower and keywords in upper
// case, constants folded.
using FortranWords = std::vector<std::string>; // of a statement, or of an actual argument

class FortranBody {
public:
  void add(FortranWords statement) { statements_.push_back(std::move(statement)); }

  struct Use {
    bool read = false, written = false;
  };
  // Of a dummy argument without an intent. A scalar that is assigned to before anything else is done with it is only
  // written, an array if nothing else is done with it.
  Use use_of(const std::string& name, bool is_array) const;

  // The texts that it is compared with, each once: U and L of lsame(uplo,'U'), uplo == 'L' and select case (uplo).
  std::vector<std::string> texts_compared_with(const std::string& name) const;

  // The actual arguments of the first call of a dummy procedure; empty: it is not called.
  std::vector<FortranWords> arguments_of_call(const std::string& procedure) const;

  // Where a dummy procedure goes: an argument of another procedure.
  struct PassedOn {
    std::string procedure;
    size_t argument = 0;
  };
  std::vector<PassedOn> passed_on(const std::string& procedure) const;

private:
  std::vector<FortranWords> statements_; // with those of internal procedures
};

// By module and name: "m:seglen", ":dtest".
std::map<std::string, FortranBody> fortran_bodies(const std::string& unparsed);
std::string body_key(const std::string& module, const std::string& name);

} // namespace faultline::frontend
