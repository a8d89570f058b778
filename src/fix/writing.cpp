#include "fix/writing.h"

#include "numeric/decimal.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <set>

namespace faultline::fix {

namespace {

struct Text {
  std::string text;
  Binding binding = Binding::atom;
};

std::string in_parentheses(const std::string& text) { return "(" + text + ")"; }

// Fortran's intrinsic function for an operation; empty if it has none.
std::string fortran_name(Op op) {
  static const std::map<Op, const char*> renamed = {
      {Op::fabs, "abs"}, {Op::fmin, "min"},         {Op::fmax, "max"},     {Op::copysign, "sign"}, {Op::tgamma, "gamma"},
      {Op::lgamma, "log_gamma"}, {Op::j0, "bessel_j0"}, {Op::j1, "bessel_j1"}, {Op::y0, "bessel_y0"},  {Op::y1, "bessel_y1"}};
  if (const auto at = renamed.find(op); at != renamed.end())
    return at->second;
  for (const Op same : {Op::sqrt, Op::exp, Op::log, Op::log10, Op::sin, Op::cos, Op::tan, Op::asin, Op::acos, Op::atan,
                        Op::atan2, Op::sinh, Op::cosh, Op::tanh, Op::asinh, Op::acosh, Op::atanh, Op::hypot, Op::erf,
                        Op::erfc, Op::floor, Op::ceil})
    if (op == same)
      return std::string(ops::name(op));
  return {};
}

const char* fortran_type(Format format) {
  switch (format) {
  case Format::binary64:
    return "real(8)";
  case Format::extended80:
    return "real(10)";
  default:
    return "real(4)";
  }
}
const char* fortran_suffix(Format format) {
  switch (format) {
  case Format::binary64:
    return "d0";
  case Format::extended80:
    return "_10";
  default:
    return "";
  }
}

std::string type_name(const Style& style) {
  if (!style.type.empty())
    return style.type;
  return style.language == Language::fortran ? fortran_type(style.format) : numeric::info(style.format).c_type;
}

// A literal of the format that is not negative.
std::string literal(Value value, const Style& style) {
  std::string digits = numeric::as_typed(numeric::shortest_decimal(value, style.format));
  if (style.language == Language::fortran) {
    if (const size_t e = digits.find('e'); e != std::string::npos) {
      if (digits.find('.') == std::string::npos)
        digits.insert(e, ".0");
      if (style.format == Format::binary64)
        digits[digits.find('e')] = 'd';
      else if (style.format == Format::extended80)
        digits += "_10";
      return digits;
    }
    return digits + (digits.find('.') == std::string::npos ? ".0" : "") + fortran_suffix(style.format);
  }
  if (digits.find_first_of(".e") == std::string::npos)
    digits += ".0";
  const numeric::FormatInfo& info = numeric::info(style.format);
  const std::string with_suffix = digits + info.literal_suffix;
  return info.literal_needs_cast ? fmt::format("({}){}", info.c_type, with_suffix) : with_suffix;
}

Value rounded(const mpq_class& value, Format format) { return evaluate(Term::number(value), {}, format); }

class Writer {
public:
  explicit Writer(const Style& style) : style_(style), taken_(style.taken.begin(), style.taken.end()) {
    for (const SourceText& text : style.texts)
      given_.emplace(text.term.hash(), &text);
  }

  std::string written(const Term& term) { return of(term).text; }

  WrittenBranch branch(const Branch& branch) {
    WrittenBranch result;
    for (const Condition& condition : branch.when)
      result.condition += (result.condition.empty() ? "" : style_.language == Language::fortran ? " .and. " : " && ") +
                          this->condition(condition, branch);
    temporaries_.clear();
    std::map<uint64_t, int> count;
    std::vector<Term> shared;
    collect(branch.term, count, shared);
    for (const Term& term : shared) { // parts come before what holds them
      const std::string name = fresh_name();
      result.temporaries.push_back({name, of(term).text});
      temporaries_.emplace(term.hash(), name);
    }
    result.text = of(branch.term).text;
    temporaries_.clear();
    return result;
  }

