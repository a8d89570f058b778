#include "smtlib_writer.h"

#include "constraint/smtlib/apply.h"
#include "constraint/smtlib/printing.h"
#include "constraint/smtlib/script_reader.h"
#include "numeric/decimal.h"

#include <algorithm>
#include <fmt/format.h>
#include <unordered_set>

namespace faultline::constraint {

using ops::Op;

namespace {

constexpr size_t longest_inline = 80; // characters; longer expressions get a definition

// How an operation or a comparison is written. %a, %b and %c are the operands, %f and %g the format parameters of the
// result and of the operand, and %r is the rounding mode. For words, %w is the width, %x the first and the last bit,
// and %z zero.
struct Spelling {
  Op op;
  const char* form;
};
constexpr Spelling forms[] = {
    {Op::fadd, "(fp.add %r %a %b)"},
    {Op::fsub, "(fp.sub %r %a %b)"},
    {Op::fmul, "(fp.mul %r %a %b)"},
    {Op::fdiv, "(fp.div %r %a %b)"},
    {Op::fma, "(fp.fma %r %a %b %c)"},
    {Op::sqrt, "(fp.sqrt %r %a)"},
    {Op::fneg, "(fp.neg %a)"},
    {Op::fabs, "(fp.abs %a)"},
    {Op::fmin, "(fp.min %a %b)"},
    {Op::fmax, "(fp.max %a %b)"},
    {Op::fdim, "(ite (fp.leq %a %b) (_ +zero %f) (fp.sub %r %a %b))"},
    {Op::copysign, "(ite (fp.isNegative %b) (fp.neg (fp.abs %a)) (fp.abs %a))"},
    {Op::floor, "(fp.roundToIntegral RTN %a)"},
    {Op::ceil, "(fp.roundToIntegral RTP %a)"},
    {Op::trunc, "(fp.roundToIntegral RTZ %a)"},
    {Op::round, "(fp.roundToIntegral RNA %a)"},
    {Op::rint, "(fp.roundToIntegral RNE %a)"},
    {Op::roundeven, "(fp.roundToIntegral RNE %a)"},
    {Op::to_int, "(fp.roundToIntegral RTZ %a)"},
    {Op::to_int_rint, "(fp.roundToIntegral RNE %a)"},
    {Op::to_int_round, "(fp.roundToIntegral RNA %a)"},
    {Op::remainder, "(fp.rem %a %b)"},
    {Op::round_add, "(fp.add %r %a %b)"},
    {Op::round_sub, "(fp.sub %r %a %b)"},
    {Op::round_fma, "(fp.fma %r %a %b %c)"},
    {Op::fpext, "((_ to_fp %f) %r %a)"},
    {Op::fptrunc, "((_ to_fp %f) %r %a)"},
    {Op::cmp_oeq, "(fp.eq %a %b)"},
    {Op::cmp_ogt, "(fp.gt %a %b)"},
    {Op::cmp_oge, "(fp.geq %a %b)"},
    {Op::cmp_olt, "(fp.lt %a %b)"},
    {Op::cmp_ole, "(fp.leq %a %b)"},
    {Op::cmp_one, "(or (fp.lt %a %b) (fp.gt %a %b))"},
    {Op::cmp_ord, "(not (or (fp.isNaN %a) (fp.isNaN %b)))"},
    {Op::cmp_ueq, "(not (or (fp.lt %a %b) (fp.gt %a %b)))"},
    {Op::cmp_ugt, "(not (fp.leq %a %b))"},
    {Op::cmp_uge, "(not (fp.lt %a %b))"},
    {Op::cmp_ult, "(not (fp.geq %a %b))"},
    {Op::cmp_ule, "(not (fp.gt %a %b))"},
    {Op::cmp_une, "(not (fp.eq %a %b))"},
    {Op::cmp_uno, "(or (fp.isNaN %a) (fp.isNaN %b))"},
};
// In the order of Class.
constexpr const char* class_forms[] = {"(fp.isNormal %a)",   "(fp.isSubnormal %a)", "(fp.isZero %a)",
                                       "(fp.isInfinite %a)", "(fp.isNaN %a)",       "(fp.isNegative %a)",
                                       "(fp.isPositive %a)"};

// In the order of WordOp.
constexpr const char* word_forms[] = {"",
                                      "(bvnot %a)",
                                      "(bvand %a %b)",
                                      "(bvor %a %b)",
                                      "(bvxor %a %b)",
                                      "(bvadd %a %b)",
                                      "(bvsub %a %b)",
                                      "(bvmul %a %b)",
                                      "(bvudiv %a %b)",
                                      "(bvurem %a %b)",
                                      "(bvshl %a %b)",
                                      "(bvlshr %a %b)",
                                      "(bvashr %a %b)",
                                      "(concat %a %b)",
                                      "((_ extract %x) %a)"};

// Null if SMT-LIB lacks the operation.
const char* form_of(const Node& node) {
  switch (node.form) {
  case Form::operation:
  case Form::rounded:
  case Form::comparison: {
    const auto found = std::ranges::find(forms, node.op, &Spelling::op);
    return found == std::end(forms) ? nullptr : found->form;
  }
  case Form::classification:
    return class_forms[size_t(node.tested)];
  case Form::same:
    return "(= %a %b)";
  case Form::conjunction:
    return "(and %a %b)";
  case Form::disjunction:
    return "(or %a %b)";
  case Form::negation:
    return "(not %a)";
  case Form::choice:
    return "(ite %a %b %c)";
  case Form::float_of_pattern:
    return "((_ to_fp %f) %a)";
  case Form::float_of_integer:
    return node.is_signed ? "((_ to_fp %f) %r %a)" : "((_ to_fp_unsigned %f) %r %a)";
  case Form::integer_of_float: // 0 if out of range, which to_fp and back detects
    return node.is_signed
               ? "(ite (= ((_ to_fp %g) RTZ ((_ fp.to_sbv %w) RTZ %a)) %a) ((_ fp.to_sbv %w) RTZ %a) %z)"
               : "(ite (= ((_ to_fp_unsigned %g) RTZ ((_ fp.to_ubv %w) RTZ %a)) %a) ((_ fp.to_ubv %w) RTZ %a) %z)";
  case Form::word:
    return word_forms[size_t(node.word)];
  case Form::word_less:
    return node.is_signed ? "(bvslt %a %b)" : "(bvult %a %b)";
  case Form::variable:
  case Form::constant:
    break;
  }
  return nullptr;
}

std::string text_of(const Sort& sort) { return text(ScriptSort{ScriptSort::Kind::term, sort}); }

class Writer {
public:
  explicit Writer(const System& system) : system_(system), texts_(system.size()), names_(smtlib_names(system)) {}
  Written write();

private:
  void count_uses();
  void write_term(Term term);
  std::string expression(const Node& node) const;
  void choose_prefix();

