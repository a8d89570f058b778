// A sketch of other code for one operation: expressions over the values of a run, evaluated in the operation's format
// while their text is built. The advice in a report is therefore exactly what was tried.
#pragma once

#include "tape/replay.h"

#include <fmt/format.h>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace faultline::explain {

struct Expression {
  numeric::Value value = 0;
  std::string text;
  int level = 0;  // binding: 0 an atom, 1 a product, 2 a sum
  int inner = -1; // after a leading minus sign: the level of the operand
};

// A signed term: -x is {x, true}.
struct Term {
  uint32_t operand = 0;
  bool negative = false;
};

// Operands are those of the tape. A constant with this flag is negated.
inline constexpr uint32_t negated_flag = 0x40000000u;

// Building texts takes longer than computing values, so a sketch may omit them.
enum class Texts : uint8_t { written, left_out };

class Sketch {
public:
  Sketch(const tape::Tape& tape, std::span<const numeric::Value> values, numeric::Format format,
         const std::vector<std::string>& inputs, Texts texts = Texts::written)
      : tape_(tape), values_(values), format_(format), inputs_(inputs), written_(texts == Texts::written) {}

  // Structure of the run.
  ops::Op op(uint32_t operand) const; // none for a constant
  uint32_t a(uint32_t record) const { return tape_.operand(record, 0); }
  uint32_t b(uint32_t record) const { return tape_.operand(record, 1); }
  uint32_t c(uint32_t record) const { return tape_.operand(record, 2); }
  numeric::Value value(uint32_t operand) const;
  bool is(uint32_t operand, numeric::Value constant) const; // this constant, not just a value equal to it
  bool same(uint32_t x, uint32_t y) const;                  // the same record, or the same constant
  // Returns the terms of a sum or difference, with signs extracted from constants (compilers write x - 1 as x + -1) and
  // from negations; empty for other operations.
  std::vector<Term> terms(uint32_t record) const;

  // Returns the operands of a tree of this operation, left to right; empty if there are too many.
  std::vector<uint32_t> leaves(uint32_t root, ops::Op op) const;
  // Returns the operand whose square this product is.
  std::optional<uint32_t> squared(uint32_t product) const;

  // Expressions. An operand appears as an input's name, a number, a short formula, or a letter.
  Expression read(uint32_t operand);
  Expression number(numeric::Value value) const;
  Expression call(ops::Op op, const Expression& x) const;
  Expression call(ops::Op op, const Expression& x, const Expression& y) const;
  Expression fma(const Expression& x, const Expression& y, const Expression& z) const;
  Expression add(const Expression& x, const Expression& y) const;
  Expression sub(const Expression& x, const Expression& y) const;
  Expression mul(const Expression& x, const Expression& y) const;
  Expression div(const Expression& x, const Expression& y) const;
  Expression negative(const Expression& x) const;
  Expression term(const Term& term) { return term.negative ? negative(read(term.operand)) : read(term.operand); }

  // Returns the sum without the term q^2; nothing if it has no such term.
  std::optional<Expression> without_square(uint32_t sum, uint32_t q);

  // Explains the letters in a text: "t is the result of sqrt in line 25"; empty if there are none.
  std::string legend(const std::string& text) const;

  // Returns x - y, simplified by their structure: (y + z) - y is z.
  Expression difference(uint32_t x, uint32_t y);

  // True if the operand is meant to round: a constant, or a value from a table, that others are added to. It is 2^k or
  // 1.5 * 2^k, so large that hardly a digit after the point remains.
  bool is_shift(uint32_t operand) const;
  bool is_computed(uint32_t operand) const; // or an input; not a constant or a value from a table
  // True if one operand is the sum of others. Their sum is then the part that rounding cut off: (t - s) - y with t = s
  // + y.
  bool is_correction(std::initializer_list<uint32_t> operands) const;
  // True if this difference is subtracted from the operand again to get the part that rounding cut off (Veltkamp,
  // Dekker, Cody and Waite).
  bool is_taken_from(uint32_t difference, uint32_t operand) const;

private:
  template <typename... Parts> std::string words(fmt::format_string<Parts...> form, Parts&&... parts) const {
    return written_ ? fmt::format(form, std::forward<Parts>(parts)...) : std::string();
  }
  bool is_square_of(uint32_t product, uint32_t root) const;
  numeric::Value constant(uint32_t operand) const;
  std::string text(uint32_t operand, int depth) const;
  std::string letter(uint32_t operand);
  numeric::Value evaluate(ops::Op op, numeric::Value x, numeric::Value y = 0, numeric::Value z = 0) const {
    return tape::evaluate(op, format_, x, y, z);
  }

  const tape::Tape& tape_;
  std::span<const numeric::Value> values_;
  numeric::Format format_;
  const std::vector<std::string>& inputs_;
  bool written_;
  std::map<uint32_t, std::string> letters_;
};

} // namespace faultline::explain
