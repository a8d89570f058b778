// Certificates of small functions: as the search makes them, written and read again.
#pragma once

#include "../bound/proving.h"

#include "finding/certificate.h"
#include "judge/bounds/certifying.h"

#include <string>
#include <vector>

namespace faultline::test {

inline finding::Certificate certificate_of(Proof& proof, const std::vector<bound::InputDimension>& inputs) {
  std::vector<finding::CertifiedInput> named;
  for (size_t i = 0; i < inputs.size(); ++i)
    named.push_back({proof.session().target().inputs[i].name, inputs[i].format, inputs[i].range.low,
                     inputs[i].range.high, inputs[i].error.absolute, inputs[i].error.rounded});
  std::vector<finding::CertifiedOutput> outputs;
  for (const frontend::Cell& cell : proof.session().target().outputs)
    outputs.push_back({cell.name, cell.type.format});
  finding::Certificate made = judge::certificate_of(*proof.proof, named, outputs, 0);
  made.function = "f";
  return finding::parse_certificate(finding::certificate_text(made), "made.proof.json");
}

inline finding::Certificate certificate_for(const std::string& code, const std::vector<bound::InputDimension>& inputs,
                                            uint64_t boxes = 200) {
  Proof proof(code, inputs);
  proof.run(boxes, false);
  return certificate_of(proof, inputs);
}

inline bound::InputDimension with_error(bound::InputDimension input, bound::InputError error) {
  input.error = error;
  return input;
}

} // namespace faultline::test
