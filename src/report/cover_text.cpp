#include "report/cover_text.h"

#include "base/text.h"
#include "model/json/finding_json.h"
#include "model/json/json_place.h"

#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace faultline::report {

using namespace model;

namespace {

std::string standing_text(const CoverReport& report, const CoveredBranch& branch) {
  if (branch.state == BranchState::covered)
    return branch.shown ? input_words(report.tests[*branch.shown].input) : "";
  std::string text(model::text(branch.state));
  if (branch.state == BranchState::infeasible)
    text += fmt::format(" (proved by {})", branch.solver);
  if (!branch.why.empty())
    text += ": " + branch.why;
  return text;
}

std::string place(const CoveredBranch& branch) {
  return fmt::format("{}:{}:{}", std::filesystem::path(branch.file).filename().string(), branch.line, branch.column);
}

std::string summary(const CoverReport& report) {
  const auto count = [&](BranchState state) { return report.count(state); };
  std::string text =
      fmt::format("{}: {} branch outcomes: {} covered by {} inputs, {} infeasible, {} open. {} paths run{}. {} "
                  "evaluations, {} questions, {:.2f} s.\n",
                  base::printable(report.target.function), report.branches.size(), count(BranchState::covered),
                  report.tests.size(), count(BranchState::infeasible), count(BranchState::open), report.paths,
                  report.complete ? ", there are no others" : "", report.evaluations, report.questions, report.seconds);
  if (report.not_replayed > 0)
    text += fmt::format("{} inputs were not confirmed by a fresh process, and count as open.\n", report.not_replayed);
  if (report.bounded > 0)
    text += fmt::format("Loops were unrolled up to {} times (--loop-bound); {} decisions are beyond.\n",
                        report.loop_bound, report.bounded);
  for (const CoverTest& test : report.tests)
    if (test.missing)
      text += fmt::format("{} {}.\n", base::printable(input_words(test.input)), base::printable(test.ending));
  if (!report.note.empty())
    text += base::printable(report.note) + ".\n";
  return text;
}

} // namespace

std::string cover_text(const CoverReport& report, const Style& style) {
  if (report.branches.empty())
    return fmt::format("{}: no comparison and no decision that depends on the inputs.\n",
                       base::printable(report.target.function));
  std::vector<Row> rows;
  std::vector<bool> emphasised;
  for (const CoveredBranch& branch : report.branches) {
    rows.push_back({place(branch), branch.function, branch.condition, branch.outcome, standing_text(report, branch)});
    emphasised.push_back(branch.state == BranchState::open);
  }
  return table({{"where"}, {"function", Align::left, 32}, {"decision"}, {"outcome"}, {"input", Align::left, 100}}, rows,
               style, emphasised) +
         "\n" + summary(report);
}

std::string cover_json(const CoverReport& report) {
  const auto numbers = [](const std::vector<NamedNumber>& all) {
    Json json = Json::object();
    for (const NamedNumber& number : all)
      json[number.name] = {{"decimal", number.value.decimal}, {"hex", number.value.hex}};
    return json;
  };
  Json branches = Json::array(), tests = Json::array();
  for (const CoveredBranch& branch : report.branches) {
    Json json{{"file", branch.file},         {"line", branch.line},           {"column", branch.column},
              {"function", branch.function}, {"operation", branch.operation}, {"condition", branch.condition},
              {"outcome", branch.outcome},   {"standing", text(branch.state)}};
    if (branch.shown) {
      json["test"] = *branch.shown;
      json["input"] = numbers(report.tests[*branch.shown].input);
    }
    if (!branch.solver.empty())
      json["solver"] = branch.solver;
    if (!branch.why.empty())
      json["why"] = branch.why;
    branches.push_back(std::move(json));
  }
  for (const CoverTest& test : report.tests)
    tests.push_back({{"input", numbers(test.input)}, {"ending", test.ending}, {"output", numbers(test.outputs)}});
  const Json json{{"faultline", report.version},
                  {"schema", 1},
                  {"command", report.command},
                  {"seed", report.seed},
                  {"function", report.target.function},
                  {"file", report.target.file},
                  {"line", report.target.line},
                  {"inputs", to_json(report.inputs)},
                  {"evaluations", report.evaluations},
                  {"seconds", report.seconds},
                  {"paths", report.paths},
                  {"complete", report.complete},
                  {"loop_bound", report.loop_bound},
                  {"covered", report.count(BranchState::covered)},
                  {"infeasible", report.count(BranchState::infeasible)},
                  {"open", report.count(BranchState::open)},
                  {"branches", branches},
                  {"tests", tests}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace faultline::report
