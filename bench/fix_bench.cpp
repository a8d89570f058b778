// Runs the search of `faultline fix` on the problems of an FPCore file:
//
//     build/bin/fix_bench FILE.fpcore [NAME...]
//
// Prints for each its errors before and after at fresh samples: average bits and the largest avoidable error at random,
// everyday and near inputs. "fixed": no avoidable error above 2e-15, and at most 1 bit on average.
#include "ops/table.h"
#include "fix/candidates.h"
#include "fix/samples.h"
#include "fix/writing.h"
#include "program/fpcore/core.h"
#include "program/fpcore/operators.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <set>
#include <sys/resource.h>

using namespace faultline;
using fix::Op;
using fix::Term;
using program::fpcore::Core;
using program::fpcore::Form;

namespace {

struct Unsupported {
  std::string what;
};

using Names = std::map<std::string, Term>;

Op op_of(const std::string& name) {
  static const std::map<std::string, Op> renamed = {{"+", Op::fadd}, {"*", Op::fmul}, {"/", Op::fdiv}};
  if (const auto at = renamed.find(name); at != renamed.end())
    return at->second;
  for (int i = 0; i < ops::operation_count; ++i)
    if (ops::name(Op(i)) == name && fix::has_enclosure(Op(i)))
      return Op(i);
  throw Unsupported{name};
}

Term term_of(const Form& form, const Names& names) {
  if (form.is_number())
    return Term::number(program::fpcore::number_of(form.text)->value);
  if (form.is_symbol()) {
    if (const auto at = names.find(form.text); at != names.end())
      return at->second;
    if (form.text == "PI")
      return Term::pi();
    if (form.text == "E")
      return Term::apply(Op::exp, Term::number(1));
    throw Unsupported{form.text};
  }
  const std::string head(form.head());
  if (head == "let" || head == "let*") {
    Names inner = names;
    for (const Form& binding : form.items[1].items)
      inner.insert_or_assign(binding.items[0].text, term_of(binding.items[1], head == "let" ? names : inner));
    return term_of(form.items[2], inner);
  }
  std::vector<Term> operands;
  for (size_t i = 1; i < form.items.size(); ++i)
    operands.push_back(term_of(form.items[i], names));
  if (head == "-" && operands.size() == 1)
    return -operands[0];
  if (head == "-")
    return operands[0] - operands[1];
  const Op op = op_of(head);
  Term all = operands[0];
  if (operands.size() > 2 && (op == Op::fadd || op == Op::fmul)) {
    for (size_t i = 1; i < operands.size(); ++i)
      all = Term::apply(op, all, operands[i]);
    return all;
  }
  if (int(operands.size()) != ops::arity(op))
    throw Unsupported{head};
  return Term::apply(op, operands);
}

double number_in(const Form& form, const std::map<std::string, size_t>& index, const fix::Point& point) {
  if (form.is_number())
    return program::fpcore::number_of(form.text)->value.get_d();
  if (form.is_symbol())
    return form.text == "PI" ? M_PI : double(point[index.at(form.text)]);
  std::vector<double> values;
  for (size_t i = 1; i < form.items.size(); ++i)
    values.push_back(number_in(form.items[i], index, point));
  const std::string head(form.head());
  if (head == "-" && values.size() == 1)
    return -values[0];
  const Op op = head == "-" ? Op::fsub : op_of(head);
  double all = values.size() == 1 ? ops::evaluate(op, values[0]) : values[0];
  for (size_t i = 1; i < values.size(); ++i)
    all = ops::evaluate(op, all, values[i]);
  return all;
}

bool truth_in(const Form& form, const std::map<std::string, size_t>& index, const fix::Point& point) {
  const std::string head(form.head());
  if (head == "and" || head == "or" || head == "not") {
    for (size_t i = 1; i < form.items.size(); ++i)
      if (truth_in(form.items[i], index, point) != (head == "and"))
        return head != "and";
    return head == "and";
  }
  std::vector<double> values;
  for (size_t i = 1; i < form.items.size(); ++i)
    values.push_back(number_in(form.items[i], index, point));
  for (size_t i = 0; i + 1 < values.size(); ++i) {
    const double a = values[i], b = values[i + 1];
    if (!(head == "<" ? a < b : head == "<=" ? a <= b : head == ">" ? a > b : head == ">=" ? a >= b : a == b))
      return false;
  }
  return true;
}

// Ranges of single variables, from comparisons with numbers.
void narrow(const Form& form, const std::map<std::string, size_t>& index, std::vector<fix::Variable>& variables) {
  const std::string head(form.head());
  if (head == "and") {
    for (size_t i = 1; i < form.items.size(); ++i)
      narrow(form.items[i], index, variables);
    return;
  }
  for (size_t i = 1; i + 1 < form.items.size(); ++i) {
    const Form *a = &form.items[i], *b = &form.items[i + 1];
    std::string sign = head;
    if (sign == ">" || sign == ">=") {
      std::swap(a, b);
      sign[0] = '<';
    }
    if (sign[0] != '<')
      return;
    const bool strict = sign == "<"; // a < b
    const bool fabs_of = a->head() == "fabs" && a->items[1].is_symbol();
    const auto value = [](const Form& f) -> std::optional<program::fpcore::Number> {
      if (f.is_number())
        return program::fpcore::number_of(f.text);
      return std::nullopt;
    };
    if (const auto number = value(*b); number && (a->is_symbol() || fabs_of)) {
      fix::Variable& v = variables[index.at(fabs_of ? a->items[1].text : a->text)];
      v.high = std::min(v.high, program::fpcore::rounded_down(*number, v.format, strict));
      if (fabs_of)
        v.low = std::max(v.low, -v.high);
    }
    if (const auto number = value(*a); number && b->is_symbol()) {
      fix::Variable& v = variables[index.at(b->text)];
      v.low = std::max(v.low, program::fpcore::rounded_up(*number, v.format, strict));
    }
  }
}

fix::Question question_of(const Core& core) {
  Names names;
  std::map<std::string, size_t> index;
  std::vector<fix::Variable> variables;
  for (const auto& argument : core.arguments) {
    names.emplace(argument.name, Term::variable(argument.c_name, variables.size()));
    index.emplace(argument.name, variables.size());
    variables.push_back({.name = argument.c_name, .format = argument.format});
  }
  fix::Question question{.term = term_of(core.body, names), .variables = variables, .format = core.format};
  if (core.precondition) {
    narrow(*core.precondition, index, question.variables);
    question.legal = [form = *core.precondition, index](const fix::Point& point) {
      return truth_in(form, index, point);
    };
  }
  return question;
}

std::string text_of(const std::string& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

double seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return double(usage.ru_utime.tv_sec) + double(usage.ru_utime.tv_usec) * 1e-6;
}

std::string shown(const fix::Accuracies& a) {
  return fmt::format("{:4.1f} {:4.1f} {:4.1f} max {:7.1e} {:7.1e} {:7.1e}", a.random.average_bits,
                     a.everyday.average_bits, a.near.average_bits, a.random.largest, a.everyday.largest,
                     a.near.largest);
}

} // namespace