  const System& system_;
  std::vector<std::string> texts_; // the expression of each term, or the name of its definition
  std::vector<uint32_t> uses_;
  std::vector<std::string> names_;
  std::string prefix_ = "t";
  Written written_;
};

// Counts the uses of terms that the assertions need. Operands come first, so one pass from the last term to the first
// suffices.
void Writer::count_uses() {
  uses_.assign(system_.size(), 0);
  for (const Term assertion : system_.assertions())
    ++uses_[assertion];
  for (size_t term = system_.size(); term-- > 0;) {
    const Node& node = system_.node(Term(term));
    for (int i = 0; uses_[term] > 0 && i < operand_count(node); ++i)
      ++uses_[node.operands[i]];
  }
}

// Definitions are named t12. If a variable has that name, they are named tt12, and so on.
void Writer::choose_prefix() {
  while (std::ranges::any_of(names_, [&](const std::string& name) { return name.starts_with(prefix_); }))
    prefix_ += 't';
}

std::string format_text(BinaryFormat format) {
  return fmt::format("{} {}", format.exponent_bits, format.significand_bits);
}

std::string Writer::expression(const Node& node) const {
  std::string text;
  for (const char* c = form_of(node); *c != 0; ++c) {
    if (*c != '%')
      text += *c;
    else if (*++c == 'f')
      text += format_text(node.sort.format);
    else if (*c == 'g')
      text += format_text(system_.sort(node.operands[0]).format);
    else if (*c == 'r')
      text += name(node.rounding);
    else if (*c == 'w')
      text += fmt::format("{}", node.sort.width);
    else if (*c == 'x')
      text += fmt::format("{} {}", int(node.value) + node.sort.width - 1, int(node.value));
    else if (*c == 'z')
      text += value_text(0, node.sort);
    else
      text += texts_[node.operands[size_t(*c - 'a')]];
  }
  return text;
}

void Writer::write_term(Term term) {
  const Node& node = system_.node(term);
  if (node.form == Form::variable || node.form == Form::constant) {
    texts_[term] = node.form == Form::variable ? names_[size_t(node.value)] : value_text(node.value, node.sort);
    return;
  }
  if (!form_of(node)) {
    written_.unwritable = node.op;
    return;
  }
  texts_[term] = expression(node);
  for (int i = 0; i < operand_count(node); ++i)
    if (uses_[node.operands[i]] == 1 && system_.node(node.operands[i]).form != Form::variable)
      texts_[node.operands[i]] = {}; // no longer needed
  if (uses_[term] == 1 && texts_[term].size() <= longest_inline)
    return;
  written_.text += fmt::format("(define-fun {}{} () {} {})\n", prefix_, term, text_of(node.sort), texts_[term]);
  texts_[term] = fmt::format("{}{}", prefix_, term);
}

Written Writer::write() {
  count_uses();
  choose_prefix();
  const bool has_words = std::ranges::any_of(system_.nodes(), [](const Node& node) { return node.sort.is_word(); });
  written_.text = fmt::format("(set-logic {})\n", has_words ? "QF_BVFP" : "QF_FP");
  for (size_t i = 0; i < names_.size(); ++i)
    written_.text +=
        fmt::format("(declare-fun {} () {})\n", names_[i], text_of(system_.sort(system_.variables()[i].term)));
  for (Term term = 0; term < system_.size() && written_.unwritable == Op::none; ++term)
    if (uses_[term] > 0)
      write_term(term);
  if (written_.unwritable != Op::none)
    return {{}, written_.unwritable};
  for (const Term assertion : system_.assertions())
    written_.text += fmt::format("(assert {})\n", texts_[assertion]);
  written_.text += "(check-sat)\n(get-model)\n";
  return std::move(written_);
}

// True if a quoted symbol may contain the character.
bool can_be_quoted(char c) {
  return c != '|' && c != '\\' && c != 127 && (c < 0 || c >= ' ' || c == '\t' || c == '\n');
}

} // namespace

Written write_smtlib(const System& system) { return Writer(system).write(); }

std::vector<std::string> smtlib_names(const System& system) {
  std::vector<std::string> names;
  std::unordered_set<std::string> taken;
  for (const Variable& variable : system.variables()) {
    std::string name = variable.name;
    std::ranges::replace_if(
        name, [](char c) { return !can_be_quoted(c); }, '_');
    const std::string stem = name;
    for (size_t i = 2; find_operator(name) || is_named_constant(name) || !taken.insert(name).second; ++i)
      name = fmt::format("{}_{}", stem, i);
    names.push_back(is_simple_symbol(name) ? name : "|" + name + "|");
  }
  return names;
}

} // namespace faultline::constraint
