// Certificates of small functions: as the search makes them, written and read again.
#pragma once

#include "../prove/proving.h"

#include "judge/bounds/certifying.h"
#include "model/certificate.h"

#include <string>
#include <vector>

namespace faultline::test {

inline model::Certificate certificate_of(Proof& proof, const std::vector<prove::InputDimension>& inputs) {
  std::vector<model::CertifiedInput> named;
  for (size_t i = 0; i < inputs.size(); ++i)
    named.push_back({proof.session().target().inputs[i].name, inputs[i].format, inputs[i].range.low,
                     inputs[i].range.high, inputs[i].error.absolute, inputs[i].error.rounded});
  std::vector<model::CertifiedOutput> outputs;
  for (const model::Cell& cell : proof.session().target().outputs)
    outputs.push_back({cell.name, cell.type.format});
  model::Certificate made = judge::certificate_of(*proof.proof, named, outputs, 0);
  made.function = "f";
  return model::parse_certificate(model::certificate_text(made), "made.proof.json");
}

inline model::Certificate certificate_for(const std::string& code, const std::vector<prove::InputDimension>& inputs,
                                          uint64_t boxes = 200) {
  Proof proof(code, inputs, {}, true);
  proof.run(boxes, false);
  return certificate_of(proof, inputs);
}

inline prove::InputDimension with_error(prove::InputDimension input, prove::InputError error) {
  input.error = error;
  return input;
}

} // namespace faultline::test
