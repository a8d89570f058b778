#include "report/html/problem_words.h"

#include "finding/expression.h"
#include "finding/json/json.h"
#include "numeric/decimal.h"
#include "report/problem_wording.h"
#include "report/screen/problem_text.h"
#include "report/wording.h"

#include <algorithm>

namespace faultline::report {

using Json = finding::Json;

std::vector<Span> problem_spans(const finding::Problem& problem, const SourceLine& source) {
  constexpr int around = 3; // lines before and after: enough to know where one is
  if (problem.line < 1 || !source(problem.file, problem.line))
    return {};
  Span span{problem.file, problem.line, problem.line};
  while (span.first > 1 && problem.line - span.first < around && source(problem.file, span.first - 1))
    --span.first;
  while (span.last - problem.line < around && source(problem.file, span.last + 1))
    ++span.last;
  return {span};
}

Json problem_extra(const finding::Problem& problem, const SourceLine& source) {
  const finding::Finding& finding = problem.representative();
  Json json{{"title", numeric::as_typed(problem_title(problem))}, {"try", brief_input(finding.input)}};
  if (finding.share)
    json["share"] = share_text(*finding.share);
  if (problem.worst.finding) {
    json["worst"] = brief_input(problem.worst.finding->input);
    json["worst_finding"] = problem.worst.finding->id;
    json["worst_function"] = problem.worst.target->function;
  }
  Json& spans = json["excerpt"] = Json::array();
  for (const Span& span : problem_spans(problem, source))
    spans.push_back(Json::array({span.file, span.first, span.last}));
  if (const auto line = source(problem.file, problem.line))
    if (const auto expression = finding::expression_in(problem.file, *line, problem.column))
      json["underlined"] = Json::array({expression->first, expression->end});
  return json;
}

} // namespace faultline::report
