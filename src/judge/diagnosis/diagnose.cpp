#include "judge/diagnosis/diagnose.h"

#include "explain/cause.h"
#include "explain/fault.h"
#include "judge/given_input.h"
#include "numeric/format.h"
#include "ops/table.h"
#include "oracle/judgement.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <string>
#include <tuple>
#include <utility>

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
  model::Type type;
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

using explain::Fault;
using namespace model;
using ops::Op;

namespace {

// The sentence with the reason: the operation at fault and its operands.
struct Case {
  const tape::Tape& tape;
  const std::vector<explain::Link>& way;
  const explain::Blame& blame;
  const explain::Classification& classified;
  const tape::Replay& exact;
};

// For a loop that stops too early.
std::string why_truncated(const tape::Tape& tape, const oracle::Truncation& truncation);

constexpr int telling_digits = 6; // of an exact value next to a rounded one

std::string short_number(double value) { return fmt::format("{:.3g}", value); }

std::string ulps_text(double ulps) {
  return ulps < 0.095 ? fmt::format("{:.1g} ulp", ulps)
         : ulps < 10  ? fmt::format("{:.1f} ulp", ulps)
                      : fmt::format("{:.3g} ulps", ulps);
}

// The number of digits that distinguish the exact value from the rounded one.
int digits_to_tell(const tape::Tape& tape, uint32_t record, const tape::Replay& exact) {
  const double error = numeric::relative_error(tape.exact(record), exact.values[record]);
  const double digits = error > 0 && error < 1 ? std::ceil(-std::log10(error)) + 1 : 1;
  return int(std::clamp(digits, double(telling_digits), 40.0));
}

std::string telling_value(const tape::Tape& tape, uint32_t record, const tape::Replay& exact) {
  return exact.values[record].to_string(digits_to_tell(tape, record, exact));
}

class Sentence {
public:
  explicit Sentence(const Case& facts) : c(facts), tape(facts.tape), guilty(facts.blame.record) {}

  std::string text() const {
    switch (c.classified.fault) {
    case Fault::cancellation:
      return c.classified.over_many ? long_cancellation() : cancellation() + operand_error() + again();
    case Fault::absorption:
      return absorption();
    case Fault::sensitive_argument:
      return fmt::format("{} multiplies the relative error of its argument by {}", spelled(), condition()) +
             operand_error() + again();
    case Fault::large_argument:
      return large_argument();
    case Fault::accumulated_rounding:
      return accumulated();
    case Fault::intermediate_overflow:
      return fmt::format("{} overflows: the exact value is {}, and what follows is computed from {}", spelled(),
                         exact_value(guilty), value_text(tape, guilty));
    case Fault::intermediate_underflow:
      return fmt::format("{} underflows to {}: the exact value is {}, below the normal range of {}, which begins at {}",
                         spelled(), value_text(tape, guilty), exact_value(guilty), format().name,
                         short_number(double(numeric::smallest_normal(tape.site(guilty).format))));
    case Fault::truncation: // why_truncated
    case Fault::branch_flip:
      return fmt::format("{}, but {} for the exact argument {}", carried_out(tape, guilty), exact_value(guilty),
                         operand_on_the_way() ? telling_value(operand_on_the_way()) : "?");
    case Fault::wrong_method: // not visible on a tape (judge/meaning/meaning_judge.h)
    case Fault::unclassified:
      break;
    }
    return fmt::format("the relative error grows {} times at {}", short_number(c.blame.amplification),
                       carried_out(tape, guilty));
  }

private:
  numeric::FormatInfo format() const { return numeric::info(tape.site(guilty).format); }

  // Without the result: "1 - 0.999".
  std::string spelled() const {
    const std::string all = carried_out(tape, guilty);
    return all.substr(0, all.rfind(" = "));
  }
  std::string exact_value(uint32_t record) const {
    return record == 0 ? "?" : c.exact.values[record].to_string(telling_digits);
  }
  std::string telling_value(uint32_t record) const { return judge::telling_value(tape, record, c.exact); }
  std::string condition() const { return short_number(c.blame.condition); }

  uint32_t operand_on_the_way() const {
    const auto at = std::ranges::find(c.way, guilty, &explain::Link::record);
    return at == c.way.end() || at + 1 == c.way.end() ? 0 : (at + 1)->record;
  }

