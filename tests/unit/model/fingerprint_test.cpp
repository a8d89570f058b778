#include "model/set_aside.h"

#include "../temporary_folder.h"

#include <gtest/gtest.h>

namespace faultline::model {
namespace {

TargetReport target_at(const std::string& file, int line) {
  TargetReport target;
  target.function = "f";
  target.file = file;
  target.line = line;
  return target;
}

class Fingerprints : public testing::Test {
protected:
  // The fingerprint of a subtraction in this text, in the function that begins in line `target`.
  std::string of(const std::string& text, int line, int column, int target = 1, const std::string& function = "f") {
    const std::string file = folder_.write("f.c", text);
    TargetReport report;
    report.function = function;
    report.file = file;
    report.line = target;
    Finding finding;
    finding.cause = Cause{file, line, column, function, "fsub"};
    SourceText source({folder_.path("")});
    return fingerprint(report, finding, source);
  }

  test::TemporaryFolder folder_;
};

const std::string code = "double f(double x) {\n  return 1 - cos(x);\n}\n";

TEST_F(Fingerprints, KnowAFindingAgainInLinesThatMoved) {
  const std::string before = of(code, 2, 12);
  EXPECT_EQ(before.size(), 16u);
  EXPECT_EQ(of("#include <math.h>\n\n// new\n" + code, 5, 12, 4), before);
  EXPECT_EQ(of("double g(double x) {\n  return 1 - cos(x);\n}\n" + code, 5, 12, 4), before)
      << "an equal line in another function above";
}

TEST_F(Fingerprints, KnowAFindingAgainInALineThatWasIndented) {
  EXPECT_EQ(of("double f(double x) {\n\t  return  1 - cos(x);  \n}\n", 2, 14), of(code, 2, 12));
}

TEST_F(Fingerprints, TellApartWhatIsDifferent) {
  const std::string before = of(code, 2, 12);
  EXPECT_NE(of("double f(double x) {\n  return 2 - cos(x);\n}\n", 2, 12), before) << "the line has changed";
  EXPECT_NE(of(code, 2, 12, 1, "g"), before) << "another function";
  const std::string twice = "double f(double x) {\n  x = 1 - cos(x);\n  x = 1 - cos(x);\n  return x; }\n";
  EXPECT_NE(of(twice, 2, 9), of(twice, 3, 9)) << "the second of two equal lines";
  const std::string both = "double f(double x) {\n  return (1 - x) * (1 - cos(x));\n}\n";
  EXPECT_NE(of(both, 2, 13), of(both, 2, 23)) << "two subtractions in one line";
}

TEST_F(Fingerprints, SurviveAnotherInputAndAnotherClassOfFault) {
  const std::string file = folder_.write("f.c", code);
  const TargetReport target = target_at(file, 1);
  Finding a, b;
  a.cause = b.cause = Cause{file, 2, 12, "f", "fsub"};
  a.input = {{"x", {"1", "0x1p+0"}}};
  b.diagnosis.emplace().fault = Fault::absorption;
  b.error = Error{1, 1, 1, 1};
  SourceText source({folder_.path("")});
  EXPECT_EQ(fingerprint(target, a, source), fingerprint(target, b, source));
  b.kind = Kind::overflow;
  EXPECT_NE(fingerprint(target, a, source), fingerprint(target, b, source));
}

TEST_F(Fingerprints, DoWithoutTheSource) {
  const TargetReport target = target_at("gone.c", 10), moved = target_at("gone.c", 20);
  Finding a, b, c;
  a.cause = Cause{"gone.c", 12, 3, "f", "fsub"};
  b.cause = Cause{"gone.c", 22, 3, "f", "fsub"};
  c.cause = Cause{"gone.c", 13, 3, "f", "fsub"};
  SourceText source({folder_.path("")});
  EXPECT_EQ(fingerprint(target, a, source), fingerprint(moved, b, source));
  EXPECT_NE(fingerprint(target, a, source), fingerprint(target, c, source));
}

TEST_F(Fingerprints, TellCrashesApartByHowTheyEnd) {
  const TargetReport target = target_at("f.c", 1);
  Finding a, b;
  a.kind = b.kind = Kind::crash;
  a.detail = "called abort";
  b.detail = "segmentation fault";
  SourceText source({folder_.path("")});
  EXPECT_NE(fingerprint(target, a, source), fingerprint(target, b, source));
}

} // namespace
} // namespace faultline::model
