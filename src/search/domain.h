// The domain that code gives to its inputs by comparing them with constants: a function that returns an error unless
// 0 < rate < 1 is searched there, too. Random inputs that must pass several such checks seldom do.
#pragma once

#include "exec/session.h"
#include "numeric/random.h"
#include "search/space.h"

#include <optional>

namespace faultline::search {

// The part of the space in which the longest runs lie, between the constants with which their inputs are compared.
// Nothing if samples of the space have such runs anyway, or if no comparison narrows it.
std::optional<Space> domain_of_code(exec::Session& session, const Space& space, numeric::Rng rng);

} // namespace faultline::search