  std::string cancellation() const {
    const tape::Record& at = tape.record(guilty);
    const Op op = tape.site(guilty).op;
    const std::string lost = c.classified.cancelled >= format().precision
                                 ? fmt::format("cancels all {} bits", format().precision)
                                 : fmt::format("cancels {} of {} bits", c.classified.cancelled, format().precision);
    if (op == Op::fma)
      return fmt::format("fma({}, {}, {}) {}", value_text(tape, at.a), value_text(tape, at.b), value_text(tape, at.c),
                         lost);
    if (op != Op::fadd)
      return fmt::format("subtracting {} from {} {}", value_text(tape, at.b), value_text(tape, at.a), lost);
    return fmt::format("adding {} to {} {}", value_text(tape, at.b), value_text(tape, at.a), lost);
  }

  // A sum whose terms grow and cancel: an alternating series.
  std::string long_cancellation() const {
    numeric::Value peak = 0, last = 0;
    bool first = true; // of the way, which begins at the output
    for (const explain::Link& link : c.way) {
      if (!explain::same_place(tape, link.record, guilty))
        continue;
      if (std::exchange(first, false))
        last = tape.exact(link.record);
      peak = std::max(peak, std::fabs(tape.exact(link.record)));
    }
    return fmt::format("the sum reaches {} on the way and comes down to {}: {} of {} bits cancel, over {} executions",
                       short_number(double(peak)), short_number(double(last)), c.classified.cancelled,
                       format().precision, c.blame.executions);
  }

  // The error that the operand carried.
  std::string operand_error() const {
    const uint32_t operand = operand_on_the_way();
    if (operand == 0)
      return "";
    const double ulps = numeric::ulp_error(tape.exact(operand), c.exact.values[operand], tape.site(operand).format);
    const int line = tape.site(operand).line;
    const std::string from = line > 0 && line != tape.site(guilty).line ? fmt::format(" from line {}", line) : "";
    const std::string rounded = value_text(tape, operand), exactly = telling_value(operand);
    return fmt::format("; the operand {}{} carried an error of {}{}", rounded, from, ulps_text(ulps),
                       rounded == exactly ? "" : fmt::format(" (exactly {})", exactly));
  }

  std::string again() const {
    return c.blame.executions > 1
               ? fmt::format("; it is one of {} executions that the error passes through", c.blame.executions)
               : "";
  }

  std::string absorption() const {
    const uint32_t absorber = c.classified.absorber;
    const tape::Record& at = tape.record(absorber);
    const bool first_smaller = std::fabs(tape.exact(at.a)) < std::fabs(tape.exact(at.b));
    const uint32_t small = first_smaller ? at.a : at.b, large = first_smaller ? at.b : at.a;
    const double lost = std::fabs(explain::parts_of(tape, absorber, c.exact).own.to_double());
    const double part = std::min(1.0, lost / std::fabs(double(tape.exact(small))));
    const bool adds = tape.site(absorber).op == Op::fadd;
    std::string text = adds ? fmt::format("adding {} to {}", value_text(tape, small), value_text(tape, large))
                            : fmt::format("{} - {}", value_text(tape, at.a), value_text(tape, at.b));
    text += fmt::format(" loses {} of {}", part > 0.995 ? "all" : fmt::format("{:.0f} %", 100 * part),
                        adds ? "it" : value_text(tape, small));
    if (absorber == guilty)
      return text + again();
    const int line = tape.site(absorber).line;
    if (line > 0 && line != tape.site(guilty).line)
      text += fmt::format(" (line {})", line);
    return text + "; " + cancellation() + ", so that the loss is all that is left";
  }

  std::string large_argument() const {
    const uint32_t operand = operand_on_the_way();
    std::string text = fmt::format("{} has a large argument", spelled());
    if (operand == 0)
      return text;
    const double error = std::fabs(explain::error_of(tape, operand, c.exact).to_double());
    const double ulps = numeric::ulp_error(tape.exact(operand), c.exact.values[operand], tape.site(operand).format);
    const Op op = tape.site(guilty).op;
    const bool periodic = op != Op::fmod && op != Op::remainder && op != Op::modulo;
    return text +
           fmt::format(": its error of {} is {}{}", ulps_text(ulps), short_number(error), periodic ? " radians" : "");
  }

