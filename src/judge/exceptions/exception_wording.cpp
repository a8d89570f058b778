#include "judge/exceptions/exception_wording.h"

#include "judge/number.h"
#include "tape/exceptions.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace faultline::judge {
namespace {

std::string value_words(long double value) {
  return std::isnan(value) ? "the NaN" : std::isinf(value) ? "the infinity" : "the number";
}

std::string place(const tape::Site& site) {
  return site.line > 0 ? fmt::format("{}:{}", site.file, site.line) : fmt::format("a place in {}", site.function);
}

std::string arithmetic_words(const tape::Tape& tape, const tape::Fate& fate) {
  const tape::Site& site = tape.site(fate.record);
  const std::string value = value_words(tape.exact(fate.operand));
  const long double result = tape.exact(fate.record);
  switch (site.op) {
  case ops::Op::fdiv:
    if (result == 0)
      return fmt::format("{} is divided into zero at {}", value, place(site));
    break;
  case ops::Op::fmin:
  case ops::Op::fmax:
    return fmt::format("{} drops {} at {}", ops::name(site.op), value, place(site));
  default:
    break;
  }
  frontend::Type type;
  type.format = site.format;
  return fmt::format("{} becomes {} in {} at {}", value, number_of(result, type).decimal, ops::name(site.op),
                     place(site));
}

} // namespace

std::string fate_words(const tape::Tape& tape, const frontend::Target& target, const std::vector<size_t>& judged,
                       uint32_t event, const tape::Fate& fate) {
  const bool finite =
      std::ranges::all_of(judged, [&](size_t output) { return std::isfinite(tape.outputs()[output].value); });
  const tape::Site& taker = tape.site(fate.record == 0 ? event : fate.record);
  switch (fate.end) {
  case tape::End::output: {
    const std::string& name = target.outputs[fate.output].name;
    return name == "return" ? "it reaches the output" : fmt::format("it reaches the output {}", name);
  }
  case tape::End::unjudged:
    return fmt::format("it reaches {}, which is not judged", target.outputs[fate.output].name);
  case tape::End::arithmetic:
    return arithmetic_words(tape, fate) + (finite ? " and the result is finite" : "");
  case tape::End::comparison:
    return fmt::format("{} goes no further than the comparison at {}, which is {}",
                       value_words(tape.exact(fate.operand)), place(taker), tape.exact(fate.record) != 0);
  case tape::End::conversion:
    return fmt::format("{} goes no further than the conversion to an integer at {}",
                       value_words(tape.exact(fate.operand)), place(taker));
  case tape::End::unused:
    break;
  }
  return ops::is_to_int(taker.op) ? "the integer that it makes is not followed" : "nobody uses the result";
}

std::string vanished_words(const tape::Tape& tape, uint32_t event) {
  const uint32_t underflow = tape::underflow_behind(tape, event);
  if (underflow == 0)
    return {};
  const tape::Site& site = tape.site(underflow);
  return fmt::format("the 0 is what the underflow of {} at {} left", ops::name(site.op), place(site));
}

std::string consequence_words(const tape::Tape& tape, const frontend::Target& target, uint32_t event) {
  const uint32_t operand = tape::nonfinite_operand(tape, event);
  if (operand == 0)
    return {};
  const uint32_t source = tape::source_of_nonfinite(tape, operand);
  if (source != 0 && source <= tape.inputs())
    return fmt::format("follows from the input {}", target.inputs[source - 1].name);
  if (source == 0 || ops::is_leaf(tape.site(source).op))
    return fmt::format("follows from {} that was there before", value_words(tape.exact(operand)));
  const tape::Site& site = tape.site(source);
  return fmt::format("follows from the {} of {} at {}", ops::name(tape::exception_of(tape, source)), ops::name(site.op),
                     place(site));
}

} // namespace faultline::judge
