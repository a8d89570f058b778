#include "ops/op.h"

#include <array>

namespace faultline::ops {

namespace {

constexpr std::array<std::string_view, operation_count> names{{
#define FAULTLINE_OPERATION_NAME(name, arity, traits) #name,
    FAULTLINE_OPERATIONS(FAULTLINE_OPERATION_NAME)
#undef FAULTLINE_OPERATION_NAME
}};

} // namespace

std::string_view name(Op op) { return names[static_cast<size_t>(op)]; }

} // namespace faultline::ops
