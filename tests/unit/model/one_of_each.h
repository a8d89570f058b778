// Messages of each kind, with values that are easily lost: infinities, signed zeros, large integers, quotes.
#pragma once

#include "../../golden/sample_report.h"
#include "model/job.h"
#include "model/message.h"

#include <limits>

namespace faultline::model {

inline CertifiedPath path_with_everything() {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  return {{{-infinity, -infinity}, {0.1, 0x1.999999999999bp-4}, {-0.0, -0.0}},
          {{ops::Op::fmul, numeric::Format::extended80, {0, 3}, {}},
           {ops::Op::to_int, numeric::Format::binary64, {1}, std::numeric_limits<int64_t>::min()},
           {ops::Op::fma, numeric::Format::binary32, {0, 1, 5}, {}}},
          {7}};
}

inline Certificate certificate_with_everything() {
  Certificate made;
  made.version = "1.2.3";
  made.function = "ns::f(double)";
  made.file = "a \"b\".c";
  made.line = 3;
  made.settings = {"--hold", "n=4"};
  made.inputs = {{"x", numeric::Format::binary32, -0.0, 0x1p-149, 0, true},
                 {"y", numeric::Format::binary64, -1, 1, 1e-6}};
  made.outputs = {{"return", numeric::Format::binary64, {1e-16, no_claim, 0x1p-53}}};
  made.floor = 1e-300;
  made.paths = {path_with_everything()};
  made.reasons = {"a \"reason\""};
  made.tree = {{ProofNode::Kind::cut, 1, -0x1p-1074},
               {ProofNode::Kind::bounded, 0, 0},
               {ProofNode::Kind::cut, 0, -0.0},
               {ProofNode::Kind::open, 0, 0},
               {ProofNode::Kind::bounded, 0, 0}};
  made.bounds = {1e-17, 0x1p-53, 0, 0x1p-1074};
  return made;
}

inline SafetyMap map_with_everything() {
  constexpr double infinity = std::numeric_limits<double>::infinity(), largest = std::numeric_limits<double>::max();
  return {{{{{0, largest}, {-0x1p-1074, 1}}, 0x1p-52, {}, 0}},
          {{{{-largest, 0}, {1, 1}}, infinity, {-0.1L, 1}, 0.5}},
          {{{{1, 2}, {3, 4}}, 1, {}, 0}},
          {0.5, 0.25, 0.25}};
}

inline std::vector<Message> messages_of_each_kind() {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  return {SearchProgress{12, 3, 4, "judging"},
          FindingMessage{FindingRole::found, golden::inaccuracy()},
          FindingMessage{FindingRole::sighted, golden::infinite_error_of_a_long_array()},
          FindingMessage{FindingRole::retried, golden::inaccuracy()},
          FindingMessage{FindingRole::judged, golden::inaccuracy()},
          FindingMessage{FindingRole::uncounted, golden::inaccuracy()},
          HuntDone{9, ~uint64_t(0), 0.25, 1, 7, true, true, 5, "a \"note\"", 0.5, true, std::nullopt, std::nullopt},
          Failure{3, "what", "hint"},
          WorkerDeath{true, 11, 2, true, false, {-0.0L, 0x1p-16445L}},
          JobEnd{true, 12},
          Sentence{SentenceRole::outcome, "returned"},
          Sentence{SentenceRole::unknown, "the reason is not known"},
          Sentence{SentenceRole::note, "a note"},
          RowMessage{{"f.c", 3, 4, "f", "fsub", "v4 = v2 - v3", {"1", "2"}, {infinity, 1}, "0", "1e-20", infinity, -1}},
          RowsDone{100, 7, true},
          ReplayResult{true, "seen", {{"cause", "on the chain", "it is not"}}},
          PlotsMessage{
              {{{"x", {{"1", -3, infinity}}, {{"2", 4, 0.5, 2e9, 1e-16, "-inf", "-1.5e+400"}}}}, "note", "return"}},
          ExaminationResult{Expectation{1, {"1", "0x1p+0"}, {"2", "0x1p+1"}, 3, 4, infinity}, ""},
          ExaminationResult{std::nullopt, "left out"},
          BranchMessage{
              5, -2, {1.5L}, {"f.c", "f", 1, 2, "cmp_olt", "<", "true", BranchState::infeasible, "z3", "why", {}}},
          ExplorationDone{1, true, 2, 3, 4, 5, 6.5},
          BoundsMessage{{{{"return", {BothSides{infinity, 0, {}}, BothSides{2, 1, {0.1L, -0.0L}}, BothSides{}}}},
                         1,
                         {{-2, 0x1p-1074}, {0, 3}},
                         {{{{-1, 0x1p-1074}, {0, 1}}, "a \"reason\""}},
                         map_with_everything(),
                         SafeAround{{0.5, 1}, {{0.25, 0.75}, {1, 1}}, 0x1p-52},
                         ErrorCurve{{{0.5, {1, 2, infinity}}}, {{0.25, 0.75, {1, infinity, 3}}}},
                         {"calls"},
                         7,
                         2,
                         9,
                         0.5,
                         0.25,
                         true}},
          ProofMessage{
              {ErrorMeasure::ulps, 1e-3, true, 0x1p-52, "a \"reason\"", 9, true, map_with_everything(), {"calls"}}},
          CertificateMessage{certificate_with_everything()},
          PathMessage{3, 2, path_with_everything(), ""},
          PathMessage{4, 2, {}, "an obstacle"},
          RunMessage{1, "returned", true, {{3, -1}, {4, 1}}, {0.1L}},
          ExtentsMessage{{{{"a", {4, 3}, "n * \"n\"", true, true}, {"b", {1}}}, {{"n", -4}}, {{"m", {1, 9}}}, true}},
          OverrunJudgement{true, {{"a", {9}}}},
          CandidateMessage{Region::border, {-0.0L, 0x1p-16445L}, {{3, -1}, {4, 1}}},
          CandidatesDone{12, true},
          Measurement{"", {{1, -0.0L, 0x1p-16445L, infinity, "lifted"}, {0, 1, {}, 0, ""}}},
          Measurement{"called \"abort\"", {}},
          BuiltAnswer{"the library as built by gcc returns 1; compiled by clang 19 it returns nan"},
          BuiltAnswer{},
          TrialDone{.tried = 100'000,
                    .unknown = 2,
                    .worse = 1,
                    .better = 3,
                    .shown = true,
                    .before = {1, 1, 1, 14.5},
                    .after = {1e-16, 1e-16, 1e-9, 0.5},
                    .cost = 1.25,
                    .counterexamples = {{1, -0.0L}},
                    .why = "at x=1, the error of return is 12 ulps, and was 1"}};
}

} // namespace faultline::model
