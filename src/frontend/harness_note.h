// What a program knows of its harnesses (the layer harness/ writes them): which function each calls, and what its
// numbers are called. Notes stand in the bitcode, so that they go wherever it goes.
#pragma once

#include "frontend/target.h"

#include <llvm/IR/Function.h>
#include <llvm/IR/Module.h>
#include <string>
#include <vector>

namespace faultline::frontend {

// A parameter of a harness, and what the user calls its numbers: with extents {3, 2} and the leaves .real and .imag,
// number 11 is z[2][1].imag.
struct NamedParameter {
  std::string name;
  std::string before, between, after; // "z[", "][", "]"
  std::vector<uint64_t> extents;
  std::vector<std::string> leaves;
  bool read = true, written = false;
  std::string of; // the function's parameter
  // Of Fortran's arrays: the subscript that counting begins with, for each extent; the first runs fastest. Empty: C's.
  std::vector<int64_t> first = {};
  std::vector<std::string> declared_extents = {}; // as in Parameter
  std::vector<std::string> choices = {};          // what 0, 1, ... stand for; empty: it is a number

  uint64_t count() const;
  std::string cell(uint64_t index) const;
};

struct HarnessNote {
  std::string function = {}; // as the user calls it
  std::string symbol = {};   // of the function; empty: a template's
  std::string file = {};
  int line = 0;
  std::string name = {}; // of the harness
  std::string text = {}; // its code
  std::vector<NamedParameter> parameters = {};
  std::vector<std::string> families = {}; // "uplo: 0 is 'U', 1 is 'L'": what numbers stand for that choose
  std::string obstacle = {};              // why there is none; empty: there is
  bool needs_size = false;                // that is why
  // Debug information has no words for some of its parameters, and calls them integers: where it says that the function
  // can be called as it is, it is wrong.
  bool misread = false;

  bool exists() const { return obstacle.empty(); }
};

// The extents that array parameters were declared with: double p[3].
struct ConstantExtents {
  std::string symbol, parameter;
  std::vector<uint64_t> extents;
};

struct HarnessNotes {
  std::vector<HarnessNote> harnesses;
  std::vector<ConstantExtents> extents;

  const HarnessNote* of_function(const std::string& symbol) const;
  const HarnessNote* named(const std::string& harness) const;
};

// Bitcode with the notes in it.
std::string with_notes(const std::string& bitcode, const HarnessNotes& notes);
// Those of all units that were linked; what is no note is passed over.
HarnessNotes notes_in(const llvm::Module& module);

// A target that is called through a harness.

// `harness` is the function that the note names; null if there is none, and then the target is not suitable.
Target harnessed(const llvm::Function* harness, const HarnessNote& note, const ShapesOf& shapes_of);

} // namespace faultline::frontend