int main(int count, char** arguments) {
  if (count < 2)
    return 2;
  const std::string file = arguments[1];
  std::set<std::string> wanted(arguments + 2, arguments + count);
  const bool verbose = !wanted.empty();
  int needed = 0, fixed = 0, shown_count = 0, offered = 0, proofs = 0;
  double bits_random = 0, bits_everyday = 0;
  for (const Core& core : program::fpcore::read_cores(text_of(file), file)) {
    const std::string name = core.symbol.empty() ? core.name : core.symbol;
    if (verbose && !wanted.contains(name))
      continue;
    try {
      fix::Question question = question_of(core);
      question.everywhere = std::getenv("EVERYDAY") == nullptr;
      if (const char* effort = std::getenv("EFFORT"))
        question.effort = std::atof(effort);
      const double start = seconds();
      const fix::Answer answer = fix::search_candidates(question);
      const double spent = seconds() - start;
      // Fresh samples judge; those near failures are near the same ones.
      const std::vector<fix::Sample> samples =
          fix::draw_samples(question, 4242, {.random = 400, .everyday = 400, .near = 240, .special = 0});
      const auto before = fix::measure(
          samples, [&](const fix::Point& at) { return fix::evaluate(question.term, at, question.format); },
          question.format);
      fix::Accuracies after = before;
      if (!answer.candidates.empty())
        after = fix::measure(
            samples,
            [&](const fix::Point& at) { return fix::evaluate(answer.candidates.front(), at, question.format); },
            question.format);
      const bool needs = !fix::is_fixed(before, question.format), done = fix::is_fixed(after, question.format);
      needed += needs;
      fixed += needs && done;
      ++shown_count;
      bits_random += after.random.average_bits;
      bits_everyday += after.everyday.average_bits;
      const bool proved = !answer.candidates.empty() && answer.candidates.front().evidence.equality_proved;
      offered += !answer.candidates.empty();
      proofs += proved;
      fmt::print("{:<12} {:<8} {:<6} {:4.1f}s  {}  ->  {}\n", name, !needs ? "ok" : done ? "FIXED" : "no",
                 proved ? "proved" : "", spent, shown(before), shown(after));
      if (!answer.candidates.empty())
        for (const fix::Branch& branch : answer.candidates.front().branches) {
          std::string when;
          for (const fix::Condition& c : branch.when)
            when += fmt::format(fmt::runtime(c.magnitude ? "|{}| < {} " : "{} < {} "), question.variables[c.variable].name,
                                double(c.border));
          fmt::print("    {}: {}\n", when.empty() ? "else" : when, fix::text(branch.term));
        }
      else
        fmt::print("    {}\n", answer.reason);
      if (verbose && std::getenv("ALL") != nullptr)
        for (const fix::Candidate& candidate : answer.candidates) {
          fmt::print("  candidate {}\n", shown(candidate.after));
          for (const fix::Branch& branch : candidate.branches)
            fmt::print("     {} {}\n", branch.when.empty() ? 0.0 : double(branch.when[0].border), fix::text(branch.term));
        }
      if (verbose && !answer.candidates.empty())
        for (const auto& steps : answer.candidates.front().evidence.equality) {
          fmt::print("     ");
          for (const fix::Step& step : steps)
            fmt::print(" {}{}", step.kind == fix::Step::Kind::kept      ? "kept"
                                : step.kind == fix::Step::Kind::algebra ? "algebra"
                                : step.kind == fix::Step::Kind::numeric ? "NOT PROVED"
                                                                        : step.name,
                       step.remainder != 0 ? fmt::format(" remainder {:.1e}", step.remainder) : "");
          fmt::print("\n");
        }
      int wrong = 0;
      if (verbose)
        for (const fix::Sample& sample : samples) {
          if (answer.candidates.empty())
            break;
          const auto computed = fix::evaluate(answer.candidates.front(), sample.point, question.format);
          const double error = fix::avoidable_error(computed, sample, question.format);
          if (constexpr int most = 6; error > fix::avoidable_bar && ++wrong <= most) {
            std::string at;
            for (const auto x : sample.point)
              at += fmt::format(" {}", double(x));
            fmt::print("      {} wrong{}: {} exact {} error {:.2e} allowed {:.2e}\n",
                       sample.kind == fix::SampleKind::random     ? "random"
                       : sample.kind == fix::SampleKind::everyday ? "everyday"
                                                                  : "near",
                       at, double(computed), double(sample.exact), error, sample.allowance);
          }
        }
      std::fflush(stdout);
    } catch (const Unsupported& unsupported) {
      fmt::print("{:<12} unsupported: {}\n", name, unsupported.what);
    }
  }
  fmt::print("equality proved for {} of {} candidates\n", proofs, offered);
  fmt::print("fixed {} of {} that need repair, {} shown; average bits {:.2f} random, {:.2f} everyday\n", fixed, needed,
             shown_count, bits_random / shown_count, bits_everyday / shown_count);
  return 0;
}
