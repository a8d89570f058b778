// What the check of a certificate has shown, as text and as JSON (faultline check).
#pragma once

#include "finding/certificate/certificate.h"
#include "report/style.h"

#include <cstdint>
#include <optional>
#include <string>

namespace faultline::report {

struct CertificateCheck {
  std::string refusal;              // empty: it is verified
  std::optional<uint64_t> box = {}; // the first that fails
  finding::BoxEnds ends = {};
  uint64_t boxes = 0, open = 0;
  std::string source = {}; // whose code was compared; empty: none
  double seconds = 0;
};

std::string check_text(const finding::Certificate& certificate, const CertificateCheck& check, const Style& style);
std::string check_json(const finding::Certificate& certificate, const CertificateCheck& check);

} // namespace faultline::report
