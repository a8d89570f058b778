// Series: polynomials that stand for a function of one variable near a point, with a proved remainder.
#pragma once

#include "fix/candidates.h"
#include "fix/forms.h"

namespace faultline::fix {

void add_series(Graph& graph, const Question& question, FormSearch& forms);

} // namespace faultline::fix
