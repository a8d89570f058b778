// Runs of small functions, judged.
#pragma once

#include "../exec/formula.h"
#include "../tape/reading.h"

#include "oracle/judgement.h"
#include "oracle/lifted.h"

namespace faultline::test {

inline oracle::Judgement lifted(exec::Session& session, const exec::Input& input) {
  return oracle::judge_lifted(session, input, read(session, input), {0});
}
inline oracle::Judgement replayed(exec::Session& session, const exec::Input& input) {
  return oracle::judge_replayed(session.target(), read(session, input), {0});
}

inline void expect_reference(const oracle::Judgement& judgement, const Real& truth) {
  ASSERT_EQ(judgement.certainty, oracle::Certainty::known) << judgement.why_unknown;
  numeric::BigFloat difference(400);
  mpfr_sub(difference.raw(), judgement.outputs.at(0).reference.raw(), truth.big().raw(), MPFR_RNDN);
  mpfr_div(difference.raw(), difference.raw(), truth.big().raw(), MPFR_RNDN);
  EXPECT_LT(std::fabs(difference.to_double()), 0x1p-66);
  const numeric::BigFloat own(judgement.outputs[0].computed, 64);
  mpfr_sub(difference.raw(), own.raw(), truth.big().raw(), MPFR_RNDN);
  mpfr_div(difference.raw(), difference.raw(), truth.big().raw(), MPFR_RNDN);
  EXPECT_NEAR(judgement.outputs[0].relative, std::fabs(difference.to_double()),
              1e-12 * judgement.outputs[0].relative + 0x1p-66);
}

} // namespace faultline::test
