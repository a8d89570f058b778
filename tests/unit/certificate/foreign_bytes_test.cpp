// Damaged certificates are read and checked, or refused, and nothing else happens.
#include "../model/one_of_each.h"
#include "made_proofs.h"
#include "short_run.h"
#include "targets.h"

#include <gtest/gtest.h>

namespace faultline::certificate {
namespace {

TEST(ForeignBytes, OfCertificatesAreReadOrRefused) {
  const fuzz::Material material = fuzz::json_material(
      {model::certificate_text(model::certificate_with_everything()),
       model::certificate_text(test::certificate_for(
           "#include <math.h>\ndouble f(double x) { return x < 0.5 ? x * 0.1 : pow(x, 3) - sin(x) * (int)x; }",
           {test::doubles(0.25, 2)}, 20))});
  fuzz::expect_no_surprise(fuzz::fuzz_certificates, material, fuzz::json_mutant);
}

TEST(ForeignBytes, OfACertificateThatIsCutOffAreRefused) {
  const std::string whole = model::certificate_text(model::certificate_with_everything());
  for (size_t length = 0; length + 2 < whole.size(); ++length)
    EXPECT_THROW(model::parse_certificate(whole.substr(0, length), "cut.proof.json"), base::UserError) << length;
}

// Each path has all inputs: two long lists would stand for the product of their lengths.
TEST(ForeignBytes, OfManyInputsAndManyPathsAreRefused) {
  model::Certificate made = model::certificate_with_everything();
  made.inputs.resize(3000, {"y", numeric::Format::binary64, 1, 1});
  made.paths.resize(3000, {{}, {}, std::vector<uint32_t>(made.outputs.size())});
  try {
    model::parse_certificate(model::certificate_text(made), "many.proof.json");
    ADD_FAILURE() << "it is read";
  } catch (const base::UserError& problem) {
    EXPECT_NE(std::string(problem.what()).find("inputs of all paths"), std::string::npos) << problem.what();
  }
}

} // namespace
} // namespace faultline::certificate
