#include "finding/certificate/certificate.h"

#include <algorithm>
#include <cmath>

namespace faultline::finding {

size_t Certificate::claims() const {
  size_t count = 0;
  for (const CertifiedOutput& output : outputs)
    for (const double claim : output.claims)
      count += claim != no_claim;
  return count;
}

bool Certificate::complete() const {
  return std::ranges::none_of(tree, [](const ProofNode& node) { return node.kind == ProofNode::Kind::open; });
}

Said calling_settings(const Said& said) {
  Said kept;
  for (const char* key : {"size", "alias", "hold", "format", "output", "bound", "reject"})
    kept.set(key, said.values(key));
  return kept;
}

double rounded_up_to(double bound, double claim) {
  constexpr int kept_bits = 9; // two digits of hexadecimal behind the point: less than half a percent too much
  int exponent = 0;
  const double fraction = std::frexp(bound, &exponent);
  return std::min(std::ldexp(std::ceil(std::ldexp(fraction, kept_bits)), exponent - kept_bits), claim);
}

} // namespace faultline::finding
