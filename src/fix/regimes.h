// Regimes: which form is used where. Borders are on one variable or its magnitude, at most two of them, and round numbers
// where possible.
#pragma once

#include "fix/candidates.h"
#include "fix/samples.h"

namespace faultline::fix {

// A form with its penalty at each sample: wrong digits, weighed by whether they are avoidable.
struct RatedForm {
  Term term;
  std::vector<float> penalty = {};
};

// Wrong bits, more if they are avoidable, and more if the original is right there.
float penalty_of(Value computed, const Sample& sample, Value original, Format format);

RatedForm rate(const Term& term, const std::vector<Sample>& samples, const Question& question,
               const std::vector<Value>& original);

struct Choice {
  std::vector<Branch> branches;
  double penalty = 0;
  int size() const;
};

// The best form for all inputs, and the best ones with two and three branches for each variable. Best first.
std::vector<Choice> choices(const std::vector<RatedForm>& forms, const std::vector<Sample>& samples,
                            const Question& question);

// The roundest number in [low, high].
Value round_number(Value low, Value high);

} // namespace faultline::fix
