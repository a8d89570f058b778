// The text of a harness.
#pragma once

#include "harness/form.h"

#include <string>
#include <vector>

namespace faultline::harness {

// A harness: a function of plain numbers and arrays that makes the arguments of another function from them, calls it,
// and hands out what it gives. It is code that a user can read, change, and hunt in.

// A parameter of the harness that stands for a parameter of the function, or for a part of it: what its numbers are to
// be called. Number i of one with extents {3, 2} and the leaves .real and .imag is "z[2][1].imag", for i = 11.
struct Named {
  std::string parameter = {};
  std::string before = {}, between = {}, after = {}; // "z[", "][", "]"
  std::vector<std::string> extents = {};             // numbers, or names of sizes
  std::vector<std::string> leaves = {};
  enum class Use { read, written, both } use = Use::read;
  std::string of = {}; // the parameter of the function
};

// A length that is free: --size of the parameter gives it to the constants of these names, in their order.
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
  std::string text = {}; // a line "@sizes@" stands for the definitions of the sizes
  std::vector<Named> parameters = {};
  std::vector<FreeSize> sizes = {};
  std::vector<std::string> families = {}; // parameters that are functions, and what their numbers stand for
  std::string obstacle = {};              // why there is none; empty: there is
  bool own_symbol = true;                 // the function can be called without
};

// Of each function that cannot be called with plain numbers and arrays alone, or not by its symbol.
std::vector<Harness> harnesses_for(const std::vector<Declaration>& functions, Language language);

// Fills in the text and what goes with it, or the obstacle. `changes`: the function's results are its arguments, and
// what it returns, if it is no float, is left aside.
void write_harness(const Declaration& function, Language language, bool changes, Harness& harness);

} // namespace faultline::harness
