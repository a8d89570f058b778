#include "instrument/intrinsics.h"

#include <llvm/ADT/DenseMap.h>

namespace faultline::instrument {

ops::Op operation_of_intrinsic(llvm::Intrinsic::ID id) {
  namespace I = llvm::Intrinsic;
  using ops::Op;
  static const llvm::DenseMap<unsigned, Op> operations = {
      {I::fma, Op::fma},
      {I::sqrt, Op::sqrt},
      {I::fabs, Op::fabs},
      {I::minnum, Op::fmin},
      {I::minimum, Op::fmin},
      {I::maxnum, Op::fmax},
      {I::maximum, Op::fmax},
      {I::copysign, Op::copysign},
      {I::floor, Op::floor},
      {I::ceil, Op::ceil},
      {I::trunc, Op::trunc},
      {I::round, Op::round},
      {I::rint, Op::rint},
      {I::nearbyint, Op::rint},
      {I::roundeven, Op::roundeven},
      {I::ldexp, Op::ldexp},
      {I::powi, Op::powi},
      {I::pow, Op::pow},
      {I::exp, Op::exp},
      {I::exp2, Op::exp2},
      {I::exp10, Op::exp10},
      {I::log, Op::log},
      {I::log2, Op::log2},
      {I::log10, Op::log10},
      {I::sin, Op::sin},
      {I::cos, Op::cos},
      {I::tan, Op::tan},
      {I::asin, Op::asin},
      {I::acos, Op::acos},
      {I::atan, Op::atan},
      {I::sinh, Op::sinh},
      {I::cosh, Op::cosh},
      {I::tanh, Op::tanh},
      {I::lrint, Op::to_int_rint},
      {I::llrint, Op::to_int_rint},
      {I::lround, Op::to_int_round},
      {I::llround, Op::to_int_round},
      {I::fptosi_sat, Op::to_int},
      {I::fptoui_sat, Op::to_int},
  };
  const auto found = operations.find(id);
  return found == operations.end() ? Op::none : found->second;
}

} // namespace faultline::instrument
