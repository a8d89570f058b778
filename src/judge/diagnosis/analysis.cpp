#include "judge/diagnosis/analysis.h"

#include "judge/given_input.h"
#include "ops/table.h"
#include "oracle/lifted.h"

#include <algorithm>
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

const tape::Replay& Analysis::exact(const tape::Tape& tape) {
  if (!exact_ || exact_->values.size() != tape.size()) { // cut short, or not recorded at all
    traced_.clear();
    exact_ = tape::replay(tape, std::max(judgement_.precision, 2 * oracle::first_precision));
  }
  return *exact_;
}

const Analysis::ErrorTrace& Analysis::traced(const tape::Tape& tape, uint32_t output) {
  const auto known = traced_.find(output);
  if (known != traced_.end())
    return known->second;
  ErrorTrace traced;
  traced.path = explain::chain(tape, output, exact(tape));
  traced.blame = explain::find_cause(tape, traced.path, exact(tape));
  return traced_.emplace(output, std::move(traced)).first->second;
}

const std::vector<explain::Link>& Analysis::error_path(const tape::Tape& tape, uint32_t output) {
  return traced(tape, output).path;
}

const explain::Blame& Analysis::blame(const tape::Tape& tape, uint32_t output) { return traced(tape, output).blame; }

} // namespace faultline::judge
