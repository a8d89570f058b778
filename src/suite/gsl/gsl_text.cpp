#include "suite/gsl/gsl_text.h"

#include "numeric/decimal.h"
#include "report/text.h"
#include "report/wording.h"
#include "suite/bench.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace faultline::suite {

namespace {

using Cells = std::vector<std::string>;

const Cells titles = {"benchmark",
                      "strategy",
                      "relative_error",
                      "seconds",
                      "evaluations",
                      "budget",
                      "arguments",
                      "held",
                      "input",
                      "inputs_reported",
                      "inputs_significant",
                      "inputs_at_poles",
                      "inputs_undefined",
                      "inputs_unknown",
                      "first_significant",
                      "outcome",
                      "compared_error",
                      "compared_seconds",
                      "compared_evaluations",
                      "atomu",
                      "fpcc",
                      "atomu_published"};

std::string measure(double value) { return numeric::shortest_decimal(value); }

std::string seconds_text(double seconds) { return fmt::format("{:.6f}", seconds); }

const Trial* trial_of(const std::vector<Trial>& trials, const std::string& strategy) {
  const auto found = std::ranges::find(trials, strategy, &Trial::strategy);
  return found == trials.end() ? nullptr : &*found;
}

Cells cells_of(const GslFunction& function, const Trial& trial, const SearchedFunction& hunted,
               const SearchedFunction* compared) {
  const TargetScore& score = hunted.score;
  Cells cells = {function.name,
                 trial.strategy,
                 measure(score.largest_error),
                 seconds_text(hunted.report.seconds),
                 fmt::format("{}", hunted.report.evaluations),
                 trial.evaluations ? fmt::format("{}", *trial.evaluations) : "own",
                 fmt::format("{}", function.arguments),
                 text(function.held),
                 score.input,
                 fmt::format("{}", score.reported),
                 fmt::format("{}", score.significant),
                 fmt::format("{}", score.poles),
                 fmt::format("{}", score.undefined),
                 fmt::format("{}", score.unknown),
                 score.first_significant ? "yes" : "no",
                 std::string(finding::text(hunted.report.outcome))};
  if (compared)
    cells.insert(cells.end(), {measure(compared->score.largest_error), seconds_text(compared->report.seconds),
                               fmt::format("{}", compared->report.evaluations)});
  else
    cells.resize(cells.size() + 3);
  const GslFigures& figures = function.figures;
  if (function.one_argument())
    cells.insert(cells.end(), {measure(figures.atomu.largest_error), measure(figures.fpcc.largest_error),
                               figures.paper ? measure(*figures.paper) : ""});
  cells.resize(titles.size());
  return cells;
}

std::vector<std::string> strategies_of(const GslEvaluation& evaluation) {
  std::vector<std::string> strategies;
  for (const auto* trials : {&evaluation.hunts, &evaluation.comparison})
    for (const Trial& trial : *trials)
      if (std::ranges::find(strategies, trial.strategy) == strategies.end())
        strategies.push_back(trial.strategy);
  return strategies;
}

} // namespace

std::string gsl_csv(const GslEvaluation& evaluation) {
  std::string text = csv_line(titles);
  for (const std::string& strategy : strategies_of(evaluation)) {
    const Trial* hunts = trial_of(evaluation.hunts, strategy);
    const Trial* comparison = trial_of(evaluation.comparison, strategy);
    const Trial& trial = hunts ? *hunts : *comparison;
    for (const GslFunction& function : evaluation.functions)
      if (const SearchedFunction* hunted = trial.find(function.name))
        text += csv_line(cells_of(function, trial, *hunted, comparison ? comparison->find(function.name) : nullptr));
  }
  return text;
}

std::vector<double> ranks(const std::vector<double>& values) {
  std::vector<double> ranks;
  for (const double value : values) {
    const auto ahead = std::ranges::count_if(values, [&](double other) { return other > value; });
    const auto equal = std::ranges::count(values, value); // including itself
    ranks.push_back(double(ahead) + (double(equal) + 1) / 2);
  }
  return ranks;
}

