// FPCore's expressions as statements of C.
#pragma once

#include "frontend/fpcore/core.h"
#include "frontend/fpcore/operators.h"
#include "numeric/format.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::frontend::fpcore {

// The C that FPCores become, statement by statement: each operation is one, and stands where it stands in the file.
//
// #line says the line. The column is made: an operator is preceded by as many blanks as it has characters before it in
// the file. So the compiler's debug information, and with it every report, speaks of the file's places.
//
// Nothing of the file stands in the text: names of values are ours, numbers are written anew.

// What an expression has come to: a name or a literal of C.
struct Value {
  std::string text;
  bool is_truth = false; // TRUE or FALSE; else a number
  numeric::Format format = numeric::Format::binary64;
};

const char* c_type(numeric::Format format);
const char* c_suffix(numeric::Format format); // of the library's functions: sinf, sin, sinl
inline const char* c_type(const Value& value) { return value.is_truth ? "int" : c_type(value.format); }
numeric::Format wider(numeric::Format a, numeric::Format b);

// What all statements of a function have in common.
struct Written {
  int names = 0;    // of values
  size_t bytes = 0; // of text, counted again wherever statements become part of others
};

class Statements {
public:
  explicit Statements(Written& written) : written_(written) {}

  // What follows stands in this line.
  void at(const Place& place);
  void add(const std::string& text) {
    text_ += text;
    written_.bytes += text.size();
  }

  // TYPE name = BEFORE operation AFTER; with the operation at its place.
  Value assign(const Value& type, const std::string& before, const Place& place, const std::string& operation,
               const std::string& after);
  // A variable, without a value.
  Value declare(const Value& type);

  Statements inner() const { return Statements(written_); }
  const std::string& text() const { return text_; }
  const Written& written() const { return written_; }

private:
  std::string name() { return "value_" + std::to_string(++written_.names); }

  std::string text_;
  Written& written_;
};

// An operation in the middle of an expression, at its place.
std::string placed(const Place& place, const std::string& operation);

// The cores that stand before, by their symbols, and the formats of their results.
struct Callable {
  const Core* core = nullptr;
  numeric::Format result = numeric::Format::binary64;
};
using Callables = std::map<std::string, Callable>;

// What they call of it.
std::string body_name(const Core& core);

class ExpressionWriter {
public:
  ExpressionWriter(const Callables& earlier, const std::string& file) : earlier_(earlier), file_(file) {}

  // A name for a value, for what is written next.
  void bind(const std::string& name, Value value) { scope_[name].push_back(std::move(value)); }
  void unbind(const std::string& name) { scope_.at(name).pop_back(); }

  Value write(const Form& form, numeric::Format format, Statements& out);
  // A condition; throws UserError if it is a number.
  Value write_truth(const Form& form, numeric::Format format, Statements& out);

private:
  using Format = numeric::Format;

  void count(const Form& form, size_t operations); // that are written for it
  Value number(const Form& form, Format format);
  Value symbol(const Form& form, Format format);
  Value list(const Form& form, Format format, Statements& out);
  Value operation(const Operator& operation, const Form& form, Format format, Statements& out);
  Value arithmetic(const Operator& operation, const Form& form, Format format, Statements& out);
  Value library_call(const Operator& operation, const Form& form, Format format, Statements& out);
  Value comparison(const Operator& operation, const Form& form, Format format, Statements& out);
  Value logic(const Operator& operation, const Form& form, Format format, Statements& out);
  Value core_call(const Callable& called, const Form& form, Format format, Statements& out);
  Value conditional(const Form& form, Format format, Statements& out);
  Value let(const Form& form, Format format, Statements& out, bool in_order);
  Value loop(const Form& form, Format format, Statements& out, bool in_order);
  Value annotated(const Form& form, Format format, Statements& out);
  Value cast(const Form& form, Format format, Statements& out);
  Value digits(const Form& form, Format format);

  // The operands, all of them numbers.
  std::vector<Value> numbers(const Form& form, Format format, Statements& out);
  Value write_number(const Form& form, Format format, Statements& out);
  Value assign_rounded(const Place& place, Format carried_out, Format format, const std::string& before,
                       const std::string& operation, const std::string& after, Statements& out);
  const Form& bindings_of(const Form& form, size_t parts);
  void check_count(const Form& form, size_t count);
  // The text of a loop whose variables have these types, and the types that its updates give them.
  std::string loop_text(const Form& form, Format format, const std::vector<Value>& variables,
                        std::vector<Value>& updated, Statements out, bool in_order);

  const Callables& earlier_;
  const std::string& file_;
  std::map<std::string, std::vector<Value>> scope_; // the last one of a name is visible
  size_t written_ = 0;                              // expressions: a loop's may be written more than once
};

// Do the functions that FPCores become check their preconditions, as far as these are more than ranges? A proof over a
// box needs functions that take all of it, and then holds for those inputs that the precondition admits, too.
enum class Preconditions : uint8_t { checked, left_out };

// An FPCore as a function of C.
//
// An operation is carried out in the widest of its operands' formats and the one that is asked for (:precision, !), and
// its result is rounded to the one that is asked for. Where no operand is wider that is one rounding, as FPCore has it.

// What is called where an input is outside of the precondition (frontend/handlers.h).
inline constexpr const char* precondition_handler = "fpcore_precondition";

struct FunctionText {
  std::string text;
  numeric::Format result = numeric::Format::binary64;
};

// `is_called`: others call it. Throws UserError: something is undefined, or not supported.
FunctionText function_text(const Core& core, const Callables& earlier, bool is_called, Preconditions preconditions,
                           const std::string& file);

} // namespace faultline::frontend::fpcore
