#include "suite/gsl/gsl_exceptions_text.h"

#include "report/table.h"
#include "suite/csv.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <functional>

namespace faultline::suite {
namespace {

using finding::Kind;
using finding::Verdict;
using report::Align;
using report::Row;

std::vector<Kind> exception_kinds() {
  std::vector<Kind> kinds;
  for (const ops::Exception exception : ops::all_exceptions)
    kinds.push_back(finding::kind_of(exception));
  return kinds;
}

template <class Key>
size_t at(const std::map<Key, size_t>& counts, const Key& key) {
  const auto found = counts.find(key);
  return found == counts.end() ? 0 : found->second;
}

std::string number(size_t count) { return fmt::format("{}", count); }

std::string strategy_title(const ExceptionTrial& trial) {
  return trial.evaluations ? fmt::format("{}, {} evaluations", trial.strategy, *trial.evaluations) : trial.strategy;
}

std::string figures(const std::vector<ExceptionTrial>& trials, const std::vector<ExceptionCounts>& counts,
                    const report::Style& style) {
  std::vector<report::Column> columns = {{"exceptions in GSL's special functions"}};
  for (const ExceptionTrial& trial : trials)
    columns.push_back({strategy_title(trial), Align::right});
  std::vector<Row> rows;
  const auto add = [&](const std::string& label, const std::function<std::string(size_t)>& figure) {
    Row row = {label};
    for (size_t i = 0; i < trials.size(); ++i)
      row.push_back(figure(i));
    rows.push_back(std::move(row));
  };
  add("functions", [&](size_t i) { return number(counts[i].functions); });
  add("functions with any", [&](size_t i) { return number(counts[i].functions_with_any); });
  add("distinct function, location, operation, kind", [&](size_t i) { return number(counts[i].total()); });
  for (const Kind kind : exception_kinds())
    add(fmt::format("  {}", finding::text(kind)), [&](size_t i) { return number(at(counts[i].by_kind, kind)); });
  for (const Verdict verdict : {Verdict::avoidable, Verdict::inherent, Verdict::unknown})
    add(fmt::format("  {}", finding::text(verdict)),
        [&](size_t i) { return number(at(counts[i].by_verdict, verdict)); });
  add("  silent", [&](size_t i) { return number(counts[i].silent); });
  add("  reported by the function", [&](size_t i) { return number(counts[i].reported); });
  add("  reaching the output", [&](size_t i) { return number(counts[i].reaching); });
  add("  harmless underflows", [&](size_t i) { return number(counts[i].harmless); });
  add("evaluations", [&](size_t i) { return number(counts[i].evaluations); });
  add("seconds of searching", [&](size_t i) { return fmt::format("{:.1f}", counts[i].seconds); });
  add("seconds in all", [&](size_t i) { return fmt::format("{:.1f}", trials[i].seconds); });
  return report::table(columns, rows, style) + "\n";
}

// The first strategy against the others.
std::string ratios(const std::vector<ExceptionTrial>& trials, const std::vector<ExceptionCounts>& counts) {
  std::string text;
  for (size_t i = 1; i < trials.size(); ++i) {
    const auto ratio = [&](size_t own, size_t other) {
      return other ? fmt::format("{:.2f}", double(own) / double(other)) : std::string("-");
    };
    std::vector<std::string> parts = {fmt::format("in all {}", ratio(counts[0].total(), counts[i].total()))};
    for (const Kind kind : exception_kinds())
      parts.push_back(
          fmt::format("{} {}", finding::text(kind), ratio(at(counts[0].by_kind, kind), at(counts[i].by_kind, kind))));
    text += fmt::format("{} : {}: {}\n", trials[0].strategy, trials[i].strategy, fmt::join(parts, ", "));
  }
  return text;
}

std::string means(const std::vector<ExceptionTrial>& trials, const std::vector<ExceptionCounts>& counts) {
  std::string text;
  for (size_t i = 0; i < trials.size(); ++i) {
    std::vector<std::string> parts;
    for (const auto& [name, count] : counts[i].by_means)
      parts.push_back(fmt::format("{} {}", name.empty() ? "?" : name, count));
    text += fmt::format("found by ({}): {}\n", trials[i].strategy, fmt::join(parts, ", "));
  }
  return text;
}

} // namespace

std::string gsl_exceptions_text(const GslExceptions& evaluation, const report::Style& style) {
  std::vector<ExceptionCounts> counts;
  for (const ExceptionTrial& trial : evaluation.trials)
    counts.push_back(counts_of(trial.targets));
  std::string text =
      figures(evaluation.trials, counts, style) + ratios(evaluation.trials, counts) + means(evaluation.trials, counts);
  for (const ExceptionTrial& trial : evaluation.trials)
    if (!trial.unfinished.empty())
      text += fmt::format("not finished by {}: {}\n", trial.strategy, fmt::join(trial.unfinished, ", "));
  if (!evaluation.left_out.empty())
    text += fmt::format("left out: {}\n", fmt::join(evaluation.left_out, ", "));
  return text;
}

std::string gsl_exceptions_csv(const GslExceptions& evaluation) {
  std::vector<std::string> titles = {"benchmark", "strategy", "relative_error", "seconds", "evaluations"};
  for (const Kind kind : exception_kinds())
    titles.emplace_back(finding::text(kind));
  for (const char* title : {"avoidable", "inherent", "unknown", "silent", "reported", "reaching", "harmless"})
    titles.emplace_back(title);
  std::string text = csv_line(titles);
  for (const ExceptionTrial& trial : evaluation.trials)
    for (const finding::TargetReport& target : trial.targets) {
      const ExceptionCounts counts = counts_of({target});
      Row row = {target.function, trial.strategy, "", fmt::format("{:.6f}", target.seconds),
                 number(target.evaluations)};
      for (const Kind kind : exception_kinds())
        row.push_back(number(at(counts.by_kind, kind)));
      for (const Verdict verdict : {Verdict::avoidable, Verdict::inherent, Verdict::unknown})
        row.push_back(number(at(counts.by_verdict, verdict)));
      for (const size_t count : {counts.silent, counts.reported, counts.reaching, counts.harmless})
        row.push_back(number(count));
      text += csv_line(row);
    }
  return text;
}

} // namespace faultline::suite
