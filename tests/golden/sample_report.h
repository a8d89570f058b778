// A report with every kind of finding and outcome that reads differently, and the sources it points at.
#pragma once

#include "model/report.h"

#include <cmath>

namespace faultline::golden {

inline model::Finding inaccuracy() {
  model::Finding finding;
  finding.id = "3f6a90c1";
  finding.input = {{"x", {"1e-07", "0x1.ad7f29abcaf48p-24"}}};
  finding.output = model::Output{
      "return", {"0.4996003610813204", "0x1.ff973c8000000p-2"}, {"0.49999999999999958333", "0x1.fffffffffffe2p-2"}};
  finding.error = model::Error{7.99e-4, 3.996e-4, 7.2e12, 42.7};
  finding.oracle = "lifted";
  finding.strategy = "atomu";
  finding.cause = model::Cause{"foo.c", 4, 17, "foo", "fsub", 2.0e14, 1.0};
  finding.verdict = model::Verdict::avoidable;
  finding.diagnosis = model::Diagnosis{
      model::Fault::cancellation,
      "subtracting 0.9999999999999950 from 1 cancels 47 of 53 bits; the operand carried an error of 0.4 ulp",
      {{"foo.c", 4, 19, "foo", "cos", "cos(1e-07) = 0.9999999999999950", "0.999999999999995", 4.0e-18, 0},
       {"foo.c", 4, 17, "foo", "fsub", "1 - 0.9999999999999950 = 4.996003610813204e-15", "4.99999999999999958e-15",
        7.99e-4, 0},
       {"foo.c", 5, 21, "foo", "fdiv", "4.996003610813204e-15 / 1e-14 = 0.4996003610813204", "0.499999999999999958",
        7.99e-4, 2}},
      {{"foo.c", 4, "foo", 0.9998, 2e14}, {"foo.c", 5, "foo", 0.0002, 1}},
      1,
      model::Remedy{"half-angle", "write 2 * sin(x / 2)^2 for 1 - cos(x)", 1.1e-16, 4000}};
  finding.everyday = true;
  finding.share = model::Share{false, 0.1, 0.125};
  finding.when = "|x| < 1.88e-7";
  finding.replay = "faultline replay foo.json --only 3f6a90c1";
  return finding;
}

inline model::Finding infinite_error_of_a_long_array() {
  model::Finding finding = inaccuracy();
  finding.id = "51aa00de";
  finding.diagnosis.reset();
  finding.everyday = false;
  finding.share.reset();
  finding.when.clear();
  finding.input.clear();
  for (int i = 0; i < 32; ++i)
    finding.input.push_back({"A[" + std::to_string(i) + "]", {std::to_string(i + 1), "0x1p+0"}});
  finding.input.push_back({"n", {"32", "0x1p+5"}});
  finding.input.push_back({"b[0]", {"-0", "-0x0p+0"}});
  finding.output = model::Output{"result.val", {"1", "0x1p+0"}, {"0", "0x0p+0"}};
  finding.error = model::Error{INFINITY, 1, 4.6e18, 63.0};
  finding.oracle = "reference";
  finding.cause = model::Cause{"sum.f90", 9, 0, "", "fadd", INFINITY, 0.25};
  finding.verdict = model::Verdict::ill_conditioned;
  finding.detail = "the exact sum is zero";
  finding.replay = "faultline explain sum.f90 -f sum --at 'A[0]=1'";
  return finding;
}

inline model::Finding overflow() {
  model::Finding finding;
  finding.id = "77b01234";
  finding.kind = model::Kind::overflow;
  finding.input = {{"x", {"1e+200", "0x1.4e718d7d7625ap+664"}}, {"y", {"inf", "inf"}}};
  finding.oracle = "lifted";
  finding.strategy = "random";
  finding.cause = model::Cause{"foo.c", 8, 12, "norm", "fmul", 0, 1};
  finding.error = model::Error{};
  finding.found_by = "sampling";
  finding.aftermath.emplace();
  finding.aftermath->swallowed_at = model::AbsorbingOperation{"foo.c", 9, "fdiv"};
  finding.detail = "the infinity is divided into zero at foo.c:9 and the result is finite";
  finding.verdict = model::Verdict::inherent;
  return finding;
}

inline model::Finding reported_nan() {
  model::Finding finding = overflow();
  finding.id = "0badcafe";
  finding.kind = model::Kind::invalid;
  finding.aftermath = model::Aftermath{true, {}, "status", true, false, false};
  finding.detail = "it reaches the output; follows from the overflow of fmul at foo.c:8; return = 1";
  finding.verdict = model::Verdict::avoidable;
  return finding;
}

inline model::Finding crash() {
  model::Finding finding;
  finding.id = "c0ffee00";
  finding.kind = model::Kind::crash;
  finding.input = {{"x", {"nan", "nan"}}};
  finding.oracle = "none";
  finding.strategy = "random";
  finding.detail = "called abort";
  return finding;
}

inline model::Report sample_report() {
  using model::TargetOutcome;
  model::Report report;
  report.version = "0.1.0";
  report.command = {"hunt", "foo.c", "sum.f90", "-o", "foo.json", "--", "-DN=8"};
  report.seed = 1;
  report.targets = {
      {"foo",
       "foo.c",
       3,
       {{"x", "binary64", "-1e+308", "1e+308"}},
       4,
       1520,
       0,
       0.004,
       TargetOutcome::found,
       "",
       {inaccuracy()}},
      {"norm",
       "foo.c",
       7,
       {{"x", "binary64", "0", "1e+300"}, {"y", "binary32", "0", "1"}},
       3,
       20,
       0,
       0.5,
       TargetOutcome::found,
       "",
       {reported_nan(), overflow(), crash()},
       3},
      {"sum", "sum.f90", 5, {}, 2, 99, 0, 1.25, TargetOutcome::found, "", {infinite_error_of_a_long_array()}},
      {"stable", "foo.c", 12, {}, 8, 100000, 0, 10.0, TargetOutcome::none, "", {}},
      {"endless", "foo.c", 20, {}, 1, 3, 0, 3.0, TargetOutcome::timed_out, "every call ran into the time limit", {}},
  };
  return report;
}

inline std::optional<std::string> sample_source(const std::string& file, int line) {
  if (file == "foo.c" && line == 4)
    return "  double d = 1.0 - cos(x);";
  if (file == "foo.c" && line == 8)
    return "\treturn x * x; // \xC3\xBC";
  return {};
}

} // namespace faultline::golden