  std::string accumulated() const {
    const double error = c.way.front().error;
    const std::string op(ops::symbol(tape.site(guilty).op));
    const double ulps = error * std::exp2(format().precision - 1);
    constexpr double little = 4;
    const std::string how = c.blame.amplification < little
                                ? "each adding little,"
                                : fmt::format("at which it grows up to {} times,", short_number(c.blame.amplification));
    return fmt::format("{} executions of '{}' on the way of the error, {} make it {}", c.blame.executions, op, how,
                       ulps_text(ulps));
  }

  const Case& c;
  const tape::Tape& tape;
  const uint32_t guilty;
};

std::string why(const Case& facts) { return facts.blame.record == 0 ? "" : Sentence(facts).text(); }

// For a decision that exact arithmetic makes differently; `exact` must include it.
std::string why_flipped(const tape::Tape& tape, uint32_t decision, int64_t exactly, const tape::Replay& exact) {
  const Op op = tape.site(decision).op;
  int digits = 0; // for both operands, so that they can be compared by eye
  for (int i = 0; i < ops::arity(op); ++i)
    if (const uint32_t operand = tape.operand(decision, i); !runtime::is_constant(operand))
      digits = std::max(digits, digits_to_tell(tape, operand, exact));
  std::vector<std::string> operands;
  for (int i = 0; i < ops::arity(op); ++i) {
    const uint32_t operand = tape.operand(decision, i);
    operands.push_back(runtime::is_constant(operand) ? value_text(tape, operand)
                                                     : exact.values[operand].to_string(digits));
  }
  if (ops::is_comparison(op))
    return fmt::format("{}; exact arithmetic compares {} and goes the other way", carried_out(tape, decision),
                       written(op, operands));
  return fmt::format("the conversion of {} to an integer gives {}; exact arithmetic converts {} and gets {}",
                     value_text(tape, tape.operand(decision, 0)), int64_t(tape.exact(decision)), operands.front(),
                     exactly);
}

std::string why_truncated(const tape::Tape& tape, const oracle::Truncation& truncation) {
  constexpr int digits = 6;
  if (truncation.turns != 0)
    return fmt::format(
        "the loop makes {} turns, whatever the input; in exact arithmetic it stops at {} too, and goes on "
        "from there with more turns",
        truncation.turns, truncation.exact.to_string(digits));
  return fmt::format("the loop ends as {}; in exact arithmetic it stops at {} too, and goes on from there if the "
                     "tolerance is smaller",
                     carried_out(tape, truncation.exit), truncation.exact.to_string(digits));
}

constexpr size_t most_explained = 12;
constexpr int reference_digits = 18;

ChainLink step_of(const tape::Tape& tape, const explain::Link& link, const tape::Replay& exact) {
  const tape::Site& site = tape.site(link.record);
  return {site.file,
          site.line,
          site.column,
          site.function,
          std::string(ops::name(site.op)),
          carried_out(tape, link.record),
          exact.values[link.record].to_string(reference_digits),
          link.error,
          0};
}

// The links to show, from the origin to the output: the ends, the operation at fault, and the others that change the
// error most.
std::vector<ChainLink> steps_of(const tape::Tape& tape, const std::vector<explain::Link>& way, uint32_t guilty,
                                const tape::Replay& exact) {
  std::vector<size_t> order(way.size());
  for (size_t i = 0; i < order.size(); ++i)
    order[i] = i;
  auto weight = [&](size_t i) {
    const bool kept = i == 0 || i + 1 == way.size() || way[i].record == guilty;
    return kept ? INFINITY : std::fabs(way[i].growth);
  };
  std::ranges::sort(order, [&](size_t a, size_t b) { return std::tuple(-weight(a), a) < std::tuple(-weight(b), b); });
  order.resize(std::min(order.size(), most_explained));
  std::ranges::sort(order, std::greater());
  std::vector<ChainLink> steps;
  size_t next = way.empty() ? 0 : way.size() - 1;
  for (const size_t at : order) {
    steps.push_back(step_of(tape, way[at], exact));
    steps.back().skipped = next - at;
    next = at == 0 ? 0 : at - 1;
  }
  return steps;
}

std::vector<LineShare> lines_of(const tape::Tape& tape, uint32_t output, const std::vector<explain::Link>& way,
                                const tape::Replay& exact) {
  const std::vector<numeric::Value> own = explain::own_shares(tape, output, exact);
  std::map<std::tuple<std::string_view, int, std::string_view>, LineShare> lines;
  std::map<const LineShare*, numeric::Value> sums;
  auto line_of = [&](uint32_t record) -> LineShare& {
    const tape::Site& site = tape.site(record);
    LineShare& line = lines[{site.file, site.line, site.function}];
    line.file = site.file;
    line.line = site.line;
    line.function = site.function;
    return line;
  };
  for (uint32_t record = 1; record < own.size(); ++record)
    if (own[record] != 0)
      sums[&line_of(record)] += own[record];
  for (const explain::Link& link : way) {
    LineShare& line = line_of(link.record);
    line.growth = std::max(line.growth, std::exp2(std::min(link.growth, 1023.0)));
  }
  std::vector<LineShare> all;
  for (auto& [place, line] : lines) {
    line.share = double(sums[&line]);
    all.push_back(line);
  }
  auto order = [](const LineShare& line) {
    return std::tuple(-std::fabs(line.share), -line.growth, line.file, line.line, line.function);
  };
  std::ranges::sort(all, {}, order);
  all.resize(std::min(all.size(), most_lines));
  return all;
}

} // namespace

