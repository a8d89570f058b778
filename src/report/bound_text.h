// The largest error over a range, as text and as JSON (faultline bound).
#pragma once

#include "model/bound_report.h"
#include "model/certificate.h"
#include "model/json/json_place.h"
#include "report/text.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace faultline::report {

std::string bound_text(const model::BoundReport& report, const Style& style);
std::string bound_json(const model::BoundReport& report);
model::Json bound_json_of(const model::BoundReport& report); // the same before formatting

// By output and measure: the found error, the proved one and their ratio, as in the text.
model::Json sides_words(const model::BoundReport& report);
std::string closing_words(const model::BoundReport& report); // time and effort

// Numbers and boxes of bounds as text.

// Rounds to three digits, away from the bounded value, so that a printed bound is a bound.
std::string three_digits(double value, bool up);
std::string plain_number(double value);
// x in [0, 1], n = 4
std::string box_words(const std::vector<std::string>& names, const model::BoxEnds& box);

// The result of checking a certificate, as text and as JSON (faultline check).
struct CertificateCheck {
  std::string refusal;              // empty: the certificate is verified
  std::optional<uint64_t> box = {}; // the first box that fails
  model::BoxEnds ends = {};
  uint64_t boxes = 0, open = 0;
  std::string source = {}; // the source file whose code was compared; empty: none
  double seconds = 0;
};

std::string check_text(const model::Certificate& certificate, const CertificateCheck& check, const Style& style);
std::string check_json(const model::Certificate& certificate, const CertificateCheck& check);

// Maps and proofs on a terminal.

// Summarizes the map in one line: for one input, the stretches; for several, shares of the range.
std::string map_summary(const model::BoundReport& report);

// Describes where the error counts, and lists the boxes. Empty without a threshold.
std::string map_text(const model::BoundReport& report, const Style& style);
// The largest safe box around a point, if requested.
std::string around_text(const model::BoundReport& report);

// For a hunt: "proved: no error above 0.001 for x in [1, 2]", with the bound; empty unless it is proved.
std::string proof_text(const model::TargetReport& target);

} // namespace faultline::report
