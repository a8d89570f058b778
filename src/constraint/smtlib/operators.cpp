#include "constraint/smtlib/operators.h"

#include <unordered_map>

namespace faultline::constraint {

using ops::Op;
using Does = Operator::Does;

namespace {

constexpr size_t any = Operator::any_number;

constexpr Operator operators[] = {
    {"not", Does::negation, 1, 1},
    {"and", Does::conjunction, 1, any},
    {"or", Does::disjunction, 1, any},
    {"xor", Does::exclusion, 2, any},
    {"=>", Does::implication, 2, any},
    {"=", Does::equality, 2, any},
    {"distinct", Does::distinctness, 2, any},
    {"ite", Does::choice, 3, 3},

    {"fp.abs", Does::operation, 1, 1, Op::fabs},
    {"fp.neg", Does::operation, 1, 1, Op::fneg},
    {"fp.add", Does::operation, 3, 3, Op::fadd},
    {"fp.sub", Does::operation, 3, 3, Op::fsub},
    {"fp.mul", Does::operation, 3, 3, Op::fmul},
    {"fp.div", Does::operation, 3, 3, Op::fdiv},
    {"fp.fma", Does::operation, 4, 4, Op::fma},
    {"fp.sqrt", Does::operation, 2, 2, Op::sqrt},
    {"fp.rem", Does::operation, 2, 2, Op::remainder},
    {"fp.min", Does::operation, 2, 2, Op::fmin},
    {"fp.max", Does::operation, 2, 2, Op::fmax},
    {"fp.roundToIntegral", Does::rounding, 2, 2},

    {"fp.leq", Does::comparison, 2, any, Op::cmp_ole},
    {"fp.lt", Does::comparison, 2, any, Op::cmp_olt},
    {"fp.geq", Does::comparison, 2, any, Op::cmp_oge},
    {"fp.gt", Does::comparison, 2, any, Op::cmp_ogt},
    {"fp.eq", Does::comparison, 2, any, Op::cmp_oeq},

    {"fp.isNormal", Does::classification, 1, 1, Op::none, Class::normal},
    {"fp.isSubnormal", Does::classification, 1, 1, Op::none, Class::subnormal},
    {"fp.isZero", Does::classification, 1, 1, Op::none, Class::zero},
    {"fp.isInfinite", Does::classification, 1, 1, Op::none, Class::infinite},
    {"fp.isNaN", Does::classification, 1, 1, Op::none, Class::nan},
    {"fp.isNegative", Does::classification, 1, 1, Op::none, Class::negative},
    {"fp.isPositive", Does::classification, 1, 1, Op::none, Class::positive},

    {"fp", Does::assembly, 3, 3},
    {"to_fp", Does::conversion, 1, 2, Op::none, {}, 2},
    {"to_fp_unsigned", Does::unsigned_conversion, 2, 2, Op::none, {}, 2},
    {"-", Does::minus, 1, 1},
    {"/", Does::division, 2, 2},
    {"concat", Does::concatenation, 2, 2},
    {"extract", Does::extraction, 1, 1, Op::none, {}, 2},

    {"fp.to_ubv"},
    {"fp.to_sbv"},
    {"fp.to_real"},
    {"fp.to_ieee_bv"},
    {"+"},
    {"*"},
    {"<"},
    {"<="},
    {">"},
    {">="},
    {"to_real"},
    {"to_int"},
    {"select"},
    {"store"},
};

} // namespace

const Operator* find_operator(std::string_view name) {
  static const std::unordered_map<std::string_view, const Operator*> by_name = [] {
    std::unordered_map<std::string_view, const Operator*> all;
    for (const Operator& function : operators)
      all.emplace(function.name, &function);
    return all;
  }();
  const auto found = by_name.find(name);
  return found == by_name.end() ? nullptr : found->second;
}

} // namespace faultline::constraint
