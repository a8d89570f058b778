#include "program/fpcore/expression_writer.h"

#include "base/error.h"
#include "numeric/decimal.h"
#include "program/fpcore/file.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace faultline::program::fpcore {

using numeric::Format;

const char* c_type(Format format) { return numeric::info(format).c_type; }

namespace {

// Returns an operation within an expression, at its place.
std::string placed(const Place& place, const std::string& operation) {
  constexpr int last_column = 2000; // compilers get the columns of longer lines wrong, and the text becomes too large
  return fmt::format("\n#line {}\n{:{}}{}", place.line, "", std::min(place.column, last_column) - 1, operation);
}

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
  void at(const Place& place) { add(placed(place, "")); }
  void add(const std::string& text) {
    text_ += text;
    written_.bytes += text.size();
  }

  // TYPE name = BEFORE operation AFTER; the operation is at its place.
  Value assign(const Value& type, const std::string& before, const Place& place, const std::string& operation,
               const std::string& after) {
    Value value{name(), type.is_truth, type.format};
    add(fmt::format("{} {} = {}{}{};\n", c_type(type), value.text, before, placed(place, operation), after));
    return value;
  }

  // Declares a variable without a value.
  Value declare(const Value& type) {
    Value value{name(), type.is_truth, type.format};
    add(fmt::format("{} {};\n", c_type(type), value.text));
    return value;
  }

  Statements inner() const { return Statements(written_); }
  const std::string& text() const { return text_; }
  const FunctionState& written() const { return written_; }

private:
  std::string name() { return "value_" + std::to_string(++written_.names); }

  std::string text_;
  FunctionState& written_;
};

constexpr size_t most_written = 50'000; // expressions per function: C of some megabytes
// The limit for one function's C: operations far to the right in a line have long texts, which each enclosing block
// copies.
constexpr size_t most_bytes = size_t(64) << 20;

Value truth(const char* text) { return {text, true}; }
Value number_type(Format format) { return {"", false, format}; }

constexpr std::string_view of_tensors[] = {"tensor", "tensor*", "array", "ref", "dim", "size", "for", "for*"};

std::string converted(const Value& value, Format format) {
  return value.format == format ? value.text : fmt::format("({}){}", c_type(format), value.text);
}

// The suffix of functions of the C library: sinf, sin, sinl.
const char* c_suffix(Format format) { return numeric::info(format).libm_suffix; }

Format wider(Format a, Format b) { return std::max(a, b); } // formats are in the order of their widths

// The name of the function that other cores call.
std::string body_name(const Core& core) { return "value_of_" + core.name; }

// Control flow: if, let, while, and the annotations.

namespace {

Value joined(const Value& a, const Value& b) { return {"", a.is_truth, wider(a.format, b.format)}; }

bool same_type(const Value& a, const Value& b) {
  return a.is_truth == b.is_truth && (a.is_truth || a.format == b.format);
}

} // namespace

class ExpressionWriter {
public:
  ExpressionWriter(const Callables& earlier, const std::string& file) : earlier_(earlier), file_(file) {}

  // Binds a name to a value for the following expressions.
  void bind(const std::string& name, Value value) { scope_[name].push_back(std::move(value)); }
  void unbind(const std::string& name) { scope_.at(name).pop_back(); }

  Value write(const Form& form, Format format, Statements& out) {
    count(form, 1);
    switch (form.kind) {
    case Form::Kind::number:
      return number(form, format);
    case Form::Kind::symbol:
      return symbol(form, format);
    case Form::Kind::list: {
      Value value = list(form, format, out);
      if (out.written().bytes > most_bytes)
        fail(file_, form.place, "the function is too large for C", "shorter lines, or a smaller expression");
      return value;
    }
    case Form::Kind::string:
      break;
    }
    fail(file_, form.place, "a string where an expression is expected", "a number, a name, or (operation operands)");
  }

  // Writes a condition; throws UserError if it is a number.
  Value write_truth(const Form& form, Format format, Statements& out) {
    Value value = write(form, format, out);
    if (!value.is_truth)
      fail(file_, form.place, fmt::format("{} is a number where a condition is expected", shown(form)), "(< x 1)");
    return value;
  }

private:
  using Format = numeric::Format;