DiagnosisWithRemedies diagnose(const tape::Tape& tape, const model::Target& target, Analysis& analysis,
                               const WrongOutput& output) {
  DiagnosisWithRemedies diagnosed;
  Diagnosis& diagnosis = diagnosed.diagnosis;
  const tape::Replay& exact = analysis.exact(tape);
  const std::vector<explain::Link>& way = analysis.error_path(tape, output.record);
  if (way.empty())
    return diagnosed;
  const explain::Blame& blame = analysis.blame(tape, output.record);
  const explain::Classification classified = explain::classify(tape, way, blame, exact);
  diagnosis.fault = classified.fault;
  diagnosis.why = why({tape, way, blame, classified, exact});
  diagnosis.chain = steps_of(tape, way, blame.record, exact);
  diagnosis.lines = lines_of(tape, output.record, way, exact);
  diagnosis.accounted =
      std::isinf(output.relative) && std::isinf(way.front().error) ? 1 : way.front().error / output.relative;
  std::vector<std::string> names;
  for (const model::Cell& cell : target.inputs)
    names.push_back(cell.name);
  diagnosed.remedies =
      explain::find_remedies({tape, output.record, output.reference, way, blame.record, names, output.avoidable});
  return diagnosed;
}

Diagnosis diagnose_truncation(const tape::Tape& tape, const oracle::Truncation& truncation) {
  Diagnosis diagnosis;
  diagnosis.fault = Fault::truncation;
  diagnosis.why = why_truncated(tape, truncation);
  return diagnosis;
}

Diagnosis diagnose_flip(const tape::Tape& tape, const tape::Divergence& flip, Analysis& analysis) {
  const tape::Replay& exact = analysis.exact(tape);
  Diagnosis diagnosis;
  diagnosis.fault = Fault::branch_flip;
  const uint32_t decision = flip.branch.record;
  diagnosis.why = why_flipped(tape, decision, flip.lifted, exact);
  uint32_t wrong = 0;
  double error = 0;
  for (int i = 0; i < ops::arity(tape.site(decision).op); ++i) {
    const uint32_t operand = tape.operand(decision, i);
    const double own =
        runtime::is_constant(operand) ? 0 : numeric::relative_error(tape.exact(operand), exact.values[operand]);
    if (own > error) {
      error = own;
      wrong = operand;
    }
  }
  if (wrong == 0)
    return diagnosis;
  const std::vector<explain::Link>& way = analysis.error_path(tape, wrong);
  diagnosis.chain = steps_of(tape, way, 0, exact);
  diagnosis.lines = lines_of(tape, wrong, way, exact);
  explain::Link last;
  last.record = decision;
  last.error = error;
  diagnosis.chain.push_back(step_of(tape, last, exact));
  diagnosis.chain.back().reference = std::to_string(flip.lifted);
  return diagnosis;
}

} // namespace faultline::judge
