// Writes the text of a harness.
#pragma once

#include "harness/form.h"

#include <string>
#include <vector>

namespace faultline::harness {

// A harness: a function of plain numbers and arrays that makes the arguments of another function from them, calls it,
// and returns its results. Users can read, change, and test it.

// A parameter of the harness for a parameter of the function or a part of it, with the names of its numbers: with
// extents {3, 2} and the leaves .real and .imag, number 11 is "z[2][1].imag".
struct Named {
  std::string parameter = {};
  std::string before = {}, between = {}, after = {}; // "z[", "][", "]"
  std::vector<std::string> extents = {};             // numbers, or names of sizes
  std::vector<std::string> leaves = {};
  enum class Use { read, written, both } use = Use::read;
  std::string of = {}; // the parameter of the function
};

// A free length: --size of the parameter sets the constants of these names, in order.
struct FreeSize {
  std::string parameter = {};
  std::vector<std::string> constants = {};
};

struct Harness {
  std::string function = {}; // as the user calls it
  std::string symbol = {};   // of the function; may be empty
  std::string file = {};
  unsigned line = 0;
  std::string name = {}; // of the harness
  std::string text = {}; // a line "@sizes@" is replaced by the definitions of the sizes
  std::vector<Named> parameters = {};
  std::vector<FreeSize> sizes = {};
  std::vector<std::string> families = {}; // parameters that are functions, and the meanings of their numbers
  std::string obstacle = {};              // why there is none; empty if there is one
  bool own_symbol = true;                 // the function can be called without a harness
};

// Returns harnesses for the functions that cannot be called with plain numbers and arrays, or not by their symbols.
std::vector<Harness> harnesses_for(const std::vector<Declaration>& functions, Language language);

// Sets the text and the other members, or the obstacle. With `changes`, the results are the function's arguments, and
// its return value is ignored unless it is a float.
void write_harness(const Declaration& function, Language language, bool changes, Harness& harness);

} // namespace faultline::harness
