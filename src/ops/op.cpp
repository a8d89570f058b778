#include "ops/op.h"

#include <array>

namespace faultline::ops {

namespace {

struct Named {
  std::string_view name;
  int arity;
};

constexpr std::array<Named, operation_count> names{{
#define FAULTLINE_OPERATION_NAME(name, arity, traits) {#name, arity},
    FAULTLINE_OPERATIONS(FAULTLINE_OPERATION_NAME)
#undef FAULTLINE_OPERATION_NAME
}};

} // namespace

std::string_view name(Op op) { return names[static_cast<size_t>(op)].name; }
int arity(Op op) { return names[static_cast<size_t>(op)].arity; }

} // namespace faultline::ops
