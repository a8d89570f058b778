#include "frontend/fpcore/expression_writer.h"

#include "frontend/fpcore/number.h"
#include "frontend/names/nearest.h"
#include "numeric/decimal.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace faultline::frontend::fpcore {

using numeric::Format;

namespace {

constexpr size_t most_written = 50'000; // expressions of one function: C of some megabytes
// Of one function's C: operations far to the right in a line have long texts, and each block around them copies those.
constexpr size_t most_bytes = size_t(64) << 20;

Value truth(const char* text) { return {text, true}; }
Value number_type(Format format) { return {"", false, format}; }

constexpr std::string_view of_tensors[] = {"tensor", "tensor*", "array", "ref", "dim", "size", "for", "for*"};

std::string converted(const Value& value, Format format) {
  return value.format == format ? value.text : fmt::format("({}){}", c_type(format), value.text);
}

} // namespace

void ExpressionWriter::count(const Form& form, size_t operations) {
  written_ += operations;
  if (written_ > most_written)
    fail(file_, form.place, fmt::format("more than {} operations", most_written), "a smaller expression");
}

Value ExpressionWriter::write(const Form& form, Format format, Statements& out) {
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
  fail(file_, form.place, "a text where an expression is expected", "a number, a name, or (operation operands)");
}

Value ExpressionWriter::write_truth(const Form& form, Format format, Statements& out) {
  Value value = write(form, format, out);
  if (!value.is_truth)
    fail(file_, form.place, fmt::format("{} is a number, and a condition is expected", shown(form)), "(< x 1)");
  return value;
}

Value ExpressionWriter::write_number(const Form& form, Format format, Statements& out) {
  Value value = write(form, format, out);
  if (value.is_truth)
    fail(file_, form.place, fmt::format("{} is a condition, and a number is expected", shown(form)),
         "(if condition 1 0)");
  return value;
}

std::vector<Value> ExpressionWriter::numbers(const Form& form, Format format, Statements& out) {
  std::vector<Value> all;
  for (size_t i = 1; i < form.items.size(); ++i)
    all.push_back(write_number(form.items[i], format, out));
  return all;
}

Value ExpressionWriter::number(const Form& form, Format format) {
  const std::optional<Number> number = number_of(form.text);
  if (!number)
    fail(file_, form.place, fmt::format("{} is not a number that can be read", shown(form)),
         "12, 1.5e-3, 1/3 or 0x1.8p3");
  return {c_literal(rounded(*number, format), format), false, format};
}

Value ExpressionWriter::symbol(const Form& form, Format format) {
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
  const std::vector<std::string> close = nearest(form.text, names);
  fail(file_, form.place, fmt::format("{} is not defined here", shown(form)),
       close.empty() ? fmt::format("there are {}", fmt::join(names, ", ")) : fmt::format("{}", fmt::join(close, ", ")));
}

Value ExpressionWriter::list(const Form& form, Format format, Statements& out) {
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
    fail(file_, form.place, fmt::format("{} is of tensors, which are not supported", shown(form)),
         "a name for each number, and while for a loop");
  std::vector<std::string> names;
  for (const Operator& one : all_operators())
    names.emplace_back(one.name);
  const std::vector<std::string> close = nearest(std::string(head), names);
  fail(file_, form.place,
       head.empty() ? "a list that begins with no operation"
                    : fmt::format("there is no operation {}", shown(form.items.front())),
       close.empty() ? "docs/fpcore.md lists the operations" : fmt::format("{}", fmt::join(close, ", ")));
}

void ExpressionWriter::check_count(const Form& form, size_t count) {
  if (form.items.size() != count + 1)
    fail(file_, form.place,
         fmt::format("{} has {} parts and should have {}", shown(form), form.items.size() - 1, count),
         "docs/fpcore.md shows the forms");
}

Value ExpressionWriter::operation(const Operator& operation, const Form& form, Format format, Statements& out) {
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

Value ExpressionWriter::assign_rounded(const Place& place, Format carried_out, Format format, const std::string& before,
                                       const std::string& operation, const std::string& after, Statements& out) {
  if (carried_out == format)
    return out.assign(number_type(format), before, place, operation, after);
  return out.assign(number_type(format), fmt::format("({})({}", c_type(format), before), place, operation, after + ")");
}

// More than two operands are taken from left to right.
Value ExpressionWriter::arithmetic(const Operator& operation, const Form& form, Format format, Statements& out) {
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

Value ExpressionWriter::library_call(const Operator& operation, const Form& form, Format format, Statements& out) {
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

// (< a b c): each with its neighbour; (!= a b c): each with each other.
Value ExpressionWriter::comparison(const Operator& operation, const Form& form, Format format, Statements& out) {
  const std::vector<Value> operands = numbers(form, format, out);
  if (form.head() == "!=")
    count(form, operands.size() * (operands.size() - 1) / 2);
  std::vector<std::string> parts;
  for (size_t i = 0; i < operands.size(); ++i)
    for (size_t j = i + 1; j < operands.size() && (form.head() == "!=" || j == i + 1); ++j)
      parts.push_back(
          fmt::format("({}{} {})", operands[i].text, placed(form.items.front().place, operation.c), operands[j].text));
  if (parts.empty())
    return truth("1");
  return out.assign(truth(""), fmt::format("{}", fmt::join(parts, " && ")), form.items.front().place, "", "");
}

// What decides ends it: the other operands are not evaluated, as in C.
Value ExpressionWriter::logic(const Operator& operation, const Form& form, Format format, Statements& out) {
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
    out.add(
        fmt::format("if ({}{}) {{\n{}{} = {};\n}}\n", all ? "" : "!", value.text, inner.text(), value.text, next.text));
  }
  return value;
}

std::string body_name(const Core& core) { return "value_of_" + core.name; }

Value ExpressionWriter::core_call(const Callable& called, const Form& form, Format format, Statements& out) {
  check_count(form, called.core->arguments.size());
  const std::vector<Value> operands = numbers(form, format, out);
  std::vector<std::string> texts;
  for (size_t i = 0; i < operands.size(); ++i)
    texts.push_back(converted(operands[i], called.core->arguments[i].format));
  return assign_rounded(form.items.front().place, called.result, format, "", body_name(*called.core),
                        fmt::format("({})", fmt::join(texts, ", ")), out);
}

} // namespace faultline::frontend::fpcore
