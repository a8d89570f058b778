#include "suite/fpse/fpse_path.h"

#include "numeric/decimal.h"

#include <cassert>

namespace faultline::suite {

using numeric::BinaryFormat;
using ops::Op;

Path::Term Path::number(std::string_view text) {
  const auto format = format_ == numeric::binary32 ? numeric::Format::binary32 : numeric::Format::binary64;
  const auto value = numeric::parse_number(text, format);
  assert(value && "a literal that the format lacks");
  return system_.constant(numeric::bits_of(value.value_or(0), format_), format_);
}

Path::Term Path::input(const std::string& name) {
  ++variables_;
  return system_.variable(name, constraint::float_sort(format_));
}

Path::Term Path::input(const std::string& name, std::string_view value) {
  const Term term = input(name);
  ++constraints_;
  system_.assert_true(system_.same(term, number(value)));
  return term;
}

Path::Term Path::assign(Op op, Term a, Term b) {
  ++constraints_;
  ++variables_;
  return system_.operation(op, a, b);
}

Path::Term Path::copy(Term a) {
  ++constraints_;
  ++variables_;
  return a;
}

void Path::test(Op op, Term a, Term b, bool outcome) {
  ++constraints_;
  const Term condition = system_.compare(op, a, b);
  system_.assert_true(outcome ? condition : system_.negate(condition));
}

} // namespace faultline::suite