  // Operations that are written for the form.
  void count(const Form& form, size_t operations) {
    written_ += operations;
    if (written_ > most_written)
      fail(file_, form.place, fmt::format("more than {} operations", most_written), "a smaller expression");
  }

  Value number(const Form& form, Format format) {
    const std::optional<Number> number = number_of(form.text);
    if (!number)
      fail(file_, form.place, fmt::format("{} is not a valid number", shown(form)), "12, 1.5e-3, 1/3 or 0x1.8p3");
    return {c_literal(rounded(*number, format), format), false, format};
  }

  Value symbol(const Form& form, Format format) {
    if (const auto found = scope_.find(form.text); found != scope_.end() && !found->second.empty())
      return found->second.back();
    if (form.text == "TRUE" || form.text == "FALSE")
      return truth(form.text == "TRUE" ? "1" : "0");
    if (const Constant* constant = find_constant(form.text))
      return {c_literal(*numeric::parse_number(constant->digits, format), format), false, format};
    std::vector<std::string> names;
    for (const auto& [name, values] : scope_)
      if (!values.empty())
        names.push_back(name);
    const std::vector<std::string> close = base::nearest(form.text, names);
    fail(file_, form.place, fmt::format("{} is not defined here", shown(form)),
         close.empty() ? fmt::format("there are {}", fmt::join(names, ", "))
                       : fmt::format("{}", fmt::join(close, ", ")));
  }

  Value list(const Form& form, Format format, Statements& out) {
    const std::string_view head = form.head();
    if (head == "if")
      return conditional(form, format, out);
    if (head == "let" || head == "let*")
      return let(form, format, out, head == "let*");
    if (head == "while" || head == "while*")
      return loop(form, format, out, head == "while*");
    if (head == "!")
      return annotated(form, format, out);
    if (head == "cast")
      return cast(form, format, out);
    if (head == "digits")
      return digits(form, format);
    if (const auto core = earlier_.find(std::string(head)); core != earlier_.end())
      return core_call(core->second, form, format, out);
    if (const Operator* found = find_operator(head))
      return operation(*found, form, format, out);
    if (std::ranges::find(of_tensors, head) != std::end(of_tensors))
      fail(file_, form.place, fmt::format("{} uses tensors, which are not supported", shown(form)),
           "a name for each number, and while for a loop");
    std::vector<std::string> names;
    for (const Operator& one : all_operators())
      names.emplace_back(one.name);
    const std::vector<std::string> close = base::nearest(std::string(head), names);
    fail(file_, form.place,
         head.empty() ? "a list that begins with no operation"
                      : fmt::format("there is no operation {}", shown(form.items.front())),
         close.empty() ? "docs/fpcore.md lists the operations" : fmt::format("{}", fmt::join(close, ", ")));
  }

  Value operation(const Operator& operation, const Form& form, Format format, Statements& out) {
    const int count = int(form.items.size()) - 1;
    if (count < operation.least || (operation.most >= 0 && count > operation.most))
      fail(file_, form.place, fmt::format("{} operands of {}", count, shown(form.items.front())),
           operation.least == operation.most ? fmt::format("it has {}", operation.least)
                                             : fmt::format("it has {} or more", operation.least));
    switch (operation.kind) {
    case OperatorKind::arithmetic:
      return arithmetic(operation, form, format, out);
    case OperatorKind::function:
      return library_call(operation, form, format, out);
    case OperatorKind::comparison:
      return comparison(operation, form, format, out);
    case OperatorKind::logic:
      return logic(operation, form, format, out);
    case OperatorKind::test:
      break;
    }
    const Value operand = write_number(form.items[1], format, out);
    return out.assign(truth(""), "0 != ", form.items.front().place, fmt::format("__builtin_{}", operation.c),
                      fmt::format("({})", operand.text));
  }

