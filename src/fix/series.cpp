#include "fix/series.h"

namespace faultline::fix {

void add_series(Graph&, const Question&, FormSearch&) {}

} // namespace faultline::fix
