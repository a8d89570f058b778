#include "judge/diagnosis/operation_row.h"

#include "judge/diagnosis/operation_text.h"
#include "judge/number.h"
#include "ops/table.h"
#include "tape/conditions.h"

#include <cmath>
#include <fmt/format.h>

namespace faultline::judge {

using finding::OperationRow;

namespace {

frontend::Type type_of(const tape::Tape& tape, uint32_t operand) {
  frontend::Type type;
  type.format = runtime::is_constant(operand) ? tape.table().constants[operand & ~runtime::constant_flag].format
                                              : tape.site(operand).format;
  return type;
}

// How an operand is written in a row: an input by its name, an earlier row as v4, a constant or leaf by its value.
std::string operand_text(const tape::Tape& tape, const frontend::Target& target, uint32_t operand) {
  if (!runtime::is_constant(operand) && operand <= target.inputs.size())
    return target.inputs[operand - 1].name;
  if (runtime::is_constant(operand) || ops::is_leaf(tape.site(operand).op))
    return number_of(tape.exact(operand), type_of(tape, operand)).decimal;
  return fmt::format("v{}", operand);
}

std::string row_text(const tape::Tape& tape, const frontend::Target& target, uint32_t index) {
  const ops::Op op = tape.site(index).op;
  std::vector<std::string> operands;
  for (int i = 0; i < ops::arity(op); ++i)
    operands.push_back(operand_text(tape, target, tape.operand(index, i)));
  return fmt::format("v{} = {}", index, written(op, operands));
}

// With one digit more than it takes to read it back, as the papers print them.
std::string result_text(long double value, const frontend::Type& type) {
  if (!type.floating || !std::isfinite(value) || value == 0)
    return number_of(value, type).decimal;
  return fmt::format("{:.{}e}", value, numeric::info(type.format).decimal_digits());
}

} // namespace

OperationRow row_of(const tape::Tape& tape, const frontend::Target& target, uint32_t index, const tape::Replay& exact,
                    double error, double share) {
  const tape::Site& site = tape.site(index);
  const int arity = ops::arity(site.op);
  OperationRow row;
  row.file = site.file;
  row.line = site.line;
  row.column = site.column;
  row.function = site.function;
  row.operation = ops::name(site.op);
  row.text = row_text(tape, target, index);
  const tape::Record& record = tape.record(index);
  const auto conditions = ops::conditions(site.op, tape.value(record.a), arity > 1 ? tape.value(record.b) : 0,
                                          arity > 2 ? tape.value(record.c) : 0, tape.value(index));
  for (int i = 0; i < arity; ++i) {
    const uint32_t operand = tape.operand(index, i);
    row.operands.push_back(number_of(tape.exact(operand), type_of(tape, operand)).decimal);
    row.conditions.push_back(conditions[size_t(i)]);
  }
  if (ops::is_comparison(site.op)) {
    row.result = tape.exact(index) != 0 ? "true" : "false";
  } else {
    frontend::Type type = type_of(tape, index);
    type.floating = !ops::is_to_int(site.op);
    row.result = result_text(tape.exact(index), type);
    row.reference = number_of(exact.values[index], type).decimal;
  }
  row.relative_error = error;
  row.share = share;
  return row;
}

} // namespace faultline::judge
