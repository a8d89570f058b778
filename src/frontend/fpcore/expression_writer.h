// FPCore's expressions as statements of C.
#pragma once

#include "frontend/fpcore/core.h"
#include "frontend/fpcore/operators.h"
#include "frontend/fpcore/statements.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::frontend::fpcore {

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

} // namespace faultline::frontend::fpcore
