// An SMT-LIB 2.6 script as a constraint system, and what the script asks about it.
//
// Read are
//   set-logic of a logic with floats or ALL, set-info, set-option
//   declare-fun and declare-const of variables, define-fun, define-const, define-sort (abbreviations), declare-sort
//   assert, push, pop, reset, reset-assertions; check-sat, check-sat-assuming, get-value, get-model; exit
//   echo; other get-*, which change no problem and are answered by `unsupported`
// Terms: everything of Core, FloatingPoint and FixedSizeBitVectors; reals as in constraint/smtlib/values.h. Formats are
// those of BinaryFormat, words have at most 128 bits. Anything else, quantifiers among it, is an error that says where
// it stands.
//
// The whole script is read before anything is solved: all its terms are of one system. What is asserted where, its
// commands tell (constraint/smtlib/script_reader.h).
//
// Reading takes time and memory in proportion to the text, however it is nested and shared; scripts beyond the limits
// of constraint/smtlib/script_reader.h are refused.
#pragma once

#include "constraint/smtlib/values.h"

namespace faultline::constraint {

enum class Status : uint8_t { unknown, sat, unsat };

// A variable that the script declares.
struct Declared {
  std::string name; // as SMT-LIB writes it
  ScriptSort sort;
  Value value;
};

// What get-value asks for.
struct Asked {
  std::string text; // as the script has it
  Value value;
};

struct Command {
  enum class Kind : uint8_t { declaration, assertion, push, pop, reset, check, get_value, get_model, reply };
  Kind kind = Kind::assertion;
  size_t count = 0;             // of levels; of a declaration, its place
  std::vector<Term> terms = {}; // one that is asserted; what a check assumes
  std::vector<Asked> asked = {};
  std::string text = {};           // of a reply, which is the same whatever the checks said
  Status status = Status::unknown; // of a check, what the script says of it: (set-info :status sat)
};

struct Script {
  System system; // with the assertions of the first check
  std::vector<Command> commands;
  std::vector<Declared> declared;
  std::vector<Term> conditions;    // on what the standard leaves open: they hold in every check
  Status status = Status::unknown; // of the first check
  bool asks = false;               // there is a check-sat; else one stands at the end of `commands` all the same
  bool wants_model = false;        // there is a get-model
  size_t checks = 0;
};

// `file` is for messages. Throws frontend::UserError: FILE:LINE:COLUMN, what is wrong, what to try.
Script read_smtlib(std::string_view text, const std::string& file);

// A script from a file, or from standard input if the file is "-".
inline constexpr size_t most_script_bytes = size_t{256} << 20;

// Throws frontend::UserError: there is no such file, it is too large, or read_smtlib refuses it.
Script load_smtlib(const std::string& file);

} // namespace faultline::constraint
