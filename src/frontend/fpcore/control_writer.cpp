// What chooses, names and repeats: if, let, while, and the annotations.
#include "frontend/fpcore/expression_writer.h"
#include "frontend/fpcore/number.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace faultline::frontend::fpcore {

using numeric::Format;

namespace {

Value joined(const Value& a, const Value& b) { return {"", a.is_truth, wider(a.format, b.format)}; }

bool same_type(const Value& a, const Value& b) {
  return a.is_truth == b.is_truth && (a.is_truth || a.format == b.format);
}

} // namespace

Value ExpressionWriter::conditional(const Form& form, Format format, Statements& out) {
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

const Form& ExpressionWriter::bindings_of(const Form& form, size_t parts) {
  const Form& bindings = form.items[form.items.size() - 2];
  bool good = bindings.is_list();
  for (const Form& one : bindings.items)
    good = good && one.is_list() && one.items.size() == parts && one.items.front().is_symbol();
  if (!good)
    fail(file_, bindings.place, fmt::format("not what {} binds", shown(form)),
         parts == 2 ? "([name value] ...)" : "([name initial update] ...)");
  return bindings;
}

Value ExpressionWriter::let(const Form& form, Format format, Statements& out, bool in_order) {
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

std::string ExpressionWriter::loop_text(const Form& form, Format format, const std::vector<Value>& variables,
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
  if (!in_order) { // an update may be another variable itself: all are read before one is changed
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

// A variable has the widest format of its initial value and its updates, which depend on each other: so they are
// written until nothing becomes wider. There are three formats.
Value ExpressionWriter::loop(const Form& form, Format format, Statements& out, bool in_order) {
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
        fail(file_, bindings.items[i].place, "the variable is a number at first and a condition then, or the reverse",
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

Value ExpressionWriter::annotated(const Form& form, Format format, Statements& out) {
  size_t at = 1;
  const Format inner = format_of_properties(form.items, at, format, file_);
  if (at + 1 != form.items.size())
    fail(file_, form.place, "an annotation with no expression, or more than one", "(! :precision binary32 (+ x y))");
  return write(form.items[at], inner, out);
}

Value ExpressionWriter::cast(const Form& form, Format format, Statements& out) {
  check_count(form, 1);
  const Value value = write_number(form.items[1], format, out);
  if (value.format == format)
    return value;
  return out.assign({"", false, format}, "", form.items.front().place, fmt::format("({})", c_type(format)), value.text);
}

Value ExpressionWriter::digits(const Form& form, Format format) {
  check_count(form, 3);
  const std::optional<Number> number = number_of_digits(form.items[1].text, form.items[2].text, form.items[3].text);
  if (!number)
    fail(file_, form.place, "not digits that can be read", "(digits 5 -1 10) is 0.5");
  return {c_literal(rounded(*number, format), format), false, format};
}

} // namespace faultline::frontend::fpcore
