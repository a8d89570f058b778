#include "judge/diagnosis/operation_text.h"

#include "judge/number.h"
#include "ops/table.h"

#include <cctype>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace faultline::judge {

std::string written(ops::Op op, const std::vector<std::string>& operands) {
  const std::string_view symbol = ops::symbol(op);
  const bool infix =
      operands.size() == 2 && !symbol.empty() && !std::isalpha(static_cast<unsigned char>(symbol.front()));
  if (infix)
    return fmt::format("{} {} {}", operands[0], symbol, operands[1]);
  return fmt::format("{}({})", symbol, fmt::join(operands, ", "));
}

std::string value_text(const tape::Tape& tape, uint32_t operand) {
  frontend::Type type;
  if (runtime::is_constant(operand)) {
    type.format = tape.table().constants[operand & ~runtime::constant_flag].format;
  } else {
    type.format = tape.site(operand).format;
    type.floating = !ops::is_decision(tape.site(operand).op);
  }
  return number_of(tape.exact(operand), type).decimal;
}

std::string carried_out(const tape::Tape& tape, uint32_t record) {
  const ops::Op op = tape.site(record).op;
  std::vector<std::string> operands;
  for (int i = 0; i < ops::arity(op); ++i)
    operands.push_back(value_text(tape, tape.operand(record, i)));
  const std::string result =
      ops::is_comparison(op) ? (tape.exact(record) != 0 ? "true" : "false") : value_text(tape, record);
  return fmt::format("{} {} {}", written(op, operands), ops::is_comparison(op) ? "is" : "=", result);
}

} // namespace faultline::judge