  std::vector<Helper> helpers() const { return {helpers_.begin(), helpers_.end()}; }
  void name_variables(const std::vector<Term>& variables) {
    for (const Term& variable : variables) {
      names_.emplace(variable.index(), variable);
      taken_.insert(variable.name());
    }
  }

private:
  std::string condition(const Condition& condition, const Branch&) {
    const auto at = names_.find(condition.variable);
    const std::string name = at == names_.end() ? "" : of(at->second).text;
    const bool fortran = style_.language == Language::fortran;
    const std::string magnitude = fortran                           ? "abs"
                                  : style_.language == Language::cpp ? "std::fabs"
                                                                     : c_name(Op::fabs);
    std::string border = literal(std::fabs(condition.border), style_);
    if (std::signbit(condition.border))
      border = "-" + border;
    return (condition.magnitude ? magnitude + in_parentheses(name) : name) + " < " + border;
  }

  std::string c_name(Op op) const {
    return std::string(ops::name(op)) + std::string(numeric::info(style_.format).libm_suffix);
  }

  std::string fresh_name() {
    for (const char* name : {"t", "u", "v", "w", "s", "q"})
      if (taken_.insert(name).second)
        return name;
    for (int i = 1;; ++i)
      if (const std::string name = fmt::format("t{}", i); taken_.insert(name).second)
        return name;
  }

  const SourceText* given(const Term& term) const {
    const auto at = given_.find(term.hash());
    return at == given_.end() ? nullptr : at->second;
  }

  // Parts that occur again, innermost first.
  void collect(const Term& term, std::map<uint64_t, int>& count, std::vector<Term>& shared) {
    if (term.operands().empty() || (given(term) != nullptr && given(term)->binding == Binding::atom))
      return;
    constexpr int worth = 3; // nodes: an operation on two others
    if (++count[term.hash()] == 2 && term.size() >= worth) {
      shared.push_back(term);
      return;
    }
    if (count[term.hash()] > 1)
      return;
    for (const Term& operand : term.operands())
      collect(operand, count, shared);
    if (!shared.empty())
      std::sort(shared.begin(), shared.end());
  }

  Text of(const Term& term) {
    if (const auto at = temporaries_.find(term.hash()); at != temporaries_.end())
      return {at->second};
    if (const SourceText* text = given(term))
      return {text->text, text->binding};
    switch (term.kind()) {
    case Term::Kind::number:
      return number(term.value());
    case Term::Kind::pi:
      return {literal(evaluate(term, {}, style_.format), style_)};
    case Term::Kind::variable:
      return {term.name()};
    case Term::Kind::doubled:
      return doubled(term);
    case Term::Kind::operation:
      break;
    }
    switch (term.op()) {
    case Op::fadd:
      return binary(term, " + ", Binding::sum);
    case Op::fsub:
      return binary(term, " - ", Binding::sum);
    case Op::fmul:
      return binary(term, " * ", Binding::product);
    case Op::fdiv:
      return binary(term, " / ", Binding::product);
    case Op::fneg: {
      const Text operand = of(term.operand(0));
      const bool bare = operand.binding == Binding::atom || operand.binding == Binding::product;
      return {"-" + (bare ? operand.text : in_parentheses(operand.text)), Binding::prefix};
    }
    default:
      return call(term);
    }
  }

  Text number(const mpq_class& value) {
    const mpq_class size = abs(value);
    std::string text;
    Binding binding = Binding::atom;
    const Value nearest = rounded(size, style_.format);
    if (Term::number_of(nearest).value() != size && size.get_num() < 1000000 && size.get_den() < 1000000) {
      text = literal(rounded(mpq_class(size.get_num()), style_.format), style_) + " / " +
             literal(rounded(mpq_class(size.get_den()), style_.format), style_);
      binding = Binding::product;
    } else
      text = literal(nearest, style_);
    return value < 0 ? Text{"-" + text, Binding::prefix} : Text{text, binding};
  }

  Text binary(const Term& term, const char* sign, Binding binding) {
    const Text left = of(term.operand(0)), right = of(term.operand(1));
    const bool keeps_left = left.binding >= binding;
    // a + (b + c) keeps its parentheses: floats are not associative.
    const bool keeps_right = right.binding > binding && right.binding != Binding::prefix;
    return {(keeps_left ? left.text : in_parentheses(left.text)) + sign +
                (keeps_right ? right.text : in_parentheses(right.text)),
            binding};
  }