  // Applies an operation to more than two operands from left to right.
  Value arithmetic(const Operator& operation, const Form& form, Format format, Statements& out) {
    const std::vector<Value> operands = numbers(form, format, out);
    const Place& place = form.items.front().place;
    Value value = operands.front();
    if (operands.size() == 1)
      return assign_rounded(place, wider(format, value.format), format, "", "-", value.text, out);
    for (size_t i = 1; i < operands.size(); ++i) {
      const Format widest = wider(wider(format, value.format), operands[i].format);
      value = assign_rounded(place, widest, format, converted(value, widest), operation.c,
                             " " + converted(operands[i], widest), out);
    }
    return value;
  }

  Value library_call(const Operator& operation, const Form& form, Format format, Statements& out) {
    const std::vector<Value> operands = numbers(form, format, out);
    Format widest = format;
    for (const Value& operand : operands)
      widest = wider(widest, operand.format);
    std::vector<std::string> texts;
    for (const Value& operand : operands)
      texts.push_back(converted(operand, widest));
    return assign_rounded(form.items.front().place, widest, format, "",
                          fmt::format("__builtin_{}{}", operation.c, c_suffix(widest)),
                          fmt::format("({})", fmt::join(texts, ", ")), out);
  }

  // (< a b c) compares neighbours; (!= a b c) compares each pair.
  Value comparison(const Operator& operation, const Form& form, Format format, Statements& out) {
    const std::vector<Value> operands = numbers(form, format, out);
    if (form.head() == "!=")
      count(form, operands.size() * (operands.size() - 1) / 2);
    std::vector<std::string> parts;
    for (size_t i = 0; i < operands.size(); ++i)
      for (size_t j = i + 1; j < operands.size() && (form.head() == "!=" || j == i + 1); ++j)
        parts.push_back(fmt::format("({}{} {})", operands[i].text, placed(form.items.front().place, operation.c),
                                    operands[j].text));
    if (parts.empty())
      return truth("1");
    return out.assign(truth(""), fmt::format("{}", fmt::join(parts, " && ")), form.items.front().place, "", "");
  }

  // Stops at the operand that decides: the others are not evaluated, as in C.
  Value logic(const Operator& operation, const Form& form, Format format, Statements& out) {
    if (form.head() == "not")
      return out.assign(truth(""), "", form.items.front().place, "!", write_truth(form.items[1], format, out).text);
    const bool all = std::string_view(operation.c) == "and";
    if (form.items.size() == 1)
      return truth(all ? "1" : "0");
    const Value first = write_truth(form.items[1], format, out);
    const Value value = out.assign(truth(""), first.text, form.items.front().place, "", "");
    for (size_t i = 2; i < form.items.size(); ++i) {
      Statements inner = out.inner();
      const Value next = write_truth(form.items[i], format, inner);
      out.add(fmt::format("if ({}{}) {{\n{}{} = {};\n}}\n", all ? "" : "!", value.text, inner.text(), value.text,
                          next.text));
    }
    return value;
  }

  Value core_call(const Callable& called, const Form& form, Format format, Statements& out) {
    check_count(form, called.core->arguments.size());
    const std::vector<Value> operands = numbers(form, format, out);
    std::vector<std::string> texts;
    for (size_t i = 0; i < operands.size(); ++i)
      texts.push_back(converted(operands[i], called.core->arguments[i].format));
    return assign_rounded(form.items.front().place, called.result, format, "", body_name(*called.core),
                          fmt::format("({})", fmt::join(texts, ", ")), out);
  }

  Value conditional(const Form& form, Format format, Statements& out) {
    check_count(form, 3);
    const Value condition = write_truth(form.items[1], format, out);
    Statements yes = out.inner(), no = out.inner();
    const Value then = write(form.items[2], format, yes), otherwise = write(form.items[3], format, no);
    if (then.is_truth != otherwise.is_truth)
      fail(file_, form.place, "one branch is a number, the other a condition", "the same kind of value in both");
    const Value value = out.declare(joined(then, otherwise));
    out.at(form.items.front().place);
    out.add(fmt::format("if ({}) {{\n{}{} = {};\n}} else {{\n{}{} = {};\n}}\n", condition.text, yes.text(), value.text,
                        then.text, no.text(), value.text, otherwise.text));
    return value;
  }