namespace {

// Published results of two tools for the same input may differ in the last digits.
constexpr double tolerance = 1.01;

GslSummary peer_summary(const std::string& name, const GslPublished& published, Peer GslFigures::*peer,
                        uint64_t first_significant) {
  GslSummary summary;
  summary.name = name;
  summary.peer = true;
  summary.first_significant = first_significant;
  double seconds = 0;
  for (const GslFigures& figures : published.functions) {
    const Peer& measured = figures.*peer;
    const bool above = measured.largest_error > significant_error;
    ++summary.functions;
    summary.above += above;
    summary.listed += figures.in_paper_significant;
    summary.listed_above += figures.in_paper_significant && above;
    summary.reported += measured.reported;
    summary.significant += measured.significant;
    summary.unknown += measured.unknown;
    seconds += measured.seconds;
  }
  summary.mean_seconds = summary.functions ? seconds / double(summary.functions) : 0;
  return summary;
}

} // namespace

std::optional<double> GslSummary::significant_share() const {
  const uint64_t judged = reported - undefined - unknown;
  return judged ? std::optional(double(significant) / double(judged)) : std::nullopt;
}

GslSummary summary_of(const Trial& trial, const std::vector<GslFunction>& functions) {
  GslSummary summary;
  summary.name = trial.strategy;
  double seconds = 0, evaluations = 0;
  for (const GslFunction& function : functions) {
    const SearchedFunction* hunted = trial.find(function.name);
    if (!hunted)
      continue;
    const TargetScore& score = hunted->score;
    const bool above = score.significant > 0;
    ++summary.functions;
    summary.above += above;
    if (function.figures.in_paper_significant) {
      const double others = std::max(function.figures.atomu.largest_error, function.figures.fpcc.largest_error);
      ++summary.listed;
      summary.listed_above += above;
      summary.listed_as_large += score.largest_error * tolerance >= others;
    }
    summary.reported += score.reported;
    summary.significant += score.significant;
    summary.poles += score.poles;
    summary.undefined += score.undefined;
    summary.unknown += score.unknown;
    summary.first_significant += score.first_significant;
    summary.references += score.references;
    summary.agreeing += score.agreeing;
    for (const auto& [fault, count] : score.disagreeing)
      summary.disagreeing[fault] += count;
    seconds += hunted->report.seconds;
    evaluations += double(hunted->report.evaluations);
  }
  if (summary.functions) {
    summary.mean_seconds = seconds / double(summary.functions);
    summary.mean_evaluations = evaluations / double(summary.functions);
  }
  return summary;
}

std::vector<GslSummary> peer_summaries(const GslPublished& published) {
  return {peer_summary("ATOMU", published, &GslFigures::atomu, published.atomu_first_significant),
          peer_summary("FPCC", published, &GslFigures::fpcc, published.fpcc_first_significant)};
}

std::vector<RankSum> rank_sums(const std::vector<Trial>& trials, const std::vector<GslFunction>& functions) {
  std::vector<RankSum> sums;
  for (const Trial& trial : trials)
    sums.emplace_back().strategy = trial.strategy;
  for (const GslFunction& function : functions) {
    std::vector<double> errors;
    for (const Trial& trial : trials)
      if (const SearchedFunction* hunted = trial.find(function.name))
        errors.push_back(hunted->score.largest_error);
    if (errors.size() != trials.size())
      continue;
    const std::vector<double> rank = ranks(errors);
    for (double& error : errors)
      error = std::min(error, 1.0);
    const std::vector<double> capped = ranks(errors);
    for (size_t i = 0; i < sums.size(); ++i) {
      sums[i].sum += rank[i];
      sums[i].capped += capped[i];
      sums[i].ahead += rank[i] == 1;
      ++sums[i].functions;
    }
  }
  return sums;
}

