#include "constraint/smtlib/printing.h"

#include "constraint/evaluate.h"
#include "numeric/decimal.h"

#include <fmt/format.h>

namespace faultline::constraint {

namespace {

std::string binary_digits(Bits bits, int width) {
  std::string digits;
  for (int i = width; i-- > 0;)
    digits += (bits >> i & 1) != 0 ? '1' : '0';
  return digits;
}

std::string real_text(const Rational& value) {
  std::string text = mpz_class(abs(value.get_num())).get_str() + ".0";
  if (value.get_den() != 1)
    text = fmt::format("(/ {} {}.0)", text, value.get_den().get_str());
  return value < 0 ? fmt::format("(- {})", text) : text;
}

// fp.to_real of NaN and infinities is an unspecified real, which only comparisons constrain.
std::string real_text(Bits bits, BinaryFormat format) {
  if (format.is_nan(bits) || format.is_infinite(bits))
    return "(error \"fp.to_real of a value that is not a number\")";
  numeric::BigFloat number(format.significand_bits);
  numeric::set_bits(number.raw(), bits, format);
  mpq_class fraction;
  mpfr_get_q(fraction.get_mpq_t(), number.raw());
  return real_text(fraction);
}

// `values` are those of all terms.
std::string text_of(const System& system, const Value& value, const std::vector<Bits>& values) {
  if (const Term* term = std::get_if<Term>(&value))
    return value_text(values[*term], system.sort(*term));
  if (const Mode* mode = std::get_if<Mode>(&value))
    return std::string(name(mode_in(*mode, values)));
  if (const RealOf* real = std::get_if<RealOf>(&value))
    return real_text(values[real->number], system.sort(real->number).format);
  return real_text(*std::get<Literal>(value));
}

} // namespace

std::string value_text(Bits bits, const Sort& sort) {
  if (sort.boolean)
    return bits != 0 ? "true" : "false";
  if (sort.is_word())
    return "#b" + binary_digits(bits, sort.width);
  const BinaryFormat format = sort.format;
  if (format.is_nan(bits))
    return fmt::format("(_ NaN {} {})", format.exponent_bits, format.significand_bits);
  return fmt::format("(fp #b{} #b{} #b{})", format.is_negative(bits) ? 1 : 0,
                     binary_digits(bits >> format.fraction_bits(), format.exponent_bits),
                     binary_digits(bits, format.fraction_bits()));
}

// Decimal and hexadecimal for the machine's formats; only hexadecimal for others that fit in a long double.
std::string value_comment(Bits bits, const Sort& sort) {
  const BinaryFormat format = sort.format;
  if (!sort.is_float() || format.exponent_bits > 15 || format.significand_bits > 64)
    return {};
  const numeric::Value value = numeric::long_double_of(bits, format);
  const std::string hex = numeric::hex_float(value);
  const std::optional<numeric::Format> known = numeric::machine_format(format);
  const std::string decimal = known ? numeric::shortest_decimal(value, *known) : hex;
  return decimal == hex ? " ; " + hex : fmt::format(" ; {} {}", decimal, hex);
}

std::string model_text(const Script& script, const Playback& playback, const Model& model) {
  std::vector<Bits> values;
  evaluate(script.system, model, values);
  std::string all = "(\n";
  for (const DeclaredVariable* variable : playback.declared()) {
    const Term* term = std::get_if<Term>(&variable->value);
    all += fmt::format("  (define-fun {} () {} {}){}\n", variable->name, text(variable->sort),
                       text_of(script.system, variable->value, values),
                       term ? value_comment(values[*term], script.system.sort(*term)) : "");
  }
  return all + ")\n";
}

std::string values_text(const Script& script, const Command& command, const Model& model) {
  std::vector<Bits> values;
  evaluate(script.system, model, values);
  std::string all;
  for (const RequestedTerm& asked : command.asked)
    all += fmt::format("{}({} {})", all.empty() ? "" : "\n ", asked.text, text_of(script.system, asked.value, values));
  return fmt::format("({})\n", all);
}

} // namespace faultline::constraint
