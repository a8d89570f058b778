#include "solve/smt_terms.h"

#include "solve/child.h"

#include <algorithm>

#include <utility>

namespace faultline::solve {
namespace {

using constraint::Class;
using constraint::Form;
using constraint::Node;
using constraint::System;
using constraint::Term;
using ops::Op;

// Builds terms of the new system.
class Rewriter {
public:
  Rewriter(const System& original, SmtTerms& result) : original_(original), result_(result), to_(result.system) {}

  void run() {
    for (const constraint::Variable& variable : original_.variables())
      variables_.push_back(to_.variable(variable.name, original_.sort(variable.term)));
    std::vector<bool> needed(original_.size());
    for (const Term assertion : original_.assertions())
      needed[assertion] = true;
    for (Term term = Term(original_.size()); term-- > 0;)
      for (int i = 0; needed[term] && i < constraint::operand_count(original_.node(term)); ++i)
        needed[original_.node(term).operands[size_t(i)]] = true;
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
    case Form::constant:
      return node.sort.boolean ? to_.truth(node.value != 0) : to_.constant(node.value, node.sort.format);
    case Form::operation:
      return operation(node, a, b, c);
    case Form::comparison:
      return comparison(node.op, a, b);
    case Form::same:
      return to_.same(a, b);
    case Form::classification:
      return to_.classify(node.tested, a);
    case Form::conjunction:
      return to_.both(a, b);
    case Form::disjunction:
      return to_.either(a, b);
    case Form::negation:
      return to_.negate(a);
    case Form::choice:
      break;
    }
    return to_.choose(a, b, c);
  }

  Term operation(const Node& node, Term a, Term b, Term c) {
    switch (node.op) {
    case Op::fadd:
    case Op::fsub:
    case Op::fmul:
    case Op::fdiv:
    case Op::sqrt:
    case Op::fneg:
    case Op::fabs:
    case Op::floor:
    case Op::ceil:
    case Op::trunc:
    case Op::round:
    case Op::roundeven:
      return to_.operation(node.op, a, b, c);
    case Op::fma:
      result_.small_fma |= node.sort.format.width() < 16;
      return to_.operation(node.op, a, b, c);
    case Op::remainder:
      result_.remainder = true;
      return to_.operation(node.op, a, b, c);
    case Op::round_add:
      return to_.operation(Op::fadd, a, b);
    case Op::rint:
    case Op::to_int_rint:
      return to_.operation(Op::roundeven, a);
    case Op::to_int:
      return to_.operation(Op::trunc, a);
    case Op::to_int_round:
      return to_.operation(Op::round, a);
    case Op::fptrunc:
    case Op::fpext:
      return to_.convert(a, node.sort.format);
    case Op::fmin:
      return smaller(a, b, a, b);
    case Op::fmax:
      return smaller(b, a, a, b);
    case Op::copysign: {
      const Term magnitude = to_.operation(Op::fabs, a);
      return to_.choose(to_.classify(Class::negative, b), to_.operation(Op::fneg, magnitude), magnitude);
    }
    case Op::fdim:
      return positive_difference(node.sort.format, a, b);
    default:
      result_.obstacle = "SMT-LIB has no " + std::string(ops::name(node.op));
      return 0;
    }
  }

  // a if low < high, else b; a NaN loses. If both are zero, either.
  Term smaller(Term low, Term high, Term a, Term b) {
    const auto is = [this](Class tested, Term term) { return to_.classify(tested, term); };
    const Term zeros = to_.both(is(Class::zero, a), is(Class::zero, b));
    const Term open = to_.variable("faultline.zero." + std::to_string(to_.size()), constraint::boolean_sort);
    const Term first = to_.choose(zeros, open, to_.compare(Op::cmp_olt, low, high));
    const Term number = to_.choose(first, a, b);
    return to_.choose(is(Class::nan, a), b, to_.choose(is(Class::nan, b), a, number));
  }

  Term positive_difference(numeric::BinaryFormat format, Term a, Term b) {
    const Term difference = to_.operation(Op::fsub, a, b);
    const Term number = to_.choose(to_.compare(Op::cmp_olt, b, a), difference, to_.constant(0, format));
    return to_.choose(comparison(Op::cmp_uno, a, b), to_.constant(format.nan(), format), number);
  }

  Term comparison(Op op, Term a, Term b) {
    const auto nan = [this](Term term) { return to_.classify(Class::nan, term); };
    switch (op) {
    case Op::cmp_oeq:
    case Op::cmp_olt:
    case Op::cmp_ole:
      return to_.compare(op, a, b);
    case Op::cmp_ogt:
      return to_.compare(Op::cmp_olt, b, a);
    case Op::cmp_oge:
      return to_.compare(Op::cmp_ole, b, a);
    case Op::cmp_one:
      return to_.either(to_.compare(Op::cmp_olt, a, b), to_.compare(Op::cmp_olt, b, a));
    case Op::cmp_ueq:
      return to_.negate(comparison(Op::cmp_one, a, b));
    case Op::cmp_ugt:
      return to_.negate(to_.compare(Op::cmp_ole, a, b));
    case Op::cmp_uge:
      return to_.negate(to_.compare(Op::cmp_olt, a, b));
    case Op::cmp_ult:
      return to_.negate(to_.compare(Op::cmp_ole, b, a));
    case Op::cmp_ule:
      return to_.negate(to_.compare(Op::cmp_olt, b, a));
    case Op::cmp_une:
      return to_.negate(to_.compare(Op::cmp_oeq, a, b));
    case Op::cmp_ord:
      return to_.negate(to_.either(nan(a), nan(b)));
    default:
      return to_.either(nan(a), nan(b)); // cmp_uno
    }
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
  constexpr double grace = 0.2; // seconds to come to an end by itself
  if (!terms.obstacle.empty())
    return {.reason = terms.obstacle};
  Result result = run_in_child(solver, {.seconds = question.seconds + grace});
  result.model.resize(std::min(result.model.size(), question.system.variables().size()));
  return result;
}

} // namespace faultline::solve
