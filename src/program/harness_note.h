// What a program knows about its harnesses (written by harness/): the function that each calls, and the names of its
// numbers. Notes are part of the bitcode, so that they are never separated from it.
#pragma once

#include "program/target_names.h"

#include <string>
#include <vector>

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace faultline::program {

// A parameter of a harness, and the user's names for its numbers: with extents {3, 2} and the leaves .real and .imag,
// number 11 is z[2][1].imag.
struct NamedParameter {
  std::string name;
  std::string before, between, after; // "z[", "][", "]"
  std::vector<uint64_t> extents;
  std::vector<std::string> leaves;
  bool read = true, written = false;
  std::string of; // the function's parameter
  // For Fortran arrays: the lower bound of each extent; the first extent varies fastest. Empty for C.
  std::vector<int64_t> first = {};
  std::vector<std::string> declared = {}; // Parameter::declared_extents
  std::vector<std::string> choices = {};  // the meanings of 0, 1, ...; empty if it is a number

  uint64_t count() const;
  std::string cell(uint64_t index) const;
};

struct HarnessNote {
  std::string function = {}; // as the user calls it
  std::string symbol = {};   // of the function; empty for a template's
  std::string file = {};
  int line = 0;
  std::string name = {}; // of the harness
  std::string text = {}; // its code
  std::vector<NamedParameter> parameters = {};
  std::vector<std::string> families = {}; // "uplo: 0 is 'U', 1 is 'L'": the meanings of numbers that select a value
  std::string obstacle = {};              // why there is no harness; empty if there is one
  bool needs_size = false;                // a missing size is the obstacle
  // Debug information cannot describe some of the parameters and calls them integers. If it implies that the function
  // can be called directly, it is wrong.
  bool misread = false;

  bool exists() const { return obstacle.empty(); }
};

// The declared extents of array parameters: double p[3].
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

// Returns the bitcode with the notes added.
std::string with_notes(const std::string& bitcode, const HarnessNotes& notes);
// Returns the notes of all linked units; ignores malformed ones.
HarnessNotes notes_in(const llvm::Module& module);

// Describes a target that is called through a harness. `harness` is the function that the note names, or null if there
// is none; the target is then unsuitable.
model::Target harnessed(const llvm::Function* harness, const HarnessNote& note, const ShapesOf& shapes_of);

} // namespace faultline::program
