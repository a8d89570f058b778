// Reads an SMT-LIB 2.6 script as a constraint system and a list of queries.
//
// Supported commands:
//   set-logic of a logic with floats or ALL, set-info, set-option
//   declare-fun and declare-const of variables, define-fun, define-const, define-sort (abbreviations), declare-sort
//   assert, push, pop, reset, reset-assertions; check-sat, check-sat-assuming, get-value, get-model; exit
//   echo; other get-* commands, which are answered with `unsupported`
// Terms: everything of Core, FloatingPoint and FixedSizeBitVectors; reals as in constraint/smtlib/values.h. Formats are
// those of BinaryFormat; words have at most 128 bits. Anything else, including quantifiers, is an error with its
// position.
//
// The whole script is read before anything is solved, and all its terms belong to one system. The commands record what
// is asserted at each point (constraint/smtlib/script_reader.h).
//
// Time and memory are proportional to the text, however it is nested and shared. Scripts beyond the limits of
// constraint/smtlib/script_reader.h are rejected.
#pragma once

#include "constraint/smtlib/values.h"

namespace faultline::constraint {

enum class Status : uint8_t { unknown, sat, unsat };

// A variable that the script declares.
struct DeclaredVariable {
  std::string name; // in SMT-LIB syntax
  ScriptSort sort;
  Value value;
};

// A term of get-value.
struct RequestedTerm {
  std::string text; // the text in the script
  Value value;
};

struct Command {
  enum class Kind : uint8_t { declaration, assertion, push, pop, reset, check, get_value, get_model, reply };
  Kind kind = Kind::assertion;
  size_t count = 0;             // number of levels; for a declaration, its index
  std::vector<Term> terms = {}; // an asserted term, or the assumptions of a check
  std::vector<RequestedTerm> asked = {};
  std::string text = {};           // of a reply that does not depend on any check
  Status status = Status::unknown; // of a check: the declared status, (set-info :status sat)
};

struct Script {
  System system; // with the assertions of the first check
  std::vector<Command> commands;
  std::vector<DeclaredVariable> declared;
  std::vector<Term> conditions;    // on values that the standard leaves open: they hold in every check
  Status status = Status::unknown; // of the first check
  bool asks = false;               // the script has a check-sat; otherwise one is added to the end of `commands`
  bool wants_model = false;        // the script has a get-model
  size_t checks = 0;
};

// `file` is for messages. Throws base::UserError with FILE:LINE:COLUMN, the error, and a hint.
Script read_smtlib(std::string_view text, const std::string& file);

// Reads a script from a file, or from standard input if the file is "-".
inline constexpr size_t most_script_bytes = size_t{256} << 20;

// Throws base::UserError if the file is missing or too large, or if read_smtlib rejects it.
Script load_smtlib(const std::string& file);

} // namespace faultline::constraint