  Value let(const Form& form, Format format, Statements& out, bool in_order) {
    check_count(form, 2);
    const Form& bindings = bindings_of(form, 2);
    std::vector<Value> values;
    for (const Form& one : bindings.items) {
      values.push_back(write(one.items[1], format, out));
      if (in_order)
        bind(one.items[0].text, values.back());
    }
    for (size_t i = 0; i < values.size() && !in_order; ++i)
      bind(bindings.items[i].items[0].text, values[i]);
    Value value = write(form.items[2], format, out);
    for (const Form& one : bindings.items)
      unbind(one.items[0].text);
    return value;
  }

  // A variable has the widest format of its initial value and its updates. Since these depend on each other, they are
  // written again until no format becomes wider. There are three formats.
  Value loop(const Form& form, Format format, Statements& out, bool in_order) {
    check_count(form, 3);
    const Form& bindings = bindings_of(form, 3);
    std::vector<Value> initial, types;
    for (const Form& one : bindings.items) {
      initial.push_back(write(one.items[1], format, out));
      if (in_order)
        bind(one.items[0].text, initial.back());
    }
    for (const Form& one : bindings.items)
      if (in_order)
        unbind(one.items[0].text);
    types = initial;
    for (;;) {
      Statements before = out.inner();
      std::vector<Value> variables, updated;
      for (size_t i = 0; i < types.size(); ++i) {
        variables.push_back(before.declare(types[i]));
        before.add(fmt::format("{} = {};\n", variables.back().text, initial[i].text));
        bind(bindings.items[i].items[0].text, variables.back());
      }
      const std::string text = loop_text(form, format, variables, updated, out.inner(), in_order);
      bool settled = true;
      for (size_t i = 0; i < types.size(); ++i) {
        if (types[i].is_truth != updated[i].is_truth)
          fail(file_, bindings.items[i].place, "the variable changes between a number and a condition",
               "the same kind of value in both");
        const Value widest = joined(types[i], updated[i]);
        settled = settled && same_type(widest, types[i]);
        types[i] = widest;
      }
      if (settled) {
        out.add(before.text());
        out.at(form.items.front().place);
        out.add(fmt::format("for (;;) {{\n{}}}\n", text));
      }
      std::optional<Value> value;
      if (settled)
        value = write(form.items[3], format, out);
      for (const Form& one : bindings.items)
        unbind(one.items[0].text);
      if (value)
        return *value;
    }
  }

  Value annotated(const Form& form, Format format, Statements& out) {
    size_t at = 1;
    const Format inner = format_of_properties(form.items, at, format, file_);
    if (at + 1 != form.items.size())
      fail(file_, form.place, "an annotation with no expression, or more than one", "(! :precision binary32 (+ x y))");
    return write(form.items[at], inner, out);
  }

  Value cast(const Form& form, Format format, Statements& out) {
    check_count(form, 1);
    const Value value = write_number(form.items[1], format, out);
    if (value.format == format)
      return value;
    return out.assign({"", false, format}, "", form.items.front().place, fmt::format("({})", c_type(format)),
                      value.text);
  }

  Value digits(const Form& form, Format format) {
    check_count(form, 3);
    const std::optional<Number> number = number_of_digits(form.items[1].text, form.items[2].text, form.items[3].text);
    if (!number)
      fail(file_, form.place, "invalid digits", "(digits 5 -1 10) is 0.5");
    return {c_literal(rounded(*number, format), format), false, format};
  }

  // Writes the operands, which must be numbers.
  std::vector<Value> numbers(const Form& form, Format format, Statements& out) {
    std::vector<Value> all;
    for (size_t i = 1; i < form.items.size(); ++i)
      all.push_back(write_number(form.items[i], format, out));
    return all;
  }

  Value write_number(const Form& form, Format format, Statements& out) {
    Value value = write(form, format, out);
    if (value.is_truth)
      fail(file_, form.place, fmt::format("{} is a condition where a number is expected", shown(form)),
           "(if condition 1 0)");
    return value;
  }

  Value assign_rounded(const Place& place, Format carried_out, Format format, const std::string& before,
                       const std::string& operation, const std::string& after, Statements& out) {
    if (carried_out == format)
      return out.assign(number_type(format), before, place, operation, after);
    return out.assign(number_type(format), fmt::format("({})({}", c_type(format), before), place, operation,
                      after + ")");
  }

