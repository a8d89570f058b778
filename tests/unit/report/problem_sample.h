// A report with problems of every tier, for the formats that are made of problems.
#pragma once

#include "model/problem.h"

namespace faultline::report {

inline model::Finding sample_cancellation() {
  model::Finding finding;
  finding.id = "f1";
  finding.fingerprint = "fingerprint-of-f1";
  finding.everyday = true;
  finding.input = {{"a", {"1", "0x1p+0"}}, {"b", {"1e+08", "0x1.7d784p+26"}}};
  finding.output = model::Output{
      "return", {"-7.450580596923828e-09", "-0x1p-27"}, {"-1.00000000000000010e-08", "-0x1.5798ee2308c3ap-27"}};
  finding.error = model::Error{0.25, 2.5e-9, 1e15, 50};
  finding.verdict = model::Verdict::avoidable;
  finding.oracle = "lifted";
  finding.cause = model::Cause{"src/q.c", 4, 22, "root", "fsub", 1e16, 1, "d - b", 25};
  finding.diagnosis =
      model::Diagnosis{model::Fault::cancellation,
                       "d and b agree in 52 of 53 bits",
                       {{"src/q.c", 3, 14, "root", "sqrt", "sqrt(1e+16) = 1e+08", "1e+08", 1e-17, 0},
                        {"src/q.c", 4, 22, "root", "fsub", "1e+08 - 1e+08 = -1.49e-08", "-2e-08", 0.25, 0}},
                       {},
                       1,
                       model::Remedy{"conjugate", "for b > 0, write -4*a*c / (d + b) for d - b", 8e-17, 4000, "b > 0"}};
  finding.when = "b > 1.2e+06";
  finding.share = model::Share{false, 0.02, 0.05};
  finding.merged = 3;
  return finding;
}

// At an input that does not occur in practice: a warning.
inline model::Finding sample_overflow() {
  model::Finding finding;
  finding.id = "f2";
  finding.kind = model::Kind::overflow;
  finding.handles_extremes = true;
  finding.input = {{"a", {"1", "0x1p+0"}}, {"b", {"1e+200", "0x1.4e718d7d7625ap+664"}}};
  finding.output = model::Output{"return", {"inf", "inf"}, {"-1e-200", "-0x1.87e92154ef7acp-665"}};
  finding.verdict = model::Verdict::avoidable;
  finding.cause = model::Cause{"src/q.c", 3, 21, "root", "fmul", 0, 1, "b * b", 24};
  finding.aftermath.emplace();
  finding.aftermath->reaches_output = true;
  finding.aftermath->result = model::Result::wrong;
  finding.detail = "it reaches the output";
  return finding;
}

// It cannot be avoided: a note.
inline model::Finding sample_note() {
  model::Finding finding = sample_cancellation();
  finding.id = "f3";
  finding.diagnosis.reset();
  finding.verdict = model::Verdict::ill_conditioned;
  finding.cause = model::Cause{"src/q.c", 9, 3, "sum", "fadd", 1e16, 1};
  return finding;
}

inline model::TargetReport sample_target(const std::string& function, int line, std::vector<model::Finding> findings) {
  model::TargetReport target;
  target.function = function;
  target.file = "src/q.c";
  target.line = line;
  target.seconds = 0.25;
  target.outcome = findings.empty() ? model::TargetOutcome::none : model::TargetOutcome::found;
  target.findings = std::move(findings);
  return target;
}

inline model::Report problem_sample() {
  model::Report report;
  report.version = "0.1.0";
  report.command = {"hunt", "src/q.c"};
  model::Finding second = sample_cancellation();
  second.id = "f4";
  second.input = {{"b", {"123456789", "0x1.d6f3454p+26"}}};
  report.fail_on = model::Tier::warning;
  report.targets = {sample_target("root", 2, {sample_cancellation(), sample_overflow()}),
                    sample_target("sum", 8, {sample_note()}), sample_target("stable", 12, {}),
                    sample_target("caller", 15, {second})};
  model::TargetReport endless = sample_target("endless", 20, {});
  endless.outcome = model::TargetOutcome::timed_out;
  endless.note = "every call ran into the time limit";
  report.targets.push_back(endless);
  return report;
}

inline std::optional<std::string> sample_line(const std::string& file, int line) {
  if (file != "src/q.c")
    return {};
  return line == 3   ? "  double d = sqrt(b * b - 4 * a);"
         : line == 4 ? "  return /* \xC3\xBC */ (d - b) / (2 * a);"
                     : "// another line";
}

} // namespace faultline::report
