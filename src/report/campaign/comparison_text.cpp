#include "report/campaign/comparison_text.h"

#include "report/excerpt.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace faultline::report {

using finding::Problem;

namespace {

std::string input_of(const Problem& problem) {
  constexpr size_t few = 4; // inputs: what fits into a line
  std::vector<std::string> words;
  for (const finding::NamedNumber& number : problem.representative().input)
    if (words.size() < few)
      words.push_back(fmt::format("{}={}", number.name, number.value.decimal));
  return fmt::format("{}{}", fmt::join(words, " "), problem.representative().input.size() > few ? " ..." : "");
}

std::string line_of(const std::string& word, const Problem& problem, const std::string& more = {}) {
  return word +
         printable(fmt::format(" {}:{}: {}: {} in {}, {}{}", problem.file, problem.line, finding::text(problem.tier),
                               problem.fault, problem.target().function, input_of(problem), more)) +
         "\n";
}

std::string size_text(const Problem& problem) {
  const std::string tier(finding::text(problem.tier));
  if (!problem.worst.finding || !problem.worst.finding->error)
    return tier;
  return fmt::format("{}, error {:.2g}", tier, problem.worst.finding->error->relative);
}

} // namespace

std::string comparison_text(const finding::Comparison& comparison, const Style& style, bool quiet) {
  std::string text;
  for (const Problem* problem : comparison.fresh)
    text += line_of(style.bad("new      "), *problem);
  for (const auto& [before, after] : comparison.changed)
    text += line_of(style.warn("changed  "), *after,
                    fmt::format(" (was {}; is {})", size_text(*before), size_text(*after)));
  for (const Problem* problem : comparison.fixed)
    text += line_of(style.mark("fixed    "), *problem);
  for (const Problem* problem : comparison.gone)
    text += line_of("gone     ", *problem);
  if (!quiet)
    for (const Problem* problem : comparison.unchanged)
      text += line_of(style.faint("unchanged"), *problem);
  return text + fmt::format("{} new, {} changed, {} fixed, {} gone with their functions, {} unchanged\n",
                            comparison.fresh.size(), comparison.changed.size(), comparison.fixed.size(),
                            comparison.gone.size(), comparison.unchanged.size());
}

} // namespace faultline::report
