#include "judge/diagnosis/diagnose.h"

#include "explain/shares.h"
#include "judge/diagnosis/operation_text.h"
#include "judge/diagnosis/why.h"
#include "numeric/ulp.h"
#include "ops/table.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace faultline::judge {

using finding::ChainLink;
using finding::Diagnosis;
using finding::Fault;
using finding::LineShare;
namespace {

constexpr size_t most_steps = 12;
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

// The links to show, from the origin to the output: the ends, the guilty one, and of the others those at which most
// happens to the error.
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
  order.resize(std::min(order.size(), most_steps));
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
  const std::vector<long double> own = explain::own_shares(tape, output, exact);
  std::map<std::tuple<std::string_view, int, std::string_view>, LineShare> lines;
  std::map<const LineShare*, long double> sums;
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

Diagnosed diagnose(const tape::Tape& tape, const frontend::Target& target, Analysis& analysis,
                   const WrongOutput& output) {
  Diagnosed diagnosed;
  Diagnosis& diagnosis = diagnosed.diagnosis;
  const tape::Replay& exact = analysis.exact(tape);
  const std::vector<explain::Link>& way = analysis.error_path(tape, output.record);
  if (way.empty())
    return diagnosed;
  const explain::Blame& blame = analysis.blame(tape, output.record);
  const explain::Classified classified = explain::classify(tape, way, blame, exact);
  diagnosis.fault = classified.fault;
  diagnosis.why = why({tape, way, blame, classified, exact});
  diagnosis.chain = steps_of(tape, way, blame.record, exact);
  diagnosis.lines = lines_of(tape, output.record, way, exact);
  diagnosis.accounted =
      std::isinf(output.relative) && std::isinf(way.front().error) ? 1 : way.front().error / output.relative;
  std::vector<std::string> names;
  for (const frontend::Cell& cell : target.inputs)
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
