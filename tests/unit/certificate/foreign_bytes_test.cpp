// Damaged certificates are read and checked, or refused, and nothing else happens.
#include "../finding/one_of_each.h"
#include "made_proofs.h"
#include "short_run.h"
#include "targets.h"

#include <gtest/gtest.h>

namespace faultline::certificate {
namespace {

TEST(ForeignBytes, OfCertificatesAreReadOrRefused) {
  const fuzz::Material material = fuzz::json_material(
      {finding::certificate_text(finding::certificate_with_everything()),
       finding::certificate_text(test::certificate_for(
           "#include <math.h>\ndouble f(double x) { return x < 0.5 ? x * 0.1 : pow(x, 3) - sin(x) * (int)x; }",
           {test::doubles(0.25, 2)}, 20))});
  fuzz::expect_no_surprise(fuzz::fuzz_certificates, material, fuzz::json_mutant);
}

TEST(ForeignBytes, OfACertificateThatIsCutOffAreRefused) {
  const std::string whole = finding::certificate_text(finding::certificate_with_everything());
  for (size_t length = 0; length + 2 < whole.size(); ++length)
    EXPECT_THROW(finding::parse_certificate(whole.substr(0, length), "cut.proof.json"), frontend::UserError) << length;
}

// Each path has all inputs: two long lists would stand for the product of their lengths.
TEST(ForeignBytes, OfManyInputsAndManyPathsAreRefused) {
  finding::Certificate made = finding::certificate_with_everything();
  made.inputs.resize(3000, {"y", numeric::Format::binary64, 1, 1});
  made.paths.resize(3000, {{}, {}, std::vector<uint32_t>(made.outputs.size())});
  try {
    finding::parse_certificate(finding::certificate_text(made), "many.proof.json");
    ADD_FAILURE() << "it is read";
  } catch (const frontend::UserError& problem) {
    EXPECT_NE(std::string(problem.what()).find("inputs of all paths"), std::string::npos) << problem.what();
  }
}

} // namespace
} // namespace faultline::certificate