  const Form& bindings_of(const Form& form, size_t parts) {
    const Form& bindings = form.items[form.items.size() - 2];
    bool good = bindings.is_list();
    for (const Form& one : bindings.items)
      good = good && one.is_list() && one.items.size() == parts && one.items.front().is_symbol();
    if (!good)
      fail(file_, bindings.place, fmt::format("not what {} binds", shown(form)),
           parts == 2 ? "([name value] ...)" : "([name initial update] ...)");
    return bindings;
  }

  void check_count(const Form& form, size_t count) {
    if (form.items.size() != count + 1)
      fail(file_, form.place,
           fmt::format("{} has {} parts and should have {}", shown(form), form.items.size() - 1, count),
           "docs/fpcore.md shows the forms");
  }

  // Returns the text of a loop with variables of these types, and the types of its updates.
  std::string loop_text(const Form& form, Format format, const std::vector<Value>& variables,
                        std::vector<Value>& updated, Statements out, bool in_order) {
    const Form& bindings = bindings_of(form, 3);
    const Value condition = write_truth(form.items[1], format, out);
    out.at(form.items.front().place);
    out.add(fmt::format("if (!{}) break;\n", condition.text));
    updated.clear();
    for (size_t i = 0; i < variables.size(); ++i) {
      updated.push_back(write(bindings.items[i].items[2], format, out));
      if (in_order)
        out.add(fmt::format("{} = {};\n", variables[i].text, updated.back().text));
    }
    if (!in_order) { // an update may use another variable: all are computed before one is changed
      std::vector<Value> copies;
      for (const Value& one : updated) {
        copies.push_back(out.declare(one));
        out.add(fmt::format("{} = {};\n", copies.back().text, one.text));
      }
      for (size_t i = 0; i < variables.size(); ++i)
        out.add(fmt::format("{} = {};\n", variables[i].text, copies[i].text));
    }
    return out.text();
  }

  const Callables& earlier_;
  const std::string& file_;
  std::map<std::string, std::vector<Value>> scope_; // the last one of each name is visible
  size_t written_ = 0;                              // expressions: those of a loop may be written more than once
};

} // namespace

FunctionText function_text(const Core& core, const Callables& earlier, bool is_called, Preconditions preconditions,
                           const std::string& file) {
  ExpressionWriter writer(earlier, file);
  std::vector<std::string> parameters, names;
  for (const Argument& argument : core.arguments) {
    writer.bind(argument.name, {argument.c_name, false, argument.format});
    parameters.push_back(fmt::format("{} {}", c_type(argument.format), argument.c_name));
    names.push_back(argument.c_name);
  }
  FunctionState all;
  Statements checks(all), body(all);
  const Precondition precondition = precondition_of(core);
  for (const Form* condition : precondition.rest) {
    const Value value = writer.write_truth(*condition, core.format, checks);
    checks.at(condition->place);
    checks.add(
        fmt::format("if (!{}) {{\n{}();\nreturn 0;\n}}\n", value.text, precondition_handler)); // nothing else runs
  }
  const Value value = writer.write(core.body, core.format, body);
  const Value result{"", value.is_truth, wider(core.format, value.format)};
  const std::string list = parameters.empty() ? "void" : fmt::format("{}", fmt::join(parameters, ", "));
  const auto function = [&](const std::string& before, const std::string& name, const std::string& inside) {
    return fmt::format("\n#line {}\n{}{} {}({}) {{\n{}}}\n", core.place.line, before, c_type(result), name, list,
                       inside);
  };
  const std::string computed = body.text() + fmt::format("return {};\n", value.text);
  const std::string checked = preconditions == Preconditions::checked ? checks.text() : "";
  FunctionText written{"", result.format};
  if (is_called)
    written.text =
        function("static inline ", body_name(core), computed) +
        function("", core.name, checked + fmt::format("return {}({});\n", body_name(core), fmt::join(names, ", ")));
  else
    written.text = function("", core.name, checked + computed);
  return written;
}

} // namespace faultline::program::fpcore
