#include "certificate/check.h"
#include "model/certificate.h"
#include "targets.h"

namespace faultline::fuzz {

// One that was read can be checked, to whatever end.
int fuzz_certificates(const uint8_t* data, size_t size) {
  const model::Certificate certificate = model::parse_certificate(text_of(data, size), "fuzz.proof.json");
  const std::string written = model::certificate_text(certificate);
  if (model::certificate_text(own([&] { return model::parse_certificate(written, "written.json"); })) != written)
    throw Broken("a certificate reads back as another: " + written);
  const certificate::Checked checked = certificate::check(certificate, 1);
  if (!checked.refusal)
    certificate::inputs_of_paths(certificate);
  return 0;
}

} // namespace faultline::fuzz
