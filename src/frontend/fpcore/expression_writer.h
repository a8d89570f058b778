// Translates FPCore's expressions to C statements.
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

// The value of an expression: a name or a literal of C.
struct Value {
  std::string text;
  bool is_truth = false; // TRUE or FALSE; else a number
  numeric::Format format = numeric::Format::binary64;
};

const char* c_type(numeric::Format format);
const char* c_suffix(numeric::Format format); // of C library functions: sinf, sin, sinl
inline const char* c_type(const Value& value) { return value.is_truth ? "int" : c_type(value.format); }
numeric::Format wider(numeric::Format a, numeric::Format b);

// State that all statements of a function share.
struct FunctionState {
  int names = 0;    // of values
  size_t bytes = 0; // of text; text that is copied into other statements counts again
};

// Builds the C of FPCores, one statement for each operation, at the place of the operation in the file.
//
// #line sets the line. The column is matched by spaces: an operator is preceded by as many as it has characters before
// it in the file. So the compiler's debug information, and thus every report, refers to places in the file.
//
// No text of the file is copied: names of values are generated, and numbers are formatted again.
class Statements {
public:
  explicit Statements(FunctionState& written) : written_(written) {}

  // Places the statements that follow in this line.
  void at(const Place& place);
  void add(const std::string& text) {
    text_ += text;
    written_.bytes += text.size();
  }

  // TYPE name = BEFORE operation AFTER; the operation is at its place.
  Value assign(const Value& type, const std::string& before, const Place& place, const std::string& operation,
               const std::string& after);
  // Declares a variable without a value.
  Value declare(const Value& type);

  Statements inner() const { return Statements(written_); }
  const std::string& text() const { return text_; }
  const FunctionState& written() const { return written_; }

private:
  std::string name() { return "value_" + std::to_string(++written_.names); }

  std::string text_;
  FunctionState& written_;
};

// Returns an operation within an expression, at its place.
std::string placed(const Place& place, const std::string& operation);

// The preceding cores by their symbols, with the formats of their results.
struct Callable {
  const Core* core = nullptr;
  numeric::Format result = numeric::Format::binary64;
};
using Callables = std::map<std::string, Callable>;

// The name of the function that other cores call.
std::string body_name(const Core& core);

class ExpressionWriter {
public:
  ExpressionWriter(const Callables& earlier, const std::string& file) : earlier_(earlier), file_(file) {}

  // Binds a name to a value for the following expressions.
  void bind(const std::string& name, Value value) { scope_[name].push_back(std::move(value)); }
  void unbind(const std::string& name) { scope_.at(name).pop_back(); }

  Value write(const Form& form, numeric::Format format, Statements& out);
  // Writes a condition; throws UserError if it is a number.
  Value write_truth(const Form& form, numeric::Format format, Statements& out);

private:
  using Format = numeric::Format;

  void count(const Form& form, size_t operations); // operations that are written for the form
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

  // Writes the operands, which must be numbers.
  std::vector<Value> numbers(const Form& form, Format format, Statements& out);
  Value write_number(const Form& form, Format format, Statements& out);
  Value assign_rounded(const Place& place, Format carried_out, Format format, const std::string& before,
                       const std::string& operation, const std::string& after, Statements& out);
  const Form& bindings_of(const Form& form, size_t parts);
  void check_count(const Form& form, size_t count);
  // Returns the text of a loop with variables of these types, and the types of its updates.
  std::string loop_text(const Form& form, Format format, const std::vector<Value>& variables,
                        std::vector<Value>& updated, Statements out, bool in_order);

  const Callables& earlier_;
  const std::string& file_;
  std::map<std::string, std::vector<Value>> scope_; // the last one of each name is visible
  size_t written_ = 0;                              // expressions: those of a loop may be written more than once
};

// Whether the functions of FPCores check their preconditions beyond ranges. A proof over a box needs functions that
// accept all of it. It then holds for the inputs that the precondition admits, too.
enum class Preconditions : uint8_t { checked, left_out };

// The function that is called for an input outside of the precondition (frontend/handlers.h).
inline constexpr const char* precondition_handler = "fpcore_precondition";

struct FunctionText {
  std::string text;
  numeric::Format result = numeric::Format::binary64;
};

// Translates an FPCore to a C function.
//
// An operation is computed in the widest of its operands' formats and the requested format (:precision, !), and its
// result is rounded to the requested one. If no operand is wider, this is one rounding, as FPCore requires.
//
// `is_called` is true if other cores call it. Throws UserError if something is undefined or not supported.
FunctionText function_text(const Core& core, const Callables& earlier, bool is_called, Preconditions preconditions,
                           const std::string& file);

} // namespace faultline::frontend::fpcore
