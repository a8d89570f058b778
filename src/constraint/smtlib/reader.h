// An SMT-LIB 2.6 script as a constraint system.
//
// One problem a script: assertions over Booleans and floats, and one check-sat. Formats are those of BinaryFormat,
// rounding is to nearest, ties to even. Read are
//   set-logic of a logic with floats or ALL, set-info, set-option
//   declare-fun and declare-const of variables, define-fun, define-const, define-sort (abbreviations), declare-sort
//   assert, check-sat, exit; and get-*, echo, which change no problem
// Terms: everything of Core and FloatingPoint that gives a Boolean or a float. Reals and bit-vectors are literals.
// Anything else, incremental scripts and quantifiers among it, is an error that says where it stands.
//
// Reading takes time and memory in proportion to the text, however it is nested and shared; scripts beyond the limits
// of constraint/smtlib/terms.h are refused.
#pragma once

#include "constraint/system.h"

namespace faultline::constraint {

enum class Status : uint8_t { unknown, sat, unsat };

struct Script {
  System system;
  Status status = Status::unknown; // what the script says of itself: (set-info :status sat)
  bool asks = false;               // there is a check-sat
  bool wants_model = false;        // there is a get-model
};

// `file` is for messages. Throws frontend::UserError: FILE:LINE:COLUMN, what is wrong, what to try.
Script read_smtlib(std::string_view text, const std::string& file);

} // namespace faultline::constraint