  std::string arguments(const Term& term) {
    std::string list;
    for (const Term& operand : term.operands())
      list += (list.empty() ? "" : ", ") + of(operand).text;
    return in_parentheses(list);
  }

  Text call(const Term& term) {
    if (style_.language == Language::c)
      return {c_name(term.op()) + arguments(term)};
    if (style_.language == Language::cpp)
      return {"std::" + std::string(ops::name(term.op())) + arguments(term)};
    if (term.op() == Op::pow) {
      const Text base = of(term.operand(0)), exponent = of(term.operand(1));
      const auto atom = [](const Text& t) { return t.binding == Binding::atom ? t.text : in_parentheses(t.text); };
      return {atom(base) + "**" + atom(exponent), Binding::product};
    }
    if (const std::string name = fortran_name(term.op()); !name.empty())
      return {name + arguments(term)};
    return {fortran_helper(term.op()) + arguments(term)};
  }

  // Functions that Fortran lacks.
  std::string fortran_helper(Op op);
  Text doubled(const Term& term);

  const Style& style_;
  std::set<std::string> taken_;
  std::map<uint64_t, const SourceText*> given_;
  std::map<uint64_t, std::string> temporaries_;
  std::map<size_t, Term> names_;
  struct Ordered {
    bool operator()(const Helper& a, const Helper& b) const { return a.name < b.name; }
  };
  std::set<Helper, Ordered> helpers_;
};

// Kahan's formulas for expm1 and log1p, and Newton's step for the cube root (Goldberg, "What every computer scientist
// should know about floating-point arithmetic", 1991, theorem 4; Higham, "Accuracy and stability", 2002, section 1.14).
std::string Writer::fortran_helper(Op op) {
  const std::string type = type_name(style_), one = literal(1, style_);
  const auto define = [&](const std::string& name, const std::string& variables, const std::string& body) {
    std::string text = fmt::format("pure elemental function {0}(x) result(r)\n  {1}, intent(in) :: x\n  {1} :: r{2}\n",
                                   name, type, variables);
    text += body + fmt::format("end function {}\n", name);
    helpers_.insert({name, text});
    return name;
  };
  switch (op) {
  case Op::expm1:
    return define("expm1_of", ", u",
                  fmt::format("  u = exp(x)\n  if (u == {0}) then\n    r = x\n  else if (u - {0} == -{0} .or. u > huge(u)) "
                              "then\n    r = u - {0}\n  else\n    r = (u - {0}) * (x / log(u))\n  end if\n",
                              one));
  case Op::log1p:
    return define("log1p_of", ", u",
                  fmt::format("  u = {0} + x\n  if (u == {0} .or. u > huge(u)) then\n    r = x\n    if (u > huge(u)) r = "
                              "log(x)\n  else\n    r = log(u) * (x / (u - {0}))\n  end if\n",
                              one));
  case Op::cbrt:
    return define("cbrt_of", "",
                  fmt::format("  r = sign(abs(x)**({0} / {1}), x)\n  if (r /= {2} .and. abs(r) <= huge(r)) r = r - (r - x / "
                              "(r * r)) / {1}\n",
                              one, literal(3, style_), literal(0, style_)));
  default:
    return std::string(ops::name(op)); // the trial refuses what does not compile
  }
}

Text Writer::doubled(const Term& term) { return of(term.operand(0)); }

void variables_in(const Term& term, std::map<size_t, Term>& found) {
  if (term.is_variable())
    found.emplace(term.index(), term);
  for (const Term& operand : term.operands())
    variables_in(operand, found);
}

} // namespace

Written write(const std::vector<Branch>& branches, const Style& style) {
  Writer writer(style);
  std::map<size_t, Term> variables;
  for (const Branch& branch : branches)
    variables_in(branch.term, variables);
  for (const SourceText& text : style.texts)
    variables_in(text.term, variables);
  std::vector<Term> list;
  for (const auto& [index, term] : variables)
    list.push_back(term);
  writer.name_variables(list);
  Written written;
  for (const Branch& branch : branches)
    written.branches.push_back(writer.branch(branch));
  written.helpers = writer.helpers();
  if (style.language != Language::fortran)
    written.headers.push_back(style.language == Language::c ? "math.h" : "cmath");
  return written;
}

std::string write_term(const Term& term, const Style& style) { return Writer(style).written(term); }

} // namespace faultline::fix
