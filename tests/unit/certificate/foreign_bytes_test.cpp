// Certificates that somebody has damaged are read and checked, or refused, and nothing else happens.
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

} // namespace
} // namespace faultline::certificate
