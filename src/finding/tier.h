// How much a finding matters to those who maintain the code. Order, exit status, levels in SARIF and failures in JUnit
// go by it.
//
//   error    an avoidable failure at everyday inputs
//   warning  an avoidable failure at other inputs; at everyday ones also half of the digits lost avoidably, or a
//            failure of which nobody knows whether it is avoidable, or whether a wrong guess of ours makes it
//   note     what the code can do little about, or does not matter: ill-conditioned, inherent, reported to the caller,
//            without effect on an output, and what is unknown at other inputs
#pragma once

#include "finding/finding.h"

#include <optional>
#include <string_view>

namespace faultline::finding {

enum class Tier : uint8_t { error, warning, note }; // what matters most comes first
std::string_view text(Tier);
std::optional<Tier> tier_of(std::string_view text);

Tier tier_of(const Finding& finding);

// An exception after which the result is right: nobody needs to hear of it, but those who ask (--all).
bool is_folded(const Finding& finding);

} // namespace faultline::finding
