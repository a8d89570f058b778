// Is an input the float nearest to a pole of the exact function? There the exact result is unbounded within the input's
// own rounding: whatever is computed, and however wrong it is, nobody could do better, and nobody wants to read of it.
#pragma once

#include "judge/judge.h"

namespace faultline::judge {

// `reference` is the exact value of the output at this input. Looks at the neighbours of each float input, which takes
// two judgements each: for inputs that are ill-conditioned. With more than a few inputs it does not look.
bool is_at_a_pole(Judge& judge, exec::Session& session, const exec::Input& input, size_t output,
                  const numeric::BigFloat& reference);

} // namespace faultline::judge
