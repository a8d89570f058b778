// The largest error over a range, as text and as JSON (faultline bound).
#pragma once

#include "finding/bound/bound_report.h"
#include "finding/certificate.h"
#include "finding/json/json_place.h"
#include "report/style.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace faultline::report {

std::string bound_text(const finding::BoundReport& report, const Style& style);
std::string bound_json(const finding::BoundReport& report);
finding::Json bound_json_of(const finding::BoundReport& report); // before it is text

// By output and measure: what was found, what is proved, and their ratio, as the text has them.
finding::Json sides_words(const finding::BoundReport& report);
std::string closing_words(const finding::BoundReport& report); // what it took

// Numbers and boxes of bounds, in words.

// Three digits, rounded away from the truth that they bound: a printed bound is a bound.
std::string three_digits(double value, bool up);
std::string plain_number(double value);
// x in [0, 1], n = 4
std::string box_words(const std::vector<std::string>& names, const finding::BoxEnds& box);

// What the check of a certificate has shown, as text and as JSON (faultline check).
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

// Maps and proofs on a terminal.

// One line that says all: of one input where, of several how much of the range.
std::string map_summary(const finding::BoundReport& report);

// Where the error counts: in words, and the boxes. Empty without a threshold.
std::string map_text(const finding::BoundReport& report, const Style& style);
// The largest safe box around a point, if it was asked for.
std::string around_text(const finding::BoundReport& report);

// Of a hunt: "proved: no error above 0.001 for x in [1, 2]", with the bound; empty unless it is proved.
std::string proof_text(const finding::TargetReport& target);

} // namespace faultline::report