namespace {

using report::Align;
using report::Column;
using report::measure_text;
using report::Row;

constexpr const char* nothing = "-";

std::string error_text(double error) { return error > 0 ? measure_text(error) : nothing; }

std::string of(size_t part, size_t whole) { return fmt::format("{} of {}", part, whole); }

std::string milliseconds(double seconds) { return fmt::format("{:.1f}", 1e3 * seconds); }

// Returns the trial's result with the largest error; null if no trial reached the function.
const SearchedFunction* best_of(const std::vector<Trial>& trials, const std::string& function) {
  const SearchedFunction* best = nullptr;
  for (const Trial& trial : trials)
    if (const SearchedFunction* hunted = trial.find(function);
        hunted && (!best || hunted->score.largest_error > best->score.largest_error))
      best = hunted;
  return best;
}

// One line per function. Evaluations and time are the first strategy's.
std::string function_table(const GslEvaluation& evaluation, Arity arity, const report::Style& style) {
  const bool with_peers = arity == Arity::one;
  std::vector<Column> columns = {{"function"}};
  for (const Trial& trial : evaluation.hunts)
    columns.push_back({trial.strategy, Align::right});
  for (const char* title : {"ATOMU", "FPCC", "paper"})
    if (with_peers)
      columns.push_back({title, Align::right});
  columns.insert(columns.end(), {{"evaluations", Align::right}, {"ms", Align::right}, {"input", Align::left, 120}});
  if (!with_peers)
    columns.push_back({"held"});

  std::vector<Row> rows;
  for (const GslFunction& function : evaluation.functions_of(arity)) {
    const SearchedFunction* best = best_of(evaluation.hunts, function.name);
    if (!best)
      continue;
    Row row = {function.name};
    for (const Trial& trial : evaluation.hunts) {
      const SearchedFunction* hunted = trial.find(function.name);
      row.push_back(hunted ? error_text(hunted->score.largest_error) : "");
    }
    const GslFigures& figures = function.figures;
    if (with_peers)
      row.insert(row.end(), {error_text(figures.atomu.largest_error), error_text(figures.fpcc.largest_error),
                             figures.paper ? error_text(*figures.paper) : ""});
    const SearchedFunction* first = evaluation.hunts.front().find(function.name);
    row.push_back(first ? fmt::format("{}", first->report.evaluations) : "");
    row.push_back(first ? milliseconds(first->report.seconds) : "");
    row.push_back(best->score.input);
    if (!with_peers)
      row.push_back(text(function.held));
    rows.push_back(std::move(row));
  }
  return rows.empty() ? "" : report::table(columns, rows, style) + "\n";
}

// One column per strategy or tool, one line per figure.
class SummaryTable {
public:
  explicit SummaryTable(std::vector<GslSummary> summaries) : summaries_(std::move(summaries)) {}

  template <class Figure> void add(const std::string& label, Figure figure) {
    Row row = {label};
    for (const GslSummary& summary : summaries_)
      row.push_back(figure(summary));
    rows_.push_back(std::move(row));
  }

  const std::vector<GslSummary>& summaries() const { return summaries_; }

