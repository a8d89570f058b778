// The assumptions of a function (model/assumption.h), bound to its inputs.
//
// An input that violates them is mapped to a legal one, and a legal one to itself. Strategies search the whole space
// and evaluate the code at the mapped inputs, so every strategy samples legal inputs only, also where random ones are
// almost never legal: sorted arrays, sums of 1, rotations. A mapping sorts, mirrors, scales, or solves for one input.
// Where that fails, it goes from a known legal input towards the given one, as far as all inputs on the way are legal.
#pragma once

#include "exec/session.h"
#include "model/assumption.h"
#include "model/target.h"

#include <optional>
#include <string>
#include <vector>

namespace faultline::search {

using numeric::Value;

struct Dimension;

// A term whose inputs are positions in the list of inputs. `cells`: what a function of arrays takes.
struct LegalTerm {
  model::AssumptionTerm::Kind kind = model::AssumptionTerm::Kind::number;
  Value number = 0;
  size_t cell = 0;
  std::string function = {};
  std::vector<LegalTerm> operands = {};
};

// What an input must satisfy, for one choice of indices.
struct LegalCondition {
  enum class Form : uint8_t { comparison, integer, sorted, symmetric, orthogonal, rotation };

  Form form = Form::comparison;
  model::Order order = model::Order::less; // of left and right, or of each sorted element and the next
  LegalTerm left = {}, right = {};
  std::vector<size_t> cells = {}; // all of its inputs, in order; of a matrix, row by row
};

class Legality {
public:
  // Throws UserError if an assumption does not fit the function.
  Legality(const std::vector<std::string>& assumptions, const model::Target& target);

  bool allows(const exec::Input& input, const std::vector<Dimension>& dimensions) const;
  // Narrows the range of each input that a condition compares with a number. If it does so at both ends, all values of
  // the input are everyday ones, as in a range that the user gives.
  void narrow(std::vector<Dimension>& dimensions) const;
  // The legal input for this one; nothing if none was found.
  std::optional<exec::Input> repaired(exec::Input input, const std::vector<Dimension>& dimensions) const;
  // The same; `anchor` is legal, and the way from it to the input leads to one.
  exec::Input repaired(const exec::Input& input, const exec::Input& anchor,
                       const std::vector<Dimension>& dimensions) const;

private:
  std::vector<LegalCondition> conditions_;
};

// True if the function has all inputs that the assumption names. Throws UserError if it cannot be read.
bool fits(const std::string& assumption, const model::Target& target);

} // namespace faultline::search
