// Procedures of Fortran and their arguments, read from flang's dumps of a file.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::program {

// flang's symbols of a file, as -fdebug-dump-symbols prints them: nested scopes with their symbols. Debug information
// has little about Fortran: no complex numbers, derived types, strings or procedures.

// "x, INTENT(IN), OPTIONAL size=8 offset=0: ObjectEntity dummy type: REAL(8) shape: 1_8:3_8"
struct FortranSymbol {
  std::string name;
  std::set<std::string> attributes; // INTENT(IN), OPTIONAL
  std::string kind;                 // ObjectEntity
  std::string details;              // the rest of the line
};

struct FortranScope {
  std::string kind; // Module, Subprogram, DerivedType
  std::string name;
  std::vector<FortranSymbol> symbols;
  std::vector<FortranScope> scopes;

  const FortranSymbol* symbol(std::string_view name) const;
  const FortranScope* scope(std::string_view kind, std::string_view name) const;
};

// Returns the global scope, without the compiler's own modules. Skips lines that it cannot parse, and scopes that are
// nested too deep for any program.
FortranScope read_symbol_dump(std::string_view text);

enum class FortranKind : uint8_t { integer, real, complex, logical, character, derived, none };

struct FortranType {
  FortranKind kind = FortranKind::none;
  int bytes = 0;            // Fortran's kind: 8 of real(8)
  std::string text;         // real(8), type(point), character(*,1)
  std::string name;         // of a derived type
  bool polymorphic = false; // class(point)

  bool is_number() const { return kind == FortranKind::integer || kind == FortranKind::real; }
  bool is_float() const { return kind == FortranKind::real || kind == FortranKind::complex; }
  bool has_fixed_length() const; // character(8_8,1), not character(*,1) or character(n,1)
  bool may_hold_floats() const { return is_float() || kind == FortranKind::derived; }
};

// One dimension of an array, with its bounds as in the source: 1_8:int(n,kind=8), 1_8:*; or only a colon.
struct FortranBounds {
  std::string lower, upper;

  std::optional<int64_t> first() const;  // 1 by default; none if it is an expression
  std::optional<int64_t> extent() const; // if both are constants
  std::string length() const;            // n of 1_8:int(n,kind=8); empty unless it is a plain name
  std::string text() const;
};

struct FortranEntity {
  std::string name;
  FortranType type; // for a function, the type of its result
  std::vector<FortranBounds> shape;
  std::set<std::string> attributes;
  bool is_procedure = false;
  bool is_function = false;   // the procedure is a function
  std::string interface = {}; // the name of its interface; its own name for an interface block; empty if there is none

  bool has(const char* attribute) const { return attributes.contains(attribute); }
  bool is_array() const { return !shape.empty(); }
  bool is_deferred() const { return has("ALLOCATABLE") || has("POINTER"); }
  bool is_assumed_shape() const { return is_array() && !is_deferred() && shape.back().upper.empty(); }
  bool is_assumed_rank() const { return is_array() && shape.front().lower == ".."; }
};

struct FortranProcedure {
  std::string name, module; // module is empty for an external procedure
  bool is_function = false;
  std::set<std::string> attributes; // ELEMENTAL, PURE
  std::vector<FortranEntity> dummies;
  FortranEntity result;
  const FortranScope* scope = nullptr; // its own scope in the dump
};

FortranType fortran_type(const std::string& text); // REAL(8), TYPE(point)
FortranEntity fortran_entity(const FortranSymbol& symbol);

// The names of one file. The dump must outlive it.
class FortranNames {
public:
  explicit FortranNames(const FortranScope& global) : global_(global) {}

  std::optional<FortranProcedure> procedure(const std::string& module, const std::string& name) const;

  // Returns the declared interface of a dummy procedure; nothing if there is none.
  std::optional<FortranProcedure> interface_of(const FortranEntity& dummy, const FortranProcedure& procedure) const;

  // A derived type as known in a scope: its components in order, the parent first, and the scope in which their types
  // are known. Nothing if it is not found or has parameters.
  struct Components {
    std::vector<FortranEntity> all;
    const FortranScope* where;
  };
  std::optional<Components> components(const std::string& type, const FortranScope& where) const;

  // Returns "m, only: pp => seg" for a name that the procedure uses from a module; empty for other names.
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

// How a procedure uses its arguments, where their declarations do not determine it: Fortran 77 has no intents and no
// interfaces, and only comparisons in the code show the valid texts of an option.
//
// Reads the source as flang prints it (-fdebug-unparse): in free form, names in lower and keywords in upper case,
// constants folded.
using FortranWords = std::vector<std::string>; // of a statement, or of an actual argument

class FortranBody {
public:
  void add(FortranWords statement) { statements_.push_back(std::move(statement)); }

  struct Use {
    bool read = false, written = false;
  };
  // Returns the use of a dummy argument without an intent. A scalar that is assigned before any other use is only
  // written; an array is if it has no other use.
  Use use_of(const std::string& name, bool is_array) const;

  // Returns the texts that it is compared with, each once: U and L of lsame(uplo,'U'), uplo == 'L' and select case
  // (uplo).
  std::vector<std::string> texts_compared_with(const std::string& name) const;

  // Returns the actual arguments of the first call of a dummy procedure; empty if it is not called.
  std::vector<FortranWords> arguments_of_call(const std::string& procedure) const;

  // A call that passes a dummy procedure to another procedure.
  struct PassedOn {
    std::string procedure;
    size_t argument = 0;
  };
  std::vector<PassedOn> passed_on(const std::string& procedure) const;

private:
  std::vector<FortranWords> statements_; // including those of internal procedures
};

// Returns the bodies by module and name: "m:seglen", ":dtest".
std::map<std::string, FortranBody> fortran_bodies(const std::string& unparsed);
std::string body_key(const std::string& module, const std::string& name);

} // namespace faultline::program
