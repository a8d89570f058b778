// Damaged findings, corpora, baselines and messages are read or refused, and nothing else happens.
#include "made_runs.h"
#include "model/json/finding_json.h"
#include "model/settings/seen.h"
#include "one_of_each.h"
#include "short_run.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace faultline::model {
namespace {

Report report_with_fingerprints() {
  Report report = golden::sample_report();
  report.configuration = {"lib/faultline.toml", {"-Ilib/include"}};
  report.baseline = {"known.json", 3};
  for (TargetReport& target : report.targets)
    for (Finding& finding : target.findings)
      finding.fingerprint = "fp-" + finding.id;
  return report;
}

std::string text_of(const Report& report) { return json_text(to_json(report)); }

std::vector<std::string> sample() { return {text_of(golden::sample_report())}; }
std::vector<std::string> sample_with_fingerprints() { return {text_of(report_with_fingerprints())}; }

// A file of a corpus for each finding.
std::vector<std::string> kept_one_by_one() {
  std::vector<std::string> texts;
  const Report all = report_with_fingerprints();
  for (const TargetReport& target : all.targets)
    for (const Finding& finding : target.findings) {
      Report one = all;
      one.targets = {target};
      one.targets.front().findings = {finding};
      texts.push_back(text_of(one));
    }
  return texts;
}

std::vector<std::string> message_texts() {
  std::vector<std::string> texts;
  for (const Message& message : messages_of_each_kind())
    texts.push_back(message_text(message));
  return texts;
}

struct Reader {
  const char* name;
  fuzz::Target target;
  std::vector<std::string> (*seeds)();
};
void PrintTo(const Reader& reader, std::ostream* stream) { *stream << reader.name; }
class ForeignBytes : public testing::TestWithParam<Reader> {};

TEST_P(ForeignBytes, AreReadOrRefused) {
  fuzz::expect_no_surprise(GetParam().target, fuzz::json_material(GetParam().seeds()), fuzz::json_mutant);
}

INSTANTIATE_TEST_SUITE_P(All, ForeignBytes,
                         testing::Values(Reader{"findings", fuzz::fuzz_findings, sample},
                                         Reader{"corpus", fuzz::fuzz_corpus, kept_one_by_one},
                                         Reader{"baseline", fuzz::fuzz_baseline, sample_with_fingerprints},
                                         Reader{"messages", fuzz::fuzz_messages, message_texts}),
                         [](const auto& info) { return info.param.name; });

TEST(ForeignBytes, OfRealRunsAreReadOrRefused) {
  fuzz::expect_no_surprise(fuzz::fuzz_seen, fuzz::json_material({seen_text(seen_runs())}), fuzz::json_mutant);
}

TEST(ForeignBytes, OfTestVectorsAreReadOrRefused) {
  const std::string header = "function,file,region,class,input,decimal,ending,output,computed,reference,error_ulps\n";
  const fuzz::Material material{
      .seeds = {"# a remark\n" + header + "f,f.c,border,few ulps,x=0x1p+3 n=4,x=8 n=4,,return,0x1p-1,0x1p+0,3.5\n",
                header +
                    "\"g(double, int)\",\"a \"\"b\"\".c\",special,ended,x[0]=-0x0p+0,x[0]=-0,called abort,,,,\r\n" +
                    "f,,,,x=1,,,a,inf,nan,inf\nf,,,,x=1,,,b,1,,\n"},
      .tokens = {",", "\"", "\"\"", "\n", "\r", "#", "=", "nan", "-inf", "0x", "1e99999", "region", "problem", " "},
      .separators = ",\n= ",
      .nesting = "\""};
  fuzz::expect_no_surprise(fuzz::fuzz_vectors, material, fuzz::mutant);
}

TEST(ForeignBytes, OfSettingsAreReadOrRefused) {
  const fuzz::Material material{
      .seeds = {"--range\nx=0:1\n--size\nA=4x4\n--hold\nn=4\n--format\nx=binary32\n--threshold\n1e-3",
                "--range\n-1e300:0x1p10\n--budget\n500ms\n--seed\n7\n--for\nerror,crashes\n--means\nsqrt(x)",
                "--size\n32\n--ulps\n4\n--alias\ny=x\n--nonzero\n--norm\n2"},
      .tokens = {"=", ":", "x", "-", "1e", "0x", "nan", "inf", "--range", "--size", "9999999999999999999999", ",",
                 "[3]", "--alias", "*"},
      .separators = "\n=:,",
      .nesting = "x="};
  fuzz::expect_no_surprise(fuzz::fuzz_values, material, fuzz::mutant);
}

TEST(ForeignBytes, OfCommentsInSourcesAreRead) {
  const fuzz::Material material{
      .seeds =
          {"// faultline: means sqrt(x + 1)\ndouble f(double x) {\n",
           "double d = 1 - c; // faultline: ignore[cancellation, overflow] small here\n/* faultline: ignore x */\n",
           "! faultline: ignore[underflow] why\nreal function f(x)\n"},
      .tokens = {"faultline:", "ignore", "[", "]", ",", "//", "/*", "*/", "!", "means", "\"", "\\"},
      .separators = " \n",
      .nesting = "["};
  fuzz::expect_no_surprise(fuzz::fuzz_suppressions, material, fuzz::mutant, {.mutants = 1000, .refused = 0});
}

} // namespace
} // namespace faultline::model
