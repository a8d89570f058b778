// A function of C, and everything that makes findings of its inputs and completes them.
#pragma once

#include "../tape/reading.h"

#include "judge/diagnosis/completion.h"
#include "judge/space_of_target.h"
#include "model/json/finding_json.h"
#include "search/space.h"

#include <nlohmann/json.hpp>

namespace faultline::judge {

struct Workshop {
  explicit Workshop(const std::string& text, model::Settings given = {}, const model::Sizes& sizes = {})
      : settings(std::move(given)), session(test::open_text("#include <math.h>\n" + text, ".c", "f", {.sizes = sizes})),
        judge(session, settings, judged_outputs(session.target(), settings), nullptr),
        space(space_of(session.target(), settings)), everyday(search::everyday_part(space)), locations(session.sites()),
        notice(session.target(), settings), exceptions(session, settings, judge, locations, notice) {}
  model::Settings settings;
  exec::Session session;
  Judge judge;
  search::Space space, everyday;
  Locations locations;
  CallerNotice notice;
  ExceptionJudge exceptions;

  // Simplified, and diagnosed.
  model::Finding simplified(const exec::Input& input) {
    std::vector<JudgedFinding> found = judge.errors(input, "bracket");
    EXPECT_EQ(found.size(), 1u);
    if (found.empty())
      return {};
    RemedyTrial trial(session, settings, judge, space, everyday);
    Completion completion(session, judge, exceptions, space, everyday, trial);
    completion.simplify(found.front());
    completion.diagnose(found.front());
    return found.front().finding;
  }

  model::Finding finished(const exec::Input& input) {
    std::vector<JudgedFinding> found = judge.errors(input, "bracket");
    EXPECT_EQ(found.size(), 1u);
    if (found.empty())
      return {};
    JudgedFinding handed_on = found.front(), alone{found.front().finding, nullptr};
    RemedyTrial trial(session, settings, judge, space, everyday);
    Completion completion(session, judge, exceptions, space, everyday, trial);
    completion.diagnose(handed_on);
    completion.diagnose(alone);
    EXPECT_EQ(to_json(alone.finding), to_json(handed_on.finding))
        << "what was handed on is what would have been computed";
    return handed_on.finding;
  }
};

inline constexpr const char* one_minus_cos = "double f(double x) {\n  double d = 1 - cos(x);\n  return d / (x * x);\n}";

} // namespace faultline::judge
