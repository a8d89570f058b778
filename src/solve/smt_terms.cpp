#include "solve/smt_terms.h"

#include "ops/op.h"
#include "solve/child.h"

#include <algorithm>

namespace faultline::solve {
namespace {

// Builds terms of the new system.
class Rewriter {
public:
  Rewriter(const System& original, SmtTerms& result) : original_(original), result_(result), to_(result.system) {}

  void run() {
    for (const constraint::Variable& variable : original_.variables())
      variables_.push_back(to_.variable(variable.name, original_.sort(variable.term)));
    const std::vector<bool> needed = constraint::reached(original_);
    terms_.resize(original_.size());
    for (Term term = 0; term < original_.size() && result_.obstacle.empty(); ++term)
      if (needed[term])
        terms_[term] = rewritten(original_.node(term));
    if (result_.obstacle.empty())
      for (const Term assertion : original_.assertions())
        to_.assert_true(terms_[assertion]);
  }

private:
  Term rewritten(const Node& node) {
    const Term a = terms_[node.operands[0]], b = terms_[node.operands[1]], c = terms_[node.operands[2]];
    switch (node.form) {
    case Form::variable:
      return variables_[size_t(node.value)];
    case Form::operation:
      return operation(node, a, b, c);
    case Form::comparison:
      return comparison(node.op, a, b);
    case Form::rounded:
      result_.small_fma |= node.op == Op::fma && node.sort.format.width() < 16;
      break;
    default:
      break;
    }
    return to_.rebuilt(node, {a, b, c});
  }

  Term operation(const Node& node, Term a, Term b, Term c) {
    if (const auto direction = ops::rounding_of(node.op))
      return to_.operation(ops::integer_rounding(*direction), a);
    if (!ops::is_arithmetic(node.op)) {
      result_.obstacle = "SMT-LIB has no " + std::string(ops::name(node.op));
      return 0;
    }
    switch (Arithmetic(node.op)) {
    case Arithmetic::fadd:
    case Arithmetic::fsub:
    case Arithmetic::fmul:
    case Arithmetic::fdiv:
    case Arithmetic::sqrt:
    case Arithmetic::fneg:
    case Arithmetic::fabs:
      break;
    case Arithmetic::fma:
      result_.small_fma |= node.sort.format.width() < 16;
      break;
    case Arithmetic::remainder:
      result_.remainder = true;
      break;
    case Arithmetic::round_add:
    case Arithmetic::round_sub:
    case Arithmetic::round_fma:
      return to_.operation(ops::without_purpose(node.op), a, b, c);
    case Arithmetic::fptrunc:
    case Arithmetic::fpext:
      return to_.convert(a, node.sort.format);
    case Arithmetic::fmin:
      return smaller(a, b, a, b);
    case Arithmetic::fmax:
      return smaller(b, a, a, b);
    case Arithmetic::copysign: {
      const Term magnitude = to_.operation(Op::fabs, a);
      return to_.choose(to_.classify(Class::negative, b), to_.operation(Op::fneg, magnitude), magnitude);
    }
    case Arithmetic::fdim:
      return positive_difference(node.sort.format, a, b);
    }
    return to_.operation(node.op, a, b, c);
  }

  // Returns a if low < high, else b; a NaN loses. If both are zero, returns either.
  Term smaller(Term low, Term high, Term a, Term b) {
    const auto is = [this](Class tested, Term term) { return to_.classify(tested, term); };
    const Term zeros = to_.both(is(Class::zero, a), is(Class::zero, b));
    const Term open = to_.variable("faultline.zero." + std::to_string(to_.size()), constraint::boolean_sort);
    const Term first = to_.choose(zeros, open, to_.compare(Op::cmp_olt, low, high));
    const Term number = to_.choose(first, a, b);
    return to_.choose(is(Class::nan, a), b, to_.choose(is(Class::nan, b), a, number));
  }

  Term positive_difference(BinaryFormat format, Term a, Term b) {
    const Term difference = to_.operation(Op::fsub, a, b);
    const Term number = to_.choose(to_.compare(Op::cmp_olt, b, a), difference, to_.constant(0, format));
    return to_.choose(comparison(Op::cmp_uno, a, b), to_.constant(format.nan(), format), number);
  }

  Term comparison(Op op, Term a, Term b) {
    const auto nan = [this](Term term) { return to_.classify(Class::nan, term); };
    if (op == Op::cmp_uno)
      return to_.either(nan(a), nan(b));
    if (ops::is_unordered(op) || op == Op::cmp_ord)
      return to_.negate(comparison(ops::opposite(op), a, b));
    if (op == Op::cmp_one)
      return to_.either(to_.compare(Op::cmp_olt, a, b), to_.compare(Op::cmp_olt, b, a));
    return ops::holds(op, ops::trait::greater) ? to_.compare(ops::swapped(op), b, a) : to_.compare(op, a, b);
  }

  const System& original_;
  SmtTerms& result_;
  System& to_;
  std::vector<Term> variables_, terms_;
};

} // namespace

SmtTerms smt_terms(const System& original) {
  SmtTerms result;
  Rewriter(original, result).run();
  return result;
}

Result ask_in_child(const Question& question, const SmtTerms& terms, const std::function<Result()>& solver) {
  constexpr double grace = 0.2; // seconds to finish by itself
  if (!terms.obstacle.empty())
    return {.reason = terms.obstacle};
  Result result = run_in_child(solver, {.seconds = question.seconds + grace});
  result.model.resize(std::min(result.model.size(), question.system.variables().size()));
  return result;
}

Model model_of(const System& system, const std::function<bool(Term)>& truth,
               const std::function<numeric::Bits(Term)>& number, const std::function<numeric::Bits(Term)>& word) {
  Model model;
  for (const constraint::Variable& variable : system.variables()) {
    const Sort& sort = system.sort(variable.term);
    model.push_back(sort.boolean     ? numeric::Bits(truth(variable.term))
                    : sort.is_word() ? word(variable.term)
                                     : number(variable.term));
  }
  return model;
}

} // namespace faultline::solve