  std::string text(const std::string& title, const report::Style& style) const {
    std::vector<Column> columns = {{title, Align::left, 80}};
    for (const GslSummary& summary : summaries_)
      columns.push_back({summary.name, Align::right});
    return report::table(columns, rows_, style) + "\n";
  }

private:
  std::vector<GslSummary> summaries_;
  std::vector<Row> rows_;
};

// A figure that is known for our own strategies only.
std::string own(const GslSummary& summary, const std::string& figure) { return summary.peer ? nothing : figure; }

void add_common_figures(SummaryTable& table) {
  table.add("inputs reported", [](const GslSummary& s) { return fmt::format("{}", s.reported); });
  table.add("  outside of the reference's domain",
            [](const GslSummary& s) { return own(s, fmt::format("{}", s.undefined)); });
  table.add("  unknown to the reference", [](const GslSummary& s) { return fmt::format("{}", s.unknown); });
  table.add("  of the others, above 1e-3", [](const GslSummary& s) {
    const std::optional<double> share = s.significant_share();
    return share ? fmt::format("{:.1f} %", 100 * *share) : nothing;
  });
  table.add("    of these at a pole of the function",
            [](const GslSummary& s) { return own(s, fmt::format("{}", s.poles)); });
  table.add("first-ranked input above 1e-3, where any is",
            [](const GslSummary& s) { return of(s.first_significant, s.above); });
  table.add("references that agree with the function",
            [](const GslSummary& s) { return own(s, of(s.agreeing, s.references)); });
  std::set<std::string> faults;
  for (const GslSummary& summary : table.summaries())
    for (const auto& [fault, count] : summary.disagreeing)
      faults.insert(fault);
  for (const std::string& fault : faults)
    table.add("  others, by " + fault, [&](const GslSummary& s) {
      const auto found = s.disagreeing.find(fault);
      return own(s, fmt::format("{}", found == s.disagreeing.end() ? 0 : found->second));
    });
  table.add("mean evaluations per function",
            [](const GslSummary& s) { return own(s, fmt::format("{:.0f}", s.mean_evaluations)); });
  table.add("mean search time per function, ms", [](const GslSummary& s) { return milliseconds(s.mean_seconds); });
}

std::string one_argument_summary(const GslEvaluation& evaluation, const report::Style& style) {
  const std::vector<GslFunction> functions = evaluation.functions_of(Arity::one);
  if (functions.empty())
    return "";
  std::vector<GslSummary> summaries;
  for (const Trial& trial : evaluation.hunts)
    summaries.push_back(summary_of(trial, functions));
  if (functions.size() == evaluation.published.functions.size()) // figures of all next to those of some would mislead
    std::ranges::copy(peer_summaries(evaluation.published), std::back_inserter(summaries));
  SummaryTable table(std::move(summaries));
  table.add("functions with an error above 1e-3", [](const GslSummary& s) { return of(s.above, s.functions); });
  table.add("  that ATOMU's paper lists with one", [](const GslSummary& s) { return of(s.listed_above, s.listed); });
  table.add("  listed, error at least ATOMU's and FPCC's",
            [](const GslSummary& s) { return own(s, of(s.listed_as_large, s.listed)); });
  add_common_figures(table);
  return table.text("one-argument functions", style);
}

std::string summary_of_others(const GslEvaluation& evaluation, bool two_arguments, const report::Style& style) {
  std::vector<GslFunction> functions = evaluation.functions_of(Arity::several);
  std::erase_if(functions, [&](const GslFunction& function) { return (function.arguments == 2) != two_arguments; });
  if (functions.empty())
    return "";
  std::vector<GslSummary> summaries;
  for (const Trial& trial : evaluation.hunts)
    summaries.push_back(summary_of(trial, functions));
  SummaryTable table(std::move(summaries));
  table.add("functions with an error above 1e-3", [](const GslSummary& s) { return of(s.above, s.functions); });
  add_common_figures(table);
  return table.text(two_arguments ? "two-argument functions" : "functions of more arguments", style);
}

std::string comparison_table(const GslEvaluation& evaluation, const report::Style& style) {
  const std::vector<GslFunction> functions = evaluation.functions_of(Arity::one);
  std::vector<RankSum> sums = rank_sums(evaluation.comparison, functions);
  std::ranges::sort(sums, {}, [](const RankSum& sum) { return std::pair(sum.sum, sum.strategy); });
  std::vector<Row> rows;
  for (const RankSum& sum : sums) {
    const Trial& trial = *std::ranges::find(evaluation.comparison, sum.strategy, &Trial::strategy);
    const GslSummary summary = summary_of(trial, functions);
    rows.push_back({sum.strategy, fmt::format("{:.1f}", sum.sum),
                    sum.functions ? fmt::format("{:.2f}", sum.sum / double(sum.functions)) : nothing,
                    fmt::format("{:.1f}", sum.capped), fmt::format("{}", sum.ahead),
                    of(summary.above, summary.functions), fmt::format("{:.0f}", summary.mean_evaluations),
                    milliseconds(summary.mean_seconds)});
  }
  if (rows.empty())
    return "";
  return report::table({{fmt::format("{} evaluations each", evaluation.options.compared_evaluations)},
                        {"rank sum", Align::right},
                        {"mean rank", Align::right},
                        {"up to 1", Align::right},
                        {"first alone", Align::right},
                        {"above 1e-3", Align::right},
                        {"evaluations", Align::right},
                        {"ms", Align::right}},
                       rows, style) +
         "\n";
}

std::string notes(const GslEvaluation& evaluation) {
  std::string text;
  if (!evaluation.hunts.empty())
    text += fmt::format("By function: evaluations and ms of {}; the input of the largest error. ATOMU, FPCC: their "
                        "public implementations, measured; paper: ATOMU's.\n",
                        evaluation.hunts.front().strategy);
  if (!evaluation.comparison.empty())
    text += "Ranks by the largest error on each function, ties shared; up to 1: larger errors count as 1.\n";
  if (evaluation.options.jobs > 1)
    text +=
        fmt::format("{} functions ran at the same time: times are those of loaded cores.\n", evaluation.options.jobs);
  for (const std::string& function : evaluation.left_out)
    text += fmt::format("Left out: {}\n", report::printable(function));
  return text;
}

} // namespace

std::string gsl_text(const GslEvaluation& evaluation, const report::Style& style) {
  std::string text;
  if (!evaluation.hunts.empty()) {
    text += function_table(evaluation, Arity::one, style);
    text += function_table(evaluation, Arity::several, style);
    text += one_argument_summary(evaluation, style);
    text += summary_of_others(evaluation, true, style);
    text += summary_of_others(evaluation, false, style);
  }
  return text + comparison_table(evaluation, style) + notes(evaluation);
}

} // namespace faultline::suite
